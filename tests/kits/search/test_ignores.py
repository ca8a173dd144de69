"""What ignore files say, which is what git reads in them."""

import os
import random
import shutil
import subprocess
from time import monotonic

import pytest

from kits.search.query import Names, Patience
from kits.search.searcher import Searcher
from kits.search.toolset import SearchToolSet
from kits.workspace import Workspace

NEEDS_GIT = pytest.mark.skipif(not shutil.which("git"), reason="needs git")
#: Of each: the ignore file, what it ignores, and what it leaves.
RULES = {
    "a name at any depth": ("x.py", ["x.py", "a/x.py"], ["xx.py"]),
    "a folder": ("out/", ["out/x", "a/out/y"], ["b/out"]),
    "anchored": ("/x.py", ["x.py"], ["a/x.py"]),
    "a slash in the middle anchors": ("a/x.py", ["a/x.py"], ["b/a/x.py"]),
    "any folders first": ("**/x", ["x", "a/b/x"], ["xx"]),
    "any folders last": ("a/**", ["a/x", "a/b/x"], ["b/a/x"]),
    "any folders between": ("a/**/b", ["a/b", "a/x/y/b"], ["x/a/b"]),
    "two stars in a name are one": ("/a**b", ["axb"], ["a/b"]),
    "a star stays in a name": ("/a/*b", ["a/xb"], ["a/x/b"]),
    "? is a byte": ("?", ["a"], ["é", "ab"]),
    "a class": ("[a-c]", ["a", "b"], ["d", "-"]),
    "a negated class": ("[!a]", ["b"], ["a"]),
    "a class negated otherwise": ("[^a]", ["b"], ["a"]),
    "a bracket in a class": ("[]x]", ["]", "x"], ["a"]),
    "a range backwards holds its begin": ("[c-a]", ["c"], ["b", "a"]),
    "a named class": ("[[:digit:]]", ["1"], ["a"]),
    "no such named class": ("[[:nope:]]", [], ["n"]),
    "an escape in a class": ("[\\]]", ["]"], ["\\"]),
    "an open bracket": ("[a", [], ["a", "[a"]),
    "a class is no slash": ("a[!b]c", ["axc"], ["a/c"]),
    "a slash in a class": ("a[b/c]d", ["abd", "acd"], ["a/d"]),
    "an escaped slash": ("a\\/b", ["a/b"], ["x/a/b"]),
    "a comment": ("#x", [], ["#x"]),
    "no comment": ("\\#x", ["#x"], ["x"]),
    "no negation": ("\\!x", ["!x"], ["x"]),
    "spaces at the end": ("x  ", ["x"], []),
    "an escaped space": ("x\\ ", ["x "], ["x"]),
    "a tab at the end": ("x\t", ["x\t"], ["x"]),
    "a space in front": (" x", [" x"], ["x"]),
    "a backslash at the end": ("x\\", [], ["x", "x\\"]),
    "CRLF": ("x\r\ny\r\n", ["x", "y"], ["z"]),
    "a byte order mark": ("\ufeffx\n", ["x"], ["y"]),
    "taken back": ("*\n!x\n", ["y"], ["x"]),
    "the last one rules": ("!x\nx\n", ["x"], []),
    "nothing is taken back below an ignored folder": ("a/\n!a/x\n", ["a/x"], ["x"]),
    "something is, where its folder is not": ("a/*\n!a/x\n", ["a/y"], ["a/x"]),
    "braces are characters": ("*.{a,b}", ["x.{a,b}"], ["x.a"]),
    "case counts": ("X", ["X"], ["x"]),
    "a line break is not the end of a name": ("*.log", ["x.log"], ["x.log\n"]),
    "everything": ("*", ["x", "a/y"], []),
    "a slash alone": ("/", [], ["x"]),
    "many stars": ("*a*a*a*a*a*a*a*a*a*b", [], ["a" * 200]),
}


@pytest.mark.parametrize(("rules", "ignored", "left"), RULES.values(), ids=RULES)
def test_an_ignore_file_says(rules, ignored, left, tmp_path, tree):
    for number, path in enumerate([*ignored, *left]):
        tree({f"{number}/.git/HEAD": "", f"{number}/.gitignore": rules, f"{number}/{path}": ""})
    searcher = Searcher(Workspace(tmp_path), None)

    found = [
        bool(searcher.files(searcher.place(str(number)), Names(), _patience()).paths)
        for number in range(len(ignored) + len(left))
    ]

    assert [False] * len(ignored) + [True] * len(left) == found


def _patience():
    return Patience(monotonic() + 20, lambda: None)


def test_a_later_kind_of_ignore_file_counts_more(search, tree):
    tree({".gitignore": "*.log", ".ignore": "!a.log", ".rgignore": "b.py"})
    tree(dict.fromkeys(["a.log", "b.log", "b.py", "deep/a.log"], ""))

    assert ["a.log", "deep/a.log"] == search.glob("**").structured["files"]


