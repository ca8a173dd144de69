"""What rules see of an action: its paths and commands as what they come to, not as spelled."""

import json
import logging
import posixpath
from collections.abc import Iterable, Mapping
from typing import Protocol, cast

from attrs import field, frozen

from qitos_like.core.entry import Entry
from qitos_like.core.environment import Environment
from qitos_like.core.jsontypes import Json
from qitos_like.core.marks import CommandArg, PathArg

from .commands import split

_log = logging.getLogger("qitos_like")


class Paths(Protocol):
    """What a workspace has to know of paths for rules to judge them."""

    def relative(self, path: str) -> str:
        """The path below the workspace, without ``.`` and ``..``."""
        ...

    def real(self, path: str) -> str:
        """The same with every link followed."""
        ...


@frozen
class Parts:
    """An argument as what it comes to.

    Attributes:
        parts: each with all its spellings; a command may have several parts.
        is_certain: whether these are all.
    """

    parts: tuple[tuple[str, ...], ...] = ()
    is_certain: bool = True


@frozen(kw_only=True, eq=False)
class Subject:
    """An action as rules see it.

    Attributes:
        entry: the tool that runs.
        args: its arguments, by its own names.
        environment: has the workspace, unless the tool's toolset has one of its own.
    """

    entry: Entry
    args: Mapping[str, Json]
    environment: Environment | None = None
    _known: dict[str | None, Parts] = field(factory=dict, init=False)

    def parts(self, name: str | None) -> Parts:
        """What a pattern is matched against, for this argument or the main one."""
        if name not in self._known:
            self._known[name] = self._main() if name is None else self._named(name)
        return self._known[name]

    def _main(self) -> Parts:
        """The main argument.

        The paths and commands among the arguments; else the files that the tool says it touches;
        else the first argument that is required, or there is.
        """
        names = [*self._marked(PathArg), *self._marked(CommandArg)]
        if names:
            return _joined([self.parts(name) for name in names])
        files = self._files()
        if files is not None:
            return files
        schema = self.entry.spec.input_schema
        names = list(schema.get("required") or schema.get("properties", {}))
        return self.parts(names[0]) if names else Parts()

    def _named(self, name: str) -> Parts:
        default = self._properties.get(name, {}).get("default")
        value = self.args.get(name, default)
        values = value if isinstance(value, list) else [value]
        judge = _text
        if name in self._marked(PathArg):
            judge = self._path
        elif name in self._marked(CommandArg):
            judge = _command
        return _joined([judge(each) for each in values if each is not None])

    def has(self, name: str) -> bool:
        """Whether the tool has an argument of this name."""
        return name in self._properties

    @property
    def _properties(self) -> Mapping[str, Json]:
        properties: Mapping[str, Json] = self.entry.spec.input_schema.get("properties", {})
        return properties

    def _marked(self, mark: type) -> list[str]:
        parameters = self.entry.tool.signature.parameters
        return [each.key for each in parameters if each.marked.has(mark)]

    def _files(self) -> Parts | None:
        """The files that the tool declares, where it declares what it touches by a function."""
        traits = self.entry.traits
        declared = [each for each in (traits.reads, traits.writes) if callable(each)]
        if not declared:
            return None
        try:
            names = [name for function in declared for name in function(self.args)]
        except Exception:  # user code: a tool's own function from arguments to resources
            _log.warning("the resources of %s cannot be told", self.entry.name, exc_info=True)
            return Parts(is_certain=False)
        return _joined([self._path(name.removeprefix("file:")) for name in names])

    def _path(self, value: Json) -> Parts:
        """A path below the workspace, as its text has it and as its links have it."""
        text = str(value)
        spelled = posixpath.normpath(text)
        paths = getattr(self.entry.toolset, "workspace", None)
        if paths is None and self.environment is not None:
            paths = self.environment.workspace
        if paths is None:
            return Parts(((spelled,),))
        known = cast("Paths", paths)  # a host's own object, which the tools rely on too
        try:
            return Parts((tuple(dict.fromkeys([known.relative(text), known.real(text)])),))
        except Exception:  # user code: a workspace raises what it likes for a path outside
            return Parts(((spelled, text),), is_certain=False)


def _command(value: Json) -> Parts:
    found = split(str(value))
    return Parts(tuple((command,) for command in found.commands), is_certain=found.is_certain)


def _text(value: Json) -> Parts:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Parts(((text,),))


def _joined(several: Iterable[Parts]) -> Parts:
    found = list(several)
    return Parts(
        tuple(part for each in found for part in each.parts),
        is_certain=all(each.is_certain for each in found),
    )
