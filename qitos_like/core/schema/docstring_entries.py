"""Single parameters in a docstring: the entries of a section, and fields such as ``:param x:``.

docstring-parser reads them. What it gives up on is put into its form before, and what it takes for
a part of a name is read again afterwards, so that one odd entry costs the others nothing.
"""

import re
from collections.abc import Iterator, Sequence
from inspect import cleandoc

from attrs import frozen

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


_NAME = r"[`*\\]*\w[\w.\\]*[`*]*"
#: How an entry of a Google section begins: ``name:``, ``name (``, ``- a, b:``.
_ENTRY = re.compile(rf"(?:[-+*] +)?{_NAME}(?:\s*,\s*{_NAME})*\s*[:(=]")
#: ``name - text``, ``name (type) -- text``, ``name {type}: text``.
_OTHERWISE = re.compile(
    rf"((?:[-+*] +)?{_NAME})(?:\s+(?:--?|\u2013|\u2014)"
    r"|\s*\(([^()]*)\)\s+(?:--?|\u2013|\u2014)|\s*\{([^{}]*)\}\s*(?:--?|:))\s+"
)
#: ``name (type) = default: text``, where the type has brackets and colons of its own.
_TYPED = re.compile(
    r"([^\s(=]+)\s*(?:\(((?:[^()]|\([^()]*\))*)\))?\s*(?:=[^:]*)?:(.*)",
    re.DOTALL,
)
#: ``:param type of some words name: text``.
_FIELD = re.compile(
    r"\s*[:@](\w+)\s+(?:((?:[^:`]|`[^`]*`|:\w+:`[^`]*`)+?)\s+)??([\w.,*`\\]+)\s*:(.*)"
)
_PLAIN_NAMES = re.compile(r"[\w., *`\\-]+")


def section(style: str, block: Sequence[str]) -> tuple[dict[str, ParameterText], list[str]]:
    """The parameters of a section with its heading, and the lines that are about none."""
    if style == "NUMPYDOC":
        found = _parsed(style, ["_", "", "Parameters", "----------", *_dedented(block[2:])])
        return found, [] if found else list(block)
    entries = list(_entries(block[1:]))
    told = [line for entry in entries if _is_told(entry) for line in entry]
    rest = [line for entry in entries if not _is_told(entry) for line in entry]
    # a summary stands above the heading, since the margin of a first line is never kept
    found = _parsed(style, ["_", "", "Args:", *(f"    {line}" for line in _dedented(told))])
    return found, [block[0], *rest] if rest else []


def fields(lines: Sequence[str]) -> dict[str, ParameterText]:
    """The parameters of Sphinx's and Epytext's fields, each of which may be told in two of them."""
    return _parsed("REST", [each for line in _dedented(lines) for each in _plain_fields(line)])


def _entries(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of each entry; one begins where a line is not indented more than the first."""
    margin = next((_margin(line) for line in lines if line.strip()), 0)
    entry: list[str] = []
    for line in lines:
        begins = bool(line.strip()) and _margin(line) <= margin
        if begins and entry:
            yield entry
            entry = []
        entry.append(" " * margin + _with_colon(line.lstrip()) if begins else line)
    if entry:
        yield entry


def _with_colon(line: str) -> str:
    """The first line of an entry as ``name (type): text``, where it is written otherwise."""
    found = _OTHERWISE.match(line)
    if found is None:
        return line
    name, *types = found.groups()
    kind = next((f" ({each})" for each in types if each), "")
    return f"{name}{kind}: {line[found.end() :]}"


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_told(entry: Sequence[str]) -> bool:
    """Whether an entry has a name and, after it, a text."""
    whole = "\n".join(entry).strip()
    return not whole or (_ENTRY.match(whole) is not None and ":" in whole)


def _plain_fields(line: str) -> Iterator[str]:
    """A field with one word for its name, its type in a field of its own."""
    match = _FIELD.fullmatch(line)
    if match is None:
        yield re.sub(r"^\s*@(?=\w+:)", ":", line)
        return
    kind, type_, name, text = match.groups()
    if "type" in kind:
        yield f":type {name}:{text}"
        return
    if type_:
        yield f":type {name}: {type_}"
    yield f":param {name}:{text}"


def _dedented(lines: Sequence[str]) -> list[str]:
    return cleandoc("\n".join(["", *lines])).split("\n")


def _parsed(style: str, block: Sequence[str]) -> dict[str, ParameterText]:
    """The parameters of one section; none if it is not written as its style is."""
    try:
        parsed = docstring_parser()("\n".join(block), docstring_styles()[style])
    except RuntimeError:  # docstring-parser's ParseError
        return {}
    found = {}
    for parameter in parsed.params:
        names, text, type_ = parameter.arg_name, parameter.description or "", parameter.type_name
        again = None if _PLAIN_NAMES.fullmatch(names) else _TYPED.match(f"{names}:{text}")
        if again:
            names, inner, text = again.groups()
            type_ = inner or type_
        for name in names.split(","):
            found[name.replace("\\", "").strip("`*- ")] = ParameterText(
                " ".join(text.split()), type_
            )
    return found
