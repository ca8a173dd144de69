"""Names of tools: what is legal, how they join, what a provider sees, what is near.

A segment is ``[A-Za-z_][A-Za-z0-9_-]*``; a qualified name is segments joined by dots.
"""

import re
from collections.abc import Iterable

from attrs import frozen

from qitos_like.errors import ToolNameError

from . import _lazy

MAX_NAME_CHARS = 128

_SEGMENT = r"[A-Za-z_][A-Za-z0-9_-]*"
_NAME = re.compile(rf"{_SEGMENT}(\.{_SEGMENT})*", re.ASCII)
_HASHED = re.compile(r"___[0-9a-f]{16}$")
_WORD_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DIGEST_CHARS = 16
_NEAR_RATIO = 0.6


def check_name(name: object) -> str:
    """The qualified name itself.

    Raises:
        ToolNameError: it is not text, too long, or not segments joined by dots.
    """
    if isinstance(name, str) and len(name) <= MAX_NAME_CHARS and _NAME.fullmatch(name):
        return name
    message = (
        f"{name!r} is not a tool name: use ASCII letters, digits, '_' and '-', each segment "
        f"beginning with a letter or '_', segments joined by dots, at most {MAX_NAME_CHARS} "
        "characters; give another with name=..."
    )
    raise ToolNameError(message, tool=name if isinstance(name, str) else None)


def qualified(namespace: str | None, name: str) -> str:
    """``coding`` and ``view`` as ``coding.view``; no namespace leaves the name as it is.

    Raises:
        ToolNameError: the result is no legal name.
    """
    return check_name(f"{namespace}.{name}" if namespace else name)


def bare(name: str) -> str:
    """The last segment of a qualified name."""
    return name.rpartition(".")[2]


def snake_case(name: str) -> str:
    """``HTTPCache`` as ``http_cache``."""
    return _WORD_BORDER.sub("_", name).lower()


def near_names(name: str, candidates: Iterable[str], limit: int = 5) -> list[str]:
    """The candidates most like ``name``, nearest first, at most ``limit``.

    Case and word separators do not count, and a bare name is compared with bare names.
    """
    scored = ((-_likeness(name, candidate), candidate) for candidate in candidates)
    near = sorted(each for each in scored if -each[0] >= _NEAR_RATIO)
    return [candidate for _, candidate in near[:limit]]


def did_you_mean(name: str, candidates: Iterable[str], limit: int = 5) -> str:
    """``"; did you mean 'a' or 'b'?"``, or nothing when no candidate is near."""
    near = near_names(name, candidates, limit)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _likeness(name: str, candidate: str) -> float:
    """From 0 to 1; a namespace that both have, or only one, says nothing."""
    one, _, own = name.rpartition(".")
    other, _, theirs = candidate.rpartition(".")
    matcher = _lazy.sequence_matcher()
    ratio = matcher(None, _folded(name), _folded(candidate)).ratio()
    bare_ratio = matcher(None, _folded(own), _folded(theirs)).ratio()
    if _folded(one) == _folded(other):
        return bare_ratio
    return ratio if one and other else max(ratio, bare_ratio)


def _folded(name: str) -> str:
    return re.sub(r"[-_ ]|\.", "", name).casefold()


@frozen
class WireRule:
    """What a provider allows in a tool's name.

    Attributes:
        max_chars: the longest name.
        keeps_dots: whether a qualified name may go out as it is.
    """

    max_chars: int
    keeps_dots: bool


#: OpenAI: function names are ``[a-zA-Z0-9_-]``, at most 64; Anthropic: the same, at most 128;
#: Gemini: dots too, at most 128 (``FunctionDeclaration.name`` in google-genai's types); MCP: the
#: same (its tool naming guidance, SEP-986).
WIRE_RULES = {
    "openai": WireRule(64, keeps_dots=False),
    "openai-responses": WireRule(64, keeps_dots=False),
    "anthropic": WireRule(128, keeps_dots=False),
    "gemini": WireRule(128, keeps_dots=True),
    "mcp": WireRule(128, keeps_dots=True),
}


def wire_name(name: str, provider: str) -> str:
    """The name a provider sees; a function of the qualified name alone, and injective.

    Dots become ``__`` where that is legal and cannot be mistaken; otherwise the name is a legal
    stem, ``___`` and 16 hex digits of its SHA-256, so that adding a tool never renames another.

    Raises:
        ToolNameError: ``name`` is no qualified name.
        ValueError: the provider is unknown.

    >>> wire_name("coding.view", "openai")
    'coding__view'
    """
    check_name(name)
    rule = WIRE_RULES.get(provider)
    if rule is None:
        message = f"unknown provider {provider!r}; known: {', '.join(WIRE_RULES)}"
        raise ValueError(message)
    plain = name if rule.keeps_dots else name.replace(".", "__")
    if len(plain) <= rule.max_chars and _unmistakable(name, rule):
        return plain
    digest = _lazy.sha256()(name.encode()).hexdigest()[:_DIGEST_CHARS]
    stem = name.replace(".", "_")[: rule.max_chars - _DIGEST_CHARS - len("___")]
    return f"{stem}___{digest}"


def _unmistakable(name: str, rule: WireRule) -> bool:
    """Whether no other name's wire form can equal this one's plain form."""
    if rule.keeps_dots:
        return not _HASHED.search(name)
    if "__" in name:
        return False
    return "." not in name or all("_" not in {each[0], each[-1]} for each in name.split("."))
