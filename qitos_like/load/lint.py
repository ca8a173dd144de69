"""What a reader of a registry would ask its authors to mend: texts, types, names, permissions.

Nothing here is an error: the tools work. Each finding says where it is and what to do.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import frozen

from qitos_like.core.describe import instructions_text
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.marks import CommandArg, PathArg
from qitos_like.core.names import wire_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.schema.annotations import Unresolved
from qitos_like.core.schema.infer import Inference
from qitos_like.core.schema.parameters import Parameter, Role
from qitos_like.core.shapes import Speller
from qitos_like.render.dialects import dialect

from .needs import undeclared

#: Marks that say what a parameter is.
_CLEAR = (PathArg, CommandArg)
#: Letters of a name that a text can only have on purpose; "a" and "to" are in any.
_SPEAKING = 3
_OPTIONAL_WORDS = ("optional", "default")
_NOT_STRICT = "not strict: "
_PARAMETER = re.compile(r"\$\.(\w+)")


@frozen
class Finding:
    """One thing to mend.

    Attributes:
        tool: the qualified name.
        rule: its kind, a word to search for.
        message: what is wrong and what to do.
        parameter: the property or the parameter it is about, if it is about one.

    >>> str(Finding("add", "no-text", "say what it is", "a"))
    'add(a): say what it is [no-text]'
    """

    tool: str
    rule: str
    message: str
    parameter: str | None = None

    def __str__(self) -> str:
        """One line."""
        where = f"{self.tool}({self.parameter})" if self.parameter else self.tool
        return f"{where}: {self.message} [{self.rule}]"


def findings(registry: ToolRegistry) -> list[Finding]:
    """All findings, tool by tool in registration order."""
    return [finding for entry in registry for rule in _RULES for finding in rule(entry)]


def _description(entry: Entry) -> Iterator[Finding]:
    if not entry.spec.description.strip():
        message = "no description: write a docstring or give description=..."
        yield Finding(entry.name, "no-description", message)


def _undocumented(entry: Entry) -> Iterator[Finding]:
    parameters = entry.tool.signature.parameters
    clear = {each.key for each in parameters if any(map(each.marked.has, _CLEAR))}
    told, speller = _told(entry), Speller(entry.spec.input_schema)
    for name, schema in _properties(entry.spec.input_schema):
        has_text = isinstance(schema, Mapping) and schema.get("description")
        if not (has_text or name in clear or _is_choice(schema, speller) or _names(told, name)):
            message = 'no text says what it is: use the docstring or Annotated[T, "text"]'
            yield Finding(entry.name, "no-text", message, name)


def _told(entry: Entry) -> str:
    """What a model reads beside the parameters: of the tool, and of its toolset."""
    say: Callable[[], object] | None = getattr(entry.toolset, "instructions", None)
    shared = instructions_text(say()) if callable(say) else ""
    name = re.sub(r"[._]", " ", entry.name)
    return "\n".join([name, entry.spec.description, entry.spec.usage or "", shared])


def _names(told: str, parameter: str) -> bool:
    """Whether a text speaks of a parameter by its name, or of several such things."""
    if len(parameter) < _SPEAKING and parameter.isalnum():
        return False
    return re.search(rf"(?<!\w){re.escape(parameter)}s?(?!\w)", told, re.IGNORECASE) is not None


def _is_choice(schema: Json, speller: Speller) -> bool:
    """Whether there are only words to choose from, or yes and no: what they mean, they say."""
    members = speller.spell(speller.resolve(schema)).split(" | ")
    return all(member.startswith('"') or member in {"bool", "null"} for member in members)


def _documented_but_missing(entry: Entry) -> Iterator[Finding]:
    known = {parameter.name for parameter in entry.tool.signature.parameters}
    for name in entry.tool.signature.texts():
        if name.lstrip("*") not in known:
            message = f"the docstring describes it, but there is no parameter {name!r}"
            yield Finding(entry.name, "no-parameter", message, name)


def _docstring_types(entry: Entry) -> Iterator[Finding]:
    texts = entry.tool.signature.texts()
    for parameter in entry.tool.signature.parameters:
        said = texts.get(parameter.name)
        if said is None or not said.type or parameter.role is not Role.ARGUMENT:
            continue
        shown = _differing(parameter, said.type, entry)
        if shown:
            message = f"the docstring's type {said.type!r} differs from the annotation, {shown}"
            yield Finding(entry.name, "other-type", message, parameter.key)


def _differing(parameter: Parameter, written: str, entry: Entry) -> str | None:
    """The annotation in short, where the docstring's words are a type and another one."""
    words = [word.strip() for word in written.split(",")]
    kept = [word for word in words if not word.startswith(_OPTIONAL_WORDS)]
    scope = entry.tool.signature.scope
    theirs = scope.resolve(", ".join(kept))
    if isinstance(theirs, type) and issubclass(theirs, Unresolved):
        return None
    inference = Inference(scope)
    schema = inference.finished(inference.schema(theirs))
    ours = inference.finished(inference.schema(parameter.annotation))
    if inference.reasons or _members(schema) == _members(ours):
        return None
    return Speller(ours).spell(ours)


def _members(schema: Schema) -> set[str]:
    spelled = Speller(schema).spell(schema)
    return {member for member in spelled.split(" | ") if member != "null"}


def _free_form(entry: Entry) -> Iterator[Finding]:
    schema = entry.spec.input_schema
    speller = Speller(schema)
    for name, value in _properties(schema):
        shown = speller.spell(speller.resolve(value))
        if shown in {"any", "object"}:
            message = f"takes {shown}: a model has to guess what to send; give it a type"
            yield Finding(entry.name, "free-form", message, name)


def _unreadable_name(entry: Entry) -> Iterator[Finding]:
    wire = wire_name(entry.name, "openai")
    if wire != entry.name.replace(".", "__"):
        message = f"a provider sees {wire!r}: use fewer characters, and no '__' in it"
        yield Finding(entry.name, "long-name", message)


def _not_strict(entry: Entry) -> Iterator[Finding]:
    """Why a provider cannot hold the model to the schema; what is free-form has been told."""
    vague = {finding.parameter for finding in _free_form(entry)}
    for note in dialect("openai").report(ToolRegistry([entry])):
        parameter = _PARAMETER.match(note.path)
        name = parameter[1] if parameter else None
        if note.text.startswith(_NOT_STRICT) and name not in vague:
            message = f"no provider can enforce its schema: {note.text.removeprefix(_NOT_STRICT)}"
            yield Finding(entry.name, "not-strict", message, name)


def _undeclared(entry: Entry) -> Iterator[Finding]:
    for name, wanted in undeclared(entry.tool, entry.spec.permissions):
        message = f"its code uses {name!r}: declare permissions=ToolPermission({wanted})"
        yield Finding(entry.name, "no-permission", message)


def _properties(schema: Schema) -> Iterable[tuple[str, Json]]:
    properties: Mapping[str, Json] = schema.get("properties", {})
    return properties.items()


_RULES: tuple[Callable[[Entry], Iterable[Finding]], ...] = (
    _description,
    _undocumented,
    _documented_but_missing,
    _docstring_types,
    _free_form,
    _unreadable_name,
    _not_strict,
    _undeclared,
)
