"""Values of secrets in texts and data, replaced by their names."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import field, frozen

from .jsontypes import Json

#: Shorter values stand in ordinary text too, so that hiding them would tell more than they do.
MIN_CHARS = 6

_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_NOT_IN_URLS = re.compile(rb"[^A-Za-z0-9_.~-]")
#: Of PEM and of MIME; a last line may be too short to be told from others.
_BASE64_WIDTHS = (64, 76)
_SHORT_LINE = 15
_QUOTED = re.compile("%[0-9A-F]{2}")
_URL_SAFE = str.maketrans("+/", "-_")
#: The ampersand first, which the others bring.
_HTML = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;"))
_MAX_DEPTH = 300
_ESCAPED_TWICE = 2

Span = tuple[int, int, str]


@frozen(eq=False)
class Redaction:
    """Replaces the values of secrets by ``[secret NAME]``.

    A value is found as it is, escaped as JSON, Python, HTML and URLs do it, in JSON within JSON
    too, and as Base64 or hexadecimal digits; of one with several lines each line is found.

    Attributes:
        secrets: the values by name.

    >>> Redaction({"API_KEY": "abc-12345"}).text("key=abc-12345!")
    'key=[secret API_KEY]!'
    """

    secrets: Mapping[str, str] = field(factory=dict, repr=False)
    _forms: tuple[tuple[str, str], ...] = field(init=False, repr=False)
    _byte_forms: tuple[tuple[str, str], ...] = field(init=False, repr=False)

    @_forms.default
    def _made(self) -> tuple[tuple[str, str], ...]:
        names = {
            form: name for name, value in self.secrets.items() for form in _forms(value) if form
        }
        return tuple(names.items())

    @_byte_forms.default
    def _encoded(self) -> tuple[tuple[str, str], ...]:
        encoded = {_bytewise(form): name for form, name in self._forms}
        return tuple(encoded.items())

    def __bool__(self) -> bool:
        """Whether there is anything to hide."""
        return bool(self._forms)

    def text(self, text: str) -> str:
        """The text without the values."""
        return _without(text, list(_spans(text, self._forms)))

    def bytes(self, data: bytes) -> bytes:
        """The bytes without the values, as UTF-8 has them."""
        text = data.decode("latin-1")
        spans = list(_spans(text, self._byte_forms))
        return _without(text, spans).encode("latin-1", "replace") if spans else data

    def certain(self, text: str) -> int:
        """Up to where bytes, given as Latin-1, hold no value that may go on in what follows."""
        end = len(text)
        for form, _ in self._byte_forms:
            if text[-1:] in form[:-1]:
                end = min(end, _begin_at_end(text, form))
        if end == len(text):
            return end
        for start, stop, _ in sorted(_spans(text, self._byte_forms), reverse=True):
            if start < end < stop:
                end = start
        return end

    def data(self, value: Json) -> Json:
        """The value without them, where it is made of text, numbers and plain containers.

        What holds none of them is returned itself, anything else as a copy.
        """
        return _Walk(self).value(value, ())


def checked(secrets: Mapping[str, Json]) -> Redaction:
    """The redaction of secrets that a host named.

    Raises:
        ValueError: a name or a value with which hiding would do harm, or none.
        TypeError: a value is no text.
    """
    for name, value in secrets.items():
        if not _NAME.fullmatch(name):
            message = f"the secret {name!r} needs a name of letters, digits and _ . -"
            raise ValueError(message)
        if not isinstance(value, str):
            message = f"the secret {name} has to be text, not {type(value).__name__}"
            raise TypeError(message)
        if len(value.strip()) < MIN_CHARS:
            message = (
                f"the secret {name} has fewer than {MIN_CHARS} characters: so short a text stands "
                "anywhere; leave it out"
            )
            raise ValueError(message)
        if any(value.strip() in _marker(each) for each in secrets):
            message = f"the value of the secret {name} is part of the text that replaces it"
            raise ValueError(message)
    return Redaction(dict(secrets))


def _marker(name: str) -> str:
    return f"[secret {name}]"


def _forms(value: str) -> Iterator[str]:
    """A value, and what becomes of it where it is quoted."""
    lines = (line.strip() for line in [value, *value.splitlines()])
    parts = {value, *(line for line in lines if len(line) >= MIN_CHARS)}
    for whole in {value, value.strip()}:
        yield from _as_bytes(whole.encode("utf-8", "surrogatepass"))
    for part in parts:
        yield part
        yield _html(part)
        yield from _in_urls(part)
        escaped = {part}
        for _ in range(_ESCAPED_TWICE):
            escaped = {escape(each) for each in escaped for escape in _ESCAPES}
            yield from escaped


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _html(text: str) -> str:
    for character, escaped in _HTML:
        text = text.replace(character, escaped)
    return text


def _in_urls(text: str) -> Iterator[str]:
    """As URLs quote it: slashes too or not, spaces in their own way or not, in either case."""
    quoted = _NOT_IN_URLS.sub(
        lambda found: f"%{found[0][0]:02X}".encode(), text.encode("utf-8", "surrogatepass")
    ).decode()
    for form in (quoted, quoted.replace("%2F", "/")):
        for spaced in (form, form.replace("%20", "+")):
            yield spaced
            yield _QUOTED.sub(lambda found: found[0].lower(), spaced)


def _as_bytes(data: bytes) -> Iterator[str]:
    """As hexadecimal digits and as Base64 have the bytes, wherever they stand among others."""
    yield data.hex()
    yield data.hex().upper()
    for before in range(3):
        padded = b64encode(b" " * before + data).decode()[before and before + 1 :]
        whole = padded.rstrip("=")
        # Its last character tells of the byte that follows too.
        for form in (padded, whole, whole if whole == padded else whole[:-1]):
            yield form
            yield form.translate(_URL_SAFE)
    encoded = b64encode(data).decode()
    for width in _BASE64_WIDTHS:
        lines = (encoded[start : start + width] for start in range(0, len(encoded), width))
        yield from (line for line in lines if len(line) > _SHORT_LINE)


_ESCAPES: tuple[Callable[[str], str], ...] = (
    _json,
    lambda text: json.dumps(text)[1:-1],
    lambda text: _json(text).replace("/", "\\/"),
    lambda text: repr(text)[1:-1],
    lambda text: ascii(text)[1:-1],
)


def _bytewise(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _spans(text: str, forms: Iterable[tuple[str, str]]) -> Iterator[Span]:
    """Where forms stand, also where they overlap."""
    for form, name in forms:
        start = text.find(form)
        while start >= 0:
            end = start + len(form)
            yield start, end, name
            # The last that begins within this one, so that no step is shorter than it has to be.
            within = text.rfind(form, start + 1, end - 1 + len(form))
            start = within if within >= 0 else text.find(form, end)


def _begin_at_end(text: str, form: str) -> int:
    """Where a form begins that the text ends within."""
    first = max(len(text) - len(form) + 1, 0)
    starts = (start for start in range(first, len(text)) if form.startswith(text[start:]))
    return next(starts, len(text))


def _without(text: str, spans: list[Span]) -> str:
    """The text with names in place of spans; those that overlap go together."""
    pieces: list[str] = []
    reach, last = 0, ""
    for start, end, name in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end <= reach:
            continue
        if start >= reach or name != last:
            pieces += [text[reach:start], _marker(name)]
        reach, last = end, name
    return "".join([*pieces, text[reach:]]) if pieces else text


class _Walk:
    """One way through a value; what holds itself, or is too deep, stays as it is."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction

    def value(self, value: Json, above: tuple[int, ...]) -> Json:
        if isinstance(value, str):
            clean = self._redaction.text(value)
            return value if clean == value else clean
        convert = _BY_TYPE.get(type(value))
        if convert is None or len(above) > _MAX_DEPTH or id(value) in above:
            return value
        return convert(self, value, (*above, id(value)))

    def number(self, value: Json, _above: tuple[int, ...]) -> Json:
        try:
            text = str(value)
        except ValueError:  # an integer of more digits than Python prints
            return value
        clean = self._redaction.text(text)
        return value if clean == text else clean

    def bytes(self, value: Json, _above: tuple[int, ...]) -> Json:
        return type(value)(self._redaction.bytes(bytes(value)))

    def mapping(self, value: Json, above: tuple[int, ...]) -> Json:
        clean = {self.value(key, above): self.value(part, above) for key, part in value.items()}
        pairs = zip(clean.items(), value.items(), strict=False)
        same = len(clean) == len(value) and all(
            key is old_key and part is old for (key, part), (old_key, old) in pairs
        )
        return value if same else clean

    def several(self, value: Json, above: tuple[int, ...]) -> Json:
        parts = list(value)
        clean = [self.value(part, above) for part in parts]
        if all(part is old for part, old in zip(clean, parts, strict=True)):
            return value
        return type(value)(clean)


_BY_TYPE: dict[type, Callable[[_Walk, Json, tuple[int, ...]], Json]] = {
    int: _Walk.number,
    float: _Walk.number,
    bytes: _Walk.bytes,
    bytearray: _Walk.bytes,
    dict: _Walk.mapping,
    list: _Walk.several,
    tuple: _Walk.several,
    set: _Walk.several,
    frozenset: _Walk.several,
}
