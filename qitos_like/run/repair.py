"""Mending arguments that were refused, where only one thing can have been meant.

Valid arguments never come here: what the schema admits is what the model said. Everything that is
mended is told, and if anything is still wrong afterwards, nothing is.
"""

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING

from attrs import frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.schema.problems import ArgumentsError, json_path

from . import jsontext
from .explain import meant
from .validation import Validation

if TYPE_CHECKING:
    from jsonschema import ValidationError

#: Mending one value can show that what is inside of it needs mending too.
_ROUNDS = 4
_FENCE = re.compile(r"\s*```[A-Za-z]*\s*\n(.*?)\n?\s*```\s*", re.DOTALL)
_WHOLE = re.compile(r"\s*-?(0|[1-9][0-9]{0,300})\s*")
_INTEGER = re.compile(r"\s*(-?(?:0|[1-9][0-9]{0,300}))(?:\.0{1,300})?\s*")
_NUMBER = re.compile(r"\s*-?(0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,3})?\s*")
_NOTHING = frozenset({"", "null", "none"})
_AS_TEXT = {"array": "text of an array"}
_WORDS = {"true": True, "false": False}


@frozen
class Mended:
    """Arguments after mending.

    Attributes:
        value: the arguments.
        notes: what was mended, each at its path.
    """

    value: Json
    notes: tuple[str, ...]


@frozen
class _Step:
    """One value in place of another; ``drops`` takes it out of its object."""

    value: Json
    note: str
    drops: bool = False


def from_text(text: str) -> Mended | None:
    """The object in a text that is no JSON object: in a code fence, or in JSON in a string."""
    value, notes = _taken_out(text)
    if value == []:  # so some servers write an object without keys
        value = {}
        notes.append("$: an empty list read as no arguments")
    return Mended(value, tuple(notes)) if isinstance(value, dict) else None


def _taken_out(text: str) -> tuple[Json, list[str]]:
    """What a text holds, without the code fence and the string around it, which are told."""
    notes = []
    fenced = _FENCE.fullmatch(text)
    if fenced:
        text = fenced[1]
        notes.append("$: taken out of a code fence")
    value = _parsed(text)
    if isinstance(value, str):
        value = _parsed(value)
        notes.append("$: taken out of a string")
    return value, notes


def to_schema(args: Json, validation: Validation) -> Mended | None:
    """The arguments with each wrong value as its type has it; ``None`` if that is not enough.

    Raises:
        ArgumentsError: the schema cannot judge them.
    """
    value = deepcopy(args)
    notes: list[str] = []
    for _ in range(_ROUNDS):
        errors = validation.errors(value)
        if not errors:
            return Mended(value, tuple(notes))
        steps: dict[tuple[str | int, ...], _Step | None] = {}
        for error in chain.from_iterable(map(_within, errors)):
            path = tuple(error.absolute_path)
            steps[path] = steps.get(path) or _step(error)
        for path, step in steps.items():
            if step is not None:
                _take(value, path, step)
                notes.append(f"{json_path(path)}: {step.note}")
        if not any(steps.values()):
            return None
    return None


def _within(error: "ValidationError") -> "Iterator[ValidationError]":
    """What is wrong in the member of a union that was meant; any other error itself."""
    inner = meant(error)
    if inner is None:
        yield error
    else:
        yield from chain.from_iterable(map(_within, inner))


def _step(error: "ValidationError") -> _Step | None:
    """What was meant instead of a wrong value, if that is one thing only."""
    value: Json = error.instance
    path = error.absolute_path
    if not path:
        return None
    if value is None:
        return _Step(None, "null left out", drops=True) if isinstance(path[-1], str) else None
    steps = [step for kind in _kinds(error) for step in _MEND.get(kind, _not)(value)]
    objects = [step for step in steps if isinstance(step.value, dict)]
    steps = objects or steps  # the text of an object is no item where an object will do
    is_one_thing = len({repr(step.value) for step in steps}) == 1
    return steps[0] if is_one_thing else None


def _kinds(error: "ValidationError") -> list[str]:
    """The types that a value should have had, where that is all that is wrong with it."""
    wanted: Json = error.validator_value
    if error.validator == "type":
        return [wanted] if isinstance(wanted, str) else list(wanted)
    members = error.context or []
    typed = [inner for inner in members if inner.validator == "type" and not inner.relative_path]
    kinds = [kind for inner in typed for kind in _kinds(inner)]
    if len(typed) == len(members):
        return kinds
    are_choices = all(inner.validator in {"type", "enum", "const"} for inner in members)
    # A wrong one of several texts may be meant as one of them: it is no item of a list.
    return [_AS_TEXT.get(kind, kind) for kind in kinds] if are_choices else []


def _take(args: Json, path: tuple[str | int, ...], step: _Step) -> None:
    """Put the step's value where the wrong one is."""
    place = args
    for key in path[:-1]:
        place = place[key]
    if step.drops:
        del place[path[-1]]
    else:
        place[path[-1]] = step.value


def _parsed(text: str) -> Json:
    try:
        return jsontext.parse(text)
    except ArgumentsError:
        return None


def _container(kind: type) -> Callable[[Json], Iterator[_Step]]:
    def mend(value: Json) -> Iterator[_Step]:
        parsed = _taken_out(value)[0] if isinstance(value, str) else None
        if isinstance(parsed, kind):
            yield _Step(parsed, "JSON text read")

    return mend


def _array(value: Json) -> Iterator[_Step]:
    read = list(_container(list)(value))
    yield from read
    if not read and not isinstance(value, dict) and not _is_half_a_list(value):
        yield _Step([value], "one value put into a list")


def _is_half_a_list(value: Json) -> bool:
    """Whether a text may be meant for a list, or for nothing, instead of for a part of one."""
    if not isinstance(value, str):
        return False
    text = value.strip()
    return text.startswith(("[", '"')) or text.lower() in _NOTHING


def _integer(value: Json) -> Iterator[_Step]:
    whole = _INTEGER.fullmatch(value) if isinstance(value, str) else None
    if whole:
        yield _Step(int(whole[1]), "text read as an integer")


def _number(value: Json) -> Iterator[_Step]:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        is_whole = _WHOLE.fullmatch(value)
        yield _Step(int(value) if is_whole else float(value), "text read as a number")


def _boolean(value: Json) -> Iterator[_Step]:
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        yield _Step(_WORDS[value.strip().lower()], "text read as a boolean")


def _not(_value: Json) -> Iterator[_Step]:
    return iter(())


_MEND: dict[str, Callable[[Json], Iterator[_Step]]] = {
    "array": _array,
    "text of an array": _container(list),
    "object": _container(dict),
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
}
