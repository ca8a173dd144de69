"""What people give to options, refused in their own words where it cannot be meant."""

from collections.abc import Callable, Iterable, Mapping

from attrs import Attribute

from .jsontypes import Json
from .names import did_you_mean

_Check = Callable[[Json, "Attribute[Json]", Json], None]


def check_word(option: str, word: object, known: Iterable[object]) -> None:
    """Refuse a word that an option does not have.

    Raises:
        ValueError: the text says which there are, and which is near.

    >>> check_word("sandbox", "bwrap", ["none", "bwrap"])
    """
    words = list(known)
    if word not in words:
        near = did_you_mean(str(word), map(str, words))
        message = f"{option} is one of {', '.join(map(repr, words))}, not {word!r}{near}"
        raise ValueError(message)


def check_list(what: str, given: Json) -> None:
    """Refuse one thing, or a text, where a list of things is wanted.

    Raises:
        TypeError: the text says what to write.

    >>> check_list("ops are", ["gpu"])
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        message = f"{what} a list, as in [{given!r}], not {given!r}"
        raise TypeError(message)


def one_of(known: Iterable[object]) -> _Check:
    """A validator for an attribute that takes one of these words."""
    words = tuple(known)

    def check(_owner: object, attribute: "Attribute[Json]", value: object) -> None:
        check_word(attribute.name, value, words)

    return check


def instance(kind: type, *, or_none: bool = False) -> _Check:
    """A validator for an attribute that takes an object of a class."""

    def check(_owner: object, attribute: "Attribute[Json]", value: object) -> None:
        if not (isinstance(value, kind) or (or_none and value is None)):
            message = f"{attribute.name} takes an object of {kind.__name__}, not {value!r}"
            raise TypeError(message)

    return check
