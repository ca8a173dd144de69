"""The whole of a long output, in the artifact store."""

import subprocess
import sys
import textwrap

import pytest

from kits import CodingToolSet
from kits.shell.capture import Capture
from kits.shell.flow import Flow
from kits.shell.toolset import ShellToolSet
from kits.shell.whole import Whole
from qitos_like import ActionExecutor, ArtifactStore, ToolRegistry
from qitos_like.core.context import Services, ToolContext


@pytest.fixture
def kept(shell):
    """Runs a command where artifacts are kept, and gives its result and the artifact's text."""
    stores = []

    def run(command, timeout=20, **options):
        stores.append(ArtifactStore(**options))
        context = ToolContext(services=Services([stores[-1]]))
        result = shell.run_command(command, timeout, context=context)
        name = result.structured["artifact"]
        return result, name and stores[-1].path(name).read_text()

    yield run
    for store in stores:
        store.close()


def test_the_whole_of_a_large_output_is_kept(kept):
    result, text = kept("seq 1000000; echo done")

    assert "".join(f"{number}\n" for number in range(1, 1_000_001)) + "done\n" == text
    assert result.value.endswith(f" characters left out, whole: {result.artifact}]")


def test_it_is_readable_and_without_secrets(kept, monkeypatch):
    monkeypatch.setenv("FAKE_API_KEY", "sk-123456789")
    _, text = kept(
        "f() { printf '1%%\\r2%%\\n\\033[31mred\\033[0m caf\\351 sk-123456789\\n'; }; "
        'l=$(for i in {1..100}; do f; done); for i in {1..1000}; do echo "$l"; done; nope'
    )

    line = "2%\nred caf\\xe9 [secret FAKE_API_KEY]\n"
    assert line * 100_000 == text.rpartition("bash: ")[0]
    assert text.endswith("bash: line 1: nope: command not found\n")


def test_the_whole_of_what_timed_out_is_kept(kept):
    result, text = kept("seq 1000000; sleep 30", 3)

    assert "timeout" == result.code
    assert text.endswith("\n1000000\n")
    assert len(text) == 6_888_896


def test_beyond_the_quota_both_ends_are_kept_and_the_gap_is_told(kept):
    result, text = kept("echo begin; yes | head -c 3000000; echo end", quota_bytes=500_000)
    left_out = int(text.partition("\n[... ")[2].split()[0].replace(",", ""))

    assert text.startswith("begin\ny\n")
    assert text.endswith("y\nend\n")
    gap = f"\n[... {left_out:,} bytes were not kept ...]\n"
    assert 3_000_010 == len(text) - len(gap) + left_out
    assert 400_000 < len(text) <= 500_000
    assert result.value.endswith(f" characters left out, all that was kept: {result.artifact}]")


@pytest.mark.parametrize("quota_bytes", [0, 1, 60, 1000])
def test_a_tiny_quota_keeps_what_it_holds(kept, quota_bytes):
    _, text = kept("yes | head -c 3000000", quota_bytes=quota_bytes)

    assert text is None or len(text) <= quota_bytes


def test_a_disk_that_cannot_be_written_costs_the_artifact_alone(kept, tmp_path):
    (tmp_path / "file").touch()
    result, text = kept("yes | head -c 3000000; echo end", folder=tmp_path / "file" / "folder")

    assert (None, True) == (text, result.value.endswith(" characters left out]"))
    assert "y\nend\n" in result.value


def test_a_disk_that_is_full_costs_the_artifact_alone():
    class Full:
        room = 10**9

        def write(self, data):
            raise OSError(28, "No space left on device")

        def discard(self):
            discarded.append(True)

    class Store:
        draft = Full

    discarded = []
    whole = Whole(Store(), Flow())
    capture = Capture(1, 1, whole)
    for _ in range(9):
        capture.feed(b"ab\n")

    assert whole.keep(capture) is None
    assert [True] == discarded
    assert (b"a", 23) == (capture.head(), capture.dropped)


def test_a_cancelled_command_leaves_nothing_in_the_store(shell, tmp_path):
    class Cancelled(ToolContext):
        def raise_if_cancelled(self):
            if (tmp_path / "out").exists():
                raise InterruptedError

    context = Cancelled(services=Services([ArtifactStore(tmp_path / "kept")]))
    with pytest.raises(InterruptedError):
        shell.run_command("yes | head -c 3000000; touch out; sleep 30", 20, context=context)

    assert [] == list((tmp_path / "kept").iterdir())


def test_it_is_viewed_and_searched_by_its_name(tmp_path):
    registry = ToolRegistry().register_toolset(CodingToolSet(tmp_path))
    with ActionExecutor(registry) as execute:
        result = execute("coding.run_command", command="seq 1000000; echo the end")
        view = execute("coding.view", path=result.artifact, view_range=[700_000, 700_001])
        grep = execute("coding.grep", pattern="^77777.$|end", path=result.artifact)

    assert "700000\t700000\n700001\t700001\n" in view.text
    assert "777770:777770\n" in grep.text
    assert "1000001:the end" in grep.text


MEMORY = """
    import resource, sys
    from kits import ShellToolSet
    from qitos_like import ArtifactStore
    from qitos_like.core.context import Services, ToolContext

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    store = ArtifactStore()
    context = ToolContext(services=Services([store]))
    shell = ShellToolSet(".")
    shell.run_command("yes | head -c 3000000", context=context)
    before = peak()
    result = shell.run_command("yes | head -c 200000000", context=context)
    assert store.path(result.artifact).stat().st_size == 200_000_000
    print(peak() - before)
    shell.teardown()
    store.close()
"""


def test_200_megabytes_are_kept_in_little_memory():
    code = textwrap.dedent(MEMORY)
    unit = 1024 if sys.platform == "darwin" else 1
    grown = int(subprocess.check_output([sys.executable, "-c", code])) // unit

    assert grown < 8 * 1024


def test_a_toolset_without_a_store_keeps_nothing(tmp_path):
    shell = ShellToolSet(tmp_path)
    result = shell.run_command("yes | head -c 3000000")
    shell.teardown()

    assert result.artifact is None
