"""What tests of running actions share."""

from qitos_like.core.action import Action
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolMeta
from qitos_like.run.executor import ActionExecutor


def registry_of(*functions, **meta):
    registry = ToolRegistry()
    for function in functions:
        registry.register(function, meta=ToolMeta(description="A stub.", **meta))
    return registry


def executor_of(*functions, options=None, **meta):
    return ActionExecutor(registry_of(*functions, **meta), **(options or {}))


async def answer(function, args=None, *, options=None, **meta):
    """The answer of a tool that is called once, in an executor of its own."""
    async with executor_of(function, options=options, **meta) as executor:
        return await executor.run(Action(function.__name__, args or {}))


def answer_sync(function, args=None, *, options=None, **meta):
    with executor_of(function, options=options, **meta) as executor:
        return executor.run_sync(Action(function.__name__, args or {}))
