"""A conversation in a provider's terms."""

import re
from collections.abc import Callable, Iterable, Sequence

from attrs import frozen

from qitos_like.agent.model import Message, Prompt, Reply, Request, Results
from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import wire_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.render.dialects.base import Dialect

#: Parts of messages that providers refuse where nothing follows them.
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
_NOT_ON_WIRE = re.compile(r"[^A-Za-z0-9_-]")
_MAX_NAME_CHARS = 64


@frozen
class Conversation:
    """Writes conversations for one provider.

    Attributes:
        dialect: the provider's wire format.
        spell: makes the provider's message of a text and of actions under their wire names; for
            what an agent decided itself, and what another provider's model said.
    """

    dialect: Dialect
    spell: Callable[[str, Sequence[Action]], Json]

    def messages(self, request: Request) -> list[Schema]:
        """All messages of a request, but for the system prompt."""
        return [
            told for message in request.messages for told in self._told(message, request.registry)
        ]

    def raw(self, message: object) -> dict[str, Json]:
        """A provider's message as ``Reply.raw`` keeps it; of one that says nothing, nothing."""
        kept = self.dialect.assistant(message)
        return {self.dialect.name: kept} if _says_something(kept) else {}

    def _told(self, message: Message, registry: ToolRegistry) -> Iterable[Schema]:
        if isinstance(message, Prompt):
            return [{"role": "user", "content": message.text}]
        if isinstance(message, Results):
            return self.dialect.results(message.results)
        return self._said(message, registry)

    def _said(self, reply: Reply, registry: ToolRegistry) -> Iterable[Schema]:
        said = reply.raw.get(self.dialect.name)
        if said is None:
            if not reply.text and not reply.actions:
                return []  # providers refuse a message without content
            named = [self._named(action, registry) for action in reply.actions]
            said = self.dialect.assistant(self.spell(reply.text, named))
        return said if isinstance(said, list) else [said]

    def _named(self, action: Action, registry: ToolRegistry) -> Action:
        entry = registry.get(action.name)
        if entry is not None:
            name = wire_name(entry.name, self.dialect.name)
        else:
            name = _NOT_ON_WIRE.sub("_", action.name)[:_MAX_NAME_CHARS] or "_"
        return Action(name, action.args, action.id)


def _says_something(kept: Schema | list[Schema]) -> bool:
    """Whether there is more in a message than thoughts and space."""
    if isinstance(kept, dict) and (kept.get("tool_calls") or kept.get("audio")):
        return True
    content: Json = kept.get("content") if isinstance(kept, dict) else kept
    if isinstance(content, list):
        return any(part.get("type") not in _THOUGHTS for part in content)
    return bool(str(content or "").strip())
