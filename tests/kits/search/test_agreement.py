"""Over generated trees: ripgrep, our own search, and git where it rules, say the same."""

import os
import random
import shutil
import subprocess
from time import monotonic

import pytest

from kits.errors import WorkspaceError
from kits.search.query import Names, Patience
from kits.search.ripgrep import Ripgrep
from kits.search.searcher import Searcher
from kits.search.toolset import SearchToolSet
from kits.workspace import Workspace

FOLDERS = [
    "a",
    "b",
    "foo",
    "bar",
    ".hid",
    ".github",
    "build",
    "node_modules",
    "sp ace",
    "[br]",
    "é",
]
FILES = [
    *["a", "b", "foo", "bar", "x.py", "y.ts", "z.log", ".hid", "build", "sp ace", "[br]", "col:on"],
    *["café", "-dash", "--pre=x", "a.b.c", "UPPER", "x.py.log", "node_modules"],
    os.fsdecode(b"not \xff utf-8"),
]
PATTERNS = (
    "*.log build/ /a foo !foo a/b **/x.py node_modules *.py !x.py /foo/* b/** !*.log [ab] x.* #c "
    "\\!x a/ bar/* !bar/x.py * !*/ foo/bar/ /**/b .hid !.hid ? *.? [!a]* a**b ** /a/**/b foo/** "
    "**/build/** !/build col:on *.{py,ts} é \\[br] -dash */x.py foo//bar UPPER upper [] \\ / // !"
)
ENDINGS = ["", "", "", " ", "\\ ", "\r"]
TEXTS = [
    *[b"foo\n", b"foo bar\nbaz\n", b"x\r\nfoo\r\n", b"no newline foo", b"\xff\xfefoo\xff", b""],
    *[b"caf\xe9 foo\n", "café foo ÉCLAIR\n".encode(), "foo\nzwei\n".encode("utf-16")],
    *[b"\xef\xbb\xbffoo first\nsecond", b"bin\0foo\n", b"\n\nfoo\n\n", b"a\tb  foo\n" * 3],
    *[b"x" * 3000 + b"foo" + b"y" * 3000, b"-flag --pre=x\n", b"lone\rcr foo\n", b"foo(bar) {\n"],
    *[b"\0" * 9000 + b"foo", b"z" * 9000 + b"\0foo\n", b"Foo FOO fOo\n", "K ſ ß K\n".encode()],
    *[b"a\nb\nc\nd\nfoo\ne\nf\ng\n", "\ufefffoo\n".encode("utf-16-be"), b"\xff\xfe\0\0f\0\0\0"],
]
QUERIES = [
    *[{"pattern": text} for text in ["foo", "foo$", "^foo", "f.o", r"\bfoo\b", r"caf\w", "caf."]],
    *[{"pattern": text} for text in [r"caf[^x]", r"\s+foo", "[^a-z]foo", r"\W", "^$", "--pre=x"]],
    *[{"pattern": text} for text in ["-flag", "x*", "(foo|bar)+", "é", "r.f", r"\{$", ".", "b|"]],
    *[{"pattern": text, "ignore_case": True} for text in ["FOO", "[k-l]", "s", "É", "ß"]],
    *[{"pattern": text, "multiline": True} for text in ["foo.*\n.*", r"o\s+b", "foo$", "a.*f"]],
    *[{"pattern": text, "literal": True} for text in ["(", "foo", "f.o", "--pre=x"]],
]
GLOBS = [
    "",
    "",
    "",
    "*.py",
    "**/*.ts",
    "a/**",
    "*.{py,log}",
    "[a-f]*",
    "foo/*",
    ".hid",
    "*",
    "./a/*",
]
#: Ripgrep alone, ripgrep for what comes behind some files, our own search.
WAYS = (Ripgrep("rg", quick_files=0), Ripgrep("rg", quick_files=3), False)
NEEDS_RG = pytest.mark.skipif(not shutil.which("rg"), reason="needs rg")
NEEDS_GIT = pytest.mark.skipif(not shutil.which("git"), reason="needs git")


