"""Files for ripgrep, as many at a time as a command line takes."""

import os
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from attrs import define, evolve, field

from .walk import Files

_AT_ONCE = 64
#: Systems limit what a command line and the environment hold.
_MOST_BYTES = min(max(os.sysconf("SC_ARG_MAX"), 128 << 10) // 4, 512 << 10)
_POINTER_BYTES = 9
#: Systems take no path of more than 4,096 bytes at once; a character is up to four.
_DEEP_CHARS = 900


@define
class Met:
    """Files on the way; their paths are made when they are asked for.

    Attributes:
        parts: some of one folder each.
    """

    parts: list[Files] = field(factory=list)

    def __len__(self) -> int:
        """How many files there are."""
        return sum(len(each.names) for each in self.parts)

    def __iter__(self) -> Iterator[str]:
        """Their paths."""
        return (path for each in self.parts for path in each.paths)

    def in_folders(self, folders: AbstractSet[str]) -> set[str]:
        """The paths of those in some folders, which end in a slash each."""
        return {path for each in self.parts if each.folder in folders for path in each.paths}

    def leave_out(self, paths: AbstractSet[str]) -> None:
        """Forget some."""
        for at, each in enumerate(self.parts):
            names = [name for name in each.names if each.folder + name not in paths]
            self.parts[at] = evolve(each, names=names)


@define
class Feed:
    """Takes files as they are walked over.

    Attributes:
        walked: the files.
        is_plain: ripgrep would judge alike by all ignore files that counted up to now.
        is_deep: there were paths that may be too long for a program to open.
    """

    walked: Iterator[Files]
    is_plain: bool = field(default=True, init=False)
    is_deep: bool = field(default=False, init=False)
    _parts: Iterator[list[str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Begin."""
        self.walked = self._watched(self.walked)
        self._parts = self._cut()

    def put_back(self, files: Iterable[Files]) -> None:
        """Files that were taken and are to come first."""
        self.walked = chain(files, self.walked)

    def has_more(self) -> bool:
        """Whether there are files left, as far as they are not taken by ``batch``."""
        for files in self.walked:
            if files.names:
                self.put_back([files])
                return True
        return False

    def batch(self, most: int) -> list[str]:
        """The next files, about so many; none at the end."""
        taken: list[str] = []
        size = 0
        for paths in self._parts:
            size += _bytes(paths)
            if taken and size > _MOST_BYTES:
                self._parts = chain([paths], self._parts)
                break
            taken += paths
            if len(taken) >= most:
                break
        return taken

    def _watched(self, walked: Iterator[Files]) -> Iterator[Files]:
        for files in walked:
            self.is_plain = self.is_plain and files.stack.is_plain
            self.is_deep = self.is_deep or len(files.folder) > _DEEP_CHARS
            yield files

    def _cut(self) -> Iterator[list[str]]:
        for files in self.walked:
            paths = files.paths
            for at in range(0, len(paths), _AT_ONCE):
                yield paths[at : at + _AT_ONCE]


def _bytes(paths: Sequence[str]) -> int:
    """What paths take of a command line."""
    return len(os.fsencode("".join(paths))) + _POINTER_BYTES * len(paths)
