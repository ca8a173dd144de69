"""What OpenAI's two APIs share: a tool's function, and the nulls of strict calls taken back."""

import json

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import wire_name
from qitos_like.core.spec import ToolSpec
from qitos_like.render.schemas.notes import Finding
from qitos_like.render.schemas.nulls import restored
from qitos_like.render.schemas.strict_form import strict_form
from qitos_like.render.schemas.strictness import OPENAI, obstacles
from qitos_like.render.schemas.texts import cleaned, description
from qitos_like.render.schemas.tuples import evened

from .base import Export, notes_of, plain_top


def function(spec: ToolSpec, provider: str, *, strict: bool | None) -> Export:
    """A tool as a function with name, description, parameters and ``strict``.

    It is strict unless that was refused, or would lose something: then the notes say what.
    """
    findings = [] if strict is False else spec.kept(_obstacles)
    is_strict = strict is not False and not findings
    if is_strict:
        schema = spec.kept(_schema)
        parameters, dropped = strict_form(schema, schema), list[Finding]()
    else:
        parameters, dropped = plain_top(spec.input_schema)
    tool = {
        "name": wire_name(spec.name, provider),
        "description": description(spec),
        "parameters": {"properties": {}, **cleaned(parameters)},
        "strict": is_strict,
    }
    notes = notes_of(spec, findings, "not strict: ") + notes_of(spec, dropped)
    return Export(tool, notes)


def sent_arguments(args: Json, entry: Entry | None) -> Json:
    """Arguments as the model meant them: without the nulls that strict mode made it send.

    What was text stays text where nothing has to be taken out.
    """
    if args is None:
        return {}
    if entry is None or (isinstance(args, str) and "null" not in args):
        return args
    if entry.spec.kept(_obstacles):
        return args
    try:
        value = json.loads(args, object_pairs_hook=_unrepeated) if isinstance(args, str) else args
    except (ValueError, RecursionError):
        return args
    schema = entry.spec.kept(_schema)
    meant = restored(value, schema, schema)
    return args if meant == value else meant


def _obstacles(spec: ToolSpec) -> list[Finding]:
    return obstacles(spec.kept(_schema), OPENAI)


def _schema(spec: ToolSpec) -> Schema:
    return evened(spec.input_schema)


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
