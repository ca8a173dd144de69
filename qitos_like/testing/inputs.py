"""What a model might send to a tool: arguments as its schema has them, and all kinds of others."""

import json
from collections.abc import Callable, Mapping
from random import Random

from qitos_like.core.jsontypes import Json, Schema

from .samples import TEXTS, Sampler

_ODD: tuple[Json, ...] = (
    None, True, False, 3, 10**5_000, 1.5, float("nan"), float("inf"), "", "x", "4", "[1]", '{"a": 1}', "\ud83d",
    [], ["a"], [None], {}, {"a": 1}, {"": []}, b"x", (1, 2), {1: 2},
)  # fmt: skip
_NAMES = ("", "x", "Path", "$ref", "self", "context", "__class__", "\ud800", "a.b")

Args = Mapping[str, Json] | str


class Inputs:
    """A source of arguments; the same seed gives the same ones.

    >>> schema = {"type": "object", "properties": {"n": {"enum": [4]}}, "required": ["n"]}
    >>> Inputs(seed=0).fitting(schema)
    {'n': 4}
    """

    def __init__(self, seed: int) -> None:
        self.source = Random(seed)  # noqa: S311 (no secret: the same again for the same seed)

    def arguments(self, schema: Schema) -> Args:
        """Arguments for a tool: half of them as its schema has them, the others spoilt."""
        fitting = self.fitting(schema)
        if self.source.random() < 1 / 2:
            return fitting
        return self.source.choice(_SPOILERS)(self.source, fitting)

    def fitting(self, schema: Schema) -> dict[str, Json]:
        """Arguments as a schema has them, as far as patterns do not matter."""
        made = Sampler(self.source, schema).value(schema, 0)
        return made if isinstance(made, dict) else {}


def _without_one(source: Random, args: dict[str, Json]) -> Args:
    gone = source.choice([*args, ""])
    return {key: value for key, value in args.items() if key != gone}


def _with_another(source: Random, args: dict[str, Json]) -> Args:
    return {**args, source.choice(_NAMES): _odd(source)}


def _with_an_odd_value(source: Random, args: dict[str, Json]) -> Args:
    return {**args, source.choice([*args, "x"]): _odd(source)}


def _within(source: Random, args: dict[str, Json]) -> Args:
    nested = [key for key, value in args.items() if isinstance(value, dict | list) and value]
    if not nested:
        return _with_an_odd_value(source, args)
    key = source.choice(nested)
    return {**args, key: _spoilt(source, args[key])}


def _as_text(source: Random, args: dict[str, Json]) -> Args:
    text = json.dumps(args, ensure_ascii=source.random() < 1 / 2)
    cut = source.randrange(len(text) + 1)
    forms = (
        text,
        text[:cut],
        text + text[cut:],
        f"```json\n{text}\n```",
        json.dumps(text),
        text.replace('"', "'"),
        text.replace("{", '{"a": 1, "a": ', 1),
        f"[{text}]",
        "[" * cut + text,
        source.choice(TEXTS),
    )
    return source.choice(forms)


def _spoilt(source: Random, value: Json) -> Json:
    if isinstance(value, dict):
        return {**value, source.choice([*value]): _odd(source)}
    return [*value, _odd(source)]


def _odd(source: Random) -> Json:
    if source.random() < 1 / 20:
        deep: Json = []
        for _ in range(source.choice((20, 63, 64, 100, 5_000))):
            deep = [deep]
        return deep
    return source.choice(_ODD)


_SPOILERS: tuple[Callable[[Random, dict[str, Json]], Args], ...] = (
    _without_one,
    _with_another,
    _with_an_odd_value,
    _within,
    _as_text,
    _as_text,
)
