"""Reading what an SDK or plain JSON gives, and the names, ids and arguments in it."""

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import WIRE_RULES, wire_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.safe_text import joined

_ID_CHARS = 16
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_NOT_IN_DOTTED_NAMES = re.compile(r"[^A-Za-z0-9_.-]")


class MadeUpId(str):
    """An id given here to a call that came without one, for dialects that send none back."""

    __slots__ = ()


def read(holder: object, name: str) -> Json:
    """An item of a mapping or an attribute of an object; ``None`` if there is none."""
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)


def as_dict(message: object) -> Schema:
    """A message as plain JSON data, without what is null.

    Raises:
        TypeError: it is neither a mapping nor an object of an SDK, which has ``model_dump``.
    """
    if isinstance(message, Mapping):
        return {key: value for key, value in message.items() if value is not None}
    dump = getattr(message, "model_dump", None)
    if dump is None:
        error = f"a message is a mapping or an object of the provider's SDK, not {message!r}"
        raise TypeError(error)
    dumped: Schema = dump(mode="json", by_alias=True, exclude_none=True, warnings=False)
    return dumped


def made_up_id(position: int, call: Schema) -> MadeUpId:
    """An id for a call that has none: the same for the same call, so that answers find it."""
    told = json.dumps([position, call], sort_keys=True, default=str)
    return MadeUpId(f"call_{sha256(told.encode()).hexdigest()[:_ID_CHARS]}")


def with_own_ids(calls: Iterable[Schema], key: str) -> None:
    """Give an id of its own to each call that has none, or the one of a call before it."""
    taken: set[str] = set()
    for position, call in enumerate(calls):
        sent = str(call.get(key) or "")
        is_own = sent and sent not in taken
        call[key] = sent if is_own else made_up_id(position, call)
        taken.add(call[key])


def sendable_name(name: str, provider: str) -> str:
    """A name as a provider takes it back, even if the model made it up: ``functions.view``."""
    rule = WIRE_RULES[provider]
    illegal = _NOT_IN_DOTTED_NAMES if rule.keeps_dots else _NOT_IN_NAMES
    return illegal.sub("_", name)[: rule.max_chars] or "_"


def entry_named(registry: ToolRegistry, wire: object, provider: str) -> Entry | None:
    """The tool that a provider was shown under this name."""
    if not isinstance(wire, str):
        return None
    for name in (wire, wire.replace("__", ".")):
        entry = registry.get(name)
        if entry is not None and wire_name(entry.name, provider) == wire:
            return entry
    if "___" not in wire:  # only a hashed name is not to be read backwards
        return None
    return next((entry for entry in registry if wire_name(entry.name, provider) == wire), None)


def sendable(message: Schema) -> Schema:
    """A message without half surrogate pairs, which no request can carry."""
    return {_encodable(key): _encodable(part) for key, part in message.items()}


def _encodable(part: Json) -> Json:
    if isinstance(part, str):
        return part if part.isascii() else joined(part).encode(errors="replace").decode()
    if isinstance(part, list):
        return [_encodable(inner) for inner in part]
    return sendable(part) if isinstance(part, dict) else part


def arguments_text(args: Json) -> str:
    """Arguments as JSON text, for providers that have them so; servers read even an empty one."""
    if isinstance(args, str):
        return args if args.strip() else "{}"
    return json.dumps({} if args is None else args, ensure_ascii=False)


def arguments_mapping(args: Json) -> Schema:
    """Arguments as a mapping that can be sent; what is no JSON object becomes an empty one."""
    try:
        given = json.loads(args, parse_constant=_no_json) if isinstance(args, str) else args
        text = json.dumps(given, ensure_ascii=False, allow_nan=False, default=str)
        sent = json.loads(text.encode(errors="replace"))  # half a surrogate pair is no text
    except (ValueError, TypeError, RecursionError):
        return {}
    return sent if isinstance(sent, dict) else {}


def _no_json(constant: str) -> Json:
    message = f"{constant} is no JSON"
    raise ValueError(message)
