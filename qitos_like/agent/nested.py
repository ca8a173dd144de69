"""A nested agent's actions, run in the turn of the tool that it works for."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count
from typing import Protocol

from attrs import field, frozen

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.registry import ToolRegistry
from qitos_like.run.approvals import Consent
from qitos_like.run.nesting import Nested


class Acting(Protocol):
    """What a run needs to act: an executor, or the turn of another one's tool."""

    @property
    def registry(self) -> ToolRegistry:
        """The tools."""
        ...

    async def run(self, action: Action, *, approval: Consent | None = None) -> ActionResult:
        """The answer to one action."""
        ...

    async def run_turn(
        self, actions: Iterable[Action], *, into: list[ActionResult] | None = None
    ) -> list[ActionResult]:
        """The answers to the actions of a message, in their order; ``into`` has them too."""
        ...


@frozen(eq=False)
class NestedActing:
    """Runs a nested agent's tools by the permissions, limits and approver of the outer executor.

    Attributes:
        parent: the turn of the tool.
        registry: the nested agent's own tools.
    """

    parent: Nested
    registry: ToolRegistry
    _ids: Iterator[int] = field(factory=partial(count, 1), init=False)

    async def run(self, action: Action, *, approval: Consent | None = None) -> ActionResult:  # noqa: ARG002
        """The answer to one action; who approves is the outer executor's affair."""
        return (await self.run_turn([action]))[0]

    async def run_turn(
        self, actions: Iterable[Action], *, into: list[ActionResult] | None = None
    ) -> list[ActionResult]:
        """The answers to the actions of a message, in their order; cut short, it tells nothing."""
        identified = [
            action if action.id else action.with_id(f"nested_{next(self._ids)}")
            for action in actions
        ]
        results = await self.parent.run_turn(identified, registry=self.registry)
        if into is not None:
            into.extend(results)
        return results
