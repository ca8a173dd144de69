"""Docstrings: the description, and the texts of parameters in four styles.

The parameter sections are cut out of the text first, so that the description never repeats them;
only they go to docstring-parser. A docstring without any costs a search and no import.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc

from attrs import field, frozen

from qitos_like.core._lazy import docstring_parser, docstring_styles


@frozen
class ParameterText:
    """What a docstring says of a parameter.

    Attributes:
        text: the description, on one line.
        type: the type as it is written there, if it is.
    """

    text: str
    type: str | None = None


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
    if not re.search(_SECTION.format(heads=heads), clean, re.MULTILINE):
        return Docstring(clean)
    kept: list[str] = []
    parameters: dict[str, ParameterText] = {}
    fields: dict[str, list[str]] = {style: [] for style in _FIELD_LISTS}
    for style, block in _blocks(clean.split("\n"), heads):
        if style in fields:
            fields[style] += block
        elif style and (found := _parsed(style, _with_plain_head(style, block))):
            parameters |= found
        else:
            kept += block
    for style, block in fields.items():
        parameters |= _parsed(style, block)
    description = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return Docstring(description, parameters)


_PARAMETERS = "Args|Arguments|Params|Parameters|Other Parameters|Keyword Args|Keyword Arguments"
_ATTRIBUTES = f"{_PARAMETERS}|Attributes"
_MARKER = r"[:@](?:param|parameter|arg|argument|key|keyword|type|kwtype|rtype)\b[^:\n]*:"
_SECTION = rf"^[ \t]*(?:(?:{{heads}})(?::[ \t]*$|[ \t]*\n[ \t]*-{{{{3,}}}}[ \t]*$)|{_MARKER})"
#: Styles that write each parameter as a field of its own; a type may stand in another one.
_FIELD_LISTS = ("REST", "EPYDOC")


def _blocks(lines: Sequence[str], heads: str) -> Iterator[tuple[str | None, list[str]]]:
    """The lines in blocks, each with the style of its section; ``None`` for other text."""
    start = 0
    while start < len(lines):
        style, stop = _block_at(lines, start, heads)
        yield style, list(lines[start:stop])
        start = stop


def _block_at(lines: Sequence[str], start: int, heads: str) -> tuple[str | None, int]:
    """The style of the block that begins here, and where it ends."""
    line = lines[start]
    following = lines[start + 1] if start + 1 < len(lines) else ""
    if re.match(rf"\s*{_MARKER}", line):
        return ("REST" if line.lstrip().startswith(":") else "EPYDOC"), _field_end(lines, start)
    if re.fullmatch(rf"\s*(?:{heads})\s*", line) and re.fullmatch(r"\s*-{3,}\s*", following):
        return "NUMPYDOC", _numpy_end(lines, start + 2)
    if re.fullmatch(rf"\s*(?:{heads}):\s*", line):
        stop = _indented_end(lines, start + 1, _margin(line))
        return ("GOOGLE", stop) if stop > start + 1 else (None, stop)
    return None, start + 1


def _field_end(lines: Sequence[str], start: int) -> int:
    """Up to the next field, or a blank line that nothing indented follows."""
    stop = start + 1
    while stop < len(lines) and not re.match(r"\s*[:@]\w", lines[stop]):
        if not lines[stop].strip():
            rest = next((line for line in lines[stop:] if line.strip()), "")
            if _margin(rest) <= _margin(lines[start]):
                break
        stop += 1
    return stop


def _numpy_end(lines: Sequence[str], start: int) -> int:
    """Up to the next underlined heading."""
    for index in range(start, len(lines) - 1):
        if lines[index].strip() and re.fullmatch(r"\s*-{3,}\s*", lines[index + 1]):
            return index
    return len(lines)


def _indented_end(lines: Sequence[str], start: int, margin: int) -> int:
    """Up to the first text that is not indented more than the heading."""
    for index in range(start, len(lines)):
        if lines[index].strip() and _margin(lines[index]) <= margin:
            return index
    return len(lines)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _with_plain_head(style: str, block: Sequence[str]) -> list[str]:
    """The section under the one heading that docstring-parser surely knows.

    It comes below a summary, since the margin of a first line is never kept.
    """
    if style == "NUMPYDOC":
        return ["_", "", "Parameters", "----------", *_dedented(block[2:])]
    return ["_", "", "Args:", *(f"    {line}" for line in _dedented(block[1:]))]


def _dedented(lines: Sequence[str]) -> list[str]:
    return cleandoc("\n".join(["", *lines])).split("\n")


def _parsed(style: str, block: Sequence[str]) -> dict[str, ParameterText]:
    """The parameters of one section; none if it is not written as its style is."""
    try:
        parsed = docstring_parser()("\n".join(_dedented(block)), docstring_styles()[style])
    except RuntimeError:  # docstring-parser's ParseError
        return {}
    found = {}
    for parameter in parsed.params:
        text = " ".join((parameter.description or "").split())
        for name in parameter.arg_name.split(","):
            found[name.strip("`*-\\ ")] = ParameterText(text, parameter.type_name)
    return found
