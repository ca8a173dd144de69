"""A file that changes behind an agent's back is not overwritten unseen."""

from pathlib import Path
from tempfile import TemporaryDirectory

from kits import CodingToolSet
from qitos_like import ActionExecutor, ToolRegistry


def main() -> None:
    """Read a file, let someone else change it, and try to write it."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "plan.txt")
        file.write_text("buy milk\nbuy bread\n")
        registry = ToolRegistry().register_toolset(CodingToolSet(workspace_root=folder))
        with ActionExecutor(registry) as execute:
            print(execute("coding.view", path="plan.txt").text)
            file.write_text("buy milk\nbuy bread\nbuy a cake\n")  # a person, an editor, a command

            refused = execute("coding.write_file", path="plan.txt", content="buy milk\n")
            print(f"\n{refused.code}: {refused.text}\n")

            content = "buy milk\nbuy a cake\n"  # what it has been told of is not lost
            print(execute("coding.write_file", path="plan.txt", content=content).text)

            file.write_text(f"{file.read_text()}buy candles\n")
            edited = execute("coding.str_replace", path="plan.txt", old_str="milk", new_str="tea")
            print(f"\n{edited.text}")


if __name__ == "__main__":
    main()
