"""How other libraries run one tool call."""

import json
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

Function = Callable[..., Any]
Call = Callable[[], Awaitable[object]]


def langchain(function: Function, args: str) -> Call:
    """A tool of LangChain, its arguments as it takes them."""
    tool = import_module("langchain_core.tools").tool(function)

    async def call() -> object:
        return await tool.ainvoke(json.loads(args))

    return call


def pydantic_ai(function: Function, args: str) -> Call:
    """A tool of Pydantic AI, run by the manager that its agents use."""
    ai, managers, messages = map(
        import_module, ("pydantic_ai", "pydantic_ai.tool_manager", "pydantic_ai.messages")
    )
    model = import_module("pydantic_ai.models.test").TestModel()
    usage = import_module("pydantic_ai.usage").RunUsage()
    tools = ai.FunctionToolset([function])
    made: list[Any] = []

    async def call() -> object:
        if not made:
            context = ai.RunContext(deps=None, model=model, usage=usage)
            made.append(await managers.ToolManager(tools).for_run_step(context))
        part = messages.ToolCallPart(function.__name__, args, "1")
        return await made[0].handle_call(part)

    return call


def openai_agents(function: Function, args: str) -> Call:
    """A function tool of the OpenAI Agents SDK."""
    agents = import_module("agents")
    tool = agents.function_tool(function)
    context = import_module("agents.tool_context").ToolContext(
        context=None, tool_name=tool.name, tool_call_id="1", tool_arguments=args
    )

    async def call() -> object:
        return await tool.on_invoke_tool(context, args)

    return call


def fastmcp(function: Function, args: str) -> Call:
    """A tool of FastMCP, without a server around it."""
    tool = import_module("fastmcp.tools").Tool.from_function(function)

    async def call() -> object:
        return await tool.run(json.loads(args))

    return call


#: By the module that has to be installed.
PEERS: dict[str, Callable[[Function, str], Call]] = {
    "langchain_core": langchain,
    "pydantic_ai": pydantic_ai,
    "agents": openai_agents,
    "fastmcp": fastmcp,
}
