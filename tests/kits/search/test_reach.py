"""What is searched: names and encodings of any kind, and nothing outside."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kits.errors import WorkspaceError
from kits.search.ripgrep import Ripgrep
from kits.search.toolset import SearchToolSet
from kits.workspace import Workspace
from qitos_like import ArtifactStore
from qitos_like.core.context import Services, ToolContext

NAMES = [
    "a:b.txt",
    "new\nline",
    "sp ace [1].txt",
    "-dash",
    "--pre=x",
    "é",
    os.fsdecode(b"\xff"),
    "{a}",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_an_odd_name_hides_nothing(name, search, tree):
    tree({name: "foo\n", "plain": "foo\n"})
    shown = os.fsencode(name).decode("utf-8", "backslashreplace").replace("\n", "\\x0a")

    assert sorted([shown, "plain"]) == sorted(search.grep("foo").structured["files"])
    assert sorted([shown, "plain"]) == sorted(search.glob("*").structured["files"])


TEXTS = {
    "latin-1": (b"caf\xe9 foo\n", "caf\\xe9 foo"),
    "UTF-16": ("é foo\n".encode("utf-16"), "é foo"),
    "UTF-16 big-endian": ("\ufeffé foo\n".encode("utf-16-be"), "é foo"),
    "UTF-8 with BOM": ("\ufefffoo é\n".encode(), "foo é"),
    "CRLF": (b"foo\r\nbar\r\n", "foo"),
    "control characters": (b"foo\x1b[31m\tx\x07\n", "foo\\x1b[31m\tx\\x07"),
    "NUL far behind": (b"foo\n" + b"x\n" * 5000 + b"\0", "foo"),
}


@pytest.mark.parametrize(("data", "shown"), TEXTS.values(), ids=TEXTS)
def test_text_of_any_encoding_is_shown(data, shown, search, tree):
    tree({"file": data})

    assert [shown] == [each["text"] for each in search.grep("foo").structured["matches"]]


def test_a_binary_file_never_reaches_the_result(search, tree):
    tree({"lib.so": b"\0" + b"foo" * 1_000_000, "a.txt": "foo\n"})

    found = search.grep("foo")

    assert ["a.txt"] == found.structured["files"]
    assert "1 binary with matches" in found.value
    assert len(found.value) < 200


def test_an_explicit_path_is_never_filtered(search, tree):
    tree(
        {
            ".gitignore": "*.log\nout/",
            "x.log": "foo",
            "out/a": "foo",
            ".hid/b": "foo",
            "c.bin": b"\0foo",
        }
    )

    assert ["x.log"] == search.grep("foo", "x.log", glob="*.py").structured["files"]
    assert ["out/a"] == search.grep("foo", "out").structured["files"]
    assert [".hid/b"] == search.grep("foo", ".hid").structured["files"]
    assert "c.bin\n1:\\x00foo" == search.grep("foo", "c.bin").value


def test_include_ignored_searches_all_but_git_itself(search, tree):
    tree({".gitignore": "*.log", "x.log": "foo", ".env": "foo", ".git/config": "foo"})

    assert [] == search.grep("foo").structured["files"]
    assert [".env", "x.log"] == search.grep("foo", include_ignored=True).structured["files"]
    everything = [".env", ".gitignore", "x.log"]
    assert everything == search.glob("*", include_ignored=True).structured["files"]
    assert [".env"] == search.grep("foo", glob="*v", include_ignored=True).structured["files"]


def test_the_folder_of_git_is_found_by_its_name(search, tree):
    tree({".git/config": "foo", ".git/hooks/x": "foo", "a": "foo"})

    assert [".git/config"] == search.glob(".git/*").structured["files"]
    assert [".git/hooks/x"] == search.grep("foo", glob="**/.git/*/x").structured["files"]
    assert [] == search.glob(".g*/**").structured["files"]


def test_a_glob_may_be_an_absolute_path(search, tree, tmp_path):
    tree(dict.fromkeys(["a.py", "src/b.py", "src/in/c.py"], "foo"))

    assert ["a.py"] == search.glob(f"{tmp_path}/*.py").structured["files"]
    assert ["src/b.py", "src/in/c.py"] == search.glob(f"{tmp_path}/src/**").structured["files"]
    assert ["src/b.py"] == search.grep("foo", "src", glob=f"{tmp_path}/src/*").structured["files"]
    assert [] == search.glob(f"{tmp_path}x/*.py").structured["files"]
    assert ["a.py"] == search.glob(f"!{tmp_path}/src").structured["files"]


def test_an_absolute_glob_may_name_the_workspace_by_a_link(search, tree, tmp_path):
    tree(dict.fromkeys(["real [1]/a.py", "real [1]/src/b.py"], "foo"))
    (tmp_path / "link").symlink_to("real [1]")
    linked = SearchToolSet(tmp_path / "link", use_ripgrep=search.use_ripgrep)

    for root in (tmp_path / "link", tmp_path / "real [1]"):
        assert ["src/b.py"] == linked.glob(f"{root}/src/*.py").structured["files"]
        assert ["src/b.py"] == linked.glob(f"{root}/src/*.py", "src").structured["files"]
        assert [] == linked.glob(f"{root}/*.py", "src").structured["files"]


def test_ignore_files_above_the_workspace_do_not_count(tmp_path, search):
    (tmp_path / "inner" / "deep").mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("*.txt\n")
    (tmp_path / "inner" / ".gitignore").write_text("*.log\n")
    for name in ("a.txt", "deep/b.txt", "deep/c.log"):
        (tmp_path / "inner" / name).write_text("foo\n")
    inner = SearchToolSet(tmp_path / "inner", use_ripgrep=search.use_ripgrep)

    assert ["a.txt", "deep/b.txt"] == inner.grep("foo").structured["files"]
    assert ["deep/b.txt"] == inner.grep("foo", "deep").structured["files"]


def test_results_never_leave_the_workspace(tmp_path, search):
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "secret").write_text("foo\n")
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "file").symlink_to(outside / "secret")
    (tmp_path / "in").write_text("foo\n")
    (tmp_path / "alias").symlink_to("in")

    assert ["in"] == search.grep("foo").structured["files"]
    assert ["in"] == search.glob("**").structured["files"]
    assert ["alias"] == search.grep("foo", "alias").structured["files"]
    for path in ("link", "file", "..", str(outside)):
        with pytest.raises(WorkspaceError) as caught:
            search.grep("foo", path)
        assert "denied" == caught.value.code


def test_a_readable_folder_is_searched_by_its_absolute_path(tmp_path, search):
    lib, home = tmp_path / "lib", tmp_path / "home"
    for folder in (lib / "inner", home):
        folder.mkdir(parents=True)
    (lib / "inner" / "a.py").write_text("foo\n")
    toolset = SearchToolSet(Workspace(home, readable=[lib]), use_ripgrep=search.use_ripgrep)

    assert [f"{lib}/inner/a.py"] == toolset.grep("foo", str(lib)).structured["files"]
    assert [f"{lib}/inner/a.py"] == toolset.glob("*.py", f"{lib}/inner").structured["files"]


def test_too_large_a_file_is_counted(search, tree, tmp_path):
    tree({"a.txt": "foo\n"})
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(257 << 20)

    found = search.grep("foo")

    assert ["a.txt"] == found.structured["files"]
    assert 1 == found.structured["skipped"]["too_large"]
    nothing = search.grep("bar")
    assert "no match in 1 file searched\n[not searched or shown: 1 too large]" == nothing.value


WITHOUT_FIGURES = """#!/bin/bash
args=()
for each; do
    [ "$each" = --stats ] || args+=("$each")
