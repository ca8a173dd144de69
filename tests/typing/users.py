"""What users write, as a type checker sees it; `make check` runs mypy over it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, assert_type

from kits import CodingToolSet
from qitos_like import (
    Action,
    ActionExecutor,
    ActionResult,
    AgentModule,
    BaseTool,
    Decision,
    Engine,
    Err,
    Ok,
    PathArg,
    ScriptedModel,
    StateSchema,
    ToolContext,
    ToolMeta,
    ToolPermission,
    ToolRegistry,
    ToolResult,
    ToolSet,
    err,
    ok,
    tool,
)


@tool
def bare(path: Annotated[str, PathArg, "a file"], limit: int = 10) -> list[str]:
    """A decorated function keeps its type."""
    return [path] * limit


@tool(name="other", timeout_s=2.5, permissions=ToolPermission(network=True))
async def with_options(query: str, context: ToolContext) -> str:
    """So does an async one."""
    context.emit("half-way", 50.0)
    return query


@tool()
async def streaming(count: int) -> AsyncIterator[int]:
    """So does a generator."""
    for number in range(count):
        yield number


class MathToolSet(ToolSet):
    """A toolset whose methods are tools."""

    @tool
    def double(self, number: int) -> int:
        """Twice a number."""
        return 2 * number


class Divide(BaseTool, parallel_safe=True):
    """Divide two numbers."""

    def run(self, dividend: float, divisor: float) -> ToolResult:
        """The quotient."""
        return ok(dividend / divisor) if divisor else err("division by zero", "input_invalid")


registry = ToolRegistry()


@registry.tool(name="registered")
def registered(number: int) -> int:
    """Registering keeps the type too."""
    return number


chained = registry.register(bare, meta=ToolMeta(usage="sparingly")).include(MathToolSet())

assert_type(bare("a.py"), list[str])
assert_type(registered(1), int)
assert_type(MathToolSet().double(2), int)
assert_type(chained, ToolRegistry)
assert_type(registry.select("math.*").available(), ToolRegistry)
registry.register_toolset(CodingToolSet(workspace_root="."), namespace="coding")


async def turn(executor: ActionExecutor) -> str:
    """Results are read by their fields, or matched on."""
    results = await executor.run_turn([Action("math.double", {"number": 2})])
    assert_type(results, list[ActionResult])
    match results[0].result:
        case Ok(value=value):
            return str(value)
        case Err(error=error):
            return error


def now(executor: ActionExecutor) -> ActionResult:
    """The sync form gives the same."""
    return executor.run_sync(Action("double", '{"number": 2}', id="call_1"))


@dataclass
class Notes(StateSchema):
    """A state of one's own."""

    pages: list[str] = field(default_factory=list)


class Writer(AgentModule[Notes, dict[str, object], Action]):
    """An agent over that state."""

    def decide(self, state: Notes, observation: dict[str, object]) -> Decision | None:
        """The state has its type."""
        assert_type(state.pages, list[str])
        return Decision.final(str(observation["text"])) if state.pages else None


writer = Writer(tool_registry=registry, llm=ScriptedModel([Decision.final("done")]))
assert_type(Engine(writer).run("Write.").state.pages, list[str])


tool(timeout="soon")  # type: ignore[call-overload]  # no such option
ToolRegistry().select(1)  # type: ignore[arg-type]  # a pattern is text
