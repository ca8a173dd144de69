"""``assert_called``: what an executor's tools were called with."""

from collections.abc import Mapping

from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err
from qitos_like.run.called import Called
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.find import find

_SHOWN = 20


def assert_called(executor: ActionExecutor, name: str, /, **args: Json) -> None:
    """Pass if a tool was called with these arguments, whatever others it had besides.

    Calls count as they were accepted: by the tool's own names, mended where they had to be. Those
    that were refused (``denied``, ``needs_approval``, ``over_budget``) do not count. An executor
    knows its last 1,000 calls.

    Args:
        executor: what ran the calls.
        name: the tool, by any name that a model may use.
        args: what the call had at least.

    Raises:
        AssertionError: it was not; the message shows what was called.

    >>> from qitos_like import ActionExecutor, ToolRegistry
    >>> def add(a: int, b: int) -> int:
    ...     '''Add.'''
    ...     return a + b
    >>> with ActionExecutor(ToolRegistry().register(add)) as executor:
    ...     _ = executor("add", a="1", b=2)
    >>> assert_called(executor, "add", a=1)
    >>> assert_called(executor, "add", a=7)
    Traceback (most recent call last):
    AssertionError: add was not called with {'a': 7}, but with:
    {'a': 1, 'b': 2}
    """
    found = find(executor.registry, name)
    wanted = name if isinstance(found, Err) else found.entry.name
    theirs = [call for call in executor.called if call.name == wanted]
    if any(_has(call, args) for call in theirs):
        return
    if theirs:
        shown = "\n".join(str(dict(call.args)) for call in theirs[-_SHOWN:])
        message = f"{wanted} was not called with {args}, but with:\n{shown}"
    else:
        others = ", ".join(sorted({call.name for call in executor.called})) or "nothing"
        message = f"{wanted} was not called; {others} was"
    if isinstance(found, Err):
        message = f"{message}; {found.error}"
    raise AssertionError(message)


def _has(call: Called, args: Mapping[str, Json]) -> bool:
    return all(key in call.args and call.args[key] == value for key, value in args.items())
