"""Descriptions and tool lists of 1,000 tools, against dumping ready schemas as JSON.

Tools are made, and ours have their schemas, before the clock starts; "again" is a second time,
with nothing changed. Peers keep nothing, so that theirs is one row each.
"""

import asyncio
import gc
import json
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter

from qitos_like import ToolRegistry, dialect
from qitos_like.core.jsontypes import Json
from qitos_like.render.as_json import json as as_json

from . import registration
from .measure import Case, Row, side_by_side

TOOLS = 1_000


def rows() -> list[Row]:
    """The table; peers that are not installed are named."""
    registry = described_registry()
    ready = [
        {"name": each.name, "description": each.description, "parameters": each.input_schema}
        for each in registry.specs()
    ]
    cases = [Case("limit: json.dumps", partial(seconds, partial(json.dumps, ready)))]
    for name, work in OURS.items():
        cases.append(Case(f"qitos_like, {name}", partial(seconds_cold, work)))
        work(registry)
        cases.append(Case(f"qitos_like, {name}, again", partial(seconds, partial(work, registry))))
    for name, listed in PEERS.items():
        if find_spec(name):
            tools = made_by(name)
            cases.append(Case(name, partial(seconds, partial(dumped, listed, tools))))
        else:
            print(f"  {name} is not installed")
    return side_by_side(cases, rounds=7)


def described_registry() -> ToolRegistry:
    """A registry that has its schemas, and has rendered nothing."""
    registry = registration.register(registration.fresh(TOOLS))
    for spec in registry.specs():
        _ = spec.input_schema
    return registry


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes; what making the tools left behind is collected before."""
    gc.collect()
    before = perf_counter()
    work()
    return perf_counter() - before


def seconds_cold(work: Callable[[ToolRegistry], object]) -> float:
    """How long the work takes on a registry that has rendered nothing."""
    registry = described_registry()
    return seconds(partial(work, registry))


def made_by(peer: str) -> Json:
    """The peer's tools."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return registration.PEERS[peer](registration.fresh(TOOLS))


def dumped(listed: Callable[[Json], Iterable[object]], tools: Json) -> str:
    """A peer's list of tools as JSON text."""
    return json.dumps(list(listed(tools)))


def of_pydantic_ai(toolset: Json) -> Iterable[object]:
    """Pydantic AI."""
    for each in toolset.tools.values():
        made = each.tool_def
        yield {
            "name": made.name,
            "description": made.description,
            "parameters": made.parameters_json_schema,
        }


def of_openai_agents(tools: Json) -> Iterable[object]:
    """OpenAI Agents."""
    for each in tools:
        yield {
            "name": each.name,
            "description": each.description,
            "parameters": each.params_json_schema,
        }


def of_langchain(tools: Json) -> Iterable[object]:
    """LangChain."""
    convert = import_module("langchain_core.utils.function_calling").convert_to_openai_tool
    return map(convert, tools)


def of_fastmcp(server: Json) -> Iterable[object]:
    """FastMCP; the server's tools are asked for once, since that is asynchronous."""
    tools = asyncio.run(server.list_tools())
    for each in tools:
        yield each.to_mcp_tool().model_dump(by_alias=True, exclude_none=True, mode="json")


OURS: dict[str, Callable[[ToolRegistry], object]] = {
    "text": ToolRegistry.get_tool_descriptions,
    "json": lambda registry: registry.get_tool_descriptions(as_json),
    "openai": lambda registry: dialect("openai").tools(registry, strict=False),
    "openai, strict": lambda registry: dialect("openai").tools(registry),
}
PEERS: dict[str, Callable[[Json], Iterable[object]]] = {
    "pydantic_ai": of_pydantic_ai,
    "agents": of_openai_agents,
    "langchain_core": of_langchain,
    "fastmcp": of_fastmcp,
}
