"""Tools for LLM agents: write them, gather them, show them, run what a model asks for.

This is the front door. Core names are here at once; the others are loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .core.action import Action, ActionResult
from .core.availability import Unavailable
from .core.context import Progress, ToolContext
from .core.environment import Environment
from .core.marks import CommandArg, Configured, Name, PathArg
from .core.names import wire_name
from .core.registry import ToolRegistry
from .core.results import Err, ErrorCode, Ok, Part, ToolError, ToolResult, err, ok
from .core.tool import BaseTool, FunctionTool, ToolMeta, ToolPermission, ToolSet, ToolSpec, tool
from .core.traits import Alias
from .errors import (
    ConfigError,
    DescriptionWarning,
    DuplicateToolError,
    LifecycleError,
    MissingExtraError,
    ModelError,
    PreflightError,
    QitosLikeError,
    QitosLikeWarning,
    RegistrationError,
    SchemaError,
    SchemaWarning,
    SelectionError,
    SignatureError,
    SourceError,
    ToolNameError,
    ToolsetError,
)

if TYPE_CHECKING:
    from .agent.agent import Agent
    from .agent.decision import Decision
    from .agent.engine import Engine
    from .agent.history import ElideOldResults
    from .agent.models.anthropic import AnthropicModel
    from .agent.models.openai import OpenAIModel
    from .agent.models.price import Price
    from .agent.module import AgentModule
    from .agent.protocol.text_protocol import TextProtocol
    from .agent.result import RunResult
    from .agent.scripted import ScriptedModel
    from .agent.state import StateSchema
    from .load.config import load_config
    from .render.dialects import dialect
    from .run.approvals import Approval, ApprovalRequest
    from .run.artifacts import ArtifactDraft, ArtifactStore
    from .run.backends import Backend
    from .run.budget import Budget
    from .run.executor import ActionExecutor
    from .run.policy import PermissionPolicy
    from .run.rules import Rule

__all__ = [
    "Action",
    "ActionExecutor",
    "ActionResult",
    "Agent",
    "AgentModule",
    "Alias",
    "AnthropicModel",
    "Approval",
    "ApprovalRequest",
    "ArtifactDraft",
    "ArtifactStore",
    "Backend",
    "BaseTool",
    "Budget",
    "CommandArg",
    "ConfigError",
    "Configured",
    "Decision",
    "DescriptionWarning",
    "DuplicateToolError",
    "ElideOldResults",
    "Engine",
    "Environment",
    "Err",
    "ErrorCode",
    "FunctionTool",
    "LifecycleError",
    "MissingExtraError",
    "ModelError",
    "Name",
    "Ok",
    "OpenAIModel",
    "Part",
    "PathArg",
    "PermissionPolicy",
    "PreflightError",
    "Price",
    "Progress",
    "QitosLikeError",
    "QitosLikeWarning",
    "RegistrationError",
    "Rule",
    "RunResult",
    "SchemaError",
    "SchemaWarning",
    "ScriptedModel",
    "SelectionError",
    "SignatureError",
    "SourceError",
    "StateSchema",
    "TextProtocol",
    "ToolContext",
    "ToolError",
    "ToolMeta",
    "ToolNameError",
    "ToolPermission",
    "ToolRegistry",
    "ToolResult",
    "ToolSet",
    "ToolSpec",
    "ToolsetError",
    "Unavailable",
    "dialect",
    "err",
    "load_config",
    "ok",
    "tool",
    "wire_name",
]

_LAZY = {
    "ActionExecutor": "run.executor",
    "Agent": "agent.agent",
    "AgentModule": "agent.module",
    "AnthropicModel": "agent.models.anthropic",
    "Approval": "run.approvals",
    "ApprovalRequest": "run.approvals",
    "ArtifactDraft": "run.artifacts",
    "ArtifactStore": "run.artifacts",
    "Backend": "run.backends",
    "Budget": "run.budget",
    "Decision": "agent.decision",
    "ElideOldResults": "agent.history",
    "Engine": "agent.engine",
    "OpenAIModel": "agent.models.openai",
    "PermissionPolicy": "run.policy",
    "Price": "agent.models.price",
    "Rule": "run.rules",
    "RunResult": "agent.result",
    "ScriptedModel": "agent.scripted",
    "StateSchema": "agent.state",
    "TextProtocol": "agent.protocol.text_protocol",
    "dialect": "render.dialects",
    "load_config": "load.config",
}


def __getattr__(name: str) -> object:
    """Load a name of an outer ring when it is first used (PEP 562)."""
    module = _LAZY.get(name)
    if module is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
