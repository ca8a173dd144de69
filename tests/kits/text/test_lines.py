"""Lines end at LF, CRLF and CR, and at nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kits.text import lines

TEXTS = st.lists(
    st.sampled_from([b"a", b"bc", b"\n", b"\r\n", b"\r", b"\x0c", b"\xe2\x80\xa8"])
).map(b"".join)


@given(TEXTS)
def test_the_lines_joined_are_the_text(text):
    assert text == b"".join(lines.split(text))
    assert len(lines.split(text)) == lines.count_lines(text)


@given(TEXTS, st.data())
def test_a_line_is_found_from_its_number_and_its_number_from_its_place(text, chosen):
    parts = lines.split(text)
    number = chosen.draw(st.integers(0, len(parts)))
    behind = lines.offset_behind(text, number)

    assert sum(map(len, parts[:number])) == behind
    if number < len(parts):
        assert number + 1 == lines.line_number(text, behind)
        assert behind == lines.line_start(text, behind)
        assert behind + len(parts[number]) == lines.line_end(text, behind)


@given(TEXTS, st.data())
def test_every_offset_of_a_line_leads_to_where_it_begins(text, chosen):
    begins = 0
    for part in lines.split(text):
        inside = chosen.draw(st.integers(begins, begins + len(part) - 1))
        assert begins == lines.line_start(text, inside)
        begins += len(part)


@pytest.mark.parametrize(
    ("text", "offset", "ending"),
    [
        (b"", 0, b"\n"),
        (b"a", 1, b"\n"),
        (b"a\r\nb", 0, b"\r\n"),
        (b"a\r\nb", 3, b"\r\n"),
        (b"a\r\nb", 4, b"\r\n"),
        (b"a\rb\n", 0, b"\r"),
        (b"a\rb\n", 2, b"\n"),
        (b"a\rb", 3, b"\r"),
    ],
)
def test_the_line_end_in_force_is_the_lines_own_or_the_one_above(text, offset, ending):
    assert ending == lines.ending_at(text, offset)


def test_long_lines_are_cut_and_say_so():
    shown = list(lines.numbered([b"x" * 3_000 + b"\n"], 7))

    assert ["     7\t" + "x" * 2_000 + "[… 1,000 more characters]"] == shown


def test_a_terminal_never_splits_a_carriage_return_from_its_newline():
    text = b"x" * 65_535 + b"\r\n" + b"y\r\n"

    assert 65_537 == lines.offset_behind(text, 1)
