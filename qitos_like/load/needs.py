"""What a tool's code seems to need, by the names in it; what it declares is looked at, not run."""

import inspect
from collections.abc import Iterator
from types import CodeType

from qitos_like.core.base import BaseTool
from qitos_like.core.callables import underlying
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.permission import ToolPermission

#: Names in code, and the permissions one of which they take.
_NAMES = {
    "filesystem": frozenset(
        {
            "open",
            "read_text",
            "read_bytes",
            "write_text",
            "write_bytes",
            "unlink",
            "rmtree",
            "mkdir",
        }
    ),
    "network": frozenset(
        {"urlopen", "requests", "httpx", "aiohttp", "socket", "create_connection", "urllib3"}
    ),
    "command": frozenset(
        {"subprocess", "Popen", "create_subprocess_exec", "create_subprocess_shell", "run_process"}
    ),
}


def undeclared(tool: BaseTool, declared: ToolPermission) -> Iterator[tuple[str, str]]:
    """What the code uses and the permissions do not say: the name, and what to declare.

    >>> def read(path: str) -> str:
    ...     '''Read.'''
    ...     return open(path).read()
    >>> list(undeclared(FunctionTool(read), ToolPermission()))
    [('open', 'filesystem_read=True or filesystem_write=True')]
    """
    used = frozenset(_names(_code(tool)))
    for need, names in _NAMES.items():
        wanted = (
            [f"filesystem_{way}" for way in ("read", "write")] if need == "filesystem" else [need]
        )
        if used & names and not any(getattr(declared, each) for each in wanted):
            yield min(used & names), " or ".join(f"{each}=True" for each in wanted)


def _code(tool: BaseTool) -> CodeType | None:
    target: object = tool.function if isinstance(tool, FunctionTool) else tool.run
    while target is not None and not hasattr(target, "__code__"):
        target = underlying(target)
    found = getattr(inspect.unwrap(target), "__code__", None) if callable(target) else None
    return found if isinstance(found, CodeType) else None


def _names(code: CodeType | None) -> Iterator[str]:
    """The names that code looks up, and code within it."""
    if code is None:
        return
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
