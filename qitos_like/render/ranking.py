"""Which tools fit a question: BM25 over their names, descriptions and parameters."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from math import log

from attrs import frozen

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.names import bare
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.spec import ToolSpec

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_A-Za-z]+")
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST_STEM = 3
_STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "for",
        "from",
        "i",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "please",
        "some",
        "that",
        "the",
        "their",
        "them",
        "there",
        "these",
        "this",
        "to",
        "up",
        "us",
        "want",
        "was",
        "we",
        "what",
        "which",
        "with",
        "you",
        "your",
    ]
)
#: How often a word counts by where it stands.
_NAME, _NAMESPACE, _DESCRIPTION, _PARAMETER = 4, 2, 2, 1
#: The usual constants: how soon repetition stops to matter, how much length does.
_K1, _B = 1.2, 0.75


@frozen
class _Document:
    counts: Counter[str]
    length: int


def search(registry: ToolRegistry, query: str, limit: int | None = None) -> list[Entry]:
    """The listed tools that have words of the query, the best first.

    Args:
        registry: where to look.
        query: words; their order and endings do not matter.
        limit: how many to give, at most.

    >>> registry = ToolRegistry()
    >>> @registry.tool
    ... def send_mail(to: str) -> None:
    ...     '''Send a message by mail.'''
    >>> [entry.name for entry in search(registry, "sending mails")]
    ['send_mail']
    """
    return ranked(registry.listed(), query)[:limit]


def ranked(entries: Iterable[Entry], query: str) -> list[Entry]:
    """The entries that have words of the query, the best first, equals in their order."""
    documents = [(entry, entry.spec.kept(_document)) for entry in entries]
    wanted = dict.fromkeys(_words(query))
    lengths = [document.length for _, document in documents]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    rarity = {word: _rarity(word, [each for _, each in documents]) for word in wanted}
    scored = [
        (sum(rarity[word] * _weight(word, document, average) for word in wanted), entry)
        for entry, document in documents
    ]
    found = [pair for pair in scored if pair[0] > 0]
    return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])]


def _rarity(word: str, documents: list[_Document]) -> float:
    having = sum(word in document.counts for document in documents)
    return log(1 + (len(documents) - having + 0.5) / (having + 0.5))


def _weight(word: str, document: _Document, average: float) -> float:
    count = document.counts[word]
    return count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * document.length / average))


def _document(spec: ToolSpec) -> _Document:
    own = bare(spec.name)
    counts: Counter[str] = Counter()
    for text, weight in (
        (own, _NAME),
        (spec.name.removesuffix(own), _NAMESPACE),
        (spec.description, _DESCRIPTION),
        (f"{spec.usage or ''} {' '.join(spec.tags)}", _PARAMETER),
        (" ".join(_schema_texts(spec.input_schema)), _PARAMETER),
    ):
        for word in _words(text):
            counts[word] += weight
    return _Document(counts, counts.total())


def _schema_texts(schema: Json) -> Iterator[str]:
    """The names, texts and allowed values in a schema."""
    if isinstance(schema, dict):
        yield str(schema.get("description", ""))
        yield " ".join(map(str, schema.get("enum", ())))
        properties = schema.get("properties", {})
        yield from properties
        for part in (*properties.values(), schema.get("items"), *schema.get("anyOf", ())):
            yield from _schema_texts(part)


def _words(text: str) -> list[str]:
    """The words of a text in small letters, without endings and stop words."""
    words = (word.lower() for word in _WORD.findall(text))
    return [_stem(word) for word in words if word not in _STOP_WORDS]


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            return _single_end(stem + instead)
    return _single_end(word)


def _single_end(stem: str) -> str:
    """``stopp`` as ``stop`` and ``creat`` for ``create``, so that forms of a word meet."""
    if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
        return stem[:-1]
    return stem.removesuffix("e") if len(stem) > _SHORTEST_STEM else stem
