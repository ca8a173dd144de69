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

#: What a model is told whose message ended at the limit of output tokens.
CUT_OFF = (
    "Your message was cut off at the limit of output tokens, so nothing of it was done. "
    "Say less at once: make smaller calls, or answer more briefly."
)
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
        """A provider's message as ``Reply.raw`` keeps it."""
        return {self.dialect.name: self.dialect.assistant(message)}

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
