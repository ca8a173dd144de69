"""The other vocabulary: listed when asked for, understood always."""

import json
from base64 import b64decode
from pathlib import Path

import pytest

from kits import CodingToolSet, WorkspaceError
from kits.toolset import coding_tools
from qitos_like import ActionExecutor

DATA = Path(__file__).parents[1] / "data"
CASES = [
    case
    for name in ("editing.json", "edits.json")
    for case in json.loads((DATA / name).read_text())["cases"]
]
REPLACEMENTS = [case for case in CASES if case["tool"] == "str_replace"]


@pytest.fixture(name="root")
def root_(tmp_path):
    (tmp_path / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 11)))
    return tmp_path


@pytest.fixture(name="classic")
def classic_(root):
    with ActionExecutor(coding_tools(root)) as executor:
        yield executor


@pytest.fixture(name="modern")
def modern_(root):
    with ActionExecutor(coding_tools(root, expose_modern_names=True)) as executor:
        yield executor


def data_of(file):
    return b64decode(file["base64"]) if "base64" in file else file["text"].encode()


def edit(args):
    return {
        "old_string": args["old_str"],
        "new_string": args["new_str"],
        "replace_all": args.get("replace_all", False),
    }


@pytest.mark.parametrize("case", REPLACEMENTS, ids=lambda case: case["id"])
@pytest.mark.parametrize("name", ["Edit", "MultiEdit"])
def test_an_edit_ends_as_the_table_says(tmp_path, case, name):
    [(path, file)] = case["files"].items()
    (tmp_path / path).write_bytes(data_of(file))
    wanted = edit(case["args"])
    args = wanted if name == "Edit" else {"edits": [wanted]}
    tool = getattr(CodingToolSet(tmp_path, expose_modern_names=True), name)

    try:
        result = tool(path, **args)
    except WorkspaceError as error:
        result = error.to_result()

    assert case["expect"]["ok"] == result.ok
    assert data_of(case["expect"]["files"][path]) == (tmp_path / path).read_bytes()
    if not result.ok:
        for text in case["expect"].get("text_contains", []):
            assert text in f"{result.error} {result.hint}"


def test_the_modern_names_are_listed_alone(root):
    names = [entry.name for entry in coding_tools(root, expose_modern_names=True)]

    listed = ["Read", "Edit", "MultiEdit", "Write", "LS", "Bash"]
    assert [f"coding.{name}" for name in listed] == [
        name for name in names if name.removeprefix("coding.") in listed
    ]
    assert not {"coding.view", "coding.str_replace", "coding.run_command"} & {*names}


def test_read_only_lists_what_reads(root):
    registry = coding_tools(root, expose_modern_names=True, read_only=True)

    assert {"coding.Read", "coding.LS"} <= {entry.name for entry in registry}
    assert "coding.Write" not in registry
    assert "coding.Bash" not in registry


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        ({}, (1, 10)),
        ({"offset": 4}, (4, 10)),
        ({"limit": 3}, (1, 3)),
        ({"offset": 4, "limit": 2}, (4, 5)),
        ({"offset": 0, "limit": 2}, (1, 2)),
    ],
    ids=str,
)
@pytest.mark.parametrize("names", ["classic", "modern"])
def test_read_shows_the_lines_in_both_vocabularies(request, names, args, shown):
    execute = request.getfixturevalue(names)

    result = execute("coding.Read", file_path="a.txt", **args)

    assert list(shown) == result.structured["range"]


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        ({}, (1, 10)),
        ({"view_range": [4, 5]}, (4, 5)),
        ({"view_range": [4, -1]}, (4, 10)),
        ({"view_range": "[4, 5]"}, (4, 5)),
        ({"view_range": ["4", "-1"]}, (4, 10)),
    ],
    ids=str,
)
@pytest.mark.parametrize("names", ["classic", "modern"])
def test_view_shows_the_lines_in_both_vocabularies(request, names, args, shown):
    execute = request.getfixturevalue(names)

    assert list(shown) == execute("coding.view", path="a.txt", **args).structured["range"]


