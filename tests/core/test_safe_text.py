import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.core.safe_text import clean, hides, unposed, visible

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "hi")


@pytest.mark.parametrize(
    ("hostile", "expected"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x1b\\", "link"),
        ("\x9b1mbold", "bold"),
        ("bell\x07 back\x08 null\x00", "bell back null"),
        ("evil\u202egnp", "evil<U+202E>gnp"),
        (f"x{TAGS}", "x<U+E0068><U+E0069>"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"),
        ("a\ufe00\U000e0101", "a<U+FE00><U+E0101>"),
        ("\u3164", "<U+3164>"),
        ("warning ⚠️ é 漢字", "warning ⚠️ é 漢字"),
        ("one\r\ntwo\u2028three\x85four", "one\ntwo\nthree\nfour"),
        ("tab\tstays", "tab\tstays"),
    ],
)
def test_what_steers_is_dropped_and_what_hides_is_shown(hostile, expected):
    assert expected == visible(hostile)


@given(st.text())
def test_clean_text_is_one_line_that_hides_nothing(text):
    cleaned = clean(text)

    assert 1 >= len(cleaned.splitlines())
    assert cleaned == clean(cleaned)
    assert not hides(cleaned.replace("\ufe0f", "")) or not cleaned.isprintable()


@pytest.mark.parametrize("line", ["# x", "## coding", "```", "~~~", "---", "===", "</tools>"])
def test_a_line_cannot_begin_as_markup(line):
    assert f"\\{line}" == unposed(line)


@pytest.mark.parametrize("line", ["Use grep.", "- a point", "c# code", "a --- b"])
def test_other_lines_stay(line):
    assert line == unposed(line)