done
exec rg "${args[@]}"
"""


@pytest.mark.skipif(not shutil.which("rg"), reason="needs rg")
@pytest.mark.parametrize("mode", ["content", "files", "count"])
def test_a_ripgrep_that_tells_no_figures_is_not_relied_on(mode, tree, tmp_path):
    tree({"tree/a.txt": "foo\n", "tree/early": "foo\n", "tree/huge": "", "rg": WITHOUT_FIGURES})
    for name in ("early", "huge"):
        os.truncate(tmp_path / "tree" / name, 257 << 20)
    (tmp_path / "rg").chmod(0o755)
    search = SearchToolSet(tmp_path / "tree", use_ripgrep=Ripgrep(str(tmp_path / "rg"), 0))

    found = search.grep("foo", output_mode=mode).structured

    assert (["a.txt"], 2) == (found["files"], found["skipped"]["too_large"])


UNREADABLE = """
    import os, sys
    from kits.search.ripgrep import Ripgrep
    from kits.search.toolset import SearchToolSet

    os.setgid(65534); os.setuid(65534)
    for use_ripgrep in (Ripgrep("rg", quick_files=0), False):
        print(SearchToolSet(sys.argv[1], use_ripgrep=use_ripgrep).grep("foo").value)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to drop it")
@pytest.mark.skipif(not shutil.which("rg"), reason="needs rg")
@pytest.mark.parametrize("closed", [("b.txt",), ("c",), ("b.txt", "c")], ids="+".join)
def test_what_may_not_be_read_is_counted(closed):
    with TemporaryDirectory() as folder:  # pytest's own is closed to others
        root = Path(folder)
        root.chmod(0o755)
        (root / "c").mkdir()
        for name in ("a.txt", "b.txt", "c/d.txt"):
            (root / name).write_text("foo\n")
        for name in closed:
            (root / name).chmod(0)
        code = textwrap.dedent(UNREADABLE)
        output = subprocess.check_output([sys.executable, "-c", code, folder], text=True)

    left = [name for name in ("a.txt", "b.txt", "c/d.txt") if not name.startswith(closed)]
    shown = "\n\n".join(f"{name}\n1:foo" for name in left)
    once = f"{shown}\n[not searched or shown: {len(closed)} unreadable]\n"
    assert once * 2 == output


