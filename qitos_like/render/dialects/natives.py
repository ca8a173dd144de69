"""A provider's own tool types: how an entry says that it is one, and how its calls come back.

A tool's ``native`` names, by provider, what goes out in its place: the type as text, or the whole
mapping. Several tools may share one type: ``when`` then holds the arguments that tell which of
them a call means, and that it is called without.
"""

from collections.abc import Iterable, Mapping

from attrs import field, frozen

from qitos_like.core.action import Action
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.traits import Traits

from .messages import arguments_mapping


@frozen
class Native:
    """A tool of a provider that one of ours stands for.

    Attributes:
        tool: as the provider takes it: its type and what else belongs there.
        when: arguments that a call must have to mean our tool.
    """

    tool: Schema
    when: Mapping[str, Json] = field(factory=dict)

    def takes(self, args: Mapping[str, Json]) -> bool:
        """Whether a call with these arguments means our tool."""
        return all(args.get(name) == value for name, value in self.when.items())


def native_of(traits: Traits, provider: str) -> Native | None:
    """What a tool is at a provider; ``None`` if it is an ordinary function there."""
    said = traits.native.get(provider)
    if not said:
        return None
    tool: Schema = {"type": said} if isinstance(said, str) else dict(said)
    return Native(tool, tool.pop("when", {}))


def native_action(
    entries: Iterable[Entry], called: Mapping[str, Json], args: Json, *, provider: str
) -> Action | None:
    """The action that a call of a provider's own tool means.

    Args:
        entries: the tools it may be.
        called: what of the provider's tool the call tells: its ``name`` or its ``type``.
        args: the call's arguments.
        provider: whose tool was called.
    """
    given = arguments_mapping(args)
    for entry in entries:
        native = native_of(entry.traits, provider)
        if native and called.items() <= native.tool.items() and native.takes(given):
            left = {name: value for name, value in given.items() if name not in native.when}
            return Action(entry.name, left)
    return None
