"""One tool alone, a stub context, and the contract of toolsets."""

from typing import Annotated

import pytest

from qitos_like import (
    BaseTool,
    Err,
    ErrorCode,
    Ok,
    Progress,
    ToolContext,
    ToolSet,
    Unavailable,
    err,
    tool,
)
from qitos_like.testing import check_toolset, run_tool, stub_context


def double(number: int) -> int:
    """Twice a number."""
    return 2 * number


def test_a_function_is_run_with_checked_arguments():
    assert (Ok(4), ErrorCode.INPUT_INVALID) == (
        run_tool(double, {"number": 2}),
        run_tool(double, {"number": "two"}).code,
    )


def test_json_text_is_an_argument_too():
    assert Ok(4) == run_tool(double, '{"number": 2}')


def test_an_async_function_is_awaited():
    async def wait(number: int) -> int:
        """Wait."""
        return number

    assert Ok(3) == run_tool(wait, {"number": 3})


@pytest.mark.anyio
async def test_it_works_inside_a_running_loop():
    assert Ok(4) == run_tool(double, {"number": 2})


def test_what_a_tool_raises_is_its_result():
    def fail() -> None:
        """Fail."""
        raise ValueError("no luck")

    result = run_tool(fail, {})

    assert (ErrorCode.EXECUTION_FAILED, True) == (result.code, "no luck" in result.error)


def test_a_result_is_given_back_as_it_is():
    def refuse() -> Err:
        """Refuse."""
        return err("no", "denied", hint="ask")

    assert Err(ErrorCode.DENIED, "no", hint="ask") == run_tool(refuse, {})


def test_a_generator_reports_to_the_context():
    def count():
        """Count."""
        yield Progress("half", 50)
        yield "done"

    context = stub_context()

    assert Ok("done") == run_tool(count, {}, context)
    assert [Progress("half", 50)] == context.emitted


def test_the_context_is_the_one_given():
    def who(context: ToolContext) -> object:
        """Tell."""
        context.emit("asked", audience="user")
        if context.is_watched:
            context.output("text")
        return context.user

    context = stub_context(user="ann")

    assert Ok("ann") == run_tool(who, {}, context)
    assert ["text"] == context.shown
    assert [Progress("asked", audience="user")] == context.emitted


def test_a_cancelled_context_ends_the_tool():
    def work(context: ToolContext) -> str:
        """Work."""
        context.raise_if_cancelled()
        return "done"

    assert (Ok("done"), ErrorCode.CANCELLED) == (
        run_tool(work, {}),
        run_tool(work, {}, stub_context(cancelled=True)).code,
    )


def test_an_unavailable_tool_says_why():
    @tool(available=lambda: Unavailable("KEY is not set"))
    def hidden() -> str:
        """Never."""
        return ""

    result = run_tool(hidden, {})

    assert (ErrorCode.NOT_AVAILABLE, True) == (result.code, "KEY is not set" in result.error)


def test_a_tool_class_is_set_up_before_and_torn_down_after():
    class Recording(BaseTool):
        """Record."""

        def __init__(self):
            super().__init__()
            self.events = []

        def setup(self):
            self.events.append("setup")

        def teardown(self):
            self.events.append("teardown")

        def run(self) -> str:
            self.events.append("run")
            return "done"

    recording = Recording()

    assert Ok("done") == run_tool(recording, {})
    assert ["setup", "run", "teardown"] == recording.events


class Good(ToolSet):
    """Keeps the contract."""

    @tool
    def add(self, a: int, b: Annotated[object, "anything"] = None) -> int:
        """Add."""
        return a


class Fickle:
    """Gives other tools each time."""

    name = "fickle"

    def __init__(self):
        self.count = 0

    def tools(self):
        self.count += 1
        return [tool(name=f"t{self.count}", description="T.")(lambda: None)]


class Silent(ToolSet):
    """Says nothing."""

    @tool
    def work(self, thing: object): ...


class Empty(ToolSet):
    """Has nothing."""

    def tools(self):
        return []


class Once(Good):
    """Cannot be set up twice."""

    used = False

    def setup(self):
        if self.used:
            raise OSError("used up")
        self.used = True


class Doubled(ToolSet):
    """Has one name twice."""

    def tools(self):
        return [double, double]


def test_a_toolset_that_keeps_the_contract_passes():
    check_toolset(Good())


@pytest.mark.parametrize(
    ("toolset", "breach"),
    [
        (Fickle, "tools() gives other tools the second time: ['t1'], then ['t2']"),
        (Silent, "one.work has no description"),
        (Silent, "one.work: parameter 'thing' has neither a type nor a text"),
        (Empty, "it has no tools"),
        (Once, "used up"),
        (Doubled, "'one.double' is taken"),
        (object, "has no tools() method"),
    ],
)
def test_a_toolset_that_breaks_the_contract_is_told_how(toolset, breach):
    with pytest.raises(AssertionError) as caught:
        check_toolset(toolset())
    assert breach in str(caught.value)
