"""Searches in 20,000 files of 300 MB with ignore files, against ``rg``."""

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from attrs import frozen

from kits import SearchToolSet

from .measure import Case, Row, side_by_side

NEEDLE, COMMON, ABSENT = "the needle of the stack", "return", "nothing of this is there"
CAP = 100
_ENDINGS = ("py", "py", "js", "md", "txt", "log")
_WORDS = ("self", COMMON, "value", "for", "path", "in", "lines", "def", "if", "not", "None", "=")
_LINES = 400
_BUILT_EVERY = 25


@frozen
class Forest:
    """How large the tree is.

    Attributes:
        files: how many there are.
        size: bytes of all of them.
        in_folder: how many files a folder has.
        needles: in how many files the needle is.
    """

    files: int = 20_000
    size: int = 300_000_000
    in_folder: int = 20
    needles: int = 40

    def grow(self, root: Path) -> None:
        """Write it; the same tree each time."""
        choose = random.Random(7)  # noqa: S311 - no secret
        lines = [" ".join(choose.choices(_WORDS, k=9)) + "\n" for _ in range(_LINES)]
        each, apart = self.size // self.files, self.files // self.needles // 2
        (root / ".git").mkdir()
        (root / ".gitignore").write_text("*.log\nbuild/\n/generated-*\n")
        for number in range(self.files):
            folder = root / self._folder(number)
            if number % self.in_folder == 0:
                folder.mkdir(parents=True)
                if number % (self.in_folder * 10) == 0:
                    (folder / ".gitignore").write_text("*.tmp\n!kept.tmp\n")
            text = "".join(choose.choices(lines, k=each // len(lines[0]) + 1))[:each]
            if number % (2 * apart) == apart:
                text = f"{text[: each // 2]}\n{NEEDLE}\n{text[each // 2 :]}"
            (folder / f"file{number}.{_ENDINGS[number % len(_ENDINGS)]}").write_text(text)

    def _folder(self, number: int) -> str:
        folder = number // self.in_folder
        package, module = folder % 40, folder // 40 % 8
        built = "" if folder % _BUILT_EVERY else "build/"
        return f"package{package}/module{module}/{built}part{folder}"


def rows(forest: Forest = Forest(), rounds: int = 7) -> list[Row]:
    """The table, four limits with what is held against each; peers that are missing are named."""
    if not shutil.which("rg"):
        print("  rg is not installed: it is the limit")
        return []
    with TemporaryDirectory() as folder:
        root = Path(folder)
        forest.grow(root)
        for name in PEERS:
            if not find_spec(name):
                print(f"  {name} is not installed")
        for way in ("rg", "own"):
            print(f"  {memory_kib(root, way):,} KiB of memory more for a capped search ({way})")
        return [row for cases in tables(root) for row in side_by_side(list(cases), rounds)]


def tables(root: Path) -> Iterator[Iterator[Case]]:
    """What is measured beside each other."""
    yield cases("literal", partial(by_rg, root, NEEDLE), by_grep(root, NEEDLE))
    yield cases("no match", partial(by_rg, root, ABSENT), by_grep(root, ABSENT))
    yield cases("glob", partial(by_rg_files, root), by_glob(root))
    yield cases("capped", partial(by_rg_capped, root), by_grep(root, COMMON))


def cases(
    name: str, limit: Callable[[], object], works: Iterator[tuple[str, Callable[[], object]]]
) -> Iterator[Case]:
    """A limit, and those who are measured against it."""
    yield Case(f"limit: {name}", partial(seconds, limit))
    for each, work in works:
        yield Case(f"  {each}, {name}", partial(seconds, work))


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes."""
    before = perf_counter()
    work()
    return perf_counter() - before


def by_rg(root: Path, text: str) -> bytes:
    """The limit: all lines with a text."""
    command = ["rg", "--no-config", "--line-number", "--", text, "./"]
    return subprocess.run(command, cwd=root, capture_output=True, check=False).stdout


def by_rg_files(root: Path) -> bytes:
    """The limit: all files that are not ignored."""
    command = ["rg", "--no-config", "--files", "--", "./"]
    return subprocess.run(command, cwd=root, capture_output=True, check=True).stdout


def by_rg_capped(root: Path) -> list[bytes]:
    """The limit: it is ended when enough lines have come."""
    command = ["rg", "--no-config", "--line-number", "--", COMMON, "./"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        lines = list(islice(process.stdout, CAP))
        process.kill()
    return lines


def by_grep(root: Path, text: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Ours in both ways, and the peers."""
    for name, way in WAYS.items():
        yield name, partial(SearchToolSet(root, use_ripgrep=way).grep, text, head_limit=CAP)
    for name, (grep, _) in PEERS.items():
        if find_spec(name):
            yield name, partial(grep, root, text)


def by_glob(root: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Ours in both ways, and the peers."""
    for name, way in WAYS.items():
        yield name, partial(SearchToolSet(root, use_ripgrep=way).glob, "**/*.py")
    for name, (_, glob) in PEERS.items():
        if find_spec(name):
            yield name, partial(glob, root, "**/*.py")


def deepagents_grep(root: Path, text: str) -> object:
    """Deep Agents."""
    backend = import_module("deepagents.backends").FilesystemBackend(root_dir=str(root))
    return backend.grep(text, max_count=CAP)


def deepagents_glob(root: Path, pattern: str) -> object:
    """Deep Agents."""
    backend = import_module("deepagents.backends").FilesystemBackend(root_dir=str(root))
    return backend.glob(pattern)


def memory_kib(root: Path, way: str) -> int:
    """How much the peak of a fresh process grows with one capped search."""
    if not Path("/proc/self/status").exists():
        return 0
    return int(subprocess.check_output([sys.executable, "-m", __name__, root, way]))


WAYS = {"qitos_like": True, "qitos_like without rg": False}
PEERS = {"deepagents": (deepagents_grep, deepagents_glob)}


def peak_kib() -> int:
    """The peak of this process alone, without that of the one it was started from."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


if __name__ == "__main__":
    search = SearchToolSet(sys.argv[1], use_ripgrep=sys.argv[2] == "rg")
    search.grep(ABSENT, ".gitignore")
    start = peak_kib()
    search.grep(COMMON, head_limit=CAP)
    print(peak_kib() - start)
