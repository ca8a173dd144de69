"""Ripgrep walks by itself where it judges as we do; if it does not, it is not believed."""

import os
import random
import shutil
from time import monotonic, sleep

import pytest
from attrs import evolve

from kits.search import dialect
from kits.search.feed import Feed
from kits.search.ignores import Stack
from kits.search.query import Names, Patience, Tally, Task
from kits.search.ripgrep import Ripgrep
from kits.search.running import Program
from kits.search.sifting import Sifter
from kits.search.sweep import Sweep
from kits.search.toolset import SearchToolSet
from kits.search.walk import Base, Files

pytestmark = pytest.mark.skipif(not shutil.which("rg"), reason="needs rg")

#: It notes how it is begun, and does first what a test says.
PROGRAM = """#!/bin/bash
case " $* " in
*" --no-ignore "*) echo files >> '{folder}/begun' ;;
*) echo sweep >> '{folder}/begun'
{first}
;;
esac
exec rg "$@"
"""

FOLDERS = ["a", "b", "foo", "bar", ".hid", ".github", "build", "sp ace", "é", "A", "x.d"]
FILES = [
    *["a", "b", "foo", "bar", "x.py", "y.ts", "z.log", ".hid", "build", "sp ace", "[br]", "x~"],
    *["café", "-dash", "a.b.c", "UPPER", "x.py.log", "a\nb", "$x", "#c", ".env", "x$py.class"],
    *["A1", "b9.tmp", os.fsdecode(b"not \xff utf-8")],
]
NAMES = [
    *["a", "b", "foo", "bar", "*", "*", "x.py", "*.py", "*.log", "*.*", ".hid", ".*", "build"],
    *["[ab]", "[a-z]", "[0-9A-Z]*", "*~", "*$py.class", "x.*", "*.py[cod]", "*a*", "UPPER"],
    *["[Aa]", ".github", "b*9.tmp", "-dash", "*.t[sm]*", "foo*", ".env"],
]


@pytest.fixture
def program(tmp_path):
    """Makes a program that notes how it is begun, and tells how it was."""

    def make(first=":"):
        path = tmp_path / "program"
        path.write_text(PROGRAM.format(folder=tmp_path, first=first))
        path.chmod(0o755)
        return Ripgrep(str(path), quick_files=0)

    return make


@pytest.fixture
def begun(tmp_path):
    """Takes how it was begun up to now."""

    def take():
        log = tmp_path / "begun"
        lines = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    return take


@pytest.fixture
def root(tmp_path):
    """The folder that is searched."""
    root = tmp_path / "root"
    root.mkdir()
    return root


def both(root, ripgrep, *args, **more):
    """What is found, which is the same in either way."""
    ways = [SearchToolSet(root, use_ripgrep=way).grep(*args, **more) for way in (ripgrep, False)]
    told = [(found.value, found.structured) for found in ways]
    assert told[0] == told[1]
    return ways[0].structured


