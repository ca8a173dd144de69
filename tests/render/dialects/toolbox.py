"""Tools with all that a dialect has to carry."""

from typing import Annotated, TypedDict

from qitos_like import ActionExecutor, Ok, Part, ToolError, ToolRegistry, ToolSet, tool

LONG = f"deep.{'very_' * 12}long"
PNG = b"\x89PNG\r\n\x1a\n>>>???"
PDF = b"%PDF-1.7"


class Edit(TypedDict):
    """A replacement."""

    old: str
    new: str


class Coding(ToolSet):
    """Tools on files."""

    @tool(usage="Look before you edit.", examples=[{"path": "a.py"}])
    def view(
        self,
        path: Annotated[str, "relative"],
        first: Annotated[int, "1-based"] = 1,
        last: int | None = None,
    ) -> str:
        """Lines of a file."""
        return f"{path}:{first}-{last}"

    @tool
    def edit(self, path: str, edits: list[Edit]) -> str:
        """Change a file."""
        return f"{path}: {len(edits)} edits"

    @tool
    def picture(self, name: str) -> Ok:
        """An image."""
        return Ok(f"a picture of {name}", parts=[Part("image/png", PNG)])

    @tool
    def scan(self) -> Ok:
        """A document and a sound."""
        return Ok("", parts=[Part("application/pdf", PDF), Part("audio/wav", b"RIFF")])

    @tool
    def fail(self) -> str:
        """It fails."""
        raise ToolError("no luck", hint="give up")

    @tool(parameters={"data": {"type": "object", "description": "anything"}})
    def free(self, data: dict | None = None) -> str:
        """Takes any object."""
        return str(data)


def far_away(message: str = "") -> str:
    """A tool with a long name."""
    return f"far: {message}"


def toolbox():
    """The registry."""
    return ToolRegistry().register_toolset(Coding()).register(far_away, LONG)


def run(actions, registry):
    """The answers to the actions."""
    with ActionExecutor(registry) as executor:
        return executor.run_turn_sync(actions)
