"""``fuzz``: many inputs for the tools of a registry, and what must hold for each answer."""

from collections import Counter

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.entry import Entry
from qitos_like.core.environment import Environment
from qitos_like.core.registry import ToolRegistry
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.failures import is_unforeseen

from .inputs import Inputs

_GRANTS_NOTHING = Environment()
_SHOWN = 20
_SHOWN_CHARS = 500
_TIMEOUT_S = 10.0


def fuzz(
    registry: ToolRegistry,
    n: int = 1_000,
    seed: int = 0,
    *,
    environment: Environment | None = _GRANTS_NOTHING,
) -> Counter[str]:
    """Call the tools of a registry with generated arguments; fail where one breaks.

    Half of the arguments are as the tool's schema has them, the others are spoilt: values of other
    kinds, keys that are missing or unknown, JSON text that is cut, odd texts and numbers. A tool
    may refuse them by a ``ToolError`` or an ``Err``. It breaks where it raises anything else, does
    not end within 10 s, or returns what is neither text nor JSON. The tools really run; those that
    need a permission, if the environment grants it.

    Args:
        registry: the tools.
        n: how many calls.
        seed: the same seed makes the same calls.
        environment: what the tools may do; nothing, if not said.

    Returns:
        How many answers there were of each kind, ``"ok"`` or an error's code.

    Raises:
        AssertionError: a tool broke; a line for each call, if they are few. Or there is no tool.

    >>> from qitos_like import ToolRegistry
    >>> def half(number: int) -> int:
    ...     '''Half a number.'''
    ...     return number // 2
    >>> sorted(fuzz(ToolRegistry().register(half), n=50))
    ['input_invalid', 'ok']
    """
    inputs = Inputs(seed)
    kinds: Counter[str] = Counter()
    breaches: list[str] = []
    executor = ActionExecutor(registry, environment=environment, default_timeout_s=_TIMEOUT_S)
    with executor:
        entries = _usable(registry)
        for _ in range(n):
            entry = inputs.source.choice(entries)
            action = Action(entry.name, inputs.arguments(entry.spec.input_schema))
            result = _answer(executor, action)
            kinds[str(result.code or "ok")] += 1
            if is_unforeseen(result.result):
                breaches.append(f"{_shown(action)}: {result.text}")
    if breaches:
        raise AssertionError("\n".join(breaches[:_SHOWN]))
    return kinds


def _usable(registry: ToolRegistry) -> list[Entry]:
    """The tools that can be called now.

    Raises:
        AssertionError: there are none, so that nothing would be tested.
    """
    why_not = {entry: entry.unavailable() for entry in registry}
    usable = [entry for entry, reason in why_not.items() if reason is None]
    if not usable:
        reasons = [f"{entry.name} is not available: {why}" for entry, why in why_not.items()]
        raise AssertionError("\n".join(["there is nothing to fuzz", *(reasons or ["no tool"])]))
    return usable


def _answer(executor: ActionExecutor, action: Action) -> ActionResult:
    try:
        return executor.run_sync(action)
    except Exception as error:  # told with the call that it belongs to, and passed on
        error.add_note(f"in the answer to {_shown(action)}")
        raise


def _shown(action: Action) -> str:
    try:
        args = ascii(action.args)
    except (ValueError, RecursionError):  # too many digits, too deep
        args = "what Python cannot print"
    return f"{action.name}({args[:_SHOWN_CHARS]})"
