"""Reading what an SDK or plain JSON gives, and the names, ids and arguments in it."""

import json
from collections.abc import Mapping
from hashlib import sha256

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import wire_name
from qitos_like.core.registry import ToolRegistry

_ID_CHARS = 16


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


def made_up_id(position: int, name: object, args: Json) -> MadeUpId:
    """An id for a call that has none: the same for the same call, so that answers find it."""
    told = json.dumps([position, name, args], sort_keys=True, default=str)
    return MadeUpId(f"call_{sha256(told.encode()).hexdigest()[:_ID_CHARS]}")


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


def arguments_text(args: Json) -> str:
    """Arguments as JSON text, for providers that have them so."""
    if isinstance(args, str):
        return args
    return json.dumps({} if args is None else args, ensure_ascii=False)


def arguments_mapping(args: Json) -> Schema:
    """Arguments as a mapping; what is no JSON object becomes an empty one."""
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except ValueError:
            return {}
    return dict(args) if isinstance(args, Mapping) else {}
