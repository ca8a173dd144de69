"""Whatever a tool does, its action has one answer, and the executor serves the next."""

import asyncio
import threading
import time
from collections.abc import Awaitable
from typing import Any

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from qitos_like.core.results import Err, Ok, ToolError
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import registry_of

pytestmark = pytest.mark.anyio


class Unprintable(Exception):
    def __str__(self):
        raise ValueError("no text")


class Nameless(type):
    @property
    def __name__(cls):
        raise ValueError("no name")


class WithoutName(Exception, metaclass=Nameless):
    pass


class WithoutCode(ToolError):
    def __init__(self):
        Exception.__init__(self, "no code")


class WithOwnCode(ToolError):
    code = "teapot"

    def __init__(self):
        Exception.__init__(self, "short and stout")


def deep_group():
    error = ValueError("leaf")
    for _ in range(5_000):
        error = ExceptionGroup("deep", [error])
    raise error


class Untellable:
    def __str__(self):
        raise ValueError("no text")


class Unreadable(dict):
    def items(self):
        raise OSError("gone")

    def __iter__(self):
        raise OSError("gone")


def raising(error):
    def tool():
        raise error

    return tool


def async_raising(error):
    async def tool():
        await anyio.lowlevel.checkpoint()
        raise error

    return tool


def returning(make):
    def tool():
        return make()

    return tool


def endless():
    return endless()


def deep_list():
    value = inner = []
    for _ in range(20_000):
        inner.append([])
        inner = inner[0]
    return value


def cycle():
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def yields_then_fails():
    yield "part"
    raise LookupError("half-way")


async def async_yields_then_fails():
    yield "part"
    raise LookupError("half-way")


async def cancels_itself():
    raise asyncio.CancelledError


def group():
    raise ExceptionGroup("several", [ValueError("a"), ExceptionGroup("x", [KeyError("b")])])


def big_group():
    raise ExceptionGroup("many", [ValueError(str(number)) for number in range(9)])


def raises_own_tool_error():
    raise ToolError("no such city", code="not_available", hint="ask for another")


def raises_unprintable_tool_error():
    class Silent(ToolError):
        def __str__(self):
            raise ValueError

    raise Silent("x")


def returns_coroutine():
    async def later():
        await anyio.lowlevel.checkpoint()
        return "later"

    return later()


def returns_failing_coroutine() -> Awaitable[str]:
    async def later():
        raise LookupError("later")

    return later()


def stops(context: ToolContext):
    context.raise_if_cancelled()
    raise StopIteration("odd")


async def stops_async():
    raise StopAsyncIteration("odd")


def sleeps_in_c():
    time.sleep(1)


def waits_for_ever():
    threading.Event().wait(1)


def spins():
    end = time.monotonic() + 1
    while time.monotonic() < end:
        pass


async def sleeps_async():
    await anyio.sleep(1)


async def swallows_cancellation():
    try:
        await anyio.sleep(1)
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True):
            await anyio.sleep(0.5)


def bad_structured():
    return Ok("x", structured={"a": object, "b": float("nan")})


