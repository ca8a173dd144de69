"""The whole text of a result that was cut is viewed like a file."""

import pytest

from kits import FileToolSet, WorkspaceError
from qitos_like import ActionExecutor, Budget, ToolRegistry, tool


@tool
def talk() -> str:
    """Say more than is shown."""
    return "".join(f"line {number}\n" for number in range(1, 2_001))


@pytest.fixture(name="execute")
def execute_(tmp_path):
    registry = ToolRegistry().register(talk).register_toolset(FileToolSet(tmp_path))
    with ActionExecutor(registry, budget=Budget(per_result=2_000)) as executor:
        yield executor


def test_what_was_cut_is_viewed_by_its_name(execute):
    cut = execute("talk")

    assert f'files.view(path="{cut.artifact}"' in cut.text
    page = execute("files.view", path=cut.artifact, view_range=[1_000, 1_001])
    assert "  1000\tline 1000\n  1001\tline 1001\nlines 1000-1001 of 2000;" in page.text


def test_an_artifact_that_is_not_there_is_refused_by_name(execute):
    result = execute("files.view", path="artifact:7")

    assert ("input_invalid", True) == (result.code, "'artifact:7'" in result.text)


def test_without_an_executor_there_are_none(tmp_path):
    with pytest.raises(WorkspaceError, match="no artifacts are kept here") as caught:
        FileToolSet(tmp_path).view("artifact:1")

    assert "not_available" == caught.value.code


def test_a_file_of_such_a_name_is_viewed_by_a_longer_path(tmp_path):
    (tmp_path / "artifact:1").write_text("a file\n")

    assert "a file" in FileToolSet(tmp_path).view("./artifact:1").value