def test_an_ignore_file_that_is_none_is_passed_over(search, tree, tmp_path):
    root = tree({"secret": "*.py", "a.py": "foo", "in/b.py": "foo", "link/c.py": "foo"})
    (root / ".gitignore").mkdir()
    (root / "link" / ".ignore").symlink_to(tmp_path / "secret")
    os.mkfifo(root / "in" / ".gitignore")

    assert ["a.py", "in/b.py", "link/c.py"] == search.grep("foo").structured["files"]


def test_an_ignore_file_of_any_bytes_is_read(search, tree):
    tree({".gitignore": b"\xff\n\0\ncaf\xe9\n*.log\n", "a.log": "foo", "b": "foo"})
    tree({os.fsdecode(b"caf\xe9"): "foo", os.fsdecode(b"\xff"): "foo"})

    found = search.grep("foo").structured
    assert (["b"], 3) == (found["files"], found["skipped"]["ignored"])


NAMES = [
    *["a", "b", "ab", "foo", "x.py", "y.log", "A", "é", "a b", "#c", "!d", "[x]", "a*b", "foo "],
    *["foo\t", "a\\b", "c\nd", "x.py\n", "-", "^", "]", "a]b", "{a}", "1", "~", "foo.", " lead"],
    os.fsdecode(b"\xff\xfe"),
]
FRAGMENTS = [
    *[
        "a",
        "b",
        "foo",
        "x",
        "*",
        "*",
        "**",
        "**",
        "?",
        "/",
        "/",
        "/",
        "[ab]",
        "[!a]",
        "[^a]",
        "[]x]",
        "[!]x]",
        "[a-c]",
        "[c-a]",
        "[a-]",
        "[\\]]",
        "[\\a]",
        "\\a",
    ],
    *[
        "[[:alpha:]]",
        "[^[:digit:]]",
        "[[:nope:]]",
        "[[:space:]",
        "[a/b]",
        "[,-.]",
        "[--0]",
        "[[a]",
        "[a[b]]",
        "\\*",
        "\\[",
    ],
    *[
        "\\!",
        "\\#",
        "!",
        "#",
        "é",
        ".",
        "-",
        "]",
        "[",
        "{",
        "}",
        "{a,b}",
        "^",
        "\\",
        "\\\\",
        "1",
        "~",
    ],
    *[" ", "\t", "\\ "],
]
ENDS = ["\n", "\n", "\n", "\r\n", " \n", "\n\n", "  \r\n"]


def grow(root, choose):
    folders = [root]
    for _ in range(choose.randint(1, 7)):
        folders.append(choose.choice(folders) / choose.choice(NAMES))
        folders[-1].mkdir(exist_ok=True)
    for _ in range(choose.randint(3, 25)):
        file = choose.choice(folders) / choose.choice(NAMES)
        if not file.exists():
            file.write_text("")
    for folder in choose.sample(folders, min(len(folders), choose.randint(1, 3))):
        lines = (line(choose) for _ in range(choose.randint(1, 3)))
        text = "".join([choose.choice(["", "", "", "\ufeff"]), *lines])
        (folder / ".gitignore").write_text(text, newline="")


def line(choose):
    start, end = choose.choice(["", "", "", "!"]), choose.choice(["", "", "", "/"])
    fragments = [choose.choice(FRAGMENTS) for _ in range(choose.randint(1, 5))]
    return "".join([start, *fragments, end, choose.choice(ENDS)])


def compare(folder, numbers):
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    for number in numbers:
        root = folder / str(number)
        root.mkdir()
        grow(root, random.Random(number))
        subprocess.run(["git", "init", "-q", "."], cwd=root, env=env, check=True)
        command = ["git", "ls-files", "-co", "--exclude-standard", "-z", ":!.gitignore"]
        listed = subprocess.check_output(command, cwd=root, env=env)
        theirs = {os.fsdecode(path) for path in listed.split(b"\0")[:-1]}
        ours = Searcher(Workspace(root), None)
        found = ours.files(ours.place("."), Names(), _patience()).paths

        assert {path for path in theirs if "/." not in path} == set(found), f"tree {number}"


@NEEDS_GIT
@pytest.mark.parametrize("number", range(0, 60, 15))
def test_odd_patterns_ignore_what_git_ignores(number, tmp_path):
    compare(tmp_path, range(number, number + 15))


@NEEDS_GIT
@pytest.mark.stress
def test_many_odd_patterns_ignore_what_git_ignores(tmp_path):
    compare(tmp_path, range(1000, 4000))


def test_no_pattern_of_an_ignore_file_takes_long(tmp_path, tree):
    tree({".gitignore": f"{'*a' * 30}b\n{'**/a/' * 10}b\n{'[!x]*' * 20}y/z\n"})
    tree({f"{'a/' * 40}{'a' * 200}": "foo"})

    found = SearchToolSet(tmp_path, use_ripgrep=False).grep("foo")

    assert 1 == len(found.structured["files"])