def test_an_artifact_is_searched_by_its_name(search):
    store = ArtifactStore()
    name = store.save("one\ntwo\nthree\n")
    call = ToolContext(services=Services([store]))

    assert f"{name}\n2:two\n3:three" == search.grep("^t", name, call=call).value
    with pytest.raises(WorkspaceError, match="artifact:9"):
        search.grep("t", "artifact:9", call=call)
    with pytest.raises(WorkspaceError, match="no artifacts are kept"):
        search.grep("t", name)
    store.close()


def test_matches_are_found_all_over_a_large_file(search, tree):
    lines = [f"line {number} of a large file" for number in range(60_000)]
    for number in (0, 9_000, 30_000, 59_999):
        lines[number] += " foo"
    tree({"large": "\n".join(lines), "other": "foo\n"})

    found = search.grep("foo$", context=1)
    assert [1, 9_001, 30_001, 60_000, 1] == [each["line"] for each in found.structured["matches"]]
    assert "59999-line 59998 of a large file\n60000:line 59999 of a large file foo" in found.value
    assert {"large": 4, "other": 1} == search.grep("foo", output_mode="count").structured["counts"]
    spanning = search.grep("foo\nline 9001 ", "large", multiline=True)
    assert [9_001, 9_002] == [each["line"] for each in spanning.structured["matches"]]


@pytest.mark.parametrize("name", ["new\nline", os.fsdecode(b"\xff")], ids=ascii)
def test_an_odd_name_can_be_ignored(name, search, tree):
    tree({".gitignore": "*\n!a\n", name: "foo", "a": "foo"})

    found = search.grep("foo").structured
    assert (["a"], 1) == (found["files"], found["skipped"]["ignored"])


def test_more_than_is_gathered_is_found_in_order(search, tree):
    tree({f"{number:04}": "foo\n" * 3 for number in range(1500)})

    found = search.grep("foo", offset=2990, head_limit=20)

    assert [f"{number:04}" for number in range(996, 1004)] == found.structured["files"]
    assert 3010 == found.structured["next_offset"]


def test_many_chosen_files_are_searched_in_batches(search, tree):
    folder = "a-folder-with-a-rather-long-name-so-that-command-lines-fill-up"
    tree({f"{folder}/{number:05}.py": "foo\n" for number in range(2500)})

    found = search.grep("foo", glob="*.py", output_mode="files", head_limit=2500)

    assert 2500 == len(found.structured["files"])
    assert sorted(found.structured["files"]) == found.structured["files"]


PROGRAMS = {
    "fails": "#!/bin/sh\nexit 127\n",
    "is killed": "#!/bin/sh\nkill -9 $$\n",
    "knows no such option": "#!/bin/sh\necho what is --null >&2\nexit 2\n",
    "is no program": "what is this",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_ripgrep_that_is_of_no_use_is_done_without(program, tree, tmp_path):
    tree({"tree/a.txt": "foo\n", "rg": program})
    (tmp_path / "rg").chmod(0o755)
    search = SearchToolSet(tmp_path / "tree", use_ripgrep=Ripgrep(str(tmp_path / "rg"), 0))

    assert "a.txt\n1:foo" == search.grep("foo").value
    assert "no match in 1 file searched" == search.grep("bar").value
