"""A command that does nothing, against a bash for each; and 200 MB of output, against /dev/null."""

import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from time import perf_counter

from kits import Caps, ShellToolSet
from qitos_like import ArtifactStore
from qitos_like.core.context import Services, ToolContext

from .measure import Case, Row, side_by_side

COMMANDS = 20
FLOOD = "seq 23500000"  # 200 MB
CAPS = Caps(command_chars=30_000)

Run = Callable[[str], object]


def rows() -> list[Row]:
    """Both tables; peers that are not installed are named."""
    with TemporaryDirectory() as folder:
        shell = ShellToolSet(folder, caps=CAPS)
        runs: dict[str, Run] = {"qitos_like": shell.run_command}
        for name, make in PEERS.items():
            if find_spec(name):
                runs[name] = make(folder)
            else:
                print(f"  {name} is not installed")
        quick = [Case("true, limit: a bash for each", partial(seconds, by_bash))]
        quick += [Case(f"true, {name}", partial(seconds, run)) for name, run in runs.items()]
        flood = [Case("200 MB, limit: /dev/null", partial(once, by_bash, f"{FLOOD} >/dev/null"))]
        flood += [Case(f"200 MB, {name}", partial(once, run, FLOOD)) for name, run in runs.items()]
        flood.append(
            Case("200 MB, qitos_like, kept whole", partial(once, kept_whole(shell), FLOOD))
        )
        try:
            result = [*side_by_side(quick), *side_by_side(flood, rounds=9)]
        finally:
            shell.teardown()
        print(f"  {memory_kib(folder):,} KiB of memory more than before, for 200 MB")
        return result


def seconds(run: Run) -> float:
    """How long a command takes that does nothing, of several."""
    before = perf_counter()
    for _ in range(COMMANDS):
        run("true")
    return (perf_counter() - before) / COMMANDS


def once(run: Run, command: str) -> float:
    """How long a command takes."""
    before = perf_counter()
    run(command)
    return perf_counter() - before


def memory_kib(folder: str) -> int:
    """How much the peak of a fresh process grows with one command."""
    return int(subprocess.check_output([sys.executable, "-m", __name__, folder]))


def by_bash(command: str) -> object:
    """The limit: what the standard library has for it."""
    return subprocess.run(["bash", "-c", command], check=True)  # noqa: S607 - found on PATH


def kept_whole(shell: ShellToolSet) -> Run:
    """Ours, with the whole of it in an artifact, as an executor has it done."""

    def run(command: str) -> object:
        store = ArtifactStore()
        context = ToolContext(services=Services([store]))
        result = shell.run_command(command, context=context)
        shell.restart(context)
        store.close()
        return result

    return run


def by_deepagents(folder: str) -> Run:
    """Deep Agents."""
    backends = import_module("deepagents.backends")
    backend = backends.LocalShellBackend(root_dir=folder, max_output_bytes=30_000, inherit_env=True)
    run: Run = backend.execute
    return run


PEERS = {"deepagents": by_deepagents}


if __name__ == "__main__":
    toolset = ShellToolSet(sys.argv[1], caps=CAPS)
    toolset.run_command("yes | head -c 3000000")
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    toolset.run_command(FLOOD)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start)
    toolset.teardown()
