"""One call with a hundred nested objects as JSON text, against json.loads and the call itself."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

from typing_extensions import TypedDict  # which Pydantic wants on Python 3.11

from qitos_like import Action, ActionExecutor, ToolRegistry

from . import dispatch_peers
from .dispatch import awaited, open_loop
from .measure import Case, Row, side_by_side

CALLS = 30
OBJECTS = 100


@dataclass
class Edit:
    """One change of a file."""

    path: str
    line: int
    text: str
    force: bool = False


class EditDict(TypedDict):
    """The same as a plain dictionary."""

    path: str
    line: int
    text: str
    force: bool


ARGS = json.dumps(
    {
        "edits": [
            {"path": f"src/module{number}.py", "line": number, "text": "x = 1", "force": True}
            for number in range(OBJECTS)
        ]
    }
)


async def apply(edits: list[Edit]) -> str:
    """Change files."""
    return str(len(edits))


async def apply_plain(edits: list[EditDict]) -> str:
    """Change files."""
    return str(len(edits))


def rows() -> list[Row]:
    """The table, in times for a batch of calls; peers that are not installed are named."""
    fast = "with" if find_spec("jsonschema_rs") else "without"
    print(f"  {CALLS} calls a batch, {fast} the extra fast")
    with open_loop() as loop:
        cases = [Case("limit: json.loads and await", partial(limited, loop))]
        for name, call in calls().items():
            cases.append(Case(name, partial(awaited, loop, call, CALLS)))
        return side_by_side(cases)


def calls() -> dict[str, Callable[[], Awaitable[object]]]:
    """What is measured, ours and the peers', of dataclasses unless it says otherwise."""
    executor = ActionExecutor(
        ToolRegistry().register(apply).register(apply_plain), default_timeout_s=None
    )
    found: dict[str, Callable[[], Awaitable[object]]] = {
        "what a dataclass costs": constructed,
        "qitos_like": partial(executor.run, Action("apply", ARGS, "1")),
        "qitos_like, typed dicts": partial(executor.run, Action("apply_plain", ARGS, "1")),
    }
    for name, prepare in dispatch_peers.PEERS.items():
        if find_spec(name):
            found[name] = prepare(apply, ARGS)
            found[f"{name}, typed dicts"] = prepare(apply_plain, ARGS)
        else:
            print(f"  {name} is not installed")
    return found


def limited(loop: asyncio.AbstractEventLoop) -> float:
    """The limit for a batch so long that the machine's noise falls on it as on the others."""
    return awaited(loop, limit, 5 * CALLS) / 5


async def limit() -> str:
    """What cannot be left out."""
    return await apply(**json.loads(ARGS))


async def constructed() -> str:
    """The limit, and the objects made without a check."""
    return await apply([Edit(**each) for each in json.loads(ARGS)["edits"]])
