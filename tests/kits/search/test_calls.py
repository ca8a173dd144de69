"""A call of a search tool: its limits, its cancellation, its place in a registry."""

import threading
from pathlib import Path
from time import monotonic

import pytest
from attrs import frozen

from kits.caps import Caps
from kits.errors import WorkspaceError
from kits.search.toolset import SearchToolSet
from qitos_like.core.context import ToolContext
from qitos_like.core.permission import ToolPermission
from qitos_like.core.registry import ToolRegistry


def test_a_catastrophic_pattern_is_bounded_in_time(tmp_path):
    (tmp_path / "a").write_text("a" * 40 + "!\n")
    search = SearchToolSet(tmp_path, use_ripgrep=False)

    result = search.grep("(a|a)*$", call=ToolContext(deadline=monotonic() + 0.5))

    assert ("timeout", False) == (result.code, result.retryable)


@frozen(kw_only=True)
class Cancelled(ToolContext):
    def raise_if_cancelled(self):
        raise InterruptedError


def test_a_search_can_be_cancelled(search, tree):
    tree({"a": "foo"})

    for tool in (search.grep, search.glob):
        with pytest.raises(InterruptedError):
            tool("x", call=Cancelled())


REFUSED = {
    "no lines": ({"head_limit": 0}, "head_limit 0"),
    "negative offset": ({"offset": -1}, "offset -1"),
    "negative context": ({"context": -1}, "context -1"),
    "too much context": ({"context": 201}, "context 201"),
    "unknown type": ({"type": "pyton"}, "did you mean 'python'"),
    "glob that leads out": ({"glob": "../*"}, "leads out"),
    "missing path": ({"path": "nope"}, "does not exist"),
}


@pytest.mark.parametrize(("arguments", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_argument_is_refused_with_its_reason(arguments, reason, search, tree):
    tree({"a": "foo"})

    with pytest.raises(WorkspaceError, match=reason) as caught:
        search.grep("foo", **arguments)

    assert "input_invalid" == caught.value.code


def test_glob_of_a_file_is_refused(search, tree):
    tree({"a": "foo"})

    with pytest.raises(WorkspaceError, match="'a' is a file"):
        search.glob("*", "a")


def test_wildcards_in_a_path_are_referred_to_a_glob(search, tree):
    tree({"src/a.py": "foo"})

    for path in ("src/*.py", "{src,lib}"):
        with pytest.raises(WorkspaceError, match="does not exist") as caught:
            search.grep("foo", path)
        assert "wildcards belong into a glob" in caught.value.hint


def test_an_empty_path_is_the_workspace(search, tree, tmp_path):
    tree({"a/b": "foo"})

    assert ["a/b"] == search.grep("foo", "").structured["files"]
    assert ["a/b"] == search.glob(f"{tmp_path}/a/*", "").structured["files"]


def test_a_workspace_that_is_gone_is_not_taken_for_an_empty_one(tmp_path):
    (tmp_path / "gone").mkdir()
    search = SearchToolSet(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    (tmp_path / "gone").mkdir()
    (tmp_path / "gone" / "a").write_text("foo")

    for tool in (search.grep, search.glob):
        with pytest.raises(WorkspaceError, match="folder is gone"):
            tool("foo")


def test_many_searches_run_at_once(search, tree):
    tree({f"{number}.py": f"foo {number}\n" for number in range(30)})
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(search.grep("foo").value)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 8 == len(found)
    assert 1 == len(set(found))


def test_searches_leave_no_handle_open(search, tree):
    tree({f"{number}/a.py": "foo\n" * 100 for number in range(30)})
    search.grep("foo")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        search.grep("foo", head_limit=2)
        search.glob("*.py")

    assert before == len(list(Path("/proc/self/fd").iterdir()))


def test_without_ripgrep_the_answer_is_the_same(tmp_path, tree, monkeypatch):
    tree({"a.py": "foo\n"})
    monkeypatch.setenv("PATH", "")

    assert "a.py\n1:foo" == SearchToolSet(tmp_path).grep("foo").value


def test_the_tools_only_read_and_run_together(tmp_path):
    registry = ToolRegistry()
    registry.register_toolset(SearchToolSet(tmp_path, caps=Caps(grep_lines=7)))

    for name in ("search.glob", "search.grep"):
        spec = registry[name].spec
        assert ToolPermission(filesystem_read=True) == spec.permissions
        assert spec.parallel_safe
    properties = registry["search.grep"].spec.input_schema["properties"]
    assert 7 == properties["head_limit"]["default"]
    assert "extend_ignore" not in properties
