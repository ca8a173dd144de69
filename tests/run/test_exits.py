"""What a tool's own objects raise to end the program ends their call, which has its answer."""

import asyncio
import signal

import anyio
import attrs
import pytest
import trio

from qitos_like.core.action import Action
from qitos_like.core.results import Err, Ok, ToolError
from qitos_like.core.traits import Alias
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import executor_of, registry_of

pytestmark = pytest.mark.anyio


class Untellable(Exception):
    """Raises something else when somebody asks for its text."""

    def __init__(self, kind):
        self.kind = kind

    def __str__(self):
        raise self.kind("no text")


class UntellableToolError(Untellable, ToolError):
    pass


class WithoutHint(ToolError):
    def __init__(self, kind):
        Exception.__init__(self, "no hint")
        self.kind = kind

    @property
    def hint(self):
        raise self.kind("no hint")


class Leaving:
    def __str__(self):
        raise SystemExit("no text")


class Lazy:
    """Stands for a value that is made when somebody looks at it."""

    @property
    def __class__(self):
        raise SystemExit("not made")


class Unhashable(type):
    __hash__ = None


class OfOddClass(metaclass=Unhashable):
    pass


@attrs.frozen
class Closed:
    a: int

    def __attrs_post_init__(self):
        raise SystemExit("closed")


def raising(error):
    async def tool():
        await anyio.lowlevel.checkpoint()
        raise error

    return tool


def raising_in_a_thread(error):
    def tool():
        raise error

    return tool


def returning(value):
    def tool():
        return value

    return tool


def promising(value):
    async def tool():
        return value

    return tool


def leave(*_args):
    raise SystemExit("left")


TOLD = "tool failed: Untellable: (its __str__ raised {})"
#: A tool's code, the code and the text of its answer.
EXITS = {
    "exit": (raising(Untellable(SystemExit)), "execution_failed", TOLD.format("SystemExit")),
    "exit in a thread": (
        raising_in_a_thread(Untellable(SystemExit)),
        "execution_failed",
        TOLD.format("SystemExit"),
    ),
    "interrupt": (
        raising(Untellable(KeyboardInterrupt)),
        "execution_failed",
        TOLD.format("KeyboardInterrupt"),
    ),
    "cancellation": (
        raising(Untellable(asyncio.CancelledError)),
        "execution_failed",
        TOLD.format("CancelledError"),
    ),
    "generator exit": (
        raising(Untellable(GeneratorExit)),
        "execution_failed",
        TOLD.format("GeneratorExit"),
    ),
    "group": (
        raising(ExceptionGroup("two", [Untellable(SystemExit), ValueError("b")])),
        "execution_failed",
        f"{TOLD.format('SystemExit')}; ValueError: b",
    ),
    "tool error": (
        raising(UntellableToolError(SystemExit)),
        "execution_failed",
        "(its __str__ raised SystemExit)",
    ),
    "tool error without a hint": (
        raising(WithoutHint(LookupError)),
        "execution_failed",
        "tool failed, and how cannot be told: LookupError: no hint",
    ),
    "tool error whose hint exits": (
        raising(WithoutHint(SystemExit)),
        "execution_failed",
        "tool failed, and how cannot be told: SystemExit: no hint",
    ),
    "value": (
        returning(Leaving()),
        "execution_failed",
        "tool ran, but its result cannot be shown: SystemExit: no text",
    ),
    "large value": (
        returning([*range(6_000), Leaving()]),
        "execution_failed",
        "tool ran, but its result cannot be shown: SystemExit: no text",
    ),
    "value of an odd class": (
        returning(OfOddClass()),
        "execution_failed",
        "tool failed: TypeError: unhashable type: 'Unhashable'",
    ),
    "lazy value": (
        returning(Lazy()),
        "execution_failed",
        "tool tried to end the program (SystemExit: not made)",
    ),
    "lazy value on a loop": (
        promising(Lazy()),
        "execution_failed",
        "tool tried to end the program (SystemExit: not made)",
    ),
    "error as value": (
        returning(Err("denied", "no", hint=Leaving())),
        "execution_failed",
        "tool ran, but its result cannot be shown: SystemExit: no text",
    ),
    "facts": (returning(Err("denied", "no", structured=Leaving())), "denied", "no"),
}


