"""What rules see of an action: its paths and commands as what they come to, not as spelled."""

import json
import logging
import posixpath
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, cast

from attrs import field, frozen

from qitos_like.core.entry import Entry
from qitos_like.core.environment import Environment
from qitos_like.core.jsontypes import Json
from qitos_like.core.marks import CommandArg, PathArg

from .commands import split
from .resources import Resolve, normalised, told
from .shell_text import scan

#: The pattern of all that is in the workspace, and of the workspace.
WITHIN = "./**"

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
        readings: what a part may come to as well, which allows nothing.
    """

    parts: tuple[tuple[str, ...], ...] = ()
    is_certain: bool = True
    readings: tuple[str, ...] = ()


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
            judge, values = self._path, [*_leaves(value)]
        elif name in self._marked(CommandArg):
            judge, values = _command, [*_leaves(value)]
        found = [judge(each) for each in values if each is not None]
        if judge is _command and len(values) > 1:  # several commands, or the words of one
            found.append(_command(shlex.join(map(str, values))))
        return _joined(found)

    def globs(self, name: str | None, glob: str) -> tuple[str, ...]:
        """A pattern for this argument, or the main one: as written, and as paths and commands are.

        So ``./a//b`` and the whole path of what is in the workspace are what they come to, ``**/``
        may stand for no folder, and commands are without quotes.
        """
        paths, commands = self._marked(PathArg), self._marked(CommandArg)
        if name in commands or (name is None and commands):
            words = scan(glob)
            plain = [" ".join(words[0].texts)] if len(words) == 1 else []
        elif name in paths or (name is None and (paths or self._declared)):
            path = self._path_glob(glob)
            plain = [path, path.replace("**/", ""), path.removesuffix("/**")]
        else:
            plain = []
        return tuple(dict.fromkeys([glob, *plain]))

    def _path_glob(self, glob: str) -> str:
        glob = normalised(posixpath.expanduser(glob))
        known = self._paths
        if known is not None and posixpath.isabs(glob):
            try:
                glob = known.relative(glob)
            except Exception:  # user code: a workspace raises what it likes for a path outside
                _log.debug("the pattern %s is about what is outside", glob, exc_info=True)
        return WITHIN if glob == "." else glob

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

    @property
    def _declared(self) -> list[Resolve]:
        """The functions by which the tool declares what it touches."""
        traits = self.entry.traits
        return [each for each in (traits.reads, traits.writes) if callable(each)]

    def _files(self) -> Parts | None:
        """The files that the tool declares, where it declares what it touches by a function."""
        if not self._declared:
            return None
        try:
            names = [name for function in self._declared for name in told(function, self.args)]
        except Exception:  # user code: a tool's own function from arguments to resources
            _log.warning("the resources of %s cannot be told", self.entry.name, exc_info=True)
            return Parts(is_certain=False)
        return _joined([self._path(name.removeprefix("file:")) for name in names])

    @property
    def _paths(self) -> Paths | None:
        """What knows of paths, if anything does."""
        known = getattr(self.entry.toolset, "workspace", None)
        if known is None and self.environment is not None:
            known = self.environment.workspace
        return cast("Paths | None", known)  # a host's own object, which the tools rely on too

    def _path(self, value: Json) -> Parts:
        """A path below the workspace, as its text has it and as its links have it."""
        text = str(value)
        spelled = normalised(text)
        known = self._paths
        if known is None:
            return Parts(((spelled,),))
        try:
            return Parts((tuple(dict.fromkeys([known.relative(text), known.real(text)])),))
        except Exception:  # user code: a workspace raises what it likes for a path outside
            return Parts(((spelled, text),), is_certain=False)


def _leaves(value: Json) -> Iterator[Json]:
    """The paths or commands in an argument that is marked, or whose items are."""
    if isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value


def _command(value: Json) -> Parts:
    found = split(str(value))
    return Parts(
        tuple((command,) for command in found.commands),
        is_certain=found.is_certain,
        readings=found.readings,
    )


def _text(value: Json) -> Parts:
    if isinstance(value, str):
        return Parts(((value,),))
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # which is the same number
    text = json.dumps(value, ensure_ascii=False)
    return Parts(((text,),), readings=(f"{text}.0",) if isinstance(value, int) else ())


def _joined(several: Iterable[Parts]) -> Parts:
    found = list(several)
    return Parts(
        tuple(part for each in found for part in each.parts),
        is_certain=all(each.is_certain for each in found),
        readings=tuple(reading for each in found for reading in each.readings),
    )
