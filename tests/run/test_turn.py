"""Several actions of one message: one answer each, in order."""

import threading
import time

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.tool import ToolMeta
from qitos_like.run.budget import Budget
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import executor_of, registry_of

pytestmark = pytest.mark.anyio


class Meter:
    """How many calls run at once."""

    def __init__(self):
        self.lock = threading.Lock()
        self.now = self.most = 0
        self.order = []

    def tool(self, number: int = 0) -> int:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.order.append(number)
        time.sleep(0.03)  # the others begin meanwhile, on a busy machine too
        with self.lock:
            self.now -= 1
        return number

    async def async_tool(self, number: int = 0) -> int:
        self.now += 1
        self.most = max(self.most, self.now)
        self.order.append(number)
        await anyio.sleep(0.01)
        self.now -= 1
        return number


@pytest.fixture
def meter():
    return Meter()


def numbered(name, count):
    return [Action(name, {"number": number}) for number in range(count)]


@pytest.mark.parametrize("name", ["tool", "async_tool"])
@pytest.mark.parametrize("is_parallel", [True, False], ids=["parallel safe", "barriers"])
async def test_answers_come_in_order_however_they_run(meter, name, is_parallel):
    async with executor_of(getattr(meter, name), parallel_safe=is_parallel) as executor:
        results = await executor.run_turn(numbered(name, 8))

    assert [str(number) for number in range(8)] == [result.text for result in results]
    assert (is_parallel, list(range(8))) == (meter.most > 1, sorted(meter.order))
    assert is_parallel or meter.order == list(range(8))


@pytest.mark.parametrize("name", ["tool", "async_tool"])
async def test_no_more_run_at_once_than_may(meter, name):
    function, options = getattr(meter, name), {"max_concurrency": 3}

    async with (
        executor_of(function, parallel_safe=True, options=options) as executor,
        anyio.create_task_group() as group,
    ):
        for _ in range(3):
            group.start_soon(executor.run_turn, numbered(name, 5))

    assert 3 == meter.most


async def test_a_turn_of_nothing_has_no_answers():
    async with executor_of(Meter().tool) as executor:
        assert [] == await executor.run_turn([])


async def test_ids_are_filled_in_and_given_ones_stay():
    async with executor_of(Meter().tool) as executor:
        results = await executor.run_turn(
            [Action("tool", id="x"), Action("tool"), Action("tool", id=""), Action("tool", id="x")]
        )

    ids = [result.action.id for result in results]
    assert ("x", "x") == (ids[0], ids[3])
    assert 3 == len(set(ids))
    assert all(ids)


async def test_actions_with_one_id_have_answers_of_their_own():
    async with executor_of(Meter().tool) as executor:
        results = await executor.run_turn(
            [Action("tool", {"number": number}, id="same") for number in range(3)]
        )

    assert ["0", "1", "2"] == [result.text for result in results]


async def test_what_is_no_action_is_the_programmers_error():
    async with executor_of(Meter().tool) as executor:
        with pytest.raises(TypeError, match=r"an Action is run, not dict: Action\(name, args\)"):
            await executor.run_turn([{"name": "tool"}])


async def test_a_failing_sibling_costs_nobody_anything():
    def fails():
        raise SystemExit(1)

    async with executor_of(Meter().tool, fails, parallel_safe=True) as executor:
        results = await executor.run_turn(
            [Action("tool"), Action("fails"), Action("nope"), Action("tool", "{"), Action("tool")]
        )

    assert [None, "execution_failed", "unknown_tool", "input_invalid", None] == [
        result.code for result in results
    ]


@pytest.mark.parametrize("name", ["tool", "async_tool"])
async def test_ten_thousand_actions_have_ten_thousand_answers(name):
    class Quick:
        def tool(self, number: int) -> int:
            return number

        async def async_tool(self, number: int) -> int:
            return number

    before = threading.active_count()
    async with executor_of(getattr(Quick(), name), parallel_safe=True) as executor:
        results = await executor.run_turn(numbered(name, 10_000))
        threads = threading.active_count() - before

    assert list(range(10_000)) == [result.value for result in results]
    assert threads <= 32


