"""What OpenAI's two APIs share: a tool's function, the nulls of strict calls taken back, media."""

import json

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import wire_name
from qitos_like.core.spec import ToolSpec
from qitos_like.render.schemas.items import with_items
from qitos_like.render.schemas.notes import Finding, Note
from qitos_like.render.schemas.nulls import restored
from qitos_like.render.schemas.strict_form import flat_form, strict_form
from qitos_like.render.schemas.strictness import OPENAI, obstacles
from qitos_like.render.schemas.texts import cleaned, description, parted_at
from qitos_like.render.schemas.top_level import plain_top
from qitos_like.render.schemas.tuples import evened
from qitos_like.render.schemas.used import with_used

from .base import notes_of
from .media import IMAGES, PDF

#: The media types of parts that both APIs show.
SHOWN = IMAGES | {PDF}
#: A longer one is refused, with the whole request; the rest is told with the parameters.
_MAX_DESCRIPTION = 1_024


def function(
    spec: ToolSpec, provider: str, *, strict: bool | None
) -> tuple[Schema, tuple[Note, ...]]:
    """A tool as a function with name, description, parameters and ``strict``.

    It is strict unless that was refused, or would lose something: then the notes say what.
    """
    parameters, findings = (None, []) if strict is False else _strict_form(spec)
    is_strict = parameters is not None
    dropped: list[Finding] = []
    if parameters is None:
        parameters, dropped = plain_top(cleaned(with_used(spec.input_schema)))
        parameters = with_items(parameters)
    if "properties" not in parameters:
        parameters = {**parameters, "properties": {}}
    told, more = parted_at(description(spec), _MAX_DESCRIPTION)
    if more:
        own = parameters.get("description")
        parameters = {**parameters, "description": f"{own}\n\n{more}" if own else more}
    made = {
        "name": wire_name(spec.name, provider),
        "description": told,
        "parameters": parameters,
        "strict": is_strict,
    }
    return made, notes_of(spec, dropped, not_strict=findings)


def _strict_form(spec: ToolSpec) -> tuple[Schema | None, list[Finding]]:
    """The strict form of a tool's schema, or what stands in the way of one."""
    flat = flat_form(spec.input_schema)
    if flat is not None:
        return flat, []
    schema, findings = _strictness(spec)
    return None if findings else strict_form(schema, schema), findings


def sent_arguments(args: Json, entry: Entry | None) -> Json:
    """Arguments as the model meant them: without the nulls that strict mode made it send.

    What was text stays text where nothing has to be taken out.
    """
    if args is None:
        return {}
    if entry is None or (isinstance(args, str) and "null" not in args):
        return args
    schema, findings = entry.spec.kept(_strictness)
    if findings:
        return args
    try:
        value = json.loads(args, object_pairs_hook=_unrepeated) if isinstance(args, str) else args
    except (ValueError, RecursionError):
        return args
    meant = restored(value, schema, schema)
    return args if meant == value else meant


def _strictness(spec: ToolSpec) -> tuple[Schema, list[Finding]]:
    """The schema that is made strict, and what stands in the way."""
    schema = with_used(spec.input_schema)
    findings = obstacles(schema, OPENAI)
    if findings:
        schema = evened(schema)
        findings = obstacles(schema, OPENAI)
    return schema, findings


def _unrepeated(pairs: list[tuple[str, Json]]) -> Schema:
    """An object whose keys differ; others are left for the check of arguments to refuse.

    Raises:
        ValueError: a key is there twice.
    """
    value = dict(pairs)
    if len(value) != len(pairs):
        message = "a key is given twice"
        raise ValueError(message)
    return value
