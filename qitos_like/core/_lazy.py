"""The one door to what is loaded on first use.

jsonschema, cattrs and docstring-parser cost more to import than all of ``core``, and a program
that only registers tools may need none of them; nor parts of the standard library that take as
long as a dozen of our modules.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

from .multiples import is_multiple

if TYPE_CHECKING:
    from difflib import SequenceMatcher
    from hashlib import _Hash
    from logging import Logger
    from pathlib import Path

    from anyio import CancelScope
    from cattrs.gen._consts import AttributeOverride
    from docstring_parser import Docstring, DocstringStyle
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator
    from jsonschema_rs import Draft202012Validator as FastValidator
    from jsonschema_rs import Registry as FastRegistry
    from referencing.jsonschema import SchemaRegistry
    from tree_sitter import Parser

    from .jsontypes import Json

    Hook = Callable[[Json, object], object]


@cache
def validator_type() -> "type[Validator]":
    """The class of jsonschema that validates by JSON Schema 2020-12.

    Its own ``multipleOf`` divides floats, by which 19.99 is no multiple of 0.01.
    """
    from jsonschema import Draft202012Validator, validators

    extend: Callable[..., type[Validator]] = validators.extend  # it has no types of its own
    return extend(Draft202012Validator, {"multipleOf": _multiple_of})


def _multiple_of(
    validator: "Validator", step: "Json", instance: "Json", _schema: "Json"
) -> "Iterator[ValidationError]":
    if validator.is_type(instance, "number") and not is_multiple(instance, step):
        yield error_type()(f"{instance!r} is not a multiple of {step}")


@cache
def meta_validator() -> "Validator":
    """A validator of schemas: it rules by the 2020-12 meta-schema."""
    validator = validator_type()
    return validator(validator.META_SCHEMA)


@cache
def error_type() -> "type[ValidationError]":
    """The class of jsonschema's errors."""
    from jsonschema import ValidationError

    return ValidationError


@cache
def known_schemas() -> "SchemaRegistry":
    """The meta-schemas, as a registry that fetches nothing else from anywhere."""
    from jsonschema_specifications import REGISTRY

    registry: SchemaRegistry = REGISTRY
    return registry


def with_remotes(schemas: "Mapping[str, Json]") -> "SchemaRegistry":
    """The meta-schemas and these, by URI; of 2020-12 where they do not say."""
    from referencing.jsonschema import DRAFT202012

    return known_schemas().with_contents(schemas.items(), default_specification=DRAFT202012)


def fast_registry(schemas: "Mapping[str, Json]") -> "FastRegistry":
    """Schemas by URI, as jsonschema-rs takes them."""
    from jsonschema_rs import Registry

    return Registry([*schemas.items()])


@cache
def fast_validator_type() -> "type[FastValidator] | None":
    """The class of jsonschema-rs for 2020-12, where the extra ``fast`` is installed."""
    try:
        from jsonschema_rs import Draft202012Validator
    except ImportError:
        return None
    return Draft202012Validator


def bash_parser() -> "Parser | None":
    """A parser of bash, where the extra ``shell`` is installed."""
    try:
        from tree_sitter import Language, Parser
        from tree_sitter_bash import language
    except ImportError:
        return None
    return Parser(Language(language()))


@cache
def docstring_parser() -> "Callable[[str, DocstringStyle], Docstring]":
    """docstring-parser's function from a text and a style to a parsed docstring."""
    from docstring_parser import parse

    return parse


@cache
def docstring_styles() -> "type[DocstringStyle]":
    """The styles that docstring-parser knows."""
    from docstring_parser import DocstringStyle

    return DocstringStyle


@cache
def class_hook_maker() -> "Callable[..., Hook]":
    """The generator of cattrs for code that makes instances of a class.

    It takes what ``cattrs.gen.make_dict_structure_fn_from_attrs`` takes, without a converter.
    """
    from cattrs import Converter
    from cattrs.gen import make_dict_structure_fn_from_attrs

    return partial(
        make_dict_structure_fn_from_attrs,
        converter=Converter(detailed_validation=False),
        _cattrs_use_linecache=False,
    )


@cache
def field_override() -> "Callable[..., AttributeOverride]":
    """How cattrs is told the key and the hook of a field."""
    from cattrs.gen import override

    return override


@cache
def sha256() -> "Callable[[bytes], _Hash]":
    """The hash function of hashlib, which loads OpenSSL."""
    from hashlib import sha256

    return sha256


@cache
def sequence_matcher() -> "type[SequenceMatcher[str]]":
    """The class of difflib that says how alike two texts are."""
    from difflib import SequenceMatcher

    return SequenceMatcher


@cache
def unquote() -> "Callable[[str], str]":
    """The function of urllib that takes percent signs out of a URL."""
    from urllib.parse import unquote

    return unquote


@cache
def path_type() -> "type[Path]":
    """The class of paths."""
    from pathlib import Path

    return Path


@cache
def sleep() -> "Callable[[float], Awaitable[None]]":
    """The function of anyio that waits, in whatever loop runs."""
    from anyio import sleep

    return sleep


@cache
def shielded() -> "Callable[[], CancelScope]":
    """Makes a scope within which a wait is not cut short, in whatever loop runs."""
    from anyio import CancelScope

    return partial(CancelScope, shield=True)


@cache
def log() -> "Logger":
    """The logger of this library."""
    from logging import getLogger

    return getLogger("qitos_like")


def interrupt_handler() -> object:
    """What is called when Ctrl-C is pressed."""
    from signal import SIGINT, getsignal

    return getsignal(SIGINT)
