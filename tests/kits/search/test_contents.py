"""What counts as a match, in both ways of searching, whatever the bytes."""

import random
import shutil

import pytest

from kits.errors import WorkspaceError
from kits.search.ripgrep import Ripgrep
from kits.search.toolset import SearchToolSet

MATCHES = {
    "$ before CRLF": ("foo$", b"foo\r\nfoo \r\n", {}, [1]),
    "$ at the end of a file without a line break": ("foo$", b"x\nfoo", {}, [2]),
    "$ before a CR that is the last byte": ("foo$", b"foo\r", {}, [1]),
    "$ not before a lone CR": ("foo$", b"foo\rbar\n", {}, []),
    "^ not behind a lone CR": ("^bar", b"foo\rbar\n", {}, []),
    "$ at the end of a branch": ("(foo$|x)", b"foo\r\nx\n", {}, [1, 2]),
    "$ behind $": ("foo$$", b"foo\r\nfoo\n", {}, [1, 2]),
    "an empty line": ("^$", b"\n\r\nx\n\n", {}, [1, 2, 4]),
    "an empty line, said twice": ("^$^$", b"\n\r\nx\n", {}, [1, 2]),
    "no line behind the last one": ("^", b"x\n", {}, [1]),
    "no line in an empty file": ("^", b"", {}, []),
    "a dot is no CR": ("^.*$", b"a\rb\nc\n", {}, [2]),
    "space is no line end": (r"foo\s", b"foo\r\nfoo\nfoo \n", {}, [3]),
    "no word is no line end": (r"foo\W", b"foo\r\nfoo\nfoo-\n", {}, [3]),
    "a range is no line end": (r"foo[\x01-\x7f]", b"foo\r\nfoo\nfoo\x01\n", {}, [3]),
    "another class is no line end": ("foo[^a]", b"foo\r\nfoo\nfoob\n", {}, [3]),
    "the vertical tab is no line end": (r"a\vb", b"a\x0bb\n", {}, [1]),
    "a line separator is no line end": ("a.b", "a\u2028b\n".encode(), {}, [1]),
    "next line is space": (r"a\sb", "a\x85b\n".encode(), {}, [1]),
    "Kelvin for k": ("k", b"K\nk\n", {"ignore_case": True}, [1, 2]),
    "long s for s": ("s", "ſ\n".encode(), {"ignore_case": True}, [1]),
    "sharp s": ("ß", "ß\nẞ\nss\n".encode(), {"ignore_case": True}, [1, 2]),
    "no dotted I for i": ("i", "İ\nI\nı\n".encode(), {"ignore_case": True}, [2]),
    "a dotted I for itself": ("İ", "İ\ni\n".encode(), {"ignore_case": True}, [1]),
    "no dotted I in a class": ("[a-z]", "İ\nı\nZ\n".encode(), {"ignore_case": True}, [3]),
    "a group in either case": ("(?i:i)", "İ\nI\n".encode(), {}, [2]),
    "a final sigma": ("Σ", "σ\nς\n".encode(), {"ignore_case": True}, [1, 2]),
    "titlecase": ("ǆ", "ǅ\nǄ\n".encode(), {"ignore_case": True}, [1, 2]),
    "two accents": ("\u0390", "\u0390\n\u1fd3\n".encode(), {"ignore_case": True}, [1, 2]),
    "a ligature": ("\ufb06", "\ufb05\n\ufb06\n".encode(), {"ignore_case": True}, [1, 2]),
    "micro for mu": ("μ", "µ\n".encode(), {"ignore_case": True}, [1]),
    "forms of one character are two": ("é", "e\u0301\né\n".encode(), {}, [2]),
    "a byte is no character": (r"a.b", b"a\xffb\na\xc3\xa9b\n", {}, [2]),
    "a byte is not even another": (r"a[^x]b", b"a\xffb\n", {}, []),
    "a byte has no border within": (r"\Bb", b"\xffb\nab\n", {}, [2]),
    "latin-1 around a match": ("foo", b"caf\xe9 foo\n", {}, [1]),
    "UTF-16": ("fooé", "x\nfooé\n".encode("utf-16"), {}, [2]),
    "UTF-16 cut in the middle": ("foo", "foo\nx".encode("utf-16")[:-1], {}, [1]),
    "a BOM before the first line": ("^foo$", b"\xef\xbb\xbffoo\r\n", {}, [1]),
    "a BOM elsewhere": ("^foo", b"x\n\xef\xbb\xbffoo\n", {}, []),
    "a BOM alone": ("^", b"\xef\xbb\xbf", {}, []),
    "a line of a megabyte": ("b$", b"a" * 1_000_000 + b"b\n", {}, [1]),
    "regex characters, literal": ("a.*[", b"a.*[\na..[\n", {"literal": True}, [1]),
    "a backslash, literal": ("\\d", b"\\d\n1\n", {"literal": True}, [1]),
    "over lines": ("a\nb", b"a\nb\na\r\nb\n", {"multiline": True}, [1, 2, 3, 4]),
    "over lines by an escape": (r"a\n+\x0ab", b"a\r\n\r\nb\na\n", {"multiline": True}, [1, 2, 3]),
    "over lines with CRLF": ("a\r\nb", b"a\nb\na\r\nb\n", {"multiline": True}, [3, 4]),
    "a break at the end, over lines": ("a\n", b"a\nb\n", {"multiline": True}, [1]),
    "a dot over lines": ("a.b", b"a\nb\n", {"multiline": True}, [1, 2]),
    "$ within a match over lines": (r"a$\s+b", b"a\r\nb\n", {"multiline": True}, [1, 2]),
    "flags": ("(?i)FOO", b"foo\n", {}, [1]),
    "a group without case": ("f(?i:OO)", b"foo\nFoo\n", {}, [1]),
}


