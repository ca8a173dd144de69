"""From what a model sent to the values that a tool's parameters take."""

import enum
from pathlib import PosixPath
from typing import Annotated, Literal

import attrs
import pytest

from qitos_like.core.marks import Name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err
from qitos_like.core.traits import Alias
from qitos_like.run.arguments import Checked
from qitos_like.run.prepared import Prepared


class Mode(enum.StrEnum):
    FAST = "fast"
    SLOW = "slow"


@attrs.frozen
class Edit:
    old_str: str
    new_str: str = ""

    def __attrs_post_init__(self):
        if self.old_str == self.new_str:
            raise ValueError("the edit changes nothing")


def edit(
    path: str,
    edits: list[Edit] = (),
    mode: Mode = Mode.FAST,
    limit: int | None = None,
    flag: Annotated[bool, Name("-i")] = False,
    kind: Literal["a", "b"] = "a",
) -> None:
    """Edit a file."""


def ping() -> str:
    """Answer."""


def checker(function):
    registry = ToolRegistry().register(function)
    return Prepared(next(iter(registry))).checker


@pytest.fixture(scope="module")
def edits():
    return checker(edit)


def problems(refused):
    assert isinstance(refused, Err)
    assert "input_invalid" == refused.code
    return [f"{each['path']}: {each['message']}" for each in refused.structured["problems"]]


@pytest.mark.parametrize(
    "args",
    [
        {"path": "a", "edits": [{"old_str": "x"}], "-i": True},
        '{"path": "a", "edits": [{"old_str": "x"}], "-i": true}',
    ],
    ids=["mapping", "JSON text"],
)
def test_arguments_arrive_as_the_annotated_types(edits, args):
    checked = edits.check(args)

    assert isinstance(checked, Checked)
    assert {"path": "a", "edits": [Edit("x")], "-i": True} == dict(checked.values)
    assert {"path": "a", "edits": [{"old_str": "x"}], "-i": True} == checked.given


@pytest.mark.parametrize("args", ["", "  \n", None, "{}", {}, "null", '""', "[]"], ids=repr)
def test_no_arguments_are_enough_where_none_is_required(args):
    assert {} == checker(ping).check(args).values


@pytest.mark.parametrize("args", ["", "  \n", None, " null"], ids=repr)
def test_no_arguments_are_an_error_where_some_are_required(edits, args):
    assert ["$: no arguments were sent; required: path"] == problems(edits.check(args))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ("[1]", ["$: expected an object, got array [1]"]),
        ('"x"', ['$: expected an object, got string "x"']),
        (
            "{",
            [
                "$: not valid JSON: expecting property name enclosed in double quotes, at its end after '{'"
            ],
        ),
        (7, ["$: expected an object or JSON text, got a int"]),
        (b"{}", ["$: expected an object or JSON text, got a bytes"]),
        ({"path": {1}}, ["$.path: a value of type set is no JSON data"]),
    ],
    ids=["array", "string", "broken", "number", "bytes", "a set inside"],
)
def test_what_is_no_object_is_refused(edits, args, expected):
    assert expected == problems(edits.check(args))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({}, ["$.path: missing, and required (str)"]),
        ({"path": 4}, ["$.path: expected string, got integer 4"]),
        ({"path": "a", "limit": "four"}, ['$.limit: expected integer or null, got string "four"']),
        ({"path": "a", "pth": "b"}, ["$.pth: no such argument; did you mean"]),
        ({"path": "a", "Mode": "fast"}, ["$.Mode: no such argument; did you mean 'mode'?"]),
        (
            {"path": "a", "mode": "fastt"},
            ['$.mode: expected one of "fast", "slow", got string "fastt"; did you mean'],
        ),
        ({"path": "a", "kind": "c"}, ['$.kind: expected one of "a", "b", got string "c"']),
        (
            {"path": "a", "edits": [{"old_str": "x"}, {"new_str": "y"}]},
            ["$.edits[1].old_str: missing, and required (str)"],
        ),
        (
            {"path": "a", "edits": [{"old_str": "x", "newstr": "y"}]},
            ["$.edits[0].newstr: no such argument; did you mean 'new_str'?"],
        ),
        ({"path": "a", "edits": {}}, ["$.edits: expected array, got object {}"]),
        (
            {"path": "a", "edits": [{"old_str": "x", "new_str": "x"}]},
            ["$.edits[0]: the edit changes nothing"],
        ),
    ],
    ids=[
        "missing",
        "type",
        "union",
        "near key",
        "case",
        "enum",
        "literal",
        "missing inside",
        "unknown inside",
        "container",
        "constructor",
    ],
)
def test_each_problem_has_its_path_and_what_was_expected(edits, args, expected):
    found = problems(edits.check(args))

    assert len(expected) == len(found)
    for wanted, line in zip(expected, found, strict=True):
        assert line.startswith(wanted)


