"""Several changes: all, or none; and where even that fails, it is said."""

import pytest

from kits import EditToolSet, FileStore, Workspace, WorkspaceError
from kits.files.changes import Change, commit


class StuckWorkspace(Workspace):
    """A workspace that can make changes, but not take them back."""

    def write_bytes(self, path, *pieces, exclusive=False):
        raise WorkspaceError(f"{path} is stuck", code="execution_failed")


@pytest.mark.parametrize("kind", [Workspace, StuckWorkspace])
def test_what_cannot_be_taken_back_is_named(tmp_path, kind):
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / ".mcp.json").write_text("{}")
    workspace = kind(tmp_path)
    store = FileStore(workspace)
    changes = [
        Change("a.txt", store.load("a.txt"), (b"A",)),
        Change("new.txt", None, (b"new",)),
        Change(".mcp.json", store.load(".mcp.json"), None),
    ]

    with pytest.raises(WorkspaceError, match="protected") as caught:
        commit(workspace, changes)

    stuck = kind is StuckWorkspace
    assert stuck == ("could not be taken back in a.txt" in str(caught.value))
    assert ("A" if stuck else "a") == (tmp_path / "a.txt").read_text()
    assert not (tmp_path / "new.txt").exists()
    assert (tmp_path / ".mcp.json").exists()


class OvertakenWorkspace(Workspace):
    """A workspace beside which another program writes, just before a new file takes its name."""

    def stage(self, path, pieces, **options):
        content = super().stage(path, pieces, **options)
        (self.root / path).write_text("theirs")
        return content


def test_what_another_program_writes_meanwhile_is_not_lost(tmp_path):
    (tmp_path / "a.txt").write_text("one")
    edit = EditToolSet(OvertakenWorkspace(tmp_path))

    with pytest.raises(WorkspaceError, match="changed while it was edited") as caught:
        edit.str_replace("a.txt", "one", "two")

    assert "stale_write" == caught.value.code
    assert "theirs" == (tmp_path / "a.txt").read_text()
    assert ["a.txt"] == [path.name for path in tmp_path.iterdir()]
