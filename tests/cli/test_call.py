"""``call`` runs one tool, and its exit code says what came of it."""

import io
import json
import sys

import pytest

from qitos_like.cli.arguments import parse


def test_it_prints_numbered_lines_of_a_file(cli):
    ran = cli("call", "coding.view", "path=README.md")

    assert (0, "") == (ran.code, ran.err)
    assert ran.out.startswith("     1\t# Title\n")


def test_a_missing_file_is_a_tools_error_that_names_near_ones(cli):
    ran = cli("call", "coding.str_replace", "path=READM.md", "old_str=a", "new_str=b")

    assert (1, "") == (ran.code, ran.out)
    assert "READM.md" in ran.err
    assert "README.md" in ran.err


def test_an_unknown_tool_is_a_usage_error_that_names_near_ones(cli):
    ran = cli("call", "coding.vew", "path=README.md")

    assert (2, "") == (ran.code, ran.out)
    assert "coding.view" in ran.err


def test_a_last_segment_is_enough(cli):
    assert "# Title" in cli("call", "view", "path=README.md").out


def test_tools_come_from_a_source(cli):
    ran = cli("call", "greet", "name=you", "times=2", "loud=true", "--from", "mine.py")

    assert (0, "HELLO YOU HELLO YOU\n") == (ran.code, ran.out)


def test_what_a_module_prints_is_no_data(cli):
    ran = cli("call", "greet", "name=you", "--from", "mine")

    assert ("hello you\n", "loaded\n") == (ran.out, ran.err)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["fail"], 1, "no luck"),
        (["greet", "name=x", "times=many"], 1, "$.times"),
        (["greet"], 1, "name"),
        (["hidden"], 1, "KEY is not set"),
        (["refuse"], 3, "ask first"),
        (["nope"], 2, "there is no tool 'nope'"),
        (["greet", "you"], 2, "'you' is not key=value"),
        (["greet", "=you"], 2, "'=you' is not key=value"),
        (["greet", "name=a", "name=b"], 2, "name is given twice"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_the_exit_code_says_whose_error_it_is(cli, arguments, code, said):
    ran = cli("call", *arguments, "--from", "mine")

    assert (code, "") == (ran.code, ran.out)
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_json_holds_the_result(cli):
    data = cli("call", "echo", "text=x", "--from", "mine", "--json").data

    assert (True, None, {"text": "x", "number": 0, "mode": 1}) == (
        data["ok"],
        data["code"],
        data["structured"],
    )


def test_json_holds_an_error_too(cli):
    ran = cli("call", "fail", "--from", "mine", "--json")

    assert (1, False, "execution_failed") == (ran.code, ran.data["ok"], ran.data["code"])


def test_arguments_come_from_a_file(cli, folder):
    (folder / "args.json").write_text('{"name": "you", "times": 2}')

    ran = cli("call", "greet", "--args", "args.json", "--from", "mine")

    assert "hello you hello you\n" == ran.out


def test_arguments_come_from_stdin(cli, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO('{"name": "é"}'.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)

    assert "hello é\n" == cli("call", "greet", "--args", "-", "--from", "mine").out


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [(b"{", 1, "greet"), (b"\xff", 2, "not UTF-8"), (b"[1]", 1, "expected an object")],
)
def test_a_file_that_holds_no_arguments_is_said(cli, folder, content, code, said):
    (folder / "args.json").write_bytes(content)

    ran = cli("call", "greet", "--args", "args.json", "--from", "mine")

    assert (code, True) == (ran.code, said in ran.err)


def test_pairs_and_a_file_are_one_too_many(cli, folder):
    (folder / "args.json").write_text("{}")

    assert 2 == cli("call", "greet", "name=x", "--args", "args.json", "--from", "mine").code


def test_a_missing_file_of_arguments_is_said(cli):
    ran = cli("call", "greet", "--args", "nope.json", "--from", "mine")

    assert (2, True) == (ran.code, "nope.json" in ran.err)


SCHEMA = json.loads("""{
  "properties": {
    "text": {"type": "string"},
    "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "either": {"type": ["string", "integer"]},
    "word": {"enum": ["a", 1]},
    "digit": {"enum": [1, 2]},
    "count": {"type": "integer"},
    "list": {"type": "array"},
    "point": {"$ref": "#/$defs/Point"},
    "name": {"$ref": "#/$defs/Name"},
    "any": {},
    "fixed": true
  },
  "additionalProperties": {"type": "number"},
  "$defs": {"Point": {"type": "object"}, "Name": {"oneOf": [{"type": "string"}]}}
}""")


@pytest.mark.parametrize(
    ("pair", "value"),
    [
        ("text=1", "1"),
        ("text=true", "true"),
        ("text=a=b", "a=b"),
        ("text=", ""),
        ("maybe=null", "null"),
        ("either=1", "1"),
        ("word=1", "1"),
        ("digit=1", 1),
        ("count=4", 4),
        ("count=four", "four"),
        ("list=[1, 2]", [1, 2]),
        ('point={"x": 1}', {"x": 1}),
        ("name=3", "3"),
        ("any=[1]", "[1]"),
        ("fixed=1", "1"),
        ("other=1.5", 1.5),
    ],
)
def test_a_value_is_read_by_the_schema(pair, value):
    assert {pair.partition("=")[0]: value} == parse([pair], SCHEMA)


def test_without_a_schema_every_value_is_text():
    assert {"a": "1"} == parse(["a=1"], {})
