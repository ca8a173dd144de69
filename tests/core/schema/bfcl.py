"""The function documents of the Berkeley Function-Calling Leaderboard, from its wheel."""

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

import pytest
from attrs import frozen

WHEEL = "bfcl-eval==2026.3.23"
#: An environment that uv made has no pip of its own.
_PIPS = ([sys.executable, "-m", "pip"], ["uv", "tool", "run", "pip"])
_QUESTIONS = "bfcl_eval/data/BFCL_v4_"
_ANSWERS = "bfcl_eval/data/possible_answer/BFCL_v4_"
_NO_FUNCTIONS = ("format_sensitivity", "multi_turn", "memory", "web_search")

#: Its words for types, of Python, Java and JavaScript, as JSON Schema has them.
_TYPES = {
    "dict": "object",
    "HashMap": "object",
    "float": "number",
    "double": "number",
    "long": "integer",
    "Boolean": "boolean",
    "String": "string",
    "char": "string",
    "tuple": "array",
    "Array": "array",
    "ArrayList": "array",
    "any": None,
    "": None,
}

_CONTRADICTING = """
live_multiple_87-38-4 live_multiple_146-58-0 live_multiple_148-58-2 live_multiple_150-58-4
live_multiple_151-58-5 live_multiple_152-58-6 live_multiple_155-58-9 live_multiple_190-84-0
live_multiple_301-131-0 live_multiple_302-131-1 live_multiple_303-131-2
live_multiple_304-131-3 live_multiple_306-131-5 live_multiple_307-131-6
live_multiple_308-131-7 live_multiple_338-133-2 live_multiple_342-133-6
live_multiple_343-133-7 live_multiple_344-133-8 live_multiple_345-133-9
live_multiple_350-133-14 live_multiple_351-133-15 live_multiple_352-133-16
live_multiple_354-133-18 live_multiple_414-141-3 live_multiple_416-141-5
live_multiple_417-141-6 live_multiple_421-141-10 live_multiple_424-141-13
live_multiple_427-141-16 live_multiple_431-141-20 live_multiple_433-141-22
live_multiple_507-149-4 live_multiple_552-153-1 live_multiple_553-153-2
live_multiple_595-158-1 live_multiple_596-158-2 live_multiple_731-167-2
live_multiple_732-167-3 live_multiple_733-167-4 live_multiple_734-167-5
live_multiple_735-167-6 live_multiple_736-167-7 live_multiple_737-167-8
live_multiple_750-169-5 live_multiple_755-169-10 live_multiple_756-169-11
live_multiple_835-178-10 live_multiple_848-179-2 live_multiple_851-179-5
live_multiple_862-181-3 live_multiple_870-182-7 live_multiple_871-182-8
live_multiple_947-197-0 live_multiple_956-203-0 live_multiple_964-207-0
live_parallel_15-11-0 live_parallel_multiple_2-2-0 live_parallel_multiple_21-18-0
live_simple_71-35-0 live_simple_106-63-0 live_simple_112-68-0 live_simple_141-94-0
live_simple_142-94-1 live_simple_143-95-0 live_simple_144-95-1 live_simple_145-95-2
live_simple_146-95-3 live_simple_147-95-4 live_simple_148-95-5 live_simple_149-95-6
live_simple_150-95-7 live_simple_151-95-8 live_simple_152-95-9 live_simple_153-95-10
live_simple_154-95-11 live_simple_155-95-12 live_simple_156-95-13 live_simple_157-95-14
live_simple_158-95-15 live_simple_159-95-16 live_simple_160-95-17 multiple_76
parallel_multiple_12 parallel_multiple_21 parallel_multiple_26 parallel_multiple_94
parallel_multiple_143 parallel_multiple_173 parallel_multiple_194 simple_java_26
simple_java_35 simple_java_38 simple_java_45 simple_java_58 simple_java_69 simple_java_72
simple_java_82 simple_java_87 simple_java_88 simple_javascript_5 simple_javascript_9
simple_javascript_11 simple_javascript_15 simple_javascript_19 simple_javascript_32
simple_javascript_37 simple_javascript_39 simple_python_149 simple_python_307
simple_python_358
"""
#: Questions with an answer that its own document does not admit: a text in place of an integer or
#: an enum's member, an unquoted variable, a parameter that is not documented or always required.
CONTRADICTIONS = frozenset(_CONTRADICTING.split())


def wheel(folder: Path) -> Path:
    """The wheel, downloaded once; the test is skipped if it cannot be had."""
    known = sorted(folder.glob("bfcl_eval-*.whl"))
    if known:
        return known[0]
    reason = "there is neither pip nor uv"
    for pip in _PIPS:
        if shutil.which(pip[0]):
            command = [*pip, "download", "--no-deps", "--dest", str(folder), WHEEL]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if not done.returncode:
                return min(folder.glob("bfcl_eval-*.whl"))
            reason = done.stderr.strip()[-200:]
    return pytest.skip(f"{WHEEL} cannot be downloaded: {reason}")


@frozen
class Question:
    """One question: the functions it may use, and the calls that would be right."""

    id: str
    functions: tuple[dict, ...]
    calls: tuple[tuple[str, dict], ...]


def questions(path: Path) -> Iterator[Question]:
    """All questions that come with function documents."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            part = name.removeprefix(_QUESTIONS)
            if part == name or part.startswith(_NO_FUNCTIONS):
                continue
            answers = _ANSWERS + part
            known = _rows(archive, answers) if answers in archive.namelist() else []
            truths = {row["id"]: row["ground_truth"] for row in known}
            for row in _rows(archive, name):
                calls = (call for truth in truths.get(row["id"], ()) for call in truth.items())
                yield Question(row["id"], tuple(row["function"]), tuple(calls))


def _rows(archive: zipfile.ZipFile, name: str) -> list[dict]:
    return [json.loads(line) for line in archive.read(name).decode().splitlines() if line.strip()]


def json_schema(document: dict) -> dict:
    """A parameter document with its type words mapped; a default of null means that null fits."""
    schema = {}
    for keyword, value in document.items():
        if keyword == "type":
            kind = _TYPES.get(value, value)
            schema |= {"type": kind} if kind else {}
        elif keyword == "properties":
            schema[keyword] = {name: json_schema(inner) for name, inner in value.items()}
        elif keyword in {"items", "additionalProperties"} and isinstance(value, dict):
            schema[keyword] = json_schema(value)
        else:
            schema[keyword] = value
    return schema


def argument_sets(call: dict) -> Iterator[dict]:
    """Each listed value of each parameter once, beside the first ones of the others.

    An empty text and null stand for a parameter that is left out.
    """
    choices = {name: list(_plain(listed)) for name, listed in call.items()}
    choices = {name: values for name, values in choices.items() if values}
    first = {name: values[0] for name, values in choices.items()}
    for name, values in choices.items():
        for value in values:
            yield {**first, name: value}


def _plain(listed: object) -> Iterator[object]:
    """The values that a list of possible values holds; objects in it hold lists again."""
    for value in listed if isinstance(listed, list) else [listed]:
        if isinstance(value, dict):
            inner = {name: list(_plain(part)) for name, part in value.items()}
            inner = {name: values for name, values in inner.items() if values}
            for combined in islice(product(*inner.values()), 4):
                yield dict(zip(inner, combined, strict=True))
        elif isinstance(value, list):
            yield [next(_plain(part), None) if isinstance(part, dict) else part for part in value]
        elif value is not None and value != "":
            yield value
