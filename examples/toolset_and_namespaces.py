"""Tools that share state form a toolset; a registry gives them a namespace and narrows them."""

from qitos_like import ActionExecutor, ToolRegistry, ToolSet, tool


class NotesToolSet(ToolSet):
    """Notes in memory."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def instructions(self) -> str:
        """What the prompt says ahead of these tools."""
        return "Notes are numbered from 1."

    @tool(tags=["write"])
    def add(self, text: str) -> str:
        """Write a note down."""
        self.notes.append(text)
        return f"note {len(self.notes)}"

    @tool(tags=["read"])
    def read(self, number: int) -> str:
        """Read one note."""
        return self.notes[number - 1]


def main() -> None:
    """One toolset in two registries, under two names; one of them may only read."""
    notes = NotesToolSet()
    writer = ToolRegistry().register_toolset(notes)
    reader = ToolRegistry().register_toolset(notes, namespace="shared").select("tag:read")
    for registry in (writer, reader):
        print([entry.name for entry in registry])

    with ActionExecutor(writer) as write, ActionExecutor(reader) as read:
        print(write("notes.add", text="buy milk").text)
        print(read("shared.read", number=1).text)
        print(read("shared.add", text="sneak in").text)
    print()
    print(reader.get_tool_descriptions())


if __name__ == "__main__":
    main()
