"""Worker threads: bounded, shared, replaced when lost."""

import os
import threading
import time
from threading import Event

import pytest

from qitos_like.run.workers import MOST_WORKERS, WORKERS, Job, Workers, shared


def submitted(workers, work):
    job = Job(work)
    workers.submit(job)
    return job


def test_jobs_run_in_order_in_one_thread():
    done, order = Event(), []
    workers = Workers(1)

    for number in range(5):
        submitted(workers, lambda number=number: order.append((number, threading.get_ident())))
    submitted(workers, done.set)

    assert done.wait(5)
    assert ([0, 1, 2, 3, 4], 1) == ([row[0] for row in order], len({row[1] for row in order}))


def test_no_more_threads_than_allowed():
    lock, threads, done = threading.Lock(), set(), threading.Semaphore(0)

    def work():
        with lock:
            threads.add(threading.get_ident())
        time.sleep(0.002)
        done.release()

    workers = Workers(3)
    for _ in range(60):
        submitted(workers, work)
    for _ in range(60):
        assert done.acquire(timeout=5)

    assert 1 <= len(threads) <= 3


def test_a_lost_thread_is_replaced_and_ends_by_itself():
    release, done, ended = Event(), Event(), Event()
    workers = Workers(1)

    def hang():
        release.wait(5)
        ended.set()

    hanging = submitted(workers, hang)
    wait_for(lambda: hanging.stage.name == "RUNNING")
    waiting = submitted(workers, done.set)

    assert not done.wait(0.05)
    assert workers.give_up(hanging)
    assert done.wait(5)
    release.set()
    assert ended.wait(5)
    assert waiting.work is not None


def test_a_job_that_is_given_up_before_it_runs_never_does():
    release, ran = Event(), Event()
    workers = Workers(1)
    submitted(workers, lambda: release.wait(5))
    waiting = submitted(workers, ran.set)

    assert not workers.give_up(waiting)
    release.set()
    last = Event()
    submitted(workers, last.set)
    assert last.wait(5)
    assert not ran.is_set()


def test_giving_up_what_is_over_loses_nothing():
    done = Event()
    workers = Workers(1)
    job = submitted(workers, done.set)
    assert done.wait(5)
    wait_for(lambda: job.stage.name == "OVER")

    assert not workers.give_up(job)


def test_idle_threads_end(monkeypatch):
    # Ten seconds of idleness are too long for a test.
    monkeypatch.setattr("qitos_like.run.workers._IDLE_S", 0.02)
    done, threads = Event(), []

    def work():
        threads.append(threading.current_thread())
        done.set()

    workers = Workers(1)
    submitted(workers, work)
    assert done.wait(5)
    wait_for(lambda: not threads[0].is_alive())
    again = Event()
    submitted(workers, again.set)
    assert again.wait(5)


@pytest.mark.parametrize(
    ("size", "same_as"), [(1, WORKERS), (WORKERS, 16), (100_000, MOST_WORKERS)]
)
def test_executors_share_workers(size, same_as):
    assert shared(size, 0) is shared(same_as, 0)


def test_nested_actions_have_workers_of_their_own():
    assert shared(16, 0) is not shared(16, 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_has_workers_of_its_own():
    done = Event()
    submitted(shared(16, 0), done.set)
    assert done.wait(5)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        ran = Event()
        submitted(shared(16, 0), ran.set)
        os.write(writer, b"1" if ran.wait(5) else b"0")
        os._exit(0)

    os.waitpid(child, 0)
    assert b"1" == os.read(reader, 1)


def wait_for(condition):
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)
