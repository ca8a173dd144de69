"""Rows of types that JSON has as text, each read by the Python type's own parser.

The types are known by their names, so that none of their modules is imported before a tool's
author did so.
"""

import re
from binascii import a2b_base64
from collections.abc import Callable
from typing import cast, get_args, get_origin

from attrs import frozen

from qitos_like.core._lazy import path_type
from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation
from .rows import Hook, Inferring, RefusalError, Row, Structuring, shown
from .scalars import structure_text

_NUMBER = r"(\d+(?:\.\d+)?)"
_DURATION = re.compile(
    rf"([+-])?P(?=.)(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=\d)(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"
)
_DURATION_UNITS = ("weeks", "days", "hours", "minutes", "seconds")


@frozen
class _TextType:
    """How a type stands in JSON.

    Attributes:
        keywords: what its schema says beside ``type: string``.
        parse: from the type and a text to the value; raises what the type's parser raises.
        expected: what a text has to be, for a refusal.
    """

    keywords: Schema
    parse: Callable[[Json, str], object]
    expected: str


def _from_iso(kind: Json, text: str) -> object:
    return kind.fromisoformat(text)


def _constructed(kind: Json, text: str) -> object:
    return kind(text)


def _duration(kind: Json, text: str) -> object:
    match = _DURATION.fullmatch(text)
    if match is None:
        message = "not ISO 8601"
        raise ValueError(message)
    sign, *numbers = match.groups(default="0")
    units = zip(_DURATION_UNITS, map(float, numbers), strict=True)
    duration = kind(**dict(units))
    return -duration if sign == "-" else duration


def _decoded(_kind: Json, text: str) -> bytes:
    return a2b_base64(text.encode("ascii"), strict_mode=True)


def _decoded_in_place(_kind: Json, text: str) -> bytearray:
    return bytearray(_decoded(_kind, text))


def _compiled(_kind: Json, text: str) -> object:
    return re.compile(text)


def _path(_kind: Json, text: str) -> object:
    return path_type()(text)


def _zone(kind: Json, text: str) -> object:
    try:
        return kind(text)
    except (KeyError, OSError):  # zoneinfo's word for a name that it does not know
        message = "no such zone"
        raise ValueError(message) from None


_PATH = _TextType({}, _constructed, "a path")
_TYPES = {
    ("datetime", "datetime"): _TextType(
        {"format": "date-time"}, _from_iso, "a date and time such as 2024-05-31T12:00:00+00:00"
    ),
    ("datetime", "date"): _TextType({"format": "date"}, _from_iso, "a date such as 2024-05-31"),
    ("datetime", "time"): _TextType({"format": "time"}, _from_iso, "a time such as 12:30:00"),
    ("datetime", "timedelta"): _TextType(
        {"format": "duration"}, _duration, "an ISO 8601 duration such as P1DT2H30M"
    ),
    ("uuid", "UUID"): _TextType({"format": "uuid"}, _constructed, "a UUID"),
    ("decimal", "Decimal"): _TextType({"format": "decimal"}, _constructed, "a decimal number"),
    ("ipaddress", "IPv4Address"): _TextType({"format": "ipv4"}, _constructed, "an IPv4 address"),
    ("ipaddress", "IPv6Address"): _TextType({"format": "ipv6"}, _constructed, "an IPv6 address"),
    ("ipaddress", "IPv4Network"): _TextType(
        {"format": "ipv4network"}, _constructed, "an IPv4 network such as 10.0.0.0/8"
    ),
    ("ipaddress", "IPv6Network"): _TextType(
        {"format": "ipv6network"}, _constructed, "an IPv6 network such as 2001:db8::/32"
    ),
    ("ipaddress", "IPv4Interface"): _TextType(
        {"format": "ipv4interface"}, _constructed, "an IPv4 interface such as 10.0.0.1/8"
    ),
    ("ipaddress", "IPv6Interface"): _TextType(
        {"format": "ipv6interface"}, _constructed, "an IPv6 interface such as 2001:db8::1/32"
    ),
    ("fractions", "Fraction"): _TextType(
        {"format": "fraction"}, _constructed, "a fraction such as 1/3"
    ),
    ("zoneinfo", "ZoneInfo"): _TextType(
        {"format": "timezone"}, _zone, "a time zone such as Europe/Paris"
    ),
    ("builtins", "bytearray"): _TextType(
        {"contentEncoding": "base64"}, _decoded_in_place, "base64"
    ),
    ("os", "PathLike"): _TextType({}, _path, "a path"),
    ("builtins", "bytes"): _TextType({"contentEncoding": "base64"}, _decoded, "base64"),
    ("re", "Pattern"): _TextType({"format": "regex"}, _compiled, "a regular expression"),
    ("pathlib", "Path"): _PATH,
    ("pathlib", "PurePath"): _PATH,
    ("pathlib", "PosixPath"): _PATH,
    ("pathlib", "PurePosixPath"): _PATH,
    ("pathlib", "PureWindowsPath"): _PATH,
}


def _text_type(annotation: Annotation) -> _TextType | None:
    kind = get_origin(annotation) or annotation
    if not isinstance(kind, type) or get_args(annotation) not in ((), (str,)):
        return None
    module = kind.__module__.partition(".")[0]  # pathlib has inner modules on some versions
    return _TYPES.get((module, kind.__qualname__))


def _known(annotation: Annotation) -> _TextType:
    return cast("_TextType", _text_type(annotation))  # the row matches nothing else


def _matches(annotation: Annotation) -> bool:
    return _text_type(annotation) is not None


def _schema(annotation: Annotation, _inferring: Inferring) -> Schema:
    return {"type": "string", **_known(annotation).keywords}


def _hook(annotation: Annotation, _structuring: Structuring) -> Hook:
    known = _known(annotation)
    kind = get_origin(annotation) or annotation

    def hook(value: Json, _type: object = None) -> object:
        text = structure_text(value)
        try:
            return known.parse(kind, text)
        except (ValueError, ArithmeticError, re.error) as error:
            is_told = str(error) and not isinstance(error, ArithmeticError)  # theirs are no words
            reason = f" ({error})" if is_told else ""
            message = f"must be {known.expected}, not {shown(value)}{reason}"
            raise RefusalError(message) from None

    return hook


TEXTS = (Row(_matches, _schema, _hook),)
