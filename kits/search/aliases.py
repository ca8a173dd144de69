"""The search tools' names in the vocabulary that is not listed."""

from qitos_like.core.jsontypes import Json
from qitos_like.core.traits import Alias

from .answer import MOST_SHOWN

#: No limit is a number there.
_LIMITS = {0: MOST_SHOWN}
_MODES = {"files_with_matches": "files"}
_MODERN_MODES = {"files": "files_with_matches"}
#: Lines that stand around a match, by the names of ``grep``'s options.
_AROUND = ("-A", "-B", "-C")
#: What our answers show in any case, or never.
_WITHOUT_EFFECT = ("-n", "-o")


def _to_ours(given: dict[str, Json]) -> dict[str, Json]:
    """Paths alone unless lines are asked for; as many lines around as the widest option says."""
    around = [given[name] for name in _AROUND if given.get(name) is not None]
    rest = {
        name: value for name, value in given.items() if name not in {*_AROUND, *_WITHOUT_EFFECT}
    }
    more = {"context": max(around, key=int)} if around else {}
    return {"output_mode": "files", **rest, **more}


def _to_modern(given: dict[str, Json]) -> dict[str, Json]:
    return {"output_mode": "content", **given}


GLOB = Alias("Glob")
GREP = Alias(
    "Grep",
    {"-i": "ignore_case"},
    values={
        "output_mode": lambda mode: _MODES.get(mode, mode),
        "head_limit": lambda limit: _LIMITS.get(limit, limit),
    },
    adapt=_to_ours,
)

#: Later models know it by a longer name too.
MODERN_CONTEXT = Alias("Grep", {"context": "-C"})
MODERN_GLOB = Alias("glob")
MODERN_GREP = Alias(
    "grep",
    {"ignore_case": "-i", "context": "-C"},
    values={"output_mode": lambda mode: _MODERN_MODES.get(mode, mode)},
    adapt=_to_modern,
)
