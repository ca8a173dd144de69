"""``Caps``: how much of anything the kits show or take at once."""

from attrs import frozen

_MIB = 1 << 20


@frozen(kw_only=True)
class Caps:
    """The limits of the prebuilt tools; what is beyond them is said, never silently left out.

    Attributes:
        view_lines, view_chars: what ``view`` shows at once, counted after numbering.
        line_chars: where ``view`` cuts a line.
        folder_entries: how many names ``view`` lists of a folder.
        image_bytes: the largest image that is shown.
        grep_lines, grep_line_chars: how many lines ``grep`` shows, and where it cuts one.
        glob_paths: how many paths ``glob`` shows.
        command_chars: how much of a command's output is shown.
        command_timeout_s: the longest timeout a model may ask for.

    >>> Caps(view_lines=100).view_lines
    100
    """

    view_lines: int = 2_000
    view_chars: int = 20_000
    line_chars: int = 2_000
    folder_entries: int = 1_000
    image_bytes: int = 5 * _MIB
    grep_lines: int = 100
    grep_line_chars: int = 500
    glob_paths: int = 100
    command_chars: int = 16_000
    command_timeout_s: int = 600


def checked(given: object) -> Caps:
    """The limits.

    Raises:
        TypeError: they are something else.
    """
    if not isinstance(given, Caps):
        message = f"caps takes an object of Caps, as in Caps(view_lines=500), not {given!r}"
        raise TypeError(message)
    return given