class Tree:
    """A folder of generated files; the same number makes the same one."""

    def __init__(self, root, number, ignore_files):
        self.choose = random.Random(number)
        self.root = root
        self.ignore_files = ignore_files
        self.folders = ["."]
        for _ in range(self.choose.randint(1, 8)):
            self._folder(f"{self.choose.choice(self.folders)}/{self.choose.choice(FOLDERS)}")
        for _ in range(self.choose.randint(1, 25)):
            self._file(f"{self.choose.choice(self.folders)}/{self.choose.choice(FILES)}")

    def _folder(self, path):
        (self.root / path).mkdir(exist_ok=True)
        self.folders.append(path)
        if self.choose.random() < 0.5:
            lines = [
                self.choose.choice(PATTERNS.split()) + self.choose.choice(ENDINGS)
                for _ in range(self.choose.randint(1, 4))
            ]
            name = self.choose.choice(self.ignore_files)
            (self.root / path / name).write_text("\n".join(lines), newline="")

    def _file(self, path):
        file = self.root / path
        if file.exists() or file.is_symlink():
            return
        if self.choose.random() < 0.1:
            file.symlink_to(self.choose.choice(["a", "..", "/etc", "foo", "loop"]))
        else:
            file.write_bytes(self.choose.choice(TEXTS))

    def query(self):
        choose = self.choose
        query = dict(choose.choice(QUERIES))
        query["output_mode"] = choose.choice(["content", "files", "count"])
        query["glob"] = choose.choice(GLOBS)
        query["type"] = choose.choice(["", "", "", "py", "ts"])
        query["path"] = choose.choice([".", choose.choice(self.folders)])
        query["include_ignored"] = choose.random() < 0.2
        query["context"] = choose.choice([0, 0, 0, 1, 2])
        query["head_limit"] = choose.choice([100, 100, 1, 3])
        query["offset"] = choose.choice([0, 0, 1, 3])
        return query


def compare_ways(folder, numbers):
    for number in numbers:
        root = folder / str(number)
        root.mkdir()
        tree = Tree(root, number, [".gitignore", ".gitignore", ".ignore", ".rgignore"])
        for index in range(6):
            query = tree.query()
            theirs, both, ours = (
                answer(SearchToolSet(root, use_ripgrep=way), query, index) for way in WAYS
            )
            assert theirs == both == ours, f"tree {number}: {query}"


def answer(search, query, index):
    try:
        if index == 5:
            pattern = query["glob"] or "**"
            found = search.glob(pattern, query["path"], include_ignored=query["include_ignored"])
        else:
            found = search.grep(**query)
    except WorkspaceError as error:
        return str(error)
    return found.value, found.structured


@NEEDS_RG
@pytest.mark.parametrize("number", range(0, 60, 10))
def test_ripgrep_and_our_own_search_agree(number, tmp_path):
    compare_ways(tmp_path, range(number, number + 10))


@NEEDS_RG
@pytest.mark.stress
def test_ripgrep_and_our_own_search_agree_on_many_trees(tmp_path):
    compare_ways(tmp_path, range(1000, 1600))


@NEEDS_GIT
@pytest.mark.parametrize(
    "ripgrep", [pytest.param(Ripgrep.find(), id="ripgrep", marks=NEEDS_RG), None]
)
@pytest.mark.parametrize("number", range(0, 30, 10))
def test_what_is_ignored_is_what_git_ignores(ripgrep, number, tmp_path):
    for each in range(number, number + 10):
        root = tmp_path / str(each)
        root.mkdir()
        Tree(root, each, [".gitignore"])
        searcher = Searcher(Workspace(root), ripgrep)

        listed = searcher.files(
            searcher.place("."), Names(), Patience(monotonic() + 20, lambda: None)
        )

        assert files_of_git(root) == set(listed.paths), f"tree {each}"


def files_of_git(root):
    """What git would add, without hidden files and links."""
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", "."], cwd=root, env=env, check=True)
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.check_output(command, cwd=root, env=env)
    paths = map(os.fsdecode, listed.split(b"\0")[:-1])
    visible = (path for path in paths if not any(part[0] == "." for part in path.split("/")))
    return {path for path in visible if not (root / path).is_symlink()}
