"""The headings of the three documents, in their order; a test named after each shows what it says."""

import re

HEADINGS = {
    "bos": (
        "Writing Tools",
        "Minimal example",
        "Full decorator anatomy",
        "(1) name",
        "(2) description",
        "(3) parameters",
        "(4) usage",
        "(5) parallel_safe",
        "(6) result_serializer",
        "Sync vs async",
        "ToolContext injection",
        "Per-tool config via [exts.ep_tool.<Name>]",
        "Example: reading per-tool config",
        "Enable / disable per agent",
        "Built-in filesystem tools",
    ),
    "qitos": (
        "Tools and Registry",
        "The @tool decorator",
        "@tool parameters",
        "ToolPermission",
        "ToolRegistry",
        "Registering individual tools",
        "Scanning a module or object with include",
        "Registering toolsets",
        "BaseTool and FunctionTool",
        "Passing the registry to AgentModule",
        "Full example",
    ),
    "ethos": (
        "Write your first tool",
        "Goal",
        "Prereqs",
        "1. Read the contract before you write any code",
        "2. Pick the shape: in-monorepo extension or stand-alone plugin",
        "3. Create the plugin package",
        "4. Write the tool",
        "5. Install the plugin",
        "6. Wire the tool into a personality",
        "7. Try it",
        "8. Add unit tests",
        "9. Use progress events for long-running calls",
        "10. Decide between plugin and in-monorepo extension",
        "What you learned",
        "Next step",
    ),
}

_NUMBER = re.compile(r"^(?:\(\d+\)|\d+\.) ")


def prefix(heading):
    """What the name of a test of a heading begins with."""
    words = re.sub(r"[^a-z0-9]+", "_", _NUMBER.sub("", heading).lower())
    return f"test_{words.strip('_')}_"