@pytest.mark.parametrize(("pattern", "data", "query", "lines"), MATCHES.values(), ids=MATCHES)
def test_a_line_matches_as_it_should(pattern, data, query, lines, search, tree):
    tree({"a": data})

    found = search.grep(pattern, **query).structured

    assert lines == [each["line"] for each in found["matches"]]
    expected = {"a": len(lines)} if lines else {}
    assert expected == search.grep(pattern, output_mode="count", **query).structured["counts"]


TOKENS = [
    *[b"foo", b"bar", b"a", b"b", b"A", b"i", b"I", b"k", b"s", b"1", b"_", b"-", b"(", b".", b" "],
    *["é É e\u0301 ß ẞ K ſ İ ı ǆ ǅ σς µμ \u0345 \u0663 \U0001f600 \ufeff".encode()],
    *[each.encode() for each in "éÉßẞKſİıǆǅσςµμ\u0345\u0663\u2028\x85\u00a0\u200b\u200d\ufeff"],
    *[b"\n", b"\n", b"\n", b"\r\n", b"\r\n", b"\n\n", b"\r", b"\r\r\n", b"\t", b"\x0b", b"\x0c"],
    *[b"\x1c", b"\x7f", b"\xff", b"\xc3", b"\xf0\x9f", b"\xed\xa0\x80", b"\xc0\x80"],
]
PIECES = [
    "a",
    "b",
    "foo",
    "é",
    "ß",
    "ſ",
    "K",
    "k",
    "s",
    "i",
    "İ",
    "ı",
    "σ",
    "ǆ",
    "µ",
    "x",
    "1",
    "\\.",
    ".",
    ".",
    "*",
    "+",
    "?",
    "{2}",
    "{0,1}",
    "{2,}",
    "|",
    "(",
    ")",
    "(?:",
    "(?i:",
    "(?-i:",
    "(?P<n>",
    "[a-c]",
    "[^a]",
    "[^a\\s]",
    "[^é]",
    "[\\s\\d]",
    "[\\W_]",
    "[^\\W]",
    "[^\\S]",
    "[]a]",
    "[[:alpha:]]",
    "[^[:word:]]",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\b",
    "\\B",
    "^",
    "$",
    "^$",
    "\\t",
    "\\x{e9}",
    "\\p{L}",
    "\\P{Lu}",
    "\\p{Lt}",
    "\\p{Greek}",
    "(?i)",
    "+?",
    "{1,}?",
    "\\v",
    "\\f",
    "[\\x01-\\x7f]",
    "[^\\x01-\\x7f]",
    "[\\v\\f]",
    "\\n",
    "\\r",
    "[\\t\\n]",
    "(?=a)",
    "\\1",
    "\\A",
    "\\K",
]


def content(choose):
    data = b"".join(choose.choice(TOKENS) for _ in range(choose.randint(0, 25)))
    text = data.decode("utf-8", "replace")
    kinds = [data] * 12 + [b"\xef\xbb\xbf" + data, text.encode("utf-16"), b"\xff\xfe" + data]
    kinds += [text.encode("utf-16-le"), data + b"\0" + data, data + b"x" * 9000 + b"\0" + data]
    return choose.choice(kinds)


def query(choose):
    return {
        "pattern": "".join(choose.choice(PIECES) for _ in range(choose.randint(1, 4))),
        "ignore_case": choose.random() < 0.4,
        "multiline": choose.random() < 0.35,
        "literal": choose.random() < 0.1,
        "output_mode": choose.choice(["content", "content", "files", "count"]),
        "context": choose.choice([0, 0, 1]),
        "head_limit": choose.choice([100, 100, 2]),
        "offset": choose.choice([0, 0, 1]),
    }


def answer(search, wanted):
    try:
        found = search.grep(**wanted)
    except WorkspaceError as error:
        return str(error)
    return found.value, found.structured


@pytest.mark.skipif(not shutil.which("rg"), reason="needs rg")
@pytest.mark.parametrize("number", range(20))
def test_ripgrep_and_our_own_search_match_the_same_bytes(number, tmp_path, tree):
    choose = random.Random(number)
    tree({f"{index}": content(choose) for index in range(8)})
    ways = [SearchToolSet(tmp_path, use_ripgrep=way) for way in (Ripgrep("rg", 0), False)]
    for _ in range(20):
        wanted = query(choose)
        theirs, ours = (answer(search, wanted) for search in ways)

        assert theirs == ours, wanted