FAULTS = {
    "exception": (raising(ValueError("bad")), "execution_failed", "tool failed: ValueError: bad"),
    "exception without text": (raising(KeyError()), "execution_failed", "tool failed: KeyError"),
    "async exception": (async_raising(OSError("x")), "execution_failed", "tool failed: OSError: x"),
    "unprintable": (raising(Unprintable()), "execution_failed", "(its __str__ raised ValueError)"),
    "exit": (
        raising(SystemExit(3)),
        "execution_failed",
        "tried to end the program (SystemExit: 3)",
    ),
    "async exit": (async_raising(SystemExit(3)), "execution_failed", "tried to end the program"),
    "interrupt": (raising(KeyboardInterrupt()), "execution_failed", "KeyboardInterrupt"),
    "async interrupt": (async_raising(KeyboardInterrupt()), "execution_failed", "KeyboardInter"),
    "generator exit": (raising(GeneratorExit()), "execution_failed", "GeneratorExit"),
    "async generator exit": (async_raising(GeneratorExit()), "execution_failed", "GeneratorExit"),
    "recursion": (endless, "execution_failed", "called itself too deep"),
    "memory": (raising(MemoryError()), "execution_failed", "MemoryError"),
    "stop iteration": (stops, "execution_failed", "StopIteration: odd"),
    "stop async iteration": (stops_async, "execution_failed", "StopAsyncIteration"),
    "base exception": (raising(BaseException("base")), "execution_failed", "BaseException: base"),
    "exception group": (group, "execution_failed", "ValueError: a; KeyError: 'b'"),
    "large group": (big_group, "execution_failed", "ValueError: 4; and 4 more"),
    "tool error": (raises_own_tool_error, "not_available", "no such city\nask for another"),
    "unprintable tool error": (raises_unprintable_tool_error, "execution_failed", "__str__ raised"),
    "tool error without a code": (raising(WithoutCode()), "execution_failed", "no code"),
    "tool error of its own kind": (raising(WithOwnCode()), "execution_failed", "short and stout"),
    "deep group": (deep_group, "execution_failed", "tool failed: ValueError: leaf"),
    "without a name": (raising(WithoutName()), "execution_failed", "that cannot be told (ValueErr"),
    "an error as value": (returning(lambda: Err("denied", "no")), "denied", "no"),
    "an odd error as value": (returning(lambda: Err("denied", 7)), "denied", "7"),
    "an unprintable error": (
        returning(lambda: Err("denied", Untellable())),
        "execution_failed",
        "cannot be shown: ValueError: no text",
    ),
    "an error that says nothing": (
        returning(lambda: Err("denied", "")),
        "denied",
        "it failed, and did not say why (denied)",
    ),
    "cancels itself": (cancels_itself, "cancelled", "tool cancelled itself"),
    "generator fails": (yields_then_fails, "execution_failed", "LookupError: half-way"),
    "async generator fails": (async_yields_then_fails, "execution_failed", "half-way"),
    "coroutine that fails": (returns_failing_coroutine, "execution_failed", "LookupError: later"),
    "cycle": (returning(cycle), "execution_failed", "$.self holds itself"),
    "nan": (returning(lambda: {"a": float("nan")}), "execution_failed", "$.a is nan"),
    "deep": (returning(deep_list), "execution_failed", "it is nested too deep"),
    "untellable": (returning(Untellable), "execution_failed", "ValueError: no text"),
    "unreadable": (returning(lambda: [Unreadable(a=1)]), "execution_failed", "OSError: gone"),
    "structured is no data": (
        bad_structured,
        "execution_failed",
        "nan, which JSON has no form for",
    ),
    "sleeps in C": (sleeps_in_c, "timeout", "did not finish within 0.1 s"),
    "waits": (waits_for_ever, "timeout", "did not finish within 0.1 s"),
    "spins": (spins, "timeout", "did not finish within 0.1 s"),
    "sleeps on the loop": (sleeps_async, "timeout", "did not finish within 0.1 s"),
    "swallows cancellation": (swallows_cancellation, "timeout", "it may still be at work"),
}

FINE = {
    "bytes": (returning(lambda: b"\x00\xff"), "<2 bytes>"),
    "set": (returning(lambda: {"b", "a"}), '["a", "b"]'),
    "nothing": (returning(lambda: None), "null"),
    "nothing but parts": (returning(lambda: Ok(None, parts=[])), "null"),
    "a class": (returning(lambda: int), "<class 'int'>"),
    "surrogates": (returning(lambda: "\ud83d\ude00\udc80"), "\U0001f600\\udc80"),
    "a coroutine nobody awaited": (returns_coroutine, "later"),
    "text": (returning(lambda: "x"), "x"),
}


