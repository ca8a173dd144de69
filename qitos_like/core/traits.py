"""What can be said of a tool besides its name and schema, spelled once."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from attrs import field, frozen

from qitos_like.errors import SchemaError

from .availability import AvailabilityCheck
from .jsontypes import Json, Schema
from .permission import ToolPermission
from .schema.explicit import check_schema

#: Where a tool's code runs: in a thread or on the loop, or in a process that can be killed.
Isolation = Literal["thread", "process"]
Serializer = Literal["auto", "json", "str"]
#: Names of resources: templates over the arguments (``"file:{path}"``), or a function of them.
Resources = tuple[str, ...] | Callable[[Mapping[str, Json]], Iterable[str]]


Conversion = Callable[[Json], Json]


def _renames(value: Mapping[str, str]) -> dict[str, str]:
    return dict(value)


def _conversions(value: Mapping[str, Conversion]) -> dict[str, Conversion]:
    return dict(value)


@frozen
class Alias:
    """Another name of a tool: found when a model uses it, never listed.

    Attributes:
        name: the other name, without a namespace; the tool's own, where only arguments have other
            names.
        arguments: the other name's argument to ours, ``{"file_path": "path"}``; what is not
            named keeps its name.
        values: by our argument's name, a function from the other name's value to ours.
        adapt: where arguments do not map one by one, a function from all of them, renamed and
            converted, to ours.

    >>> Alias("Bash", {"timeout": "timeout"}, values={"timeout": lambda ms: ms / 1000}).name
    'Bash'
    """

    name: str
    arguments: Mapping[str, str] = field(factory=dict, converter=_renames)
    values: Mapping[str, Conversion] = field(factory=dict, converter=_conversions, kw_only=True)
    adapt: Callable[[dict[str, Json]], dict[str, Json]] | None = field(default=None, kw_only=True)


def texts(value: Iterable[str] | None) -> tuple[str, ...]:
    """Several texts, or one."""
    if type(value) is tuple:
        return value
    return (value,) if isinstance(value, str) else _many(value)


def _many(value: object) -> Json:
    """A tuple; what cannot be one is left to the check of its trait."""
    return tuple(value) if isinstance(value, Iterable) else value or ()


def _examples(value: Iterable[Mapping[str, Json]]) -> tuple[Mapping[str, Json], ...]:
    return (value,) if isinstance(value, Mapping) else _many(value)


def _permission(value: ToolPermission | None) -> ToolPermission:
    return value or ToolPermission()


def _resources(value: Resources | Iterable[str]) -> Resources:
    return value if callable(value) else texts(value)


def _aliases(value: Iterable[str | Alias]) -> tuple[Alias, ...]:
    names = (value,) if isinstance(value, str | Alias) else value
    return tuple(map(_alias, names))


def _alias(value: object) -> Alias:
    if isinstance(value, Alias):
        return value
    if not isinstance(value, str):
        message = f"an alias is a name or an Alias, not {value!r}"
        raise TypeError(message)
    return Alias(value)


def _natives(value: Mapping[str, Json]) -> dict[str, Json]:
    copied: dict[str, Json] = _copied(value)
    return copied


def _copied(value: object) -> Json:
    """A dictionary; what cannot be one is left to the check of its trait."""
    return dict(value) if isinstance(value, Mapping) else value


def _check_output_schema(_traits: object, _field: object, schema: Json) -> None:
    if schema is None:
        return
    if not isinstance(schema, Mapping):
        message = f"output_schema must be a mapping, not {schema!r}"
        raise SchemaError(message)
    try:
        check_schema(dict(schema), tool="a result")
    except SchemaError as error:
        raise SchemaError(str(error)) from None


@frozen(kw_only=True)
class Traits:
    """The shared base of ``ToolMeta`` (what an author says) and ``ToolSpec`` (what is known).

    Attributes:
        usage: longer guidance for the system prompt.
        timeout_s: seconds until the call is answered with ``timeout``; ``None``: the executor's.
        max_retries: how often a failed call is started again, at most.
        permissions: what the tool needs from the environment.
        required_ops: low-level operations it needs from the environment.
        isolation: ``process`` runs each call in a fresh process, which is killed at its deadline;
            the tool, its arguments and its value have to be picklable.
        parallel_safe: may run together with other such tools of the same turn.
        reads, writes: resources, which decide instead what may run together.
        result_serializer: ``auto`` (text as it is, JSON for data), ``json`` or ``str``.
        max_result_chars: cap of one result; ``None``: the executor's.
        always_include: stays in the prompt when a budget drops other tools.
        output_untrusted: the result comes from outside and is marked so for the model.
        requires_approval: a person must allow each call.
        output_schema: JSON Schema of the structured result, which is checked by it.
        tags: words that ``select("tag:...")`` and rules match.
        examples: argument mappings that show good calls.
        available: a check; see ``Unavailable``.
        aliases: other names that a model may use.
        deprecated: why not to use it; it still runs, but is not listed.
        version: the tool's own version.
        native: a provider's own tool type, by provider name.
    """

    usage: str | None = None
    timeout_s: float | None = None
    max_retries: int = 0
    permissions: ToolPermission = field(default=None, converter=_permission)
    required_ops: tuple[str, ...] = field(default=(), converter=texts)
    isolation: Isolation = "thread"
    parallel_safe: bool = False
    reads: Resources = field(default=(), converter=_resources)
    writes: Resources = field(default=(), converter=_resources)
    result_serializer: Serializer = "auto"
    max_result_chars: int | None = None
    always_include: bool = False
    output_untrusted: bool = False
    requires_approval: bool = False
    output_schema: Schema | None = field(default=None, validator=_check_output_schema)
    tags: tuple[str, ...] = field(default=(), converter=texts)
    examples: tuple[Mapping[str, Json], ...] = field(default=(), converter=_examples)
    available: AvailabilityCheck | None = None
    aliases: tuple[Alias, ...] = field(default=(), converter=_aliases)
    deprecated: str | None = None
    version: str | None = None
    native: Mapping[str, Json] = field(factory=dict, converter=_natives)
