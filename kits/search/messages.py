"""What ripgrep tells beside its results: what it passed over, and whether we can rely on it."""

import os
import re
import stat
from contextlib import suppress

from attrs import frozen

from kits.errors import invalid

from .query import Names, NotAlikeError, Skipped
from .walk import Base

_GLOB = rb"(?:.*? original: \"(?P<pattern>.*)\", actual: )?.*"
_JUDGED = re.compile(
    rb": (?:ignoring|whitelisting) (?P<path>.*): (?:"
    rb"(?P<large>\d+ bytes)"
    rb"|(?P<verdict>Ignore|Whitelist)\(IgnoreMatch\((?P<by>[A-Z]\w+)(?:\(" + _GLOB + rb"\))?\)\)"
    rb")$"
)
_UNREADABLE = re.compile(
    rb"^(?:rg: )?(.*?): (?:IO error for operation on \1: )?[^:]* \(os error \d+\)$"
)
#: Where ripgrep reads an ignore file otherwise than git does.
_OTHERWISE = re.compile(rb"[{}]|^!\s*$")
#: What stands in a message for bytes of a name that are no UTF-8.
_REPLACED = "\ufffd"


@frozen
class Messages:
    """Takes messages, and counts.

    Attributes:
        base: the folder that was searched.
        names: which files were meant.
        skipped: where to count.
    """

    base: Base
    names: Names
    skipped: Skipped

    def take(self, text: bytes, *, failed: bool) -> None:
        """Count what was passed over.

        Raises:
            NotAlikeError: an ignore file has patterns that git reads otherwise, or a name is not
                told as it is: it has a line break, or is no UTF-8.
            WorkspaceError: the pattern was refused.
        """
        unreadable = 0
        for line in text.splitlines():
            if b": ignoring " in line or b": whitelisting " in line:
                self._judged(line)
            elif b": error parsing glob " in line:
                raise NotAlikeError
            elif found := _UNREADABLE.search(line):
                unreadable += 1
                self.skipped.unreadable += self._is_meant(found[1])
        if failed and not unreadable:
            message = f"the search was refused: {_last_line(text)}"
            raise invalid(message, hint="literal=true searches for the text as it is.")

    def _judged(self, line: bytes) -> None:
        found = _JUDGED.search(line)
        if not found or _OTHERWISE.search(found["pattern"] or b""):
            raise NotAlikeError
        if found["large"]:
            self.skipped.too_large += self._is_meant(found["path"])
        elif (found["verdict"], found["by"]) == (b"Ignore", b"Gitignore"):
            self.skipped.ignored += self._is_meant(found["path"])

    def _is_meant(self, shown: bytes) -> bool:
        """Whether a file or folder would have been searched; links and the like never are."""
        path = os.fsdecode(shown.removeprefix(b"./"))
        if _REPLACED in path:
            raise NotAlikeError
        if self.names.hides(path):
            return False
        with suppress(OSError):
            mode = os.stat(path, dir_fd=self.base.handle, follow_symlinks=False).st_mode
            return stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and self.names.admits(path))
        return False


def _last_line(text: bytes) -> str:
    lines = [line for line in text.splitlines() if not line.startswith((b"DEBUG", b"rg: DEBUG"))]
    return lines[-1].decode("utf-8", "replace") if lines else "without a reason"
