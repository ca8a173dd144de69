"""What may be said of a tool: the kind of value that each trait takes."""

from collections.abc import Callable, Iterable, Mapping
from typing import get_args

from attrs import frozen

from qitos_like.errors import RegistrationError

from .jsontypes import Json
from .permission import ToolPermission
from .traits import Isolation, Serializer


@frozen
class _Rule:
    """What a value has to be, as a check and in words."""

    holds: Callable[[Json], bool]
    words: str


def check(said: object, names: Iterable[str]) -> None:
    """Return if these traits of a ``ToolMeta`` or ``ToolSpec`` have values of their kind.

    Raises:
        RegistrationError: one has not; the text says what it takes.
    """
    for name in names:
        rule = _RULES.get(name)
        value = getattr(said, name)
        if rule is not None and not rule.holds(value):
            tool = getattr(said, "name", None)
            message = f"{name} is {rule.words}, not {value!r}"
            raise RegistrationError(f"{tool}: {message}" if tool else message, tool=tool)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_time(value: Json) -> bool:
    return value is None or (_is_number(value) and value > 0)


def _is_count(value: Json) -> bool:
    return type(value) is int and value >= 0


def _is_size(value: Json) -> bool:
    return value is None or (type(value) is int and value > 0)


def _is_text(value: Json) -> bool:
    return value is None or isinstance(value, str)


def _are_texts(value: Json) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str) for each in value)


def _are_resources(value: Json) -> bool:
    return callable(value) or _are_texts(value)


def _are_mappings(value: Json) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, Mapping) for each in value)


def _is_check(value: Json) -> bool:
    return value is None or callable(value)


def _of(*kinds: type) -> Callable[[Json], bool]:
    return lambda value: isinstance(value, kinds)


def _one_of(words: tuple[str, ...]) -> _Rule:
    return _Rule(lambda value: value in words, " or ".join(map(repr, words)))


_FLAG = _Rule(_of(bool), "True or False")
_TEXT = _Rule(_is_text, "a text or None")
_TEXTS = _Rule(_are_texts, "a list of texts")
_RESOURCES = _Rule(_are_resources, "a list of texts, or a function of the arguments")
_RULES: dict[str, _Rule] = {
    "description": _TEXT,
    "usage": _TEXT,
    "deprecated": _TEXT,
    "version": _TEXT,
    "timeout_s": _Rule(_is_time, "a number of seconds above 0, or None"),
    "max_retries": _Rule(_is_count, "a whole number from 0 on"),
    "max_result_chars": _Rule(_is_size, "a whole number from 1 on, or None"),
    "permissions": _Rule(_of(ToolPermission), "a ToolPermission"),
    "isolation": _one_of(get_args(Isolation)),
    "result_serializer": _one_of(get_args(Serializer)),
    "parallel_safe": _FLAG,
    "always_include": _FLAG,
    "output_untrusted": _FLAG,
    "requires_approval": _FLAG,
    "reads": _RESOURCES,
    "writes": _RESOURCES,
    "required_ops": _TEXTS,
    "tags": _TEXTS,
    "required": _TEXTS,
    "examples": _Rule(_are_mappings, "a list of mappings"),
    "available": _Rule(_is_check, "a function that says whether the tool can be used, or None"),
    "native": _Rule(_of(Mapping), "a mapping by provider"),
}
#: The traits that are looked at.
CHECKED = tuple(_RULES)
