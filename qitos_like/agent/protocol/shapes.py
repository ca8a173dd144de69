"""The shapes in which models write a call as JSON."""

from collections.abc import Mapping, Sequence

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ErrorCode
from qitos_like.run.find import find

#: Keys that name the tool: the first ones mean nothing else.
_TOOL = ("tool", "tool_name", "toolName", "recipient_name")
NAMES = (*_TOOL, "name", "function", "action")
ARGS = (
    *("args", "arguments", "parameters", "params", "input", "tool_input", "action_input"),
    *("tool_args", "tool_arguments", "tool_parameters", "toolInput", "kwargs"),
)
#: Keys that hold the call, or all of them.
_HOLDERS = ("function", "tool", "tool_call", "function_call", "action")
_CALLS = ("tool_calls", "function_calls", "tool_uses")  # lists of nothing else
LISTS = (*_CALLS, "tools", "calls", "actions")
#: What stands beside a call and is no argument.
_BESIDE = frozenset({"id", "type", "call_id", "thought", "thoughts", "reasoning", "rationale"})


def calls_in(value: Json, registry: ToolRegistry, *, definite: bool = False) -> list[Action]:
    """The calls that a JSON value is, one or a list of them; none if it is other data.

    Args:
        value: the value.
        registry: the tools; other data may look like a call of none of them.
        definite: whether what stands around it says that it is a call.

    >>> calls_in({"tool": "add", "arguments": {"a": 1}}, ToolRegistry())
    [Action(name='add', args={'a': 1}, id=None)]
    >>> calls_in({"name": "Ada", "born": 1815}, ToolRegistry())
    []
    """
    if isinstance(value, Mapping):
        key = next((key for key in LISTS if isinstance(value.get(key), list)), None)
        definite = definite or key in _CALLS
        value = [value] if key is None else value[key]
    values = value if isinstance(value, list) else [value]
    calls = [_call(each, registry, definite=definite) for each in values]
    found = [call for call in calls if call is not None]
    return found if len(found) == len(calls) else []


def is_known(name: str, registry: ToolRegistry) -> bool:
    """Whether there is such a tool, available or not."""
    found = find(registry, name)
    return not isinstance(found, Err) or found.code is not ErrorCode.UNKNOWN_TOOL


def _call(value: Json, registry: ToolRegistry, *, definite: bool) -> Action | None:
    if not isinstance(value, Mapping):
        return None
    held = next((value[key] for key in _HOLDERS if isinstance(value.get(key), Mapping)), None)
    if held is not None:
        value, definite = held, True
    key = next((name for name in NAMES if isinstance(value.get(name), str)), None)
    if key is None:
        return None
    name = value[key].strip().replace("\\_", "_")  # Markdown escapes what it would set in italics
    definite = definite or key in _TOOL
    given = next((args for args in ARGS if args in value), None)
    known = parameters(name, registry)
    if given is None or _is_parameter(value[given], given, known or ()):
        args = {each: value[each] for each in value if each not in {key, *_BESIDE}}
        return Action(name, args) if definite or _fits(args, known) else None
    if _is_schema(value[given]) or not (definite or _is_near(name, registry)):
        return None
    return Action(name, _args(value[given]))


def parameters(name: str, registry: ToolRegistry) -> list[str] | None:
    """The parameters of the tool of this name; ``None`` if there is none, or it is not available."""
    found = find(registry, name.removeprefix("functions.").removeprefix("tools."))
    if isinstance(found, Err):
        return [] if found.code is not ErrorCode.UNKNOWN_TOOL else None
    return list(found.entry.spec.input_schema.get("properties", {}))


def _is_parameter(given: Json, name: str, known: Sequence[str]) -> bool:
    """Whether what could hold the arguments is one of them."""
    is_held = isinstance(given, Mapping) or (isinstance(given, str) and given.lstrip()[:1] == "{")
    return name in known and not is_held


def _fits(args: Mapping[str, Json], known: Sequence[str] | None) -> bool:
    """Whether the keys beside a name are arguments, not other data about something so called."""
    return known is not None and (not args or any(each in known for each in args))


def _is_schema(args: Json) -> bool:
    """Whether a tool is described rather than called."""
    return isinstance(args, Mapping) and args.get("type") == "object" and "properties" in args


def _args(args: Json) -> Json:
    """Arguments as they were sent; what is neither an object nor its text, the check refuses."""
    if args is None:
        return {}
    return args if isinstance(args, str | Mapping) else str(args)


def _is_near(name: str, registry: ToolRegistry) -> bool:
    """Whether a tool has this name, or nearly."""
    found = find(registry, name)
    if not isinstance(found, Err) or found.code is not ErrorCode.UNKNOWN_TOOL:
        return True
    facts: Json = found.structured
    return bool(facts["near"])
