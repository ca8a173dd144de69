"""``check_toolset``: what every toolset has to keep."""

import warnings
from collections.abc import Iterator

from qitos_like.agent.blocking import run_blocking
from qitos_like.core.entry import Entry
from qitos_like.core.registry import ToolRegistry
from qitos_like.errors import QitosLikeError, QitosLikeWarning


def check_toolset(toolset: object) -> None:
    """Pass if a toolset keeps the contract of toolsets, else say everything it breaks.

    It registers under any namespace, again and again, as the same tools; registrations do not see
    each other; each tool and each parameter says what it is; set up and torn down, it can be set
    up again.

    Raises:
        AssertionError: it does not; a line for each breach.
    """
    breaches = list(dict.fromkeys(_breaches(toolset)))
    if breaches:
        name = type(toolset).__name__
        raise AssertionError("\n".join([f"{name} breaks the contract of toolsets:", *breaches]))


def _breaches(toolset: object) -> Iterator[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", QitosLikeWarning)
        try:
            first = ToolRegistry().register_toolset(toolset, namespace="one")
            second = ToolRegistry().register_toolset(toolset, namespace="two")
            for entry in first:
                yield from _unsaid(entry)
        except QitosLikeError as error:
            yield str(error)
            return
    yield from (str(warning.message) for warning in caught)
    theirs = [entry.name.removeprefix("two.") for entry in second]
    ours = [entry.name.removeprefix("one.") for entry in first]
    if ours != theirs:
        yield f"tools() gives other tools the second time: {ours}, then {theirs}"
    if not ours:
        yield "it has no tools"
    yield from _lifecycle_breaches(first)


def _unsaid(entry: Entry) -> Iterator[str]:
    if not entry.spec.description:
        yield f"{entry.name} has no description"
    for name, schema in entry.spec.input_schema.get("properties", {}).items():
        if not schema:
            yield f"{entry.name}: parameter {name!r} has neither a type nor a text"


def _lifecycle_breaches(registry: ToolRegistry) -> Iterator[str]:
    async def twice() -> None:
        for _ in range(2):
            async with registry:
                pass

    try:
        run_blocking(twice)
    except QitosLikeError as error:
        yield str(error)
