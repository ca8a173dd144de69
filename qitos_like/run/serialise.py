"""A tool's value as text for a model, and as JSON data."""

import dataclasses
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, MappingView, Sequence
from enum import Enum

import attrs

from qitos_like.core.jsontypes import Json
from qitos_like.core.schema.problems import json_path
from qitos_like.core.traits import Serializer

from .large import MOST_CHARS, pieces

_CONTAINERS = (dict, list, tuple)
_SCALARS = (str, int, float, type(None))
_MAX_DEPTH = 200
_LONE_HALF = re.compile("[\ud800-\udfff]")


class NotJsonError(ValueError):
    """A value that has no JSON form; the text says where and why."""


def text(value: object, serializer: Serializer = "auto") -> str:
    """What a model is shown of a value, whole.

    ``auto`` gives text as it is and so what JSON would write as a string (a path, a date); other
    data as JSON; the rest by ``str``. Bytes are described by every serializer.

    Raises:
        NotJsonError: NaN, an infinity, a cycle or too deep a nesting.

    >>> text({"b", "a"}), text("as it is"), text(b"abc")
    ('["a", "b"]', 'as it is', '<3 bytes>')
    """
    if serializer == "json":
        return _dumps(value)
    form = _scalar(value)
    if isinstance(form, str):
        return wellformed(form)
    if serializer == "str":
        return str(value)
    return _dumps(form)


def data(value: object) -> Json:
    """The value as plain JSON data, a copy.

    Raises:
        NotJsonError: as ``text``.
    """
    return json.loads(_dumps(value))


def both(value: object) -> tuple[str, Json]:
    """A large value as JSON text and as data, in steps that let other threads run.

    Raises:
        NotJsonError: it has none.
    """
    try:
        return pieces(value, _dumps)
    except Exception:  # user code in it, or no JSON: the whole says where it is wrong
        text = _dumps(value)
        return text, json.loads(text)


def is_structured(value: object) -> bool:
    """Whether a result of this value is data too: a mapping, or an instance of a data class."""
    kind = type(value)
    if kind is str:
        return False
    return isinstance(value, Mapping) or _is_record(kind)


def wellformed(text: str, backslash: str = "\\") -> str:
    r"""The text as Unicode that UTF-8 can hold.

    The halves of a surrogate pair are joined; a lone half is written out as ``\udc80``.
    """
    if text.isascii():
        return text
    try:
        for start in range(0, len(text), MOST_CHARS):
            text[start : start + MOST_CHARS].encode()
    except UnicodeEncodeError:
        units = text.encode("utf-16-le", "surrogatepass")
        joined = units.decode("utf-16-le", "surrogatepass")
        return _LONE_HALF.sub(lambda half: f"{backslash}u{ord(half[0]):04x}", joined)
    return text


def _dumps(value: object) -> str:
    """The value as JSON text.

    Raises:
        NotJsonError: it has none.
    """
    try:
        dumped = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_form)
    except RecursionError:
        message = "it is nested too deep"
        raise NotJsonError(message) from None
    except ValueError:
        raise NotJsonError(_fault(value, (), ()) or "JSON has no form for it") from None
    except TypeError:
        return _dumps(_keyed(value, _MAX_DEPTH))
    return wellformed(dumped, backslash="\\\\")  # an escaped half would be one again when read


def _form(value: object) -> Json:
    """One step from a value that JSON does not know to one that it does."""
    kind = type(value)
    for handled, convert in _BY_TYPE:
        if issubclass(kind, handled):
            return convert(value)
    for is_such, convert in _BY_SHAPE:
        if is_such(kind):
            return convert(value)
    return str(value)


def _scalar(value: object) -> object:
    """A value that is one thing as text or number; containers and records as they are."""
    kind = type(value)
    if kind is str or kind in _CONTAINERS:
        return value
    if isinstance(value, Enum):
        return _scalar(value.value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (*_SCALARS, *_CONTAINERS)):
        return value
    return _form(value)


