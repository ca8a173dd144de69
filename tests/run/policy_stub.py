"""Tools that rules are about, and what a policy says of a call."""

from typing import Annotated

from qitos_like.core.marks import CommandArg, PathArg
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolMeta
from qitos_like.core.traits import Alias
from qitos_like.run.policy import PermissionPolicy
from qitos_like.run.subject import Subject


def view(path: Annotated[str, PathArg], start: int = 1) -> str:
    """View."""
    return f"{path}:{start}"


def move(source: Annotated[str, PathArg], to: Annotated[str, PathArg]) -> str:
    """Move."""
    return f"{source} {to}"


def run(command: Annotated[str, CommandArg]) -> str:
    """Run."""
    return command


def run_words(command: Annotated[list[str], CommandArg]) -> str:
    """Run."""
    return command[0]


def fetch(url: str, headers: dict[str, str] | None = None) -> str:
    """Fetch."""
    return url


def patch(text: str) -> str:
    """Patch."""
    return text


def noted(text: str) -> str:
    """Note."""
    return text


def ping() -> str:
    """Answer."""
    return "pong"


def policy_registry():
    """Tools of each kind that rules are about."""
    registry = ToolRegistry()
    registry.register(view, namespace="coding", meta=ToolMeta(tags=["readonly"]))
    aliases = [Alias("Bash", {"cmd": "command"})]
    registry.register(run, namespace="coding", meta=ToolMeta(aliases=aliases))
    registry.register(move, namespace="coding")
    registry.register(run_words, namespace="coding")
    named = ToolMeta(writes=lambda args: [f"file:{line}" for line in args["text"].split()])
    registry.register(patch, namespace="coding", meta=named)
    registry.register(noted, meta=ToolMeta(writes=lambda args: f"file:{args['text']}"))
    return registry.register(fetch, namespace="web").register(ping)


def verdict(registry, rules, name, args, default="allow", environment=None):
    subject = Subject(entry=registry[name], args=args, environment=environment)
    return PermissionPolicy(rules, default=default).decide(subject)