def named(function):
    """The same tool under the one name."""
    function.__name__ = "tool"
    return function


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
async def test_a_fault_is_an_answer(fault):
    function, code, text = fault
    quick = {"timeout_s": 0.1} if code == "timeout" else {}

    async with ActionExecutor(registry_of(named(function), **quick)) as executor:
        result = await executor.run(Action("tool"))
        again = await executor.run(Action("tool", {"unknown": 1}))

    assert (code, True) == (result.code, text in result.text)
    assert "input_invalid" == again.code


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_an_answer_to_who_does_not_await(fault):
    function, code, text = fault
    quick = {"timeout_s": 0.1} if code == "timeout" else {}

    with ActionExecutor(registry_of(named(function), **quick)) as executor:
        result = executor.run_sync(Action("tool"))

    assert (code, True) == (result.code, text in result.text)


@pytest.mark.parametrize("row", FINE.values(), ids=FINE.keys())
@pytest.mark.parametrize("timeout_s", [None, 5.0], ids=["no deadline", "deadline"])
async def test_an_odd_value_is_shown(row, timeout_s):
    function, text = row
    registry = registry_of(named(function))

    async with ActionExecutor(registry, default_timeout_s=timeout_s) as executor:
        result = await executor.run(Action("tool"))

    assert (True, text) == (result.ok, result.text)


async def test_a_huge_result_is_cut():
    async with ActionExecutor(registry_of(named(returning(lambda: "x" * 50_000_000)))) as executor:
        result = await executor.run(Action("tool"))

    assert len(result.text) <= 30_000
    assert "[truncated — 50000000 chars total]" in result.text


@pytest.mark.parametrize(
    ("name", "args", "code"),
    [
        ("tool", "{", "input_invalid"),
        ("tool", 5, "input_invalid"),
        ("tool", [1], "input_invalid"),
        ("tool", {"a": object()}, "input_invalid"),
        ("tool", {1: 1}, "input_invalid"),
        ("tool", "[" * 100_000, "input_invalid"),
        ("", None, "unknown_tool"),
        (None, None, "unknown_tool"),
        (b"tool", {}, "unknown_tool"),
        (["tool"], {}, "unknown_tool"),
        ("tool\x00", {}, "unknown_tool"),
        ("\ud800", {}, "unknown_tool"),
        ("x" * 1_000_000, {}, "unknown_tool"),
    ],
    ids=lambda value: ascii(value)[:20],
)
async def test_whatever_a_model_sends_has_an_answer(name, args, code):
    async with ActionExecutor(registry_of(named(returning(lambda: 1)))) as executor:
        results = await executor.run_turn([Action(name, args), Action("tool")])

    assert [code, None] == [result.code for result in results]
    assert results[0].text.encode()


async def test_an_async_tool_without_a_deadline_has_its_faults_answered_too():
    async def tool():
        raise SystemExit(1)

    async with ActionExecutor(registry_of(tool), default_timeout_s=None) as executor:
        result = await executor.run(Action("tool"))

    assert "execution_failed" == result.code


async def test_actions_of_one_id_have_an_answer_each():
    async with ActionExecutor(registry_of(named(returning(lambda: 1)))) as executor:
        results = await executor.run_turn(
            [Action("tool", {}, "same"), Action("no", {}, "same")] * 2
        )

    assert [None, "unknown_tool"] * 2 == [result.code for result in results]


async def test_a_storm_of_cancellations_leaves_the_executor_working():
    async def tool(seconds: float) -> str:
        await anyio.sleep(seconds)
        return "done"

    async with ActionExecutor(registry_of(tool, parallel_safe=True)) as executor:
        for step in range(50):
            with anyio.move_on_after(step / 2_000):
                await executor.run_turn([Action("tool", {"seconds": 0.01})] * 5)
            assert 5 == len(executor.last_turn)
        assert (await executor.run(Action("tool", {"seconds": 0}))).ok
