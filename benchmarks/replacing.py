"""A replacement in a file of 100 MB, on disk when it returns, against a copy that is too."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from kits import EditToolSet

from .measure import Case, Row, peak_kib, side_by_side

LINE, HALF = b"x" * 99 + b"\n", 500_000
NAME = "large.txt"
numbers = count()


def rows() -> list[Row]:
    """The table; peers that are not installed are named."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        cases = [
            Case("limit: cp and sync", partial(seconds, by_copying, root)),
            Case("qitos_like", partial(seconds, by_us, root)),
            Case("qitos_like, all of it", partial(seconds, by_us_everywhere, root)),
        ]
        for name, work in PEERS.items():
            if find_spec(name):
                cases.append(Case(name, partial(seconds, work, root)))
            else:
                print(f"  {name} is not installed")
        prepare(root)
        print(f"  {memory_kib(root):,} KiB of memory more than before, for one replacement")
        return side_by_side(cases, rounds=7)


def prepare(root: Path) -> None:
    """The file, on disk, with one place to replace."""
    for copy in root.glob("copy-*"):
        copy.unlink()
    with (root / NAME).open("wb") as file:
        file.write(LINE * HALF + b"<old>\n" + LINE * HALF)
        file.flush()
        os.fsync(file.fileno())


def seconds(work: Callable[[Path], object], root: Path) -> float:
    """How long the work takes on a fresh file."""
    prepare(root)
    before = perf_counter()
    work(root)
    return perf_counter() - before


def memory_kib(root: Path) -> int:
    """How much the peak of a fresh process grows with one replacement."""
    return int(subprocess.check_output([sys.executable, "-m", __name__, root]))


def by_copying(root: Path) -> None:
    """The limit: the same bytes, written once and waited for."""
    copy = root / f"copy-{next(numbers)}"
    subprocess.run(["cp", root / NAME, copy], check=True)  # noqa: S607 - found on PATH
    subprocess.run(["sync", copy], check=True)  # noqa: S607 - found on PATH


def by_us(root: Path) -> object:
    """Ours."""
    return EditToolSet(root).str_replace(NAME, "<old>", "<new>")


def by_us_everywhere(root: Path) -> object:
    """Ours, wherever the text is."""
    return EditToolSet(root).str_replace(NAME, "<old>", "<new>", replace_all=True)


def by_deepagents(root: Path) -> object:
    """Deep Agents."""
    backend = import_module("deepagents.backends").FilesystemBackend(
        root_dir=str(root), virtual_mode=True
    )
    done = backend.edit(f"/{NAME}", "<old>", "<new>")
    if done.error:
        raise RuntimeError(done.error)
    return done


PEERS = {"deepagents": by_deepagents}


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "small.txt").write_text("<old>\n")
    edit = EditToolSet(folder)
    edit.str_replace("small.txt", "<old>", "<new>")
    start = peak_kib()
    edit.str_replace(NAME, "<old>", "<new>")
    print(peak_kib() - start)
