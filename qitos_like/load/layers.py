"""The files and variables that a configuration is read from, the farthest first."""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Literal

from attrs import field, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.schema.jsonvalues import to_json
from qitos_like.core.schema.problems import json_path
from qitos_like.errors import ConfigError

from .positions import lines_of

PROJECT_FILE = "qitos-like.toml"
PYPROJECT = "pyproject.toml"
PYPROJECT_TABLE = ("tool", "qitos-like")
VARIABLES = "QITOS_LIKE_"

_MAX_BYTES = 1 << 20
_AT = re.compile(r" \(at line (\d+), column \d+\)$")

Kind = Literal["policy", "user", "project", "environment"]


@frozen(kw_only=True)
class Layer:
    """What one file, or the environment, says.

    Attributes:
        kind: who wrote it.
        name: as it is shown.
        folder: what relative paths in it start from.
        data: its tables, as JSON data.
        places: by path, where it is said: ``qitos-like.toml:3``.
        file: the file itself, if it is one.
        digest: stands for exactly what is said; of a ``pyproject.toml`` for the table alone, since
            the rest of it changes with every dependency.
        is_trusted: whether it may name code and loosen things.
    """

    kind: Kind
    name: str
    folder: Path
    data: dict[str, Json]
    places: Mapping[str, str] = field(repr=False)
    file: Path | None = None
    digest: str = field(default="", repr=False)
    is_trusted: bool = True

    def place(self, path: str) -> str:
        """Where the value at a path is said, or the nearest of what it holds or is held by."""
        if path not in self.places:
            parts = (f"{path}.", f"{path}[")
            within = (where for part, where in self.places.items() if part.startswith(parts))
            if (where := next(within, None)) is not None:
                return where
        while path not in self.places:
            end = max(path.rfind("."), path.rfind("["))
            if end < 0:
                return self.name
            path = path[:end]
        return self.places[path]


@frozen(kw_only=True)
class Sources:
    """Where layers are looked for.

    Attributes:
        policy: the host's file.
        user_folder: where the user's file is, and what the user trusts.
        environ: variables.
        start: the folder where the search for a project's file begins.
    """

    policy: Path
    user_folder: Path
    environ: Mapping[str, str] = field(repr=False)
    start: Path

    @classmethod
    def of_process(cls) -> "Sources":
        """Those of this process, user and machine."""
        home = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
        return cls(
            policy=Path("/etc/qitos-like/policy.toml"),
            user_folder=(Path(home) if home else _home() / ".config") / "qitos-like",
            environ=os.environ,
            start=Path.cwd(),
        )

    @classmethod
    def nothing(cls) -> "Sources":
        """Places where nothing is."""
        nowhere = Path(os.devnull)
        return cls(policy=nowhere, user_folder=nowhere, environ={}, start=nowhere)

    def farther(self) -> Iterator[Layer]:
        """The host's layer and the user's, as far as there are any.

        Raises:
            ConfigError: a file cannot be read.
        """
        if self.policy.is_file():
            yield read_file(self.policy, "policy")
        user = self.user_folder / "config.toml"
        if user.is_file():
            yield read_file(user, "user")

    def project(self) -> Layer | None:
        """The nearest project's layer, up to the root of the repository.

        Raises:
            ConfigError: a file cannot be read.
        """
        for folder in (self.start, *self.start.parents):
            if (folder / PROJECT_FILE).is_file():
                return read_file(folder / PROJECT_FILE, "project")
            if (folder / PYPROJECT).is_file():
                layer = read_file(folder / PYPROJECT, "project")
                if layer.data:
                    return layer
            if (folder / ".git").exists():
                break
        return None

    def environment(self) -> Layer | None:
        """What variables such as ``QITOS_LIKE_PLUGINS__ENABLED`` say; TOML values, else texts.

        Two underscores stand between keys; a tool's name keeps its own as dots.
        """
        data: dict[str, Json] = {}
        places: dict[str, str] = {}
        for name, text in sorted(self.environ.items()):
            keys = name.removeprefix(VARIABLES).lower().split("__")
            if not name.startswith(VARIABLES) or len(keys) == 1:
                continue  # others, such as a shell's mark, are no settings
            if keys[0] == "tools":
                keys = ["tools", ".".join(keys[1:-1]), keys[-1]]
            table = data
            for key in keys[:-1]:
                table = table.setdefault(key, {})
                if not isinstance(table, dict):
                    message = f"{name}: {key} is no table, by another variable"
                    raise ConfigError([message])
            table[keys[-1]] = _value(text)
            places[json_path(keys)] = name
        if not data:
            return None
        return Layer(
            kind="environment", name=VARIABLES, folder=self.start, data=data, places=places
        )


def read_file(file: Path, kind: Kind) -> Layer:
    """The layer of a file; of a ``pyproject.toml`` the table ``[tool.qitos-like]``.

    Raises:
        ConfigError: it cannot be read, or is no TOML.
    """
    name = shown(file)
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError([f"{name}: it cannot be read: {error.strerror}"]) from error
    if len(content) > _MAX_BYTES:
        raise ConfigError([f"{name}: it has more than {_MAX_BYTES:,} bytes"])
    data, lines = _parsed(content, name)
    prefix, said = "$", content
    if file.name == PYPROJECT:
        prefix = json_path(PYPROJECT_TABLE)
        for key in PYPROJECT_TABLE:
            part = data.get(key, {})
            data = part if isinstance(part, dict) else {}
        said = json.dumps(data, sort_keys=True).encode()
    places = {
        f"${path.removeprefix(prefix)}": f"{name}:{line}"
        for path, line in lines.items()
        if path.startswith(prefix)
    }
    return Layer(
        kind=kind,
        name=name,
        folder=file.absolute().parent,
        data=data,
        places=places,
        file=file,
        digest=sha256(said).hexdigest(),
    )


def _home() -> Path:
    """The user's own folder; nowhere for one that the system does not know, as in containers."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.devnull)


def shown(file: Path) -> str:
    """A file by its path from the current folder, where it is below that."""
    absolute, here = file.absolute(), Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)


def _parsed(content: bytes, name: str) -> tuple[dict[str, Json], dict[str, int]]:
    """The tables as JSON data, and the line of each key.

    Raises:
        ConfigError: it is no TOML; with the line where that shows.
    """
    try:
        text = content.decode("utf-8-sig")  # Windows' editors begin files with a mark
        data = tomllib.loads(text)
        lines = lines_of(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        at = _AT.search(str(error))
        where = f"{name}:{at[1]}" if at else f"{name}:{text.count(chr(10)) + 1}"
        raise ConfigError([f"{where}: this is no TOML: {_AT.sub('', str(error))}"]) from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError([f"{name}:{line}: this is no UTF-8"]) from error
    except RecursionError as error:
        raise ConfigError([f"{name}: it is nested too deep"]) from error
    return _as_json(data), lines


def _as_json(value: Json) -> Json:
    """Dates and times become text, numbers that JSON lacks too."""
    if isinstance(value, dict):
        return {key: _as_json(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_json(part) for part in value]
    if isinstance(value, float) and value - value != 0:
        return str(value)
    return to_json(value)


def _value(text: str) -> Json:
    try:
        return _as_json(tomllib.loads(f"value = {text}")["value"])
    except (tomllib.TOMLDecodeError, KeyError, RecursionError):
        return text