def test_all_problems_come_at_once(edits):
    refused = edits.check({"edits": [{"old_str": 1}], "mode": "x", "extra": 1})

    assert {"$.path", "$.edits[0].old_str", "$.mode", "$.extra"} == {
        line.partition(":")[0] for line in problems(refused)
    }
    assert "correct them and call again" == refused.hint
    assert refused.error.startswith("the arguments of edit are wrong:\n$.")


def test_of_very_many_problems_twenty_are_told(edits):
    refused = edits.check({"path": "a", **{f"odd{number}": 1 for number in range(50)}})

    assert 20 == len(problems(refused))
    assert refused.error.endswith("and 30 more")


def renamed(problem_args, alias):
    return problems(checker(edit).check(problem_args, alias))


EDIT_ALIAS = Alias("Edit", {"file_path": "path", "count": "limit"}, values={"limit": int})


def test_an_aliass_arguments_are_carried_over():
    checked = checker(edit).check({"file_path": "a", "count": "7", "mode": "slow"}, EDIT_ALIAS)

    assert {"path": "a", "limit": 7, "mode": Mode.SLOW} == dict(checked.values)


def test_a_null_has_nothing_to_carry_over():
    checked = checker(edit).check({"file_path": "a", "count": None}, EDIT_ALIAS)

    assert checked.values.get("limit") is None


def test_an_alias_of_the_tools_own_name_spells_arguments_otherwise():
    own = Alias("edit", {"file_path": "path"})

    for name in ("path", "file_path"):
        assert "a" == checker(edit).check({name: "a"}, own).values["path"]
        assert [f"$.{name}: expected string, got integer 1"] == renamed({name: 1}, own)
    assert ["$.path: missing, and required (str)"] == renamed({}, own)


def test_an_alias_can_adapt_all_of_its_arguments_at_once():
    def adapt(given):
        return {"path": given["path"], "limit": given["stop"] - given["start"]}

    alias = Alias("Part", {"file_path": "path"}, adapt=adapt)

    checked = checker(edit).check({"file_path": "a", "start": 2, "stop": 5}, alias)
    assert {"path": "a", "limit": 3} == {name: checked.values[name] for name in ("path", "limit")}
    assert ["$: the arguments cannot be used: KeyError: 'stop'"] == renamed(
        {"file_path": "a", "start": 2}, alias
    )


NO_DATA = "a value of type PosixPath is no JSON data"


@pytest.mark.parametrize(
    ("alias", "problem"),
    [
        (Alias("Edit", values={"path": PosixPath}), f"$.path: {NO_DATA}"),
        (Alias("Edit", adapt=lambda _: {"path": PosixPath("a")}), f"$.path: {NO_DATA}"),
        (
            Alias("Edit", adapt=lambda _: None),
            "$: the arguments cannot be used: TypeError: they come to a NoneType",
        ),
    ],
    ids=["a value", "all of them", "nothing"],
)
def test_what_an_alias_makes_of_arguments_has_to_be_data(alias, problem):
    assert [problem] == renamed({"path": "a"}, alias)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({}, ["$.file_path: missing, and required (str)"]),
        ({"file_path": 1}, ["$.file_path: expected string, got integer 1"]),
        ({"file_path": "a", "path": "b"}, ["$.file_path: given under two names"]),
        (
            {"file_path": "a", "count": "x"},
            ['$.count: string "x" cannot be used: ValueError: invalid'],
        ),
        (
            {"file_pth": "a"},
            ["$.file_path: missing", '$.file_pth: no such argument; known: "file_path", "edits"'],
        ),
    ],
    ids=["missing", "type", "twice", "conversion", "near"],
)
def test_problems_name_what_the_model_sent(args, expected):
    found = renamed(args, EDIT_ALIAS)

    assert len(expected) == len(found)
    for wanted in expected:
        assert any(line.startswith(wanted) for line in found)
