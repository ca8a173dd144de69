"""Lines 900,000 to 900,050 of a file of 1 GB, against ``sed -n``."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from kits import FileToolSet

from .measure import Case, Row, peak_kib, side_by_side

LINES, LINE = 1_000_000, b"x" * 1_072 + b"\n"
FIRST, LAST = 900_000, 900_050
NAME = "large.txt"


def rows() -> list[Row]:
    """The table; peers that are not installed are named."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        with (root / NAME).open("wb") as file:
            for _ in range(LINES // 1_000):
                file.write(LINE * 1_000)
        cases = [
            Case("limit: sed -n", partial(seconds, by_sed, root)),
            Case("qitos_like", partial(seconds, by_us, root)),
        ]
        for name, work in PEERS.items():
            if find_spec(name):
                cases.append(Case(name, partial(seconds, work, root)))
            else:
                print(f"  {name} is not installed")
        print(f"  {memory_kib(root):,} KiB of memory more than before, for one view")
        return side_by_side(cases, rounds=5)


def seconds(work: Callable[[Path], object], root: Path) -> float:
    """How long the work takes."""
    before = perf_counter()
    work(root)
    return perf_counter() - before


def memory_kib(root: Path) -> int:
    """How much the peak of a fresh process grows with one view."""
    return int(subprocess.check_output([sys.executable, "-m", __name__, root]))


def by_sed(root: Path) -> object:
    """The limit: what a shell has for it."""
    lines = f"{FIRST},{LAST}p;{LAST}q"
    command = ["sed", "-n", lines, str(root / NAME)]
    return subprocess.run(command, capture_output=True, check=True)


def by_us(root: Path) -> object:
    """Ours."""
    return FileToolSet(root).view(NAME, (FIRST, LAST))


def by_deepagents(root: Path) -> object:
    """Deep Agents."""
    backend = import_module("deepagents.backends").FilesystemBackend(
        root_dir=str(root), virtual_mode=True
    )
    shown = backend.read(f"/{NAME}", offset=FIRST - 1, limit=LAST - FIRST + 1)
    if shown.error:
        raise RuntimeError(shown.error)
    return shown


PEERS = {"deepagents": by_deepagents}


if __name__ == "__main__":
    (Path(sys.argv[1]) / "small.txt").write_text("one\n")
    files = FileToolSet(sys.argv[1])
    files.view("small.txt")
    start = peak_kib()
    files.view(NAME, (FIRST, LAST))
    print(peak_kib() - start)
