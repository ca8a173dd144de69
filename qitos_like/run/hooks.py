"""Hooks around a call: they may look, change the arguments, answer, try again or refuse."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from attrs import evolve, frozen

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, Ok, ToolError, ToolResult
from qitos_like.core.spec import ToolSpec

from .execution import Ran
from .failures import describe
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
#: ``async def around(call, next)``; what it returns is the answer.
Hook = Callable[[HookCall, Next], Awaitable[object]]
#: Runs an action that has passed the hooks.
Run = Callable[[Ready], Awaitable[Ran]]


async def around(hooks: Sequence[Hook], plan: Ready, run: Run) -> Ran:
    """What comes of an action with hooks around it; one that raises refuses it."""
    passage = _Passage(hooks, plan, run)
    call = HookCall(action=plan.action, spec=plan.prepared.spec, args=plan.arguments.given)
    try:
        result = await passage.go_on(0, call)
    except ToolError as error:
        result = error.to_result()
    except Exception as error:  # user code: a hook
        _log.warning("a hook raised", exc_info=True)
        message = f"{plan.prepared.entry.name} was not run: {describe(error)}"
        result = Err(ErrorCode.DENIED, message)
    return Ran(result, passage.attempts, passage.repairs)


class _Passage:
    """One action on its way through the hooks."""

    def __init__(self, hooks: Sequence[Hook], plan: Ready, run: Run) -> None:
        self.attempts = 0
        self.repairs = plan.arguments.repairs
        self._hooks = hooks
        self._plan = plan
        self._run = run

    async def go_on(self, index: int, call: HookCall) -> ToolResult:
        """The next hook, or the tool."""
        if index < len(self._hooks):
            answer = await self._hooks[index](call, partial(self.go_on, index + 1))
            return answer if isinstance(answer, Ok | Err) else Ok(answer)
        plan = self._plan
        if call.args is not plan.arguments.given:
            arguments = plan.prepared.checker.check(call.args)
            if isinstance(arguments, Err):
                return arguments
            plan = plan._replace(arguments=arguments)
        ran = await self._run(plan)
        self.attempts += ran.attempts
        self.repairs = ran.repairs
        return ran.result
