"""The shapes in which models write a call as JSON."""

from collections.abc import Mapping

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ErrorCode
from qitos_like.run.find import find

#: Keys that name the tool: the first ones mean nothing else.
_TOOL = ("tool", "tool_name")
_NAMES = (*_TOOL, "name", "function", "action")
_ARGS = ("args", "arguments", "parameters", "params", "input", "tool_input", "action_input")
#: What stands beside a call and is no argument.
_BESIDE = frozenset({"id", "type", "call_id"})


def calls_in(value: Json, registry: ToolRegistry) -> list[Action]:
    """The calls that a JSON value is, one or a list of them; none if it is other data.

    >>> calls_in({"name": "add", "arguments": {"a": 1}}, ToolRegistry())
    [Action(name='add', args={'a': 1}, id=None)]
    >>> calls_in({"name": "Ada", "born": 1815}, ToolRegistry())
    []
    """
    if isinstance(value, Mapping) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    values = value if isinstance(value, list) else [value]
    calls = [_call(each, registry) for each in values]
    found = [call for call in calls if call is not None]
    return found if len(found) == len(calls) else []


def _call(value: Json, registry: ToolRegistry) -> Action | None:
    if not isinstance(value, Mapping):
        return None
    if isinstance(value.get("function"), Mapping):
        value = value["function"]
    key = next((name for name in _NAMES if isinstance(value.get(name), str)), None)
    if key is None:
        return None
    name = value[key].strip()
    given = next((args for args in _ARGS if args in value), None)
    if given is not None:
        return Action(name, _args(value[given]))
    if key not in _TOOL and not _is_known(name, registry):
        return None
    return Action(name, {each: value[each] for each in value if each not in {key, *_BESIDE}})


def _args(args: Json) -> Json:
    """Arguments as they were sent; what is neither an object nor its text, the check refuses."""
    if args is None:
        return {}
    return args if isinstance(args, str | Mapping) else str(args)


def _is_known(name: str, registry: ToolRegistry) -> bool:
    found = find(registry, name)
    return not isinstance(found, Err) or found.code is not ErrorCode.UNKNOWN_TOOL
