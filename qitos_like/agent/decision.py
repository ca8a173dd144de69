"""What an agent does next."""

from collections.abc import Iterable
from typing import Self, cast

from attrs import evolve, field, frozen

from qitos_like.core.action import Action
from qitos_like.core.given import check_list

from .model import Reply


def _actions(given: Iterable[Action]) -> tuple[Action, ...]:
    """The actions.

    Raises:
        TypeError: they are no list, or one is none.
    """
    check_list("the actions of a decision are", given)
    actions: tuple[object, ...] = tuple(given)
    for each in actions:
        if not isinstance(each, Action):
            message = f"the actions of a decision are Action(name, args), not {each!r}"
            raise TypeError(message)
    return cast(tuple[Action, ...], actions)  # as was just seen


@frozen
class Decision:
    """One step's choice: actions, a final answer, or to wait.

    A decision with both runs its actions and then ends the run.

    Attributes:
        actions: the tool calls of this step, run together as one turn.
        final_answer: the answer that ends the run; ``None`` goes on.
        rationale: why, in the agent's own words.

    Raises:
        TypeError: an action is none.

    >>> Decision.act([Action("view", {"path": "a.py"})]).is_final
    False
    """

    actions: tuple[Action, ...] = field(default=(), converter=_actions)
    final_answer: str | None = None
    rationale: str | None = None

    @classmethod
    def act(cls, actions: Iterable[Action], rationale: str | None = None) -> Self:
        """Run these actions."""
        return cls(actions, rationale=rationale)

    @classmethod
    def final(cls, answer: str, rationale: str | None = None) -> Self:
        """End the run with this answer."""
        return cls(final_answer=answer, rationale=rationale)

    @classmethod
    def wait(cls, rationale: str | None = None) -> Self:
        """Do nothing in this step."""
        return cls(rationale=rationale)

    @classmethod
    def of(cls, reply: Reply) -> Self:
        """What a model's reply means: its actions, else its text as the answer, else to wait."""
        if reply.unusable is not None:
            return cls.wait(reply.text or None)
        if reply.actions:
            return cls.act(reply.actions, reply.text or None)
        return cls.final(reply.text) if str(reply.text).strip() else cls.wait()

    @property
    def is_final(self) -> bool:
        """Whether the run ends with this decision; an empty answer is an answer."""
        return self.final_answer is not None

    def with_actions(self, actions: Iterable[Action]) -> "Decision":
        """The same choice with these actions, such as the same ones under their ids."""
        return evolve(self, actions=actions)
