"""``cassette``: the answers of tools in a file, recorded once and played from then on."""

import json
from base64 import b64decode, b64encode
from collections import defaultdict, deque
from operator import itemgetter
from os import SEEK_END, PathLike
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Literal, Self, get_args

from qitos_like.agent.trace import Record, line
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, Ok, Part, ToolResult
from qitos_like.core.spec import ToolSpec
from qitos_like.run import output, serialise
from qitos_like.run.hooks import HookCall, Next

#: ``record``: run every call and begin the file anew. ``replay``: run nothing; a call that is not
#: in the file fails. ``extend``: play what is in the file, run and record the rest.
Mode = Literal["record", "replay", "extend"]

_MODES: tuple[Mode, ...] = get_args(Mode)


class Cassette:
    """A hook that records what tools answer, or answers in their place.

    The file has a line of JSON for each call: the tool's name, the arguments as they were
    accepted, and the result. Equal calls are played in the order in which they began, each once. A value is played as JSON data that shows the model the same text. Calls that no hook
    sees, such as those with wrong arguments, are neither recorded nor played.

    As a context manager it fails in the end for each call that was new to a ``replay``.
    """

    def __init__(self, path: str | PathLike[str], mode: Mode) -> None:
        if mode not in _MODES:
            message = f"a cassette's mode is one of {', '.join(_MODES)}, not {mode!r}"
            raise ValueError(message)
        self.new_calls: list[str] = []
        self._path = Path(path)
        self._mode = mode
        self._lock = Lock()
        self._count = 0
        self._recorded: dict[str, deque[ToolResult]] = defaultdict(deque)
        if mode == "record":
            self._path.write_text("", encoding="utf-8")
        elif mode == "replay" or self._path.exists():
            self._read()

    async def __call__(self, call: HookCall, go_on: Next) -> ToolResult:
        """The answer to a call: the recorded one, or the tool's."""
        recorded = self._recorded.get(_key(call.spec.name, call.args))
        if recorded:
            return recorded.popleft()
        if self._mode == "replay":
            new = f"{call.spec.name}({line(dict(call.args))})"
            self.new_calls.append(new)
            return Err(ErrorCode.DENIED, f"{new} is not in {self._path}", retryable=False)
        with self._lock:
            self._count += 1
            record: Record = {"call": self._count, "name": call.spec.name, "args": call.args}
        result = await go_on(call)
        record["result"] = _packed(result, call.spec)
        with self._lock:
            self._append(f"{line(record)}\n")
        return result

    def _append(self, text: str) -> None:
        """Add a line, also where an editor has left the last one without its end."""
        with self._path.open("ab+") as file:
            if file.tell():
                file.seek(-1, SEEK_END)
                text = text if file.read(1) == b"\n" else f"\n{text}"
            file.write(text.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.new_calls and error is None:
            shown = "\n".join(self.new_calls)
            message = f"calls that are not in {self._path}:\n{shown}"
            raise AssertionError(message)

    def _read(self) -> None:
        played = []
        # Lines end with \n alone: what else Python takes for their end stands within JSON texts.
        for number, text in enumerate(self._path.read_text(encoding="utf-8").split("\n"), 1):
            if not text:
                continue
            try:
                record = json.loads(text)
                key = _key(record["name"], record["args"])
                played.append((int(record["call"]), key, _unpacked(record["result"])))
            except (ValueError, KeyError, TypeError) as error:
                message = f"{self._path}:{number} is not of a cassette: {error}"
                raise ValueError(message) from error
        for call, key, result in sorted(played, key=itemgetter(0)):
            self._count = call
            self._recorded[key].append(result)


def cassette(path: str | PathLike[str], mode: Mode = "replay") -> Cassette:
    """A cassette to put around an executor, as one of its hooks.

    Args:
        path: the file.
        mode: ``record`` runs every call and begins the file anew; ``replay`` runs nothing and
            fails where a call is not in the file; ``extend`` plays what is there and records the
            rest.

    Raises:
        ValueError: no such mode, or the file is not a cassette's.
        OSError: the file cannot be read or written.

    >>> from qitos_like import ActionExecutor, ToolRegistry
    >>> from qitos_like.testing import cassette
    >>> def roll(sides: int) -> int:
    ...     '''Roll a die.'''
    ...     return random.randint(1, sides)
    >>> import random
    >>> registry = ToolRegistry().register(roll)
    >>> with cassette("rolls.jsonl", "record") as tape:
    ...     with ActionExecutor(registry, hooks=[tape]) as executor:
    ...         rolled = executor("roll", sides=1_000_000).value
    >>> with cassette("rolls.jsonl") as tape:
    ...     with ActionExecutor(registry, hooks=[tape]) as executor:
    ...         rolled == executor("roll", sides=1_000_000).value
    True
    """
    return Cassette(path, mode)


def _key(name: str, args: Json) -> str:
    return json.dumps([name, json.loads(line(dict(args)))], sort_keys=True)


def _packed(result: ToolResult, spec: ToolSpec) -> Record:
    """A result as JSON data; one that cannot be shown is the error that the model sees."""
    shown, text = output.render(result, spec)
    if isinstance(shown, Err):
        return {
            "code": shown.code,
            "error": shown.error,
            "hint": shown.hint,
            "retryable": shown.retryable,
            "structured": shown.structured,
            "field": shown.field,
        }
    is_text = spec.result_serializer == "str"
    return {
        "value": text if is_text else serialise.data(shown.value),
        "structured": shown.structured,
        "parts": [[part.media_type, b64encode(part.data).decode()] for part in shown.parts],
        "cost_usd": shown.cost_usd,
    }


def _unpacked(packed: Record) -> ToolResult:
    if "code" in packed:
        return Err(packed.pop("code"), packed.pop("error"), **packed)
    parts = [Part(media_type, b64decode(data)) for media_type, data in packed.pop("parts")]
    return Ok(packed.pop("value"), parts=parts, **packed)
