"""The one matcher of file patterns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kits.errors import WorkspaceError
from kits.search import filetypes
from kits.search.globs import Glob, expand

MATCHES = [
    ("*.py", "a.py", True),
    ("*.py", "deep/er/a.py", True),
    ("*.py", "a.pyc", False),
    ("*.py", ".a.py", False),
    ("*.py", ".hidden/a.py", False),
    ("./*.py", "a.py", True),
    ("./*.py", "src/a.py", False),
    ("src/*.py", "src/a.py", True),
    ("src/*.py", "src/deep/a.py", False),
    ("src/*.py", "other/src/a.py", False),
    ("src/**/*.py", "src/a.py", True),
    ("src/**/*.py", "src/x/y/a.py", True),
    ("src/**/*.py", "src/.x/a.py", False),
    ("**/a.py", "a.py", True),
    ("**/a.py", "x/a.py", True),
    ("**", "x/y", True),
    ("**", ".x/y", False),
    ("src/**", "src/a/b", True),
    ("src/**", "src", False),
    ("src/", "src/a/b", True),
    ("**/**/a", "x/a", True),
    ("a**b", "axxb", True),
    ("a**b", "a/b", False),
    (".*", ".env", True),
    ("\\.env", ".env", True),
    (".*", "x/.env", True),
    (".github/**/*.yml", ".github/a/b.yml", True),
    ("**/.github/*", "x/.github/a", True),
    ("*.{ts,tsx}", "a.tsx", True),
    ("{a,b}/*.{c,d}", "b/x.d", True),
    ("{a,b}/*.{c,d}", "c/x.d", False),
    ("a{,b}c", "ac", True),
    ("a{b}c", "a{b}c", True),
    ("a{b", "a{b", True),
    ("a}b,c", "a}b,c", True),
    ("{a,b{c,d}}", "bd", True),
    ("{,a}", "a", True),
    ("{,a}", "b", False),
    (".", "a", False),
    ("./", "a", True),
    ("file?", "file1", True),
    ("file?", "file", False),
    ("?env", ".env", False),
    ("[ab].c", "b.c", True),
    ("[!ab].c", "c.c", True),
    ("[!ab].c", "a.c", False),
    ("[^ab].c", "c.c", True),
    ("[a-c]", "b", True),
    ("[c-a]", "b", False),
    ("[!c-a]", "b", True),
    ("[?--]", "-", False),
    ("[+--]", ",", True),
    ("[a-c-e]", "-", True),
    ("[&&~~||]", "&", True),
    ("[]]", "]", True),
    ("[!]]", "x", True),
    ("[[:alpha:]]", "x", True),
    ("[[:alpha:]]", "1", False),
    ("[![:digit:]]", "x", True),
    ("[\\]]", "]", True),
    ("[a", "[a", True),
    ("[]", "[]", True),
    ("[a-]", "-", True),
    ("[[]", "[", True),
    ("[\\d]", "d", True),
    ("[\\d]", "\\", False),
    ("*.py", "a.py\n", False),
    ("*a" * 30 + "b", "a" * 200, False),
    ("**/a/" * 12 + "b", "a/" * 60 + "a", False),
    ("x[/]y", "x/y", False),
    ("\\*", "*", True),
    ("\\*", "a", False),
    ("\\[a\\]", "[a]", True),
    ("\\{a,b\\}", "{a,b}", True),
    ("a\\", "a\\", True),
    ("a+(b)", "a+(b)", True),
    ("A", "a", False),
    ("sp ace", "sp ace", True),
    ("n*l", "new\nl", True),
    ("é*", "été", True),
    ("caf\u00e9/*", "cafe\u0301/a", True),
    ("cafe\u0301", "caf\u00e9", True),
    ("cafe", "caf\u00e9", False),
    ("app/[id]/*.tsx", "app/[id]/page.tsx", True),
    ("app/[id]/*.tsx", "app/i/page.tsx", True),
    ("app/[id]/*.tsx", "app/id/page.tsx", False),
    ("**/[...slug]/[ab].ts", "app/[...slug]/a.ts", True),
    ("sp ace [1].txt", "sp ace [1].txt", True),
    ("[!a]*", "[!a]b", True),
    ("[!a]*", ".b", False),
    ("!*.py", "a.ts", True),
    ("!*.py", "src/a.py", False),
    ("!*.py", ".a.ts", False),
    ("!*.py", "b/.a/c", False),
    ("!*.py", "a.py/b", False),
    ("!src", "src/x/a", False),
    ("!src", "srcs/a", True),
    ("!**/test/**", "a/test/b", False),
    ("!/a", "x/a", True),
    ("!*.{py,ts}", "a.ts", False),
    ("!{a,b}/c", "b/c", False),
    ("!!a", "!a", False),
    ("!!a", "a", True),
    ("\\!a", "!a", True),
    ("{!a,b}", "!a", True),
]


@pytest.mark.parametrize(("pattern", "path", "matches"), MATCHES)
def test_a_pattern_matches(pattern, path, matches):
    assert matches == bool(Glob(pattern).matches(path))


@pytest.mark.parametrize(
    "pattern",
    ["../*", "a/../b", "\\.\\./*", "{a,..}/b", "", "!", "!../a", "x" * 2001, "{a,b}" * 11],
)
def test_a_pattern_is_refused(pattern):
    with pytest.raises(WorkspaceError) as caught:
        Glob(pattern)

    assert "input_invalid" == caught.value.code


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("*.py", False),
        ("./a", False),
        ("a.b", False),
        (".x", True),
        ("\\.x", True),
        ("a/.b/*", True),
        ("{a,.b}", True),
        ("!.b", False),
    ],
)
def test_only_a_dot_in_front_asks_for_hidden_files(pattern, wanted):
    assert wanted == Glob(pattern).wants_hidden


def test_hidden_names_can_be_meant_by_any_wildcard():
    for pattern in ("*", "**", "?env", "[!a]env", "**/*env"):
        assert Glob(pattern, hidden=True).matches(".env")
        assert not Glob(pattern).matches(".env")
    assert Glob("a/**", hidden=True).matches("a/.b/c")
    assert Glob("!*.py", hidden=True).matches(".env")
    assert not Glob("!*.py", hidden=True).matches(".a.py")


def test_braces_expand_in_the_order_written():
    assert ["ac", "ad", "bc", "bd"] == list(expand("{a,b}{c,d}"))


@given(st.text("ab*?[]{},/\\.!-", max_size=12), st.text("ab.-/", min_size=1, max_size=8))
def test_no_pattern_breaks_the_matcher(pattern, path):
    try:
        glob = Glob(pattern)
    except WorkspaceError:
        return
    if glob.matches(path) and not glob.wants_hidden:
        assert not any(part.startswith(".") for part in path.split("/"))


def test_a_type_is_a_glob():
    assert filetypes.glob_of("ts").matches("src/a.tsx")
    assert filetypes.glob_of("make").matches("Makefile")
    for kind, name in {"tsx": "a.tsx", "rs": "a.rs", "yml": "a.yaml", "solidity": "a.sol"}.items():
        assert filetypes.glob_of(kind).matches(f"src/{name}")


def test_an_unknown_type_names_near_ones():
    with pytest.raises(WorkspaceError, match="'pyhton'; did you mean 'python'"):
        filetypes.glob_of("pyhton")
