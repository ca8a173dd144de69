"""Large files are edited by pieces: the same bytes and the same answer as in memory."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kits import FileStore, Workspace, WorkspaceError
from kits.edit import large
from kits.edit.replacing import Replacement
from kits.edit.report import report
from kits.files.history import History

CHUNK = 1 << 20
LINE = b"x" * 99 + b"\n"
ACCENTED = ("\u00e9" * 49 + "x\n").encode()


@pytest.fixture(name="store")
def store_(tmp_path):
    return FileStore(Workspace(tmp_path, durable=False), undo=True)


@pytest.fixture(name="replaced")
def replaced_(store, tmp_path):
    """Edit by pieces, whatever the size; ``None`` where that is left to the other way."""

    def replaced(before, old, new, *, everywhere=False):
        (tmp_path / "a.txt").write_bytes(before)
        wanted = Replacement(old, new, everywhere)
        return large.replace(store, "a.txt", None, wanted=wanted, above=0)

    return replaced


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        (b"one\ntwo\n", "two", "TWO"),
        (b"one\ntwo", "two", "a\nb"),
        (b"one\ntwo\n", "one\ntwo\n", ""),
        (LINE * 30_000 + b"<1>\n" + LINE * 30_000, "<1>", "<2>"),
        (LINE * 30_000 + b"<1>\n" + LINE * 30_000, "\n<1>\n", "\n<2>\n\n"),
        (LINE * 10_485 + b"y" * 74 + b"\n<1>" + LINE * 4_000, "y\n<1>x", "y\n<2>x"),
        (ACCENTED * 10_485 + "\u00e9".encode() * 37 + "\u4e2d\n".encode(), "\u4e2d", "\u00e9"),
        (b"x" * 70_000 + b"\n" + LINE * 4 + b"<1>\n" + LINE * 4, "<1>", "<2>"),
        (b"\n" * CHUNK + b"x" * 300, "x" * 300, "y"),
    ],
    ids=lambda value: ascii(value)[:20],
)
@pytest.mark.parametrize("everywhere", [False, True], ids=["one", "all"])
def test_the_bytes_and_the_answer_are_those_of_an_edit_in_memory(
    replaced, same_as_in_memory, before, old, new, everywhere
):
    by_pieces = replaced(before, old, new, everywhere=everywhere)

    same_as_in_memory(by_pieces, before, Replacement(old, new, everywhere))


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        (b"aaaa\n", "aa", "b"),
        (b"aaaaa\n", "aa", ""),
        ((LINE * 5_000 + b"<1>\n") * 9 + LINE * 9, "<1>", "<2>\n<3>"),
        (b"<1>" + LINE * 10_485 + b"y" * 71 + b"<1>" + LINE * 9, "<1>", ""),
        (b"y\n" * (CHUNK // 2 - 1) + b"\n" + b"a" * 300 + b"\n" * 9, "aaaaaaa", "b"),
        (LINE * 9 + b"<1>\n" * 100 + LINE * 9, "<1>", "<2>"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_all_places_are_replaced_as_in_memory(replaced, same_as_in_memory, before, old, new):
    by_pieces = replaced(before, old, new, everywhere=True)

    same_as_in_memory(by_pieces, before, Replacement(old, new, everywhere=True))


@pytest.fixture(name="same_as_in_memory")
def same_as_in_memory_(store, tmp_path):
    """Check a replacement by pieces against the same one in memory."""

    def check(by_pieces, before, wanted):
        (tmp_path / "b.txt").write_bytes(before)
        in_memory = store.edit("b.txt", None, wanted.splices)
        assert (tmp_path / "b.txt").read_bytes() == (tmp_path / "a.txt").read_bytes()
        pieces, memory = (report(each, "Replaced") for each in (by_pieces, in_memory))
        assert memory.value.replace("b.txt", "a.txt") == pieces.value
        for key in ("first_line", "replacements"):
            assert memory.structured[key] == pieces.structured[key]
        assert memory.structured["diff"].replace("b.txt", "a.txt") == pieces.structured["diff"]

    return check


@pytest.mark.parametrize(
    ("before", "old"),
    [
        (b"one\n", "two"),
        (b"one one\n", "one"),
        (b"aaa\n", "aa"),
        (LINE * 11_000 + b"<1>\n" + LINE * 11_000 + b"<1>\n", "<1>"),
        (b"a\r\nb\n", "b"),
        (b"caf\xe9 b\n", "b"),
        (b"b" + b"\n" * CHUNK + b"\xe9\n", "b"),
        (b"b" + b"\n" * CHUNK + b"\xc3", "b"),
        (b"\xef\xbb\xbfb\n", "b"),
        ("\ufeffb\n".encode("utf-16-le"), "b"),
        (b"# coding: latin-1\nb\n", "b\n"),
        (b"x" * 300_000 + b"b" + b"x" * 300_000, "b"),
        (b"b" + b"x" * 300_000 + b"\n", "b"),
        (LINE + b"x" * 131_000 + b"\nb\n", "b"),
        (b"b\n" + b"x" * 131_000 + b"\n" + LINE * 4_000, "b"),
        (b"x" * 70_000, "x" * 65_537),
        (b"", "b"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_what_is_not_plain_is_left_to_the_other_way(replaced, tmp_path, before, old):
    assert replaced(before, old, "y") is None
    assert before == (tmp_path / "a.txt").read_bytes()


def test_small_files_and_many_places_are_left_to_the_other_way(store, replaced, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"b\n")

    assert large.replace(store, "a.txt", None, wanted=Replacement("b", "c")) is None
    assert replaced(b"b\n" * 101, "b", "c", everywhere=True) is None
    assert b"b\n" * 101 == (tmp_path / "a.txt").read_bytes()
    assert ["a.txt"] == [path.name for path in tmp_path.iterdir()]


def test_a_character_that_is_none_is_refused_first(replaced, tmp_path):
    with pytest.raises(WorkspaceError, match="lone surrogate"):
        replaced(b"one\n", "one", "\ud800")

    assert b"one\n" == (tmp_path / "a.txt").read_bytes()


def test_what_was_kept_for_undo_is_forgotten(store, replaced, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\n")
    store.edit("a.txt", None, Replacement("one", "two").splices)
    history = store.kept(None, History)
    assert history.last(str(tmp_path / "a.txt")) is not None

    replaced(b"two\n", "two", "three")

    assert history.last(str(tmp_path / "a.txt")) is None


def test_a_change_since_the_file_was_read_is_said(store, replaced, tmp_path):
    facts = os.stat_result((0o100644, 1, 1, 1, 0, 0, 3, 0, 0, 0))
    (tmp_path / "a.txt").write_bytes(b"")
    store.remember("a.txt", None, facts=facts, data=b"old")

    assert "has changed since it was read" in replaced(b"one\n", "one", "two").note


TEXTS = st.lists(st.sampled_from(["a", "b", "\n", "\u00e9", "ab\n"]), max_size=30).map("".join)


@settings(max_examples=300)
@given(TEXTS, st.text("ab\n\u00e9", min_size=1, max_size=4), TEXTS, st.booleans())
def test_both_ways_agree(tmp_path_factory, before, old, new, everywhere):
    folder = tmp_path_factory.mktemp("w")
    store = FileStore(Workspace(folder, durable=False))
    (folder / "a.txt").write_text(before, "utf-8", newline="")
    wanted = Replacement(old, new, everywhere)
    by_pieces = large.replace(store, "a.txt", None, wanted=wanted, above=0) if old != new else None
    expected = before.replace(old, new, -1 if everywhere else 1) if by_pieces else before

    assert expected.encode() == (folder / "a.txt").read_bytes()
    if old != new and (before.count(old) if everywhere else len(places(before, old)) == 1):
        assert by_pieces is not None


def places(text, wanted):
    return [at for at in range(len(text)) if text.startswith(wanted, at)]
