"""Names of arguments as Anthropic takes them, which refuses a whole request for one like ``$top``."""

import re
from collections.abc import Mapping
from hashlib import sha256

from qitos_like.core.jsontypes import Json, Schema

_LEGAL = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_.-]")
_STEM_CHARS, _DIGEST_CHARS = 48, 12


def legal_keys(schema: Schema) -> Schema:
    """The schema with legal names for its properties; itself if they are."""
    properties = schema.get("properties", {})
    if all(map(_LEGAL.fullmatch, properties)):
        return schema
    named = {_legal(name): part for name, part in properties.items()}
    required = list(map(_legal, schema.get("required", ())))
    return {**schema, "properties": named, **({"required": required} if required else {})}


def own_keys(args: Json, schema: Schema) -> Json:
    """Arguments under the names that the schema itself has; ``args`` if they are."""
    renamed = {_legal(name): name for name in schema.get("properties", {})}
    if not isinstance(args, Mapping) or all(renamed.get(name, name) == name for name in args):
        return args
    return {renamed.get(name, name): value for name, value in args.items()}


def _legal(name: str) -> str:
    """The name itself if it is legal; else what is legal of it, and a part of its digest."""
    if _LEGAL.fullmatch(name):
        return name
    digest = sha256(name.encode(errors="surrogatepass")).hexdigest()[:_DIGEST_CHARS]
    return f"{_ILLEGAL.sub('_', name)[:_STEM_CHARS]}_{digest}"
