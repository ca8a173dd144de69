"""Cutting a text that is too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.run.cut import cut


def test_a_text_within_the_limit_stays():
    assert "one\ntwo\n" == cut("one\ntwo\n", 8)


def test_head_and_tail_stay_at_line_borders():
    text = "".join(f"line {number}\n" for number in range(100))

    assert cut(text, 80).splitlines() == [
        "line 0",
        "line 1",
        "line 2",
        "[truncated — 790 chars total]",
        "line 97",
        "line 98",
        "line 99",
    ]


def test_one_long_line_is_cut_inside():
    assert "aaaaaaaaaa\n[truncated — 100 chars total]\naaaaaaaaa" == cut("a" * 100, 50)


def test_the_mark_tells_how_to_read_on():
    shown = cut("a" * 1000, 100, note="read on with offset=2")

    assert "[truncated — 1000 chars total; read on with offset=2]" in shown


def test_where_the_mark_does_not_fit_it_is_all_there_is():
    assert "[truncated — 100 chars total]" == cut("a" * 100, 10)


def test_another_measure_is_kept_to():
    def words(text):
        return len(text.split())

    shown = cut("one two three " * 100, 30, words)

    assert 30 == words(shown)
    assert shown.startswith("one two three one")


@given(st.text(alphabet="ab\né\U0001f600", max_size=300), st.integers(40, 200))
def test_a_cut_text_is_within_its_limit_and_begins_and_ends_as_the_whole(text, limit):
    shown = cut(text, limit)
    mark = f"[truncated — {len(text)} chars total]\n"

    assert len(shown) <= limit
    if shown != text:
        head, tail = shown.split(mark)
        assert text.startswith(head.removesuffix("\n"))
        assert text.endswith(tail)


@pytest.mark.parametrize("limit", [0, 1, 29, 30, 31, 32, 33])
def test_tiny_limits_are_survived(limit):
    assert "[truncated — 100 chars total]" in cut("a\n" * 50, limit)
