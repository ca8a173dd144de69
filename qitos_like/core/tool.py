"""What tool authors import: the decorator, the classes and the values they take."""

from .base import BaseTool
from .decorator import tool
from .function_tool import FunctionTool
from .permission import ToolPermission
from .spec import ToolMeta, ToolSpec
from .toolset import ToolSet

__all__ = [
    "BaseTool",
    "FunctionTool",
    "ToolMeta",
    "ToolPermission",
    "ToolSet",
    "ToolSpec",
    "tool",
]
