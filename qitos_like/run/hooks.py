"""Hooks around a call: they may look, change the arguments, answer, try again or refuse."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from copy import deepcopy

from attrs import evolve, frozen

from qitos_like.core.action import Action
from qitos_like.core.given import check_list
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, Ok, ToolError, ToolResult
from qitos_like.core.spec import ToolSpec

from .call import FunctionCall
from .execution import Ran
from .failures import failure
from .hosts import Host
from .invoke import Invoker
from .plan import Ready

_log = logging.getLogger("qitos_like")


@frozen(kw_only=True)
class HookCall:
    """A call as a hook sees it.

    Attributes:
        action: what the model asked for.
        spec: the tool that would run.
        args: its arguments, checked.
    """

    action: Action
    spec: ToolSpec
    args: Mapping[str, Json]

    def with_args(self, args: Mapping[str, Json]) -> "HookCall":
        """The same call with other arguments, which are checked again."""
        return evolve(self, args=args)


#: Goes on with a call: the next hook, and in the end the tool.
Next = Callable[[HookCall], Awaitable[ToolResult]]
#: ``async def around(call, next)``; what it returns is the answer, and ``None`` leaves it as it is.
Hook = Callable[[HookCall, Next], Awaitable[object]]
#: Runs an action that has passed the hooks.
Run = Callable[[Ready], Awaitable[Ran]]


def checked(given: Iterable[Hook]) -> tuple[Hook, ...]:
    """The hooks.

    Raises:
        TypeError: they are no list, or one cannot be called.
    """
    check_list("hooks are", given)
    hooks = tuple(given)
    things: tuple[object, ...] = hooks
    odd = [each for each in things if not callable(each)]
    if odd:
        message = f"a hook is a function, async def around(call, next), not {odd[0]!r}"
        raise TypeError(message)
    return hooks


async def around(
    hooks: Sequence[Hook], plan: Ready, run: Run, *, invoker: Invoker, host: Host
) -> Ran:
    """What comes of an action with hooks around it; one that raises refuses it."""
    passage = _Passage(hooks, plan, run)
    call = FunctionCall("a hook", passage.walk, is_async=True)
    result = await invoker.invoke(call, host)
    if not passage.is_over and isinstance(result, Err):
        _log.warning("%s", result.error)
        result = passage.refusal(result)
    return result, passage.attempts, passage.repairs


class _Passage:
    """One action on its way through the hooks."""

    def __init__(self, hooks: Sequence[Hook], plan: Ready, run: Run) -> None:
        self.attempts = 0
        self.repairs = plan.arguments.repairs
        self.is_over = False
        self._is_at_work = False
        self._hooks = hooks
        self._plan = plan
        self._run = run

    async def walk(self) -> ToolResult:
        """What comes of the action, if no hook raises."""
        # A hook may write into what it is shown; what was checked has to stay as it is.
        self._shown = deepcopy(self._plan.arguments.given)
        call = HookCall(action=self._plan.action, spec=self._plan.prepared.spec, args=self._shown)
        try:
            result = await self.go_on(0, call)
        except ToolError as error:
            result = failure(error, call.spec.name)
        self.is_over = True
        return result

    def refusal(self, raised: Err) -> Err:
        """What a model is told when a hook raised."""
        name = self._plan.prepared.name
        code = ErrorCode.CANCELLED if raised.code is ErrorCode.CANCELLED else ErrorCode.DENIED
        if not (self._is_at_work or self.attempts):
            return Err(code, f"{name} was not run: {raised.error}")
        self.attempts += self._is_at_work
        message = f"{name} was started, but its answer is not to be had: {raised.error}"
        return Err(code, message, hint="it may have been done: look before you call it again")

    async def go_on(self, index: int, call: HookCall) -> ToolResult:
        """The next hook, or the tool."""
        if index == len(self._hooks):
            return await self._tool(call)
        answers: list[ToolResult] = []

        async def go_on(call: HookCall) -> ToolResult:
            answers.append(await self.go_on(index + 1, call))
            return answers[-1]

        answer = await self._hooks[index](call, go_on)
        if isinstance(answer, Ok | Err):
            return answer
        if answer is not None:
            return Ok(answer)
        if answers:
            return answers[-1]
        message = "it returned no answer, and did not go on to one"
        raise ValueError(message)

    async def _tool(self, call: HookCall) -> ToolResult:
        plan = self._plan
        if call.args is not self._shown or self._shown != plan.arguments.given:
            arguments = plan.prepared.checker.check(call.args)
            if isinstance(arguments, Err):
                return arguments
            plan = plan.with_arguments(arguments)
        self._is_at_work = True
        result, attempts, self.repairs = await self._run(plan)
        self._is_at_work = False
        self.attempts += attempts
        return result