@pytest.mark.parametrize("names", ["classic", "modern"])
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("Edit", {"file_path": "a.txt", "old_string": "line 2", "new_string": "LINE 2"}),
        ("str_replace", {"path": "a.txt", "old_str": "line 2", "new_str": "LINE 2"}),
        (
            "MultiEdit",
            {
                "file_path": "a.txt",
                "edits": [{"old_string": "line", "new_string": "LINE", "replace_all": True}],
            },
        ),
        ("Write", {"file_path": "new.txt", "content": "x"}),
        ("write_file", {"path": "new.txt", "content": "x"}),
        ("create", {"path": "new.txt", "file_text": "x"}),
        ("LS", {"path": "."}),
        ("view", {"file_path": "a.txt", "offset": 2, "limit": 1}),
        ("Read", {"path": "a.txt", "view_range": [2, 2]}),
        ("Edit", {"path": "a.txt", "old_str": "line 2", "new_str": "LINE 2"}),
        ("str_replace", {"file_path": "a.txt", "old_string": "line 2", "new_string": "LINE 2"}),
        (
            "MultiEdit",
            {"path": "a.txt", "edits": [{"old_string": "line 2", "new_string": "LINE 2"}]},
        ),
        ("create", {"file_path": "new.txt", "content": "x"}),
        ("Write", {"path": "new.txt", "content": "x"}),
        ("write_file", {"file_path": "new.txt", "content": "x"}),
        ("run_command", {"command": "true"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_name_is_understood_in_both_vocabularies(request, names, name, args):
    execute = request.getfixturevalue(names)

    assert execute(f"coding.{name}", **args).ok


@pytest.mark.parametrize("edits", [[], [{}, {}], "x", None, ["x"]], ids=repr)
def test_several_edits_are_calls_of_their_own_where_they_are_not_listed(classic, root, edits):
    before = (root / "a.txt").read_bytes()

    result = classic("coding.MultiEdit", file_path="a.txt", edits=edits)

    assert "input_invalid" == result.code
    assert "str_replace makes one" in result.text
    assert before == (root / "a.txt").read_bytes()


def test_a_wrong_argument_is_named_as_it_was_sent(classic):
    result = classic("coding.Edit", file_path="a.txt", old_string=1, new_string="x")

    assert "$.old_string" in result.text


@pytest.mark.parametrize("given", ["x", "12", [4], [4, None], [0, 3], [5, 4], {"a": 1}], ids=str)
@pytest.mark.parametrize("names", ["classic", "modern"])
def test_a_range_that_is_none_is_refused_and_not_lost(request, names, given):
    result = request.getfixturevalue(names)("coding.view", path="a.txt", view_range=given)

    assert "input_invalid" == result.code
    assert "view_range" in result.text


@pytest.mark.parametrize("limit", [0, -1, "-1"])
@pytest.mark.parametrize("names", ["classic", "modern"])
def test_no_lines_at_all_are_not_read(request, names, limit):
    result = request.getfixturevalue(names)("coding.Read", file_path="a.txt", limit=limit)

    assert "input_invalid" == result.code
    assert f"limit is {limit}" in result.text


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"offset": -1}, "offset is -1: it is no line"),
        ({"limit": 0}, "limit is 0"),
        ({"offset": 11}, "there is no line 11: 'a.txt' has 10 lines"),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_refused_in_the_words_of_read(modern, args, said):
    result = modern("coding.Read", file_path="a.txt", **args)

    assert "input_invalid" == result.code
    assert said in result.text
    assert "view_range" not in result.text


def test_the_timeout_of_bash_is_in_milliseconds(modern):
    result = modern("coding.Bash", command="sleep 20", timeout=300)

    assert "timeout" == result.code
    assert "at most 600000 ms" in result.text
    assert "seconds" not in modern("coding.Bash", command="true", timeout=0).text


def test_bash_is_understood_where_it_is_not_listed(classic):
    result = classic("coding.Bash", command="echo hi", timeout=5_000, description="greet")

    assert "hi" in result.text
    assert "timeout" == classic("coding.Bash", command="sleep 20", timeout=300).code


@pytest.mark.parametrize("timeout", [None, "5000", 5000.0, 5000.5], ids=repr)
@pytest.mark.parametrize("names", ["classic", "modern"])
@pytest.mark.parametrize("name", ["Bash", "run_command"])
def test_a_timeout_is_understood_as_models_write_it(request, names, name, timeout):
    execute = request.getfixturevalue(names)

    assert execute(f"coding.{name}", command="true", timeout=timeout).ok


def test_edits_are_made_each_in_what_the_one_before_left(modern, root):
    edits = [
        {"old_string": "line 1\n", "new_string": "first\n"},
        {"old_string": "first\nline 2", "new_string": "first and second"},
        {"old_string": "line", "new_string": "LINE", "replace_all": True},
    ]

    result = modern("coding.MultiEdit", file_path="a.txt", edits=edits)

    assert "first and second\nLINE 3\n" in (root / "a.txt").read_text()
    assert result.text.startswith("Made 3 edits in a.txt:\n@@ -1,10 +1,9 @@\n-line 1\n")
    assert 3 == result.structured["edits"]


def test_if_one_edit_fails_none_is_made(modern, root):
    before = (root / "a.txt").read_bytes()
    edits = [
        {"old_string": "line 1\n", "new_string": "x"},
        {"old_string": "nothing", "new_string": "y"},
    ]

    result = modern("coding.MultiEdit", file_path="a.txt", edits=edits)

    assert "edit 2 of 2: the text to replace was not found" in result.text
    assert "No edit was made." in result.text
    assert before == (root / "a.txt").read_bytes()


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([], "there are no edits"),
        (
            [
                {"old_string": "line 3", "new_string": "x"},
                {"old_string": "x", "new_string": "line 3"},
            ],
            "change nothing",
        ),
    ],
    ids=["none", "back and forth"],
)
def test_edits_without_an_effect_are_refused(modern, edits, said):
    assert said in modern("coding.MultiEdit", file_path="a.txt", edits=edits).text


def test_a_change_since_the_file_was_read_is_said(modern, root):
    modern("coding.Read", file_path="a.txt").unwrap()
    with (root / "a.txt").open("a") as file:
        file.write("more\n")

    result = modern(
        "coding.MultiEdit", file_path="a.txt", edits=[{"old_string": "more", "new_string": "x"}]
    )

    assert result.text.endswith("the edit is made in what is there now.")


def test_read_says_how_to_go_on_in_its_own_words(modern, classic):
    shown = modern("coding.Read", file_path="a.txt", limit=3)

    assert "lines 1-3 of 10; continue with offset=4, limit=3" == shown.text.splitlines()[-1]
    assert "at least 1" in modern("coding.Read", file_path="a.txt", limit=0).text
    assert "offset" not in modern("coding.Read", file_path="a.txt", offset=4).text
    assert "view_range=[4, 6]" in classic("coding.view", path="a.txt", view_range=[1, 3]).text
