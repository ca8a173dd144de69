"""The searches of ``tests/data/search.json``, in both ways."""

import json
from base64 import b64decode
from pathlib import Path

import pytest

from kits.errors import WorkspaceError

CASES = json.loads((Path(__file__).parents[2] / "data" / "search.json").read_text())


@pytest.fixture
def files(tree):
    binary = {path: b64decode(data) for path, data in CASES["binary"].items()}
    return tree({**CASES["tree"], **binary})


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("case", [pytest.param(case, id=case["pattern"]) for case in CASES["grep"]])
@pytest.mark.parametrize("mode", ["content", "files", "count"])
def test_grep_finds_what_its_case_says(case, mode, search):
    if "error" in case:
        with pytest.raises(WorkspaceError) as caught:
            search.grep(case["pattern"], output_mode=mode)
        assert case["error"] == caught.value.code
        return
    found = search.grep(case["pattern"], output_mode=mode)

    assert case["files"] == found.structured["files"]


@pytest.mark.usefixtures("files")
def test_the_binary_file_is_counted(search):
    assert 1 == search.grep("foo").structured["skipped"]["binary"]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("case", [pytest.param(case, id=case["pattern"]) for case in CASES["glob"]])
def test_glob_finds_what_its_case_says(case, search):
    if "error" in case:
        with pytest.raises(WorkspaceError) as caught:
            search.glob(case["pattern"])
        assert case["error"] == caught.value.code
        return

    assert case["finds"] == search.glob(case["pattern"]).structured["files"]
