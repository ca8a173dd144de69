"""Reading what was cut from results."""

import pytest

from kits import ArtifactToolSet
from qitos_like import ActionExecutor, ToolRegistry
from qitos_like.testing import run_tool


def numbers(count: int) -> str:
    """Many lines."""
    return "".join(f"line {number}\r\n" for number in range(count))


@pytest.fixture
def executor():
    registry = ToolRegistry().register(numbers).register_toolset(ArtifactToolSet())
    with ActionExecutor(registry) as executor:
        executor("numbers", count=10_000)
        yield executor


def test_a_part_is_read_and_it_is_told_how_to_go_on(executor):
    first = executor("artifacts.read", path="artifact:1", limit=18)
    second = executor("artifacts.read", path="artifact:1", start=18, limit=16)

    assert "line 0\r\nline 1\r\nli\n[characters 0-18 of 108890; go on with start=18]" == first.text
    assert second.text.startswith("ne 2\r\nline 3\r\nli\n[characters 18-34 of")


def test_the_end_is_told(executor):
    last = executor("artifacts.read", path="artifact:1", start=108_880)

    assert "ine 9999\r\n\n[characters 108880-108890 of 108890]" == last.text


def test_places_are_found_to_read_on_from(executor):
    found = executor("artifacts.search", path="artifact:1", text="e 999", limit=3)

    assert [
        "start=9883: line 999",
        "start=108783: line 9990",
        "start=108794: line 9991",
    ] == found.text.splitlines()


def test_what_is_not_there_is_said(executor):
    assert (
        "'x' is not in artifact:1" == executor("artifacts.search", path="artifact:1", text="x").text
    )


@pytest.mark.parametrize("name", ["read", "search"])
def test_an_unknown_artifact_is_an_error_that_lists_those_there_are(executor, name):
    more = {"text": "x"} if name == "search" else {}
    result = executor(f"artifacts.{name}", path="artifact:7", **more)

    assert ("input_invalid", True) == (result.code, "kept: artifact:1" in result.text)


def test_without_a_store_it_says_so():
    assert "not_available" == run_tool(ArtifactToolSet().read, {"path": "artifact:1"}).code
