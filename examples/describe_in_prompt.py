"""What a model reads of the tools, and how to say it in another form."""

from typing import Annotated, TypedDict

from qitos_like import ToolRegistry, ToolSpec, tool


class Room(TypedDict):
    """One room of a booking."""

    beds: int
    smoking: bool


@tool(
    usage="Ask the guest for the dates first.",
    examples=[{"rooms": [{"beds": 2, "smoking": False}], "nights": 3}],
)
def book(
    rooms: list[Room],
    nights: Annotated[int, "at most 30"],
    name: str | None = None,
) -> str:
    """Book rooms in the hotel."""
    return f"{len(rooms)} rooms for {nights} nights, {name or 'no name'}"


@tool
def cancel(booking: str, *, refund: bool = True) -> str:
    """Cancel a booking."""
    return f"{booking} cancelled{', refunded' if refund else ''}"


def as_list(specs: list[ToolSpec]) -> str:
    """Names and descriptions alone."""
    return "\n".join(f"* {spec.name}: {spec.description}" for spec in specs)


def main() -> None:
    """Print a system prompt, then the tools in a form of our own."""
    registry = ToolRegistry().register(book, namespace="hotel").register(cancel, namespace="hotel")
    print(f"You are the night clerk. Your tools:\n\n{registry.get_tool_descriptions()}")
    print()
    print(registry.get_tool_descriptions(renderer=as_list))


if __name__ == "__main__":
    main()
