"""``ArtifactToolSet``: reading what was cut from results, where no kit for files does it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TextIO

from qitos_like import ArtifactStore, ToolContext, ToolError, ToolSet, tool

Artifact = Annotated[str, "the artifact, such as artifact:3"]

_CHUNK_CHARS = 65_536
_EXCERPT_CHARS = 200


class ArtifactToolSet(ToolSet):
    """Read and search the whole texts of results that were cut.

    >>> [each.__name__ for each in ArtifactToolSet().tools()]
    ['read', 'search']
    """

    name = "artifacts"

    @tool(parallel_safe=True, tags=["artifacts", "readonly"])
    def read(
        self,
        path: Artifact,
        start: Annotated[int, "the first character, from 0"] = 0,
        limit: Annotated[int, "how many characters"] = 10_000,
        *,
        context: ToolContext | None = None,
    ) -> str:
        """Read part of an artifact."""
        part, rest = _part(_file(path, context), start, max(limit, 1))
        end = start + len(part)
        onward = f"; go on with start={end}" if rest else ""
        return f"{part}\n[characters {start}-{end} of {end + rest}{onward}]"

    @tool(parallel_safe=True, tags=["artifacts", "readonly"])
    def search(
        self,
        path: Artifact,
        text: Annotated[str, "what to find, as it is"],
        limit: Annotated[int, "how many places"] = 50,
        *,
        context: ToolContext | None = None,
    ) -> str:
        """Find a text in an artifact; each place is one to read on from."""
        places = []
        for start, line in _lines(_file(path, context)):
            column = line.find(text)
            if column >= 0:
                places.append(f"start={start + column}: {_excerpt(line, column)}")
            if len(places) == limit:
                break
        return "\n".join(places) or f"{text!r} is not in {path}"


def _file(path: str, context: ToolContext | None) -> Path:
    """The artifact's file.

    Raises:
        ToolError: there is no such artifact, or no store.
    """
    if context is None or ArtifactStore not in context.services:
        message = "no artifacts are kept here"
        raise ToolError(message, code="not_available")
    try:
        return context.services[ArtifactStore].path(path)
    except KeyError as error:
        raise ToolError(str(error.args[0]), code="input_invalid") from None


def _part(file: Path, start: int, limit: int) -> tuple[str, int]:
    """So many characters from a place on, and how many there are after them."""
    with file.open(encoding="utf-8", newline="") as text:
        _skip(text, start)
        return text.read(limit), sum(map(len, _chunks(text)))


def _skip(text: TextIO, count: int) -> None:
    while count > 0 and (skipped := text.read(min(count, _CHUNK_CHARS))):
        count -= len(skipped)


def _chunks(text: TextIO) -> Iterator[str]:
    while chunk := text.read(_CHUNK_CHARS):
        yield chunk


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Each line after the number of characters before it."""
    start = 0
    with file.open(encoding="utf-8", newline="") as text:
        for line in text:
            yield start, line
            start += len(line)


def _excerpt(line: str, column: int) -> str:
    """What is around a place in a line."""
    begin = max(column - _EXCERPT_CHARS // 4, 0)
    return line[begin : begin + _EXCERPT_CHARS].strip("\r\n")