PLAIN = {
    "endings": "*.log\n",
    "folders": "build/\n/dist\n",
    "anchored": "/a/*.txt\n",
    "anywhere": "**/b\nc/**\n",
    "taken back": "*.txt\n!a.txt\n",
    "hidden ones taken back": "*\n!.hidden\n!a.txt\n",
    "comments": "# é \\ [ {\n\n*.log\n",
    "classes": "*.py[cod]\n[Bb]in/\n[a-z][0-9]\n*$py.class\n",
}
ODD = {
    "an escape": "\\!a\n",
    "a space at its end": "a.txt \n",
    "a space": "sp ace\n",
    "a negated class": "[!a]\n",
    "a class with a name": "[[:alpha:]]\n",
    "a range the other way": "[z-a]\n",
    "braces": "{a,b}\n",
    "a question mark": "?\n",
    "stars in a row": "a**b\n",
    "a carriage return": "a\r\n",
    "a mark of the encoding": "\ufeffa\n",
    "no ASCII": "é\n",
    "a dot": "./a\n",
    "nothing between slashes": "a//b\n",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_where_all_ignore_files_are_plain_it_walks_by_itself(text, root, tree, program, begun):
    tree({"root/.gitignore": text, "root/a.txt": "foo", "root/.hidden": "foo", "root/b": "foo"})

    both(root, program(), "foo")

    assert ["sweep"] == begun()


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_ignore_file_is_judged_by_ourselves(text, root, tree, program, begun):
    tree({"root/x/.ignore": text, "root/x/a": "foo", "root/y": "foo", "root/a.txt": "foo"})

    both(root, program(), "foo")

    assert "files" == begun()[-1]


NO_FILES = {
    "a link": lambda path: path.symlink_to("../../rules"),
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_an_ignore_file_that_is_no_file_is_judged_by_ourselves(make, root, tree, program, begun):
    tree({"rules": "a\n", "root/a": "foo", "root/b/a": "foo"})
    make(root / "b" / ".gitignore")

    assert ["a", "b/a"] == both(root, program(), "foo")["files"]
    assert "files" == begun()[-1]


WHOLE = {
    "some folder": {"path": "sub"},
    "hidden and ignored ones": {"include_ignored": True},
    "a glob": {"glob": "*.txt"},
    "a type": {"type": "txt"},
}


@pytest.mark.parametrize("where", WHOLE.values(), ids=WHOLE)
def test_where_more_than_ignore_files_says_what_is_meant_it_is_given_files(
    where, root, tree, program, begun
):
    tree({"root/.gitignore": "*.log\n", "root/sub/a.txt": "foo", "root/sub/a.log": "foo"})

    both(root, program(), "foo", **where)

    assert ["files"] == begun()


OTHERWISE = {
    "passes a file over": 'set -- "--glob=!b.txt" "$@"',
    "searches one more": 'set -- "--no-ignore" "$@"',
    "searches another": 'set -- --no-ignore "--glob=!c.txt" "$@"',
    "fails": "exit 2",
    "is no such version": "echo what is --no-require-git >&2; exit 2",
    "is killed": "kill -9 $$",
    "tells no figures": 'args=(); for each; do [ "$each" = --stats ] || args+=("$each"); done; '
    'set -- "${args[@]}"',
}


@pytest.mark.parametrize("first", OTHERWISE.values(), ids=OTHERWISE)
@pytest.mark.parametrize("mode", ["content", "files", "count"])
def test_one_that_walks_otherwise_is_not_believed(first, mode, root, tree, program, begun):
    texts = {"a.txt": "foo\n", "b.txt": "bar\nfoo\n", "c.txt": "bar", "d.log": "foo\n"}
    tree({f"root/{name}": text for name, text in texts.items()} | {"root/.gitignore": "*.log\n"})

    found = both(root, program(first), "foo", output_mode=mode)

    assert (["a.txt", "b.txt"], 1) == (found["files"], found["skipped"]["ignored"])
    assert ["sweep", "files"] == begun()


def test_a_file_that_is_too_large_ends_it(root, tree, program, begun):
    tree({"root/a.txt": "foo\n", "root/sub/b.txt": "foo\n"})
    with (root / "sub" / "huge").open("wb") as file:
        file.truncate(257 << 20)

    found = both(root, program("exec sleep 60"), "foo")

    assert (["a.txt", "sub/b.txt"], 1) == (found["files"], found["skipped"]["too_large"])
    assert ["sweep", "files"] == begun()


def test_where_the_first_files_have_one_that_is_too_large_it_is_given_files(
    root, tree, program, begun
):
    tree({"root/b.txt": "foo\n", "root/c.txt": "foo\n"})
    with (root / "a").open("wb") as file:
        file.truncate(257 << 20)

    found = both(root, evolve(program(), quick_files=2), "foo")

    assert (["b.txt", "c.txt"], 1) == (found["files"], found["skipped"]["too_large"])
    assert ["files"] == begun()


def test_it_is_waited_for_where_no_file_is_too_large(root, tree, program, begun):
    tree({"root/a.txt": "foo\n", "root/b.txt": "bar\n"})

    assert ["a.txt"] == both(root, program("sleep 0.5"), "foo")["files"]
    assert ["sweep"] == begun()


#: More lines than are wanted come at once, and then nothing.
TALKS = "for each in 0 1 2 3; do printf './000/a\\0%s:foo\\n' $each; done; sleep 1; exit"


def test_where_much_is_found_early_a_part_is_searched_in_order(root, tree, program, begun):
    tree({f"root/{number:03}/{name}": "foo\n" for number in range(400) for name in "ab"})

    found = both(root, program(TALKS), "foo", head_limit=3)

    assert ["000/a", "000/b", "001/a"] == found["files"]
    assert ["sweep", "files"] == begun()[:2]


def test_it_is_given_up_once_as_much_is_found_as_is_wanted(root, tmp_path, program):
    told = tmp_path / "told"
    talks = f"printf './a\\0%s:foo\\n' 1 2 3; touch '{told}'; exec sleep 60"

    def walked():
        yield Files("", handle, ["a"], Stack())
        while not told.exists():
            sleep(0.01)
        yield from [Files(f"{number}/", handle, [], Stack()) for number in range(32)]
        pytest.fail("it walked on")

    handle = os.open(root, os.O_RDONLY)
    try:
        base, feed = Base(handle, str(root), "."), Feed(walked())
        patience = Patience(monotonic() + 60, list)
        task = Task(pattern=dialect.read("foo"), names=Names(), patience=patience, enough=3)
        sweep = Sweep(Program([program(talks).path], base), feed, task, Sifter(base, task, Tally()))

        assert sweep.run(frozenset()) is None
        assert ["a"] == next(feed.walked).names
    finally:
        os.close(handle)


def test_a_repository_within_is_judged_by_ourselves(root, tree, program, begun):
    tree({"root/.gitignore": "*.log\n", "root/in/a.log": "foo", "root/in/.git/config": "foo"})

    assert ["in/a.log"] == both(root, program(), "foo")["files"]
    assert "files" == begun()[-1]


def grown(root, number):
    """A tree with plain ignore files of all kinds."""
    choose = random.Random(number)
    folders = ["."]
    for _ in range(choose.randint(1, 10)):
        path = f"{choose.choice(folders)}/{choose.choice(FOLDERS)}"
        (root / path).mkdir(exist_ok=True)
        folders.append(path)
    for path in sorted(set(folders)):
        for name, often in ((".gitignore", 0.4), (".ignore", 0.15), (".rgignore", 0.15)):
            if choose.random() < often:
                lines = [pattern(choose) for _ in range(choose.randint(1, 6))]
                (root / path / name).write_text("\n".join(lines) + choose.choice(["", "\n"]))
    for _ in range(choose.randint(3, 40)):
        file = root / choose.choice(folders) / choose.choice(FILES)
        if file.exists() or file.is_symlink():
            continue
        if choose.random() < 0.05:
            file.symlink_to(choose.choice(["a", "..", "/etc", "foo"]))
        else:
            file.write_text(choose.choice(["foo\n", "bar\n"]))


def pattern(choose):
    path = "/".join(choose.choice(NAMES) for _ in range(choose.choice([1, 1, 1, 1, 2, 2, 3])))
    before = choose.choice(["", "", "", "/", "**/", "/**/"])
    return choose.choice(["", "", "!"]) + before + path + choose.choice(["", "", "", "/", "/**"])


def agree(folder, numbers, ripgrep, begun):
    for number in numbers:
        root = folder / str(number)
        root.mkdir()
        grown(root, number)
        both(root, ripgrep, "foo", head_limit=1000)
        assert begun() in (["sweep"], []), f"tree {number}: not believed"


@pytest.mark.parametrize("number", range(0, 120, 40))
def test_plain_trees_are_judged_alike(number, root, program, begun):
    agree(root, range(number, number + 40), program(), begun)


@pytest.mark.stress
def test_many_plain_trees_are_judged_alike(root, program, begun):
    agree(root, range(1000, 4000), program(), begun)
