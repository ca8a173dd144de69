"""Text inserted behind a line, as lines of its own."""

from kits.errors import invalid
from kits.text import lines
from kits.text.content import Content, Splice


def splice(content: Content, line: int, text: str) -> Splice:
    """The edit that puts ``text`` behind line ``line``; 0 is the top of the file.

    One newline at the end of ``text`` ends its last line. Behind an unterminated last line a line
    end goes first, and the new last line is unterminated in its place.

    Raises:
        WorkspaceError: there is no such line, or no text.
    """
    utf8, start = content.utf8, content.start
    count = lines.count_lines(utf8, start)
    if not 0 <= line <= count:
        message = f"insert_line {line} is out of range: the file has {lines.counted(count)}"
        raise invalid(message, hint=f"Use 0 for the top, up to {count} for the end.")
    if not text:
        message = "the text to insert is empty"
        raise invalid(message, hint="A blank line is '\\n'.")
    at = lines.offset_behind(utf8, line, start)
    ending = lines.ending_at(utf8, max(at - 1, start), start).decode()  # the line above's
    body, ended = _without_last_break(content.unmarked(text, at))
    body = ending.join(lines.TEXT_BREAK.split(body))
    if at > start and utf8[at - 1 : at] not in {b"\n", b"\r"}:
        return Splice(at, at, f"{ending}{body}{ending if ended else ''}")
    return Splice(at, at, body + ending)


def _without_last_break(text: str) -> tuple[str, bool]:
    for ending in ("\r\n", "\n", "\r"):
        if text.endswith(ending):
            return text.removesuffix(ending), True
    return text, False
