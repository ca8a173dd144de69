"""Exit codes."""

from qitos_like.core.results import ErrorCode, ToolResult

OK = 0
TOOL_ERROR = 1
USAGE = 2
REFUSED = 3
STOPPED = 130  # 128 and the number of SIGINT, as shells do

_BY_CODE = {
    ErrorCode.UNKNOWN_TOOL: USAGE,
    ErrorCode.DENIED: REFUSED,
    ErrorCode.NEEDS_APPROVAL: REFUSED,
}


def of_result(result: ToolResult) -> int:
    """The exit code of a command that ran one tool."""
    return OK if result.ok else _BY_CODE.get(result.code, TOOL_ERROR)