@pytest.mark.parametrize(("tool", "code", "text"), EXITS.values(), ids=EXITS.keys())
async def test_an_exit_is_an_answer(tool, code, text):
    async with executor_of(tool) as executor:
        result, again = await executor.run_turn([Action("tool"), Action("tool", {"unknown": 1})])

    assert (code, text) == (str(result.code), result.text)
    assert "input_invalid" == again.code


@pytest.mark.parametrize(("tool", "code", "text"), EXITS.values(), ids=EXITS.keys())
def test_an_exit_is_an_answer_to_who_does_not_await(tool, code, text):
    with executor_of(tool) as executor:
        result = executor.run_sync(Action("tool"))

    assert (code, text) == (str(result.code), result.text)


async def test_an_exit_of_a_value_is_an_answer_beside_secrets():
    async with executor_of(
        returning(Ok({1: Leaving()})), options={"secrets": {"KEY": "12345678"}}
    ) as executor:
        result = await executor.run(Action("tool"))

    assert "execution_failed" == result.code


def takes(closed: Closed | str) -> int:
    return 1


def takes_text(text: str) -> str:
    return text


ALIASES = [Alias("taking", values={"text": leave}), Alias("taken", adapt=leave)]
#: A tool, what is said of it, an action, and how its answer begins.
AROUND_THE_CODE = {
    "constructor": (
        takes,
        {},
        Action("takes", {"closed": {"a": 1}}),
        "the arguments of takes are wrong:\n$.closed: SystemExit: closed",
    ),
    "alias's conversion": (
        takes_text,
        {"aliases": ALIASES},
        Action("taking", {"text": "a"}),
        'the arguments of takes_text are wrong:\n$.text: string "a" cannot be used: SystemExit',
    ),
    "alias's way with all": (
        takes_text,
        {"aliases": ALIASES},
        Action("taken", {"text": "a"}),
        "the arguments of takes_text are wrong:\n$: the arguments cannot be used: SystemExit: left",
    ),
    "availability": (
        takes_text,
        {"available": leave},
        Action("takes_text", {"text": "a"}),
        "takes_text is not available: its availability check raised SystemExit",
    ),
    "resources": (takes_text, {"reads": leave}, Action("takes_text", {"text": "a"}), "a"),
    "promise": (
        returning({"a": Leaving()}),
        {"output_schema": {"type": "object"}},
        Action("tool"),
        "tool ran, but its result cannot be shown: SystemExit: no text",
    ),
}


@pytest.mark.parametrize(
    ("tool", "meta", "action", "text"), AROUND_THE_CODE.values(), ids=AROUND_THE_CODE.keys()
)
async def test_an_exit_around_the_code_is_an_answer(tool, meta, action, text):
    async with ActionExecutor(registry_of(tool, **meta)) as executor:
        result = await executor.run(action)

    assert text == result.text[: len(text)]


class Interrupted(Exception):
    def __str__(self):
        signal.raise_signal(signal.SIGINT)
        return "told"


def test_ctrl_c_passes_while_an_exception_is_told():
    with (
        executor_of(raising_in_a_thread(Interrupted())) as executor,
        pytest.raises(KeyboardInterrupt),
    ):
        executor.run_sync(Action("tool"))


def test_ctrl_c_passes_a_tool_on_a_loop_of_trio():
    async def tool():
        signal.raise_signal(signal.SIGINT)

    async def work():
        async with executor_of(tool) as executor:
            await executor.run(Action("tool"))

    with pytest.raises(KeyboardInterrupt):
        trio.run(work)
