"""What an export costs: a line for each thing that a provider's form of a schema cannot say."""

from collections.abc import Iterator

from attrs import frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.schema.problems import path_step

#: A place in a schema, ``$.edits[].old``, and what is said of it.
Finding = tuple[str, str]


@frozen
class Note:
    """One thing that a provider is not told, or not promised.

    Attributes:
        tool: its qualified name.
        path: the argument, ``$.edits[].old``; ``$`` for all of them.
        text: what is lost there, and why.
    """

    tool: str
    path: str
    text: str

    def __str__(self) -> str:
        """``coding.view: $.limit: no place for multipleOf``."""
        return f"{self.tool}: {self.path}: {self.text}"


def parts(schema: Json, path: str) -> Iterator[tuple[str, Json]]:
    """The schemas directly inside one that stand for parts of its value, each with its path."""
    for name, value in schema.get("properties", {}).items():
        yield f"{path}{path_step(name)}", value
    if "items" in schema:
        yield f"{path}[]", schema["items"]
    for index, value in enumerate(schema.get("prefixItems", ())):
        yield f"{path}[{index}]", value
    if isinstance(schema.get("additionalProperties"), dict):
        yield f"{path}.*", schema["additionalProperties"]
    for keyword in ("anyOf", "oneOf", "allOf"):
        yield from ((path, member) for member in schema.get(keyword, ()))
