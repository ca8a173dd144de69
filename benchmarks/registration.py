"""Registering a tool with 4 parameters and a docstring, against reading its code object."""

import tracemalloc
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from time import perf_counter
from typing import Any, get_type_hints

from qitos_like import ToolRegistry

from .measure import Case, Row, side_by_side

Function = Callable[..., object]

TOOLS = 200
MANY = 10_000
SOURCE = '''
def tool_{number}(path: str, count: int = 3, ratio: float = 0.5, deep: bool = False) -> str:
    """Do one thing to a file.

    Args:
        path: where the file is
        count: how many times
        ratio: how much of it
        deep: whether to follow links
    """
    return path
'''


def rows() -> list[Row]:
    """The table, in times for a batch of tools; peers that are not installed are named."""
    cases = [
        Case("limit: code object", partial(seconds, read_code)),
        Case("inspect and type hints", partial(seconds, read_with_inspect)),
        Case("qitos_like", partial(seconds, register)),
        Case("qitos_like, schemas made", partial(seconds, register_and_describe)),
    ]
    for name, work in PEERS.items():
        if find_spec(name):
            cases.append(Case(name, partial(seconds, work)))
        else:
            print(f"  {name} is not installed")
    print(f"  {bytes_per_tool():,.0f} bytes a tool of {MANY:,} registered; {TOOLS} tools a batch")
    return side_by_side(cases, rounds=7)


def seconds(work: Callable[[list[Function]], object]) -> float:
    """How long the work takes on a batch of functions that nothing has seen yet."""
    functions = fresh(TOOLS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = perf_counter()
        work(functions)
        return perf_counter() - before


def fresh(count: int) -> list[Function]:
    """New functions, each with a code object of its own."""
    names: dict[str, Any] = {}
    for number in range(count):
        exec(SOURCE.format(number=number), names)  # noqa: S102 (each needs its own code)
    return [names[f"tool_{number}"] for number in range(count)]


def bytes_per_tool() -> float:
    """The memory that registering holds, the functions themselves left out."""
    functions = fresh(MANY)
    tracemalloc.start()
    registry = ToolRegistry()
    for function in functions:
        registry.register(function)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / len(registry)


def read_code(functions: Iterable[Function]) -> list[object]:
    """What any registration has to look at."""
    return [
        (each.__code__.co_varnames, each.__defaults__, each.__annotations__, each.__doc__)
        for each in functions
    ]


def read_with_inspect(functions: Iterable[Function]) -> list[object]:
    """What the standard library offers."""
    return [(signature(each), get_type_hints(each)) for each in functions]


def register(functions: Iterable[Function]) -> ToolRegistry:
    """Ours, ready to run; schemas wait until they are needed."""
    registry = ToolRegistry()
    for each in functions:
        registry.register(each)
    return registry


def register_and_describe(functions: Iterable[Function]) -> list[object]:
    """Ours, with each schema made."""
    return [entry.spec.input_schema for entry in register(functions)]


def by_pydantic_ai(functions: Iterable[Function]) -> object:
    """Pydantic AI."""
    toolset = import_module("pydantic_ai.toolsets").FunctionToolset()
    for each in functions:
        toolset.add_function(each)
    return toolset


def by_openai_agents(functions: Iterable[Function]) -> list[object]:
    """OpenAI Agents."""
    return [import_module("agents").function_tool(each) for each in functions]


def by_langchain(functions: Iterable[Function]) -> list[object]:
    """LangChain; its schema is made on first use."""
    tool = import_module("langchain_core.tools").tool
    return [tool(each, parse_docstring=True) for each in functions]


def by_fastmcp(functions: Iterable[Function]) -> object:
    """FastMCP."""
    server = import_module("fastmcp").FastMCP("peer")
    for each in functions:
        server.add_tool(import_module("fastmcp.tools").Tool.from_function(each))
    return server


PEERS = {
    "pydantic_ai": by_pydantic_ai,
    "agents": by_openai_agents,
    "langchain_core": by_langchain,
    "fastmcp": by_fastmcp,
}
