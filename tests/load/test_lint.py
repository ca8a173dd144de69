import subprocess
import urllib.request
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from kits import AnthropicToolSet, ArtifactToolSet, CodingToolSet, FileToolSet, SearchToolSet
from qitos_like.core.marks import CommandArg, PathArg
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import BaseTool, ToolMeta, ToolPermission, ToolSet, tool
from qitos_like.errors import DescriptionWarning
from qitos_like.load.lint import findings


def good(a: Annotated[int, "the first number"], b: Annotated[int | None, "the second"] = None):
    """Add."""


def untold(a: int):
    """Add."""


def ghost(a: Annotated[int, "a number"]):
    """Add.

    Args:
        a: a number.
        c: was here once.
    """


def other_type(a, b: int, c: str, d: int, e: list[str]):
    """Add.

    Args:
        a (int): a number.
        b (str): a number.
        c (str, optional): a text.
        d (the number of things): a number.
        e (list[str]): texts.
    """


def vague(a: Annotated[Any, "anything"], b: Annotated[dict, "options"]):
    """Guess."""


def told(text: str, number: int, n: int) -> str:
    """Repeat text, numbers included, n times.

    Args:
        number: how often.
    """


def clear(
    loud: bool,
    mode: Literal["r", "w"] | None,
    kind: Literal["r", 1],
    where: Annotated[str, PathArg],
    what: Annotated[str, CommandArg, "run"],
) -> str:
    """Do."""


def rules(item, **meta):
    registry = ToolRegistry().register(item, **meta)
    return [(finding.rule, finding.parameter) for finding in findings(registry)]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (good, []),
        (untold, [("no-text", "a")]),
        (told, [("no-text", "n")]),
        (clear, [("no-text", "kind")]),
        (ghost, [("no-parameter", "c")]),
        (other_type, [("other-type", "a"), ("other-type", "b"), ("free-form", "a")]),
        (vague, [("free-form", "a"), ("free-form", "b")]),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_each_rule_finds_its_kind_and_no_other(item, expected):
    assert expected == rules(item)


def test_a_toolset_may_say_what_its_parameters_are():
    class Notes(ToolSet):
        def instructions(self):
            return "Topics are words."

        @tool
        def find_note(self, topic: str, note: str, depth: int) -> str:
            """Find."""

    found = findings(ToolRegistry().register_toolset(Notes()))

    assert ["depth"] == [finding.parameter for finding in found]


@pytest.mark.parametrize(
    "kit",
    [
        CodingToolSet.full,
        partial(CodingToolSet.full, expose_modern_names=True),
        AnthropicToolSet,
        ArtifactToolSet,
        FileToolSet,
        SearchToolSet,
    ],
    ids=["coding", "modern", "anthropic", "artifacts", "files", "search"],
)
def test_nothing_is_found_in_the_kits(kit):
    assert [] == findings(ToolRegistry().register_toolset(kit()))


def test_a_tool_without_a_description_is_found():
    class Silent(BaseTool):
        def run(self) -> None: ...

    with pytest.warns(DescriptionWarning, match="Silent has no description"):
        assert [("no-description", None)] == rules(Silent())


def test_a_name_that_a_provider_sees_hashed_is_found():
    assert [("long-name", None)] == rules(good, name="a__b")


def test_a_finding_says_where_and_what_to_do():
    registry = ToolRegistry().register(other_type, meta=ToolMeta(name="sum"))
    lines = [str(finding) for finding in findings(registry)]

    assert (
        "sum(b): the docstring's type 'str' differs from the annotation, int [other-type]" in lines
    )


def reads(path: Annotated[str, "a file"]) -> str:
    """Read."""
    return Path(path).read_text()


def fetches(url: Annotated[str, "a page"]) -> str:
    """Fetch."""

    def work():
        return urllib.request.urlopen(url)

    return work()


def starts(program: Annotated[str, "its name"]) -> str:
    """Start."""
    return subprocess.run([program], check=True)


class Reader:
    def __call__(self, path: Annotated[str, "a file"]) -> str:
        """Read."""
        with Path(path).open() as file:
            return file.read()


NEEDS = [
    (reads, ToolPermission(), ["filesystem_read=True or filesystem_write=True"]),
    (reads, ToolPermission(filesystem_read=True), []),
    (reads, ToolPermission(filesystem_write=True), []),
    (fetches, ToolPermission(), ["network=True"]),
    (fetches, ToolPermission(network=True), []),
    (starts, ToolPermission(filesystem_read=True), ["command=True"]),
    (partial(starts), ToolPermission(), ["command=True"]),
    (Reader(), ToolPermission(), ["filesystem_read=True or filesystem_write=True"]),
    (good, ToolPermission(), []),
]


@pytest.mark.parametrize(
    ("item", "permissions", "wanted"), NEEDS, ids=[str(number) for number in range(len(NEEDS))]
)
def test_permissions_that_the_code_needs_are_declared(item, permissions, wanted):
    meta = ToolMeta(name="work", permissions=permissions)
    found = findings(ToolRegistry().register(item, meta=meta))

    assert [f"declare permissions=ToolPermission({each})" for each in wanted] == [
        finding.message.partition(": ")[2] for finding in found
    ]


def test_a_schema_that_no_provider_can_enforce_is_found():
    def count(words: Annotated[dict[str, int], "how often each"]) -> int:
        """Count."""

    (finding,) = findings(ToolRegistry().register(count))

    assert ("not-strict", "words") == (finding.rule, finding.parameter)
    assert "takes keys that it does not name" in finding.message
