"""The regular expressions that both engines understand."""

import re
import shutil
import subprocess
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kits.errors import WorkspaceError
from kits.search import dialect
from kits.search.contents import Block
from kits.search.matching import Matcher
from kits.search.query import Patience

REFUSED = {
    "": "empty",
    "(?i)": "empty",
    "foo(": "a ( is not closed",
    "foo)": "a ) has no (",
    "[a": "a [ is not closed",
    "[]": "a [ is not closed",
    "*a": "nothing to repeat before *",
    "(*a)": "nothing to repeat before *",
    "a|+": "nothing to repeat before +",
    "a**": "repeats what cannot be repeated",
    "a++": "repeats what cannot be repeated",
    "^*": "repeats what cannot be repeated",
    r"\b+": "repeats what cannot be repeated",
    "a{2}{3}": "repeats what cannot be repeated",
    "function() {": r"a { that repeats nothing; escape it as \{",
    "a{,5}": "a { that repeats nothing",
    "a{3,2}": "bounds the wrong way round",
    "{": "nothing to repeat before {",
    "(?=a)": "look-around is not supported",
    "(?<!a)b": "look-around is not supported",
    "(?>a)": "begins no group that is supported",
    "(?P=n)": "begins no group that is supported",
    "(?x)a": "begins no group that is supported",
    "(?P<n>a)(?P<n>b)": "two groups are named n",
    r"(a)\1": "backreferences",
    r"\<a": r"write \b for the border of a word",
    r"a\z": "write ^ or $",
    r"\q": r"\q is no escape",
    "a\\": "ends in a backslash",
    r"\x{110000}": "is no character",
    r"\ud800": "is no character",
    r"\p{Cc}": r"\p is no escape",
    r"\p{Nonsense}": r"\p is no escape",
    "[b-a]": "is no range",
    r"[a-\d]": "is no range",
    "[a[b]]": "a [ inside a class",
    "[[:nonsense:]]": "a [ inside a class",
    "[a&&b]": "escape the second one",
    "a\nb": "needs multiline=true",
    r"a\nb": "needs multiline=true",
    r"[\n]": "needs multiline=true",
    r"a\r": "needs multiline=true",
    r"\x00": "NUL",
    "a\0": "NUL",
    "\ud800": "lone surrogate",
    "x" * 10_001: "10,001 characters",
    r"\w{500}": "repeats too much",
    r"((a{100}){100}){2}": "repeats too much",
    "(" * 101 + ")" * 101: "nested more than 100 deep",
}


@pytest.mark.parametrize(("source", "reason"), REFUSED.items(), ids=map(repr, range(len(REFUSED))))
def test_a_pattern_is_refused_with_its_reason(source, reason):
    with pytest.raises(WorkspaceError, match=re.escape(reason)) as caught:
        dialect.read(source)

    assert "input_invalid" == caught.value.code
    assert bool(source) == ("literal=true" in (caught.value.hint or ""))


def test_a_literal_pattern_is_refused_only_for_what_no_line_holds():
    assert "foo(" == dialect.read("foo(", literal=True).needle
    with pytest.raises(WorkspaceError, match="multiline") as caught:
        dialect.read("a\nb", literal=True)
    assert caught.value.hint is None


NEEDLES = {
    "foo": ("foo", True),
    r"a\.b": ("a.b", True),
    r"\x41é": ("Aé", True),
    r"def \w+\(": ("def ", False),
    "abc+d": ("ab", False),
    "abc{2}": ("ab", False),
    "a|b": ("", False),
    "(abc|x)de": ("de", False),
    r"^\bfoo$": ("foo", False),
    "(?i)foo": ("", False),
    "[a]bc": ("bc", False),
    "a.*longer": ("longer", False),
}


@pytest.mark.parametrize(("source", "needle"), NEEDLES.items(), ids=NEEDLES)
def test_what_every_match_holds_is_known(source, needle):
    pattern = dialect.read(source)

    assert needle == (pattern.needle, pattern.is_literal)


PIECES = (
    "a b foo é ß ſ K x 1 \\. . * + ? {2} {1,3} { } | ( ) (?: (?i: (?P<n> (?<m> [a-c] [^a] [^a\\s] "
    "[\\s\\d] [\\W_] [\\S] []a] [^]b] [a-] [[:alpha:]] [[:space:][:punct:]] \\d \\D \\w \\W \\s \\S "
    '\\b \\B ^ $ \\n \\t \\x41 \\x{e9} \\u00e9 \\p{L} \\P{Lu} \\pN \\p{Greek} - && -- \\/ \\" \\- '
    "(?i) (?s) ]] +? *? ?? & ~ # ' \" / , é+ \\xff"
)
LINES = (
    b"foo bar\naab abc  b\nFOO \xc3\xa9 \xc3\x89 \xc3\x9f SS\nx1 12 3a_b -- && ~~ [a] {2} (x) | ^ $ .\n"
    b"\tindent\r\ncrlf foo\r\n\n\xff\xfe raw \xe9 latin foo\nkelvin \xe2\x84\xaa long \xc5\xbf\n"
    b"\xce\xb1\xce\xb2 greek\na\naaa\nb1b2\n   trailing   \nA-B a-b ]]\na\xffb\xc3\nend foo"
)
PATTERNS = st.lists(st.sampled_from(PIECES.split()), min_size=1, max_size=6).map("".join)


@pytest.mark.skipif(not shutil.which("rg"), reason="needs rg")
@settings(max_examples=150)
@given(source=PATTERNS, ignore_case=st.booleans(), multiline=st.booleans())
def test_both_engines_match_the_same_lines(source, ignore_case, multiline):
    try:
        pattern = dialect.read(source, ignore_case=ignore_case, multiline=multiline)
    except WorkspaceError:
        return
    case = "-i" if pattern.ignore_case else "-s"
    spans = ["--multiline", "--multiline-dotall"] if multiline else []
    command = ["rg", "--no-config", "--text", "--line-number", "--max-columns=1", case, *spans]
    found = subprocess.run(
        [*command, "-e", pattern.rust, "-"], input=LINES, capture_output=True, check=False
    )
    theirs = [int(line.split(b":")[0]) - 1 for line in found.stdout.splitlines()]
    if not pattern.is_portable:
        return
    matcher = Matcher(pattern, Patience(monotonic() + 20, lambda: None))

    assert (b"", theirs) == (found.stderr, list(matcher.lines(Block(0, LINES))))
