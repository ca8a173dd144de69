"""One patch over several files: all of it is applied, or nothing; and each file can be taken back."""

from pathlib import Path
from tempfile import TemporaryDirectory

from kits import CodingToolSet
from qitos_like import ActionExecutor, ToolRegistry

PATCH = """\
*** Begin Patch
*** Update File: shop.py
@@ def total(count):
-    return count * PRIZE
+    return count * PRICE
*** Add File: tests/test_shop.py
+from shop import total
+
+
+def test_two_cost_twice_as_much():
+    assert total(2) == 24
*** Delete File: notes.txt
*** End Patch"""
WRONG = PATCH.replace("PRIZE", "PRISE")


def main() -> None:
    """Apply a patch that does not fit, then one that does, then take a file back."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "shop.py").write_text(
            "PRICE = 12\n\n\ndef total(count):\n    return count * PRIZE\n"
        )
        (root / "notes.txt").write_text("remember the price\n")
        kit = CodingToolSet(workspace_root=folder, enable_patch=True)
        with ActionExecutor(ToolRegistry().register_toolset(kit)) as execute:
            print(execute("coding.apply_patch", patch=WRONG).text)
            print("files:", *sorted(path.name for path in root.iterdir()))
            print()
            print(execute("coding.apply_patch", patch=PATCH).text)
            print("files:", *sorted(path.name for path in root.iterdir()))
            print()
            print(execute("coding.undo_edit", path="notes.txt").text)
            print("files:", *sorted(path.name for path in root.iterdir()))


if __name__ == "__main__":
    main()
