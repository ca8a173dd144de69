"""The two tools as they are listed, by either names."""

from collections.abc import Callable

from kits.caps import Caps
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.jsontypes import Json
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Err, Ok
from qitos_like.core.spec import ToolMeta

from .query import TIMEOUT_S

_MARKS: dict[str, Json] = {
    "permissions": ToolPermission(filesystem_read=True),
    "parallel_safe": True,
    "timeout_s": 2 * TIMEOUT_S,
}


def listed(
    glob: Callable[..., Ok | Err],
    grep: Callable[..., Ok | Err],
    caps: Caps,
    *,
    about_glob: str = "",
    about_grep: str = "",
) -> list[FunctionTool]:
    """The tools, with a toolset's limits in their texts.

    Args:
        glob: finds files by name.
        grep: finds lines.
        caps: the limits.
        about_glob: what else there is to say of the first one.
        about_grep: what else there is to say of the other.
    """
    by_name = (
        f"files by name pattern, the first {caps.glob_paths}; hidden and ignored ones left out."
    )
    by_content = (
        "lines that match pattern, a regular expression (no look-around): head_limit of them from "
        f"offset on, each cut at {caps.grep_line_chars} characters; hidden, ignored and binary files left out."
    )
    schema = FunctionTool(grep).spec.input_schema
    limit = {"type": "integer", "default": caps.grep_lines}
    parameters = {**schema, "properties": {**schema["properties"], "head_limit": limit}}
    return [
        FunctionTool(glob, ToolMeta(description=by_name + about_glob, tags=["readonly"], **_MARKS)),
        FunctionTool(
            grep,
            ToolMeta(
                description=by_content + about_grep,
                parameters=parameters,
                tags=["artifacts", "readonly"],
                **_MARKS,
            ),
        ),
    ]
