"""A folder swapped for a link, again and again, while a tool uses it: nothing leaks."""

import subprocess
import sys
from contextlib import suppress

import pytest

from kits.workspace import Workspace, WorkspaceError

TRIES = 350  # 2 ways of confinement and 3 tools: about 2,000
MANY_TRIES = 17_000

SWAP = """
import ctypes, os, sys
exchange = ctypes.CDLL(None).renameat2
root = os.open(sys.argv[1], os.O_RDONLY)
print("ready", flush=True)
while True:
    exchange(root, b"folder", root, b"link", 2)
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(name="race", params=["openat2", "walk"])
def race_(request, tmp_path):
    """A workspace whose ``folder`` is swapped for a link to the outside, and back."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    for folder, content in ((outside, b"SECRET"), (root / "folder", b"inside")):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_bytes(content)
    (outside / "only-outside").write_bytes(b"")
    (root / "link").symlink_to(outside)
    swapping = subprocess.Popen([sys.executable, "-c", SWAP, root], stdout=subprocess.PIPE)
    if not swapping.stdout.readline():
        pytest.skip("no renameat2 to exchange two names with")
    with Workspace(root, durable=False, confinement=request.param) as workspace:
        yield workspace
    swapping.kill()
    swapping.communicate()


def tried(act, tries):
    """What the tries that were not refused gave."""
    for _ in range(tries):
        with suppress(WorkspaceError):
            yield act()


@pytest.fixture(
    name="tries",
    params=[TRIES, pytest.param(MANY_TRIES, marks=[pytest.mark.stress, pytest.mark.timeout(1200)])],
)
def tries_(request):
    return request.param


def test_reading_leaks_nothing(race, tries):
    def read():
        with race.open_read("folder/a.txt") as file:
            return file.readall()

    assert {b"inside"} >= set(tried(read, tries))


def test_listing_leaks_nothing(race, tries):
    found = set(tried(lambda: tuple(each.name for each in race.scandir("folder")), tries))

    assert {("a.txt",)} >= found


def test_writing_reaches_nothing_outside(race, tries, tmp_path):
    ended = set(tried(lambda: race.write_bytes("folder/a.txt", b"written").st_size, tries))

    assert {7} >= ended
    assert b"SECRET" == (tmp_path / "outside" / "a.txt").read_bytes()
    assert {"a.txt", "only-outside"} == set(names(tmp_path / "outside"))
