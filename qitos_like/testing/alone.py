"""A stub context, and one tool called alone."""

from collections.abc import Mapping

from attrs import field, frozen

from qitos_like.agent.blocking import run_blocking
from qitos_like.core.action import Action
from qitos_like.core.context import Audience, Progress, ToolContext
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ToolResult
from qitos_like.run import hosts
from qitos_like.run.arguments import Checked
from qitos_like.run.call import Call
from qitos_like.run.failures import Stopped
from qitos_like.run.find import find
from qitos_like.run.invoke import Invoker
from qitos_like.run.prepared import Prepared


@frozen(kw_only=True)
class StubContext(ToolContext):
    """A context without a runner, that remembers what a tool did with it.

    Attributes:
        emitted: the progress that was reported, in order.
        shown: the texts that were shown as they came, in order.
        cancelled: whether ``raise_if_cancelled`` ends the tool.
    """

    emitted: list[Progress] = field(factory=list)
    shown: list[str] = field(factory=list)
    cancelled: bool = False

    def emit(
        self, message: str, percent: float | None = None, audience: Audience = "internal"
    ) -> None:
        """Remember the progress."""
        self.emitted.append(Progress(message, percent, audience))

    @property
    def is_watched(self) -> bool:
        """Whoever made it looks."""
        return True

    def output(self, text: str) -> None:
        """Remember the text."""
        self.shown.append(text)

    def raise_if_cancelled(self) -> None:
        """End the tool if this context is cancelled.

        Raises:
            Stopped: it is.
        """
        if self.cancelled:
            raise Stopped


def stub_context(**fields: Json) -> StubContext:
    """A context for a test; the fields are those of ``ToolContext``, and ``cancelled``.

    >>> stub_context(user="ann").user
    'ann'
    """
    return StubContext(**{"action": Action("stub"), **fields})


def run_tool(
    tool: object, args: Mapping[str, Json] | str, context: ToolContext | None = None
) -> ToolResult:
    """What one tool makes of these arguments: checked, run, and nothing else.

    No environment, deadline or budget is in its way. A tool with a lifecycle is set up before
    and torn down after.

    Args:
        tool: a callable or a ``BaseTool``.
        args: a mapping, or JSON text.
        context: what the tool is given; a stub if not said.

    Raises:
        RegistrationError: it cannot be a tool.
        LifecycleError: its setup or teardown failed.

    >>> def double(number: int) -> int:
    ...     '''Twice a number.'''
    ...     return 2 * number
    >>> run_tool(double, {"number": 4}).value, run_tool(double, {"number": "four"}).code.value
    (8, 'input_invalid')
    """
    registry = ToolRegistry().register(tool)
    (entry,) = registry
    found = find(registry, entry.name)
    if isinstance(found, Err):
        return found
    prepared = Prepared(entry)
    checked = prepared.checker.check(args)
    if isinstance(checked, Err):
        return checked
    call = _AloneCall(prepared, checked, stub_context() if context is None else context)

    async def run() -> ToolResult:
        async with registry:
            return await Invoker(1).invoke(call, hosts.current())

    return run_blocking(run)


class _AloneCall(Call):
    """A call of a tool that no executor has."""

    def __init__(self, prepared: Prepared, checked: Checked, context: ToolContext) -> None:
        super().__init__(prepared.entry.name, is_async=prepared.is_async)
        self._prepared = prepared
        self._checked = checked
        self._context = context

    def code(self) -> object:
        """Call the tool."""
        tool = self._prepared.entry.tool
        positional, named = tool.signature.bind(self._checked.values, context=self._context)
        return tool.run(*positional, **named)

    def report(self, progress: Progress) -> None:
        """Tell the context."""
        self._context.emit(progress.message, progress.percent, progress.audience)
