"""Over random files and edits: every byte outside the edited span is the same."""

from hypothesis import given
from hypothesis import strategies as st

from kits.edit.inserting import splice as insertion
from kits.edit.replacing import Replacement
from kits.text import lines
from kits.text.content import Content
from kits.workspace import WorkspaceError

WORDS = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "x y",
        "\t",
        "caf\u00e9",
        "cafe\u0301",
        "\u4e2d",
        "\u2028",
        "\x0c",
        "\x85",
        "\U0001f378",
        "",
    ]
)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r", ""])
TEXTS = st.lists(st.tuples(WORDS, ENDINGS)).map(lambda parts: "".join(map("".join, parts)))
RAW = st.lists(
    st.sampled_from([b"\xe9", b"\xd6\xd0", b"a", b"b", b"\n", b"\r\n", b"\r", b"\x80"])
).map(b"".join)
ENCODERS = [
    lambda text: text.encode(),
    lambda text: b"\xef\xbb\xbf" + text.encode(),
    lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    lambda text: b"# coding: gbk\n" + text.encode("gbk", "ignore"),
    lambda text: b"# coding: latin-1\n" + text.encode("latin-1", "ignore"),
]
FILES = st.one_of(
    st.builds(lambda encode, text: encode(text), st.sampled_from(ENCODERS), TEXTS), RAW
)


def spliced(content, splices):
    return b"".join(content.spliced(splices))


@given(FILES, st.data())
def test_a_replacement_changes_its_span_and_nothing_else(data, chosen):
    content = Content.of(data)
    text = content.utf8[content.start :].decode("utf-8", "ignore")
    start = chosen.draw(st.integers(0, len(text)))
    old = text[start : chosen.draw(st.integers(start, min(len(text), start + 20)))]
    wanted = Replacement(old, chosen.draw(TEXTS), chosen.draw(st.booleans()))
    try:
        splices = wanted.splices(content)
        after = spliced(content, splices)
    except WorkspaceError:
        return

    parts = [data[start:stop] for start, stop in outside(content, splices)]
    for place, splice in enumerate(splices):
        parts.insert(2 * place + 1, content.encoding.encode(splice.text))
    assert b"".join(parts) == after
    assert [old] * len(splices) == [
        plain(content.utf8[each.start : each.end], like=old) for each in splices
    ]
    if content.encoding.is_transparent:
        assert content.changed(splices) == after
    if b"\r" not in data and "\r" not in wanted.new and content.encoding.codec is not None:
        changed = text.replace(old, wanted.new)
        assert content.encoding.bom + changed.encode(content.encoding.codec) == after


@given(FILES, TEXTS, st.data())
def test_an_insertion_keeps_every_line_there_was(data, text, chosen):
    content = Content.of(data)
    count = lines.count_lines(content.utf8, content.start)
    line = chosen.draw(st.integers(0, count))
    try:
        splice = insertion(content, line, text)
        after = spliced(content, [splice])
    except WorkspaceError:
        return

    [(_, at), (_, _)] = outside(content, [splice])
    assert data[:at] == after[:at]
    assert after.endswith(data[at:])
    assert line == lines.count_lines(content.utf8[content.start : splice.start])


def outside(content, splices):
    """The spans of the file's own bytes that no splice covers."""
    done = 0
    for start, end in content._native((each.start, each.end) for each in splices):
        yield done, start
        done = end
    yield done, len(content.data)


def plain(found, *, like):
    """What was found, with the line ends of what was looked for where only those differ."""
    text = found.decode("utf-8", "surrogateescape")
    return like if lines.TEXT_BREAK.split(text) == lines.TEXT_BREAK.split(like) else text
