"""A table of edits: the file before, the call, the file after or the refusal."""

import json
from base64 import b64decode
from pathlib import Path

import pytest

from kits import CodingToolSet, WorkspaceError

DATA = Path(__file__).parents[2] / "data"
CASES = [
    case
    for name in ("editing.json", "edits.json")
    for case in json.loads((DATA / name).read_text())["cases"]
]


def data_of(file):
    return b64decode(file["base64"]) if "base64" in file else file["text"].encode()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_an_edit_ends_as_the_table_says(tmp_path, case):
    for name, file in case["files"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data_of(file))
    expected = case["expect"]
    kit = CodingToolSet(tmp_path, enable_patch=True)
    if "view" in case:
        kit.view(case["view"])

    try:
        result = getattr(kit, case["tool"])(**case["args"])
    except WorkspaceError as error:
        result = error.to_result()

    assert expected["ok"] == result.ok
    assert {name: data_of(file) for name, file in expected["files"].items()} == {
        str(path.relative_to(tmp_path)): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    if not result.ok:
        assert expected["code"] == result.code
        for text in expected.get("text_contains", []):
            assert text in f"{result.error} {result.hint}"
