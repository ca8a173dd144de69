"""A patch says whether a file may be executed; who may read it stays."""

import os
import stat

import pytest

from kits import PatchToolSet


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        (0o644, "100755", 0o755),
        (0o600, "100755", 0o700),
        (0o640, "100755", 0o750),
        (0o750, "100644", 0o640),
        (0o755, "100755", 0o755),
    ],
    ids=lambda value: value if isinstance(value, str) else oct(value),
)
def test_another_mode_changes_who_may_execute_alone(tmp_path, before, said, after):
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(before)

    PatchToolSet(tmp_path).apply_patch(f"diff --git a/a b/a\nold mode 1\nnew mode {said}\n")

    assert after == stat.S_IMODE((tmp_path / "a").stat().st_mode)


@pytest.mark.parametrize(("said", "mode"), [("100644", 0o640), ("100755", 0o755)])
def test_a_new_file_has_the_mode_that_new_files_have_unless_it_is_a_program(tmp_path, said, mode):
    mask = os.umask(0o027)
    try:
        PatchToolSet(tmp_path).apply_patch(
            f"diff --git a/n b/n\nnew file mode {said}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
        )
    finally:
        os.umask(mask)

    assert mode == stat.S_IMODE((tmp_path / "n").stat().st_mode)