async def test_edits_of_one_file_come_in_order_and_edits_of_two_together():
    lock, most, running, texts = threading.Lock(), 0, set(), {"a": "", "b": ""}

    def edit(path: str, text: str) -> None:
        nonlocal most
        with lock:
            running.add(path)
            most = max(most, len(running))
        before = texts[path]
        time.sleep(0.01)
        texts[path] = before + text
        with lock:
            running.discard(path)

    actions = [
        Action("edit", {"path": path, "text": str(number)}) for number in range(10) for path in "ab"
    ]
    async with executor_of(edit, writes=["file:{path}"]) as executor:
        await executor.run_turn(actions)
        async with anyio.create_task_group() as group:
            for action in actions:
                group.start_soon(executor.run, action)

    assert (2, {20}) == (most, {len(text) for text in texts.values()})
    assert "0123456789" == texts["a"][:10]


async def test_a_tool_that_an_earlier_action_brings_is_found():
    registry = registry_of()

    def bring() -> str:
        """Bring a tool."""
        registry.register(Meter().tool, meta=ToolMeta(description="A tool."))
        return "brought"

    registry.register(bring)
    async with ActionExecutor(registry) as executor:
        results = await executor.run_turn([Action("bring"), Action("tool")])

    assert ["brought", "0"] == [result.text for result in results]


async def test_a_turn_shares_its_budget():
    def say(text: str) -> str:
        return text

    async with executor_of(say, options={"budget": Budget(per_turn=1000)}) as executor:
        results = await executor.run_turn(
            [Action("say", {"text": "x" * length}) for length in (10, 5000, 3000)]
        )

    assert "x" * 10 == results[0].text
    assert all(480 < len(result.text) <= 495 for result in results[1:])
    assert "[truncated — 5000 chars total]" in results[1].text


async def test_a_tool_may_ask_for_less_and_errors_have_less():
    def say() -> str:
        return "x" * 50_000

    def fail() -> str:
        raise ValueError("x" * 50_000)

    async with executor_of(say, max_result_chars=100) as executor:
        short = await executor.run(Action("say"))
    async with executor_of(say, fail) as executor:
        results = await executor.run_turn([Action("say"), Action("fail")])

    assert len(short.text) <= 100
    assert [29_900 < len(results[0].text) <= 30_000, 3_900 < len(results[1].text) <= 4_000] == [
        True,
        True,
    ]


async def test_a_budget_may_count_tokens_and_its_counter_may_fail(caplog):
    def say() -> str:
        return "word " * 1000

    words = Budget(per_result=50, count=lambda text: len(text.split()))
    broken = Budget(per_result=500, count=lambda text: 1 // 0)

    async with executor_of(say, options={"budget": words}) as executor:
        counted = await executor.run(Action("say"))
    async with executor_of(say, options={"budget": broken}) as executor:
        guarded = await executor.run(Action("say"))

    assert len(counted.text.split()) == 50
    assert len(guarded.text) <= 500
    assert "the budget's count raised" in caplog.text


async def test_a_broken_resource_template_lets_a_tool_run_alone(caplog):
    meter = Meter()

    async with executor_of(meter.tool, writes=["file:{missing}"]) as executor:
        results = await executor.run_turn(numbered("tool", 3))

    assert (["0", "1", "2"], 1) == ([result.text for result in results], meter.most)
    assert "the resources of tool cannot be told" in caplog.text


async def test_resources_may_be_a_function_of_the_arguments_or_their_defaults():
    meter = Meter()

    async with executor_of(meter.tool, reads=lambda args: [f"n{args['number']}"]) as executor:
        await executor.run_turn(numbered("tool", 4))
    assert 4 == meter.most

    meter.most = 0
    async with executor_of(meter.tool, writes=["n{number}"]) as executor:
        await executor.run_turn([Action("tool"), Action("tool", {"number": 0})])
    assert 1 == meter.most


async def test_a_fault_of_the_executor_itself_reaches_the_caller():
    def tool():
        return 1

    async with executor_of(tool, parallel_safe=True) as executor:
        executor._runner.execution.invoker.invoke = None
        with pytest.raises(TypeError):
            await executor.run_turn([Action("tool"), Action("tool")])


async def test_ids_that_are_filled_in_are_none_that_another_action_has():
    def add(a: int) -> int:
        return a

    given = [None, "call_1", None, "call_3", ""]
    async with executor_of(add) as executor:
        results = await executor.run_turn([Action("add", {"a": 1}, each) for each in given])

    ids = [result.action.id for result in results]
    assert ("call_1", "call_3", 5) == (ids[1], ids[3], len(set(ids)))
