"""For tests: a stub context, one tool called alone, and the contract of every toolset."""

import warnings
from collections.abc import Iterator, Mapping

from attrs import field, frozen

from qitos_like.core.action import Action
from qitos_like.core.context import Audience, Progress, ToolContext
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ToolResult
from qitos_like.errors import QitosLikeError, QitosLikeWarning

from .agent.blocking import run_blocking
from .run import hosts
from .run.call import Call
from .run.failures import Stopped
from .run.find import find
from .run.invoke import Invoker
from .run.prepared import Prepared


@frozen(kw_only=True)
class StubContext(ToolContext):
    """A context without a runner, that remembers what a tool did with it.

    Attributes:
        emitted: the progress that was reported, in order.
        cancelled: whether ``raise_if_cancelled`` ends the tool.
    """

    emitted: list[Progress] = field(factory=list)
    cancelled: bool = False

    def emit(
        self, message: str, percent: float | None = None, audience: Audience = "internal"
    ) -> None:
        """Remember the progress."""
        self.emitted.append(Progress(message, percent, audience))

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
    given = stub_context() if context is None else context

    def code() -> object:
        positional, named = entry.tool.signature.bind(checked.values, context=given)
        return entry.tool.run(*positional, **named)

    async def run() -> ToolResult:
        call = Call(
            name=entry.name,
            code=code,
            is_async=prepared.is_async,
            report=lambda step: given.emit(step.message, step.percent, step.audience),
        )
        async with registry:
            return await Invoker(1).invoke(call, hosts.current())

    return run_blocking(run)


def check_toolset(toolset: object) -> None:
    """Pass if a toolset keeps the contract of toolsets, else say everything it breaks.

    It registers under any namespace, again and again, as the same tools; registrations do not see
    each other; each tool and each parameter says what it is; set up and torn down, it can be set
    up again.

    Raises:
        AssertionError: it does not; a line for each breach.
    """
    breaches = list(dict.fromkeys(_breaches(toolset)))
    if breaches:
        name = type(toolset).__name__
        raise AssertionError("\n".join([f"{name} breaks the contract of toolsets:", *breaches]))


def _breaches(toolset: object) -> Iterator[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", QitosLikeWarning)
        try:
            first = ToolRegistry().register_toolset(toolset, namespace="one")
            second = ToolRegistry().register_toolset(toolset, namespace="two")
            for entry in first:
                yield from _unsaid(entry)
        except QitosLikeError as error:
            yield str(error)
            return
    yield from (str(warning.message) for warning in caught)
    theirs = [entry.name.removeprefix("two.") for entry in second]
    ours = [entry.name.removeprefix("one.") for entry in first]
    if ours != theirs:
        yield f"tools() gives other tools the second time: {ours}, then {theirs}"
    if not ours:
        yield "it has no tools"
    yield from _lifecycle_breaches(first)


def _unsaid(entry: Entry) -> Iterator[str]:
    if not entry.spec.description:
        yield f"{entry.name} has no description"
    for name, schema in entry.spec.input_schema.get("properties", {}).items():
        if not schema:
            yield f"{entry.name}: parameter {name!r} has neither a type nor a text"


def _lifecycle_breaches(registry: ToolRegistry) -> Iterator[str]:
    async def twice() -> None:
        for _ in range(2):
            async with registry:
                pass

    try:
        run_blocking(twice)
    except QitosLikeError as error:
        yield str(error)
