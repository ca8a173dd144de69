"""Docstrings: the description, and the texts of parameters in four styles.

The parameter sections are cut out of the text first, so that the description never repeats them;
only they are parsed. A docstring without any costs a search and no import.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc

from attrs import field, frozen

from .docstring_entries import ParameterText, fields, section


@frozen
class Docstring:
    """A docstring, its parameter sections apart.

    Attributes:
        description: everything else.
        parameters: what the sections say, by the parameter's name.
    """

    description: str
    parameters: Mapping[str, ParameterText] = field(factory=dict)


def read(text: str | None) -> Docstring:
    r"""The description and the parameters of a function's docstring.

    Google, NumPy, Sphinx and Epytext are told apart section by section; other sections
    (returns, raises, examples) stay in the description.

    >>> read("Add.\n\nArgs:\n    a: the first number").parameters["a"].text
    'the first number'
    """
    return _read(text, _PARAMETERS)


def read_fields(text: str | None) -> dict[str, str]:
    """The texts of a class's attributes by its docstring."""
    parameters = _read(text, _ATTRIBUTES).parameters
    return {name: parameter.text for name, parameter in parameters.items()}


def _read(text: str | None, heads: str) -> Docstring:
    text = (text or "").replace("\r\n", "\n")
    if re.match(rf"(?:{heads}):?[ \t]*\n", text):
        text = f"\n{text}"  # the margin of a first line does not count, and this one is a heading
    clean = cleandoc(text).strip()
    if not re.search(
        rf"^[ \t]*(?:{heads}(?::[ \t]*|:?[ \t]*\n{_UNDERLINE})$|{_MARKER})", clean, re.MULTILINE
    ):
        return Docstring(clean)
    kept: list[str] = []
    parameters: dict[str, ParameterText] = {}
    field_lines: list[str] = []
    for style, block in _blocks(clean.split("\n"), heads):
        if style == _FIELD:
            field_lines += block
        elif style is None:
            kept += block
        else:
            found, rest = section(style, block)
            parameters |= found
            kept += rest
    parameters |= fields(field_lines)
    description = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return Docstring(description, parameters)


_FIELD, _GOOGLE, _NUMPY = "FIELD", "GOOGLE", "NUMPYDOC"
_PARAMETERS = (
    "(?i:Args|Arguments|Params|Parameters|Other Parameters|Keyword Args|Keyword Arguments)"
)
_ATTRIBUTES = f"(?:{_PARAMETERS}|Attributes)"
_WORD = "param|parameter|arg|argument|key|keyword|type|kwtype"
#: What names a field; a type in it may be a role, ``:class:`X` ``, which has colons.
_WORDS = r"(?:[^:\n]|:\w+:`)"
_MARKER = rf"[:@](?:(?:{_WORD})[ \t]+(?! ){_WORDS}+|rtype[ \t]*):"
_UNDERLINE = r"[ \t]*[-=][-=][-=]+[ \t]*"
#: A heading of any section, after which no field goes on.
_HEADING = r"\s*[A-Z]\w*(?: [A-Z]\w*)?:\s*"
_FENCES = ("```", "~~~")
#: An entry that is not indented: its name is none of a heading.
_FLUSH_ENTRY = r"(?:[-+*] +)?[`*]*[a-z_]\w*[`*]*\s*(?:\([^()]*\)\s*)?(?::(?:\s|$)| --? )"


def _blocks(lines: Sequence[str], heads: str) -> Iterator[tuple[str | None, list[str]]]:
    """The lines in blocks, each with the style of its section; ``None`` for other text."""
    start = 0
    while start < len(lines):
        style, stop = _block_at(lines, start, heads)
        yield style, list(lines[start:stop])
        start = stop


def _block_at(lines: Sequence[str], start: int, heads: str) -> tuple[str | None, int]:
    """The style of the block that begins here, and where it ends."""
    text = lines[start].strip()
    if text.startswith(_FENCES):
        return None, _fence_end(lines, start)
    if text.startswith((":", "@")) and re.match(_MARKER, text):
        style, stop = _FIELD, _field_end(lines, start)
    elif re.fullmatch(rf"{heads}:?", text) is None:
        return None, start + 1
    elif start + 1 < len(lines) and re.fullmatch(_UNDERLINE, lines[start + 1]):
        style, stop = _NUMPY, _numpy_end(lines, start + 2)
    else:
        margin = _margin(lines[start])
        style, stop = _GOOGLE, _indented_end(lines, start + 1, margin)
        if not any(line.strip() for line in lines[start + 1 : stop]):
            entries, stop = stop, _flush_end(lines, stop, margin)
            stop = start + 1 if stop == entries else stop
        if stop == start + 1 or not text.endswith(":"):
            return None, start + 1
    return (None, start + 1) if _is_quoted(lines, start) else (style, stop)


def _is_quoted(lines: Sequence[str], at: int) -> bool:
    """Whether a line stands inside another section, such as an example of a docstring."""
    margin = _margin(lines[at])
    outer = (line for line in reversed(lines[:at]) if line.strip() and _margin(line) < margin)
    return margin > 0 and next(outer, "").rstrip().endswith(":")


def _fence_end(lines: Sequence[str], start: int) -> int:
    """After the line that closes a fenced block; after this one if none does."""
    closing = (at for at in range(start + 1, len(lines)) if lines[at].lstrip().startswith(_FENCES))
    return next(closing, start) + 1


def _field_end(lines: Sequence[str], start: int) -> int:
    """Up to the next field or heading, or a blank line that nothing indented follows."""
    stop = start + 1
    while stop < len(lines) and not re.match(rf"\s*[:@]\w|{_HEADING}$", lines[stop]):
        if not lines[stop].strip():
            rest = next((line for line in lines[stop:] if line.strip()), "")
            if _margin(rest) <= _margin(lines[start]):
                break
        stop += 1
    return stop


def _numpy_end(lines: Sequence[str], start: int) -> int:
    """Up to the next underlined heading."""
    for index in range(start, len(lines) - 1):
        if lines[index].strip() and re.fullmatch(_UNDERLINE, lines[index + 1]):
            return index
    return len(lines)


def _indented_end(lines: Sequence[str], start: int, margin: int) -> int:
    """Up to the first text that is not indented more than the heading."""
    for index in range(start, len(lines)):
        if lines[index].strip() and _margin(lines[index]) <= margin:
            return index
    return len(lines)


def _flush_end(lines: Sequence[str], start: int, margin: int) -> int:
    """After the entries that stand right below their heading, no further in than it is."""
    stop = start
    while stop < len(lines) and lines[stop].strip():
        if _margin(lines[stop]) <= margin and not re.match(_FLUSH_ENTRY, lines[stop].strip()):
            break
        stop += 1
    return stop


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
