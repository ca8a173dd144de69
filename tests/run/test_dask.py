"""The code of tools runs on the workers of a cluster of Dask."""

import os
import signal
import threading
import time
from pathlib import Path

import anyio
import pytest

from qitos_like import Action, Backend, ToolPermission
from tests.run.stub import answer_sync, executor_of

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.timeout(120),
    pytest.mark.filterwarnings("ignore"),  # a cluster that is closed is not quiet about it
]


def cluster_of(workers):
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    )


@pytest.fixture(scope="module")
def cluster():
    with cluster_of(2) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    with cluster.get_client() as client:
        yield client


def pid() -> int:
    return os.getpid()


def dies() -> None:
    os._exit(7)


def marks(path: str, seconds: float) -> int:
    with Path(path).open("a") as file:
        file.write(f"{os.getpid()}\n")
    if len(Path(path).read_text().split()) == 1:
        time.sleep(seconds)
    return os.getpid()


async def test_code_runs_on_a_worker(client):
    async with executor_of(pid, options={"backend": client}) as executor:
        results = await executor.run_turn([Action("pid")] * 3)

    assert {True} == {result.ok for result in results}
    assert os.getpid() not in {result.value for result in results}


@pytest.mark.parametrize(
    "given", [lambda cluster: cluster, lambda cluster: cluster.scheduler_address]
)
def test_a_cluster_or_its_address_will_do(cluster, given):
    assert os.getpid() != answer_sync(pid, options={"backend": given(cluster)}).value


async def test_functions_that_are_local_can_be_sent(client):
    factor = 6

    def times(number: int) -> int:
        return factor * number

    async with executor_of(times, options={"backend": client}) as executor:
        assert 42 == (await executor.run(Action("times", {"number": 7}))).value


async def test_a_deadline_holds(client):
    def sleeps() -> None:
        time.sleep(0.8)

    async with executor_of(sleeps, options={"backend": client}, timeout_s=0.2) as executor:
        began = time.monotonic()

        assert "timeout" == (await executor.run(Action("sleeps"))).code
        assert time.monotonic() - began < 0.7


def appearance_of(path):
    """Wait until there is something in a file."""
    while not (path.exists() and path.read_text().strip()):
        time.sleep(0.01)


def killer_of(path):
    """Kills the worker that has left its mark there."""

    def kill():
        appearance_of(path)
        os.kill(int(path.read_text().split()[0]), signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


async def test_what_writes_nothing_is_done_by_another_worker_if_one_is_killed(client, tmp_path):
    path = tmp_path / "marks"
    killer = killer_of(path)
    async with executor_of(marks, options={"backend": client}) as executor:
        result = await executor.run(Action("marks", {"path": str(path), "seconds": 30}))
    killer.join()

    first, second = path.read_text().split()
    assert (result.value, True) == (int(second), first != second)


async def test_what_writes_is_an_error_if_its_worker_is_killed_and_done_once(client, tmp_path):
    path = tmp_path / "marks"
    killer = killer_of(path)
    writes = ToolPermission(filesystem_write=True)
    options = {"backend": client}
    async with executor_of(marks, options=options, permissions=writes, max_retries=2) as executor:
        result = await executor.run(Action("marks", {"path": str(path), "seconds": 30}))
        killer.join()

        assert ("execution_failed", "the worker that ran marks died") == (result.code, result.error)
        assert 1 == len(path.read_text().split())
        other = {"path": str(tmp_path / "other"), "seconds": 0}
        assert (await executor.run(Action("marks", other))).ok


async def test_what_kills_every_worker_is_an_error():
    with cluster_of(1) as cluster:
        async with executor_of(dies, pid, options={"backend": cluster}) as executor:
            assert "the worker that ran dies died" == (await executor.run(Action("dies"))).error
            assert (await executor.run(Action("pid"))).ok


async def test_a_cluster_that_is_closed_meanwhile_is_an_error(tmp_path):
    path = tmp_path / "marks"
    with cluster_of(1) as cluster:
        async with executor_of(marks, options={"backend": cluster}) as executor:
            closer = threading.Thread(target=lambda: (appearance_of(path), cluster.close()))
            closer.start()
            result = await executor.run(Action("marks", {"path": str(path), "seconds": 60}))
            await anyio.to_thread.run_sync(closer.join)

    assert "execution_failed" == result.code


def test_a_client_that_has_to_be_awaited_is_refused():
    class Client:
        asynchronous = True

        def get_executor(self): ...

    with pytest.raises(ValueError, match="not asynchronous"):
        Backend(Client())