def _keyed(value: object, depth: int) -> Json:
    """The value with every key a text, where JSON does not take them as they are.

    Raises:
        NotJsonError: it is nested too deep, which a cycle is too.
    """
    if depth == 0:
        message = "it is nested too deep or holds itself"
        raise NotJsonError(message)
    form = value if isinstance(value, (*_SCALARS, *_CONTAINERS)) else _form(value)
    if isinstance(form, dict):
        return {_key(key): _keyed(part, depth - 1) for key, part in form.items()}
    if isinstance(form, list | tuple):
        return [_keyed(part, depth - 1) for part in form]
    return form


def _key(key: object) -> Json:
    form = _scalar(key)
    return form if isinstance(form, _SCALARS) else str(form)


def _fault(value: object, path: tuple[str | int, ...], above: tuple[int, ...]) -> str | None:
    """Where JSON has no form for a value, and why."""
    if isinstance(value, int | float):
        return _number_fault(value, json_path(path))
    if isinstance(value, (*_SCALARS, Enum)) or len(path) > _MAX_DEPTH:
        return None
    if id(value) in above:
        return f"{json_path(path)} holds itself"
    above = (*above, id(value))
    if not isinstance(value, _CONTAINERS):
        return _fault(_form(value), path, above)
    parts: Iterable[tuple[Json, object]] = enumerate(value)
    if isinstance(value, dict):
        parts = value.items()
        numbers = (key for key in value if isinstance(key, int | float))
        wrong = next(filter(None, (_number_fault(key, "") for key in numbers)), None)
        if wrong:
            return f"a key of {json_path(path)}{wrong}"
    faults = (
        _fault(part, (*path, key if isinstance(key, int) else str(key)), above)
        for key, part in parts
    )
    return next(filter(None, faults), None)


def _number_fault(value: float, place: str) -> str | None:
    """Why JSON has no form for a number; its form is what Python prints of it."""
    try:
        json.dumps(value)
    except ValueError:
        return f"{place} has more digits than Python prints"
    is_finite = value - value == 0  # of an infinity it is NaN; integers may be too large to ask
    return None if is_finite else f"{place} is {value}, which JSON has no form for"


def _is_record(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or attrs.has(kind) or _is_model(kind)


def _is_model(kind: type) -> bool:
    """Whether this is a model of pydantic, which is known by its method alone."""
    return callable(getattr(kind, "model_dump", None))


def _fields(value: Json) -> Json:
    names = (
        dataclasses.fields(value) if dataclasses.is_dataclass(value) else attrs.fields(type(value))
    )
    return {field.name: getattr(value, field.name) for field in names}


def _model(value: Json) -> Json:
    """A model's fields; as they are where one has no JSON form, such as bytes that are no text."""
    try:
        return value.model_dump(mode="json")
    except ValueError:
        return value.model_dump()


def _sorted(values: Collection[Json]) -> Json:
    kinds = set(map(type, values))
    comparable = kinds == {str} or kinds <= {int, float, bool}
    return sorted(values) if comparable else sorted(values, key=_dumps)


def _size(value: Json) -> str:
    return f"<{memoryview(value).nbytes} bytes>"


_BY_TYPE: tuple[tuple[type | tuple[type, ...], Callable[[Json], Json]], ...] = (
    (Enum, lambda value: value.value),
    (Mapping, dict),
    ((set, frozenset), _sorted),
    ((bytes, bytearray, memoryview), _size),
    ((Sequence, MappingView), list),
)

#: Kinds known by what they have: a model's fields, a record's, an array's items.
_BY_SHAPE: tuple[tuple[Callable[[type], bool], Callable[[Json], Json]], ...] = (
    (_is_model, _model),
    (_is_record, _fields),
    (lambda kind: hasattr(kind, "isoformat"), lambda value: value.isoformat()),
    (lambda kind: hasattr(kind, "tolist"), lambda value: value.tolist()),
)
