"""Importing a package loads nothing that its user may not need."""

import subprocess
import sys

import pytest

HEAVY = {
    "anyio",
    "asyncio",
    "cattrs",
    "click",
    "docstring_parser",
    "jsonschema",
    "pydantic",
    "rich",
    "trio",
}
OF_KITS = {"psutil", "regex"}


def loaded_by(statement):
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=30
    )
    return set(run.stdout.split())


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import qitos_like", HEAVY | OF_KITS),
        ("import qitos_like.core", HEAVY | OF_KITS),
        ("import kits", HEAVY | OF_KITS),
    ],
    ids=["front door", "core", "kits"],
)
def test_an_import_loads_no_heavy_library(statement, unwanted):
    assert set() == loaded_by(statement) & unwanted


def test_the_front_door_is_lazy_above_core():
    assert set() == loaded_by("import qitos_like") & {
        "qitos_like.agent",
        "qitos_like.cli",
        "qitos_like.run",
    }


def test_a_heavy_library_that_is_used_is_seen():
    assert {"jsonschema"} == loaded_by("import jsonschema") & {"jsonschema"}
