"""The door to our own modules that are loaded on first use.

A registry is there before it has a tool, and has tools before a model is shown one: what reads
signatures comes with the first tool, and the default text with the first description.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .jsontypes import Json, Schema

if TYPE_CHECKING:
    from .schema.docstrings import Docstring
    from .schema.signature import Signature
    from .spec import ToolSpec


def read_signature(
    target: Json,
    *,
    owner: type | None = None,
    namespace: Mapping[str, object] | None = None,
    explicit: Schema | None = None,
    tool: str | None = None,
) -> "Signature":
    """The signature of any callable; the arguments are those of ``schema.signature.read``.

    Raises:
        SignatureError: the parameters cannot be filled as the schema promises.
    """
    from .schema import signature

    return signature.read(target, owner=owner, namespace=namespace, explicit=explicit, tool=tool)


def read_docstring(text: str | None) -> "Docstring":
    """What a docstring says."""
    from .schema import docstrings

    return docstrings.read(text)


def described(
    specs: "Iterable[ToolSpec]",
    instructions: Mapping[str, Sequence[str]],
    budget_chars: int | None,
) -> str:
    """These tools as text, as many characters as are asked for; ``instructions`` by namespace."""
    from . import describe, detail

    return detail.fitting(detail.sheet(specs, instructions), budget_chars, describe.text)


def instructions_text(value: object) -> str:
    """A toolset's instructions on one line."""
    from . import describe

    return describe.instructions_text(value)
