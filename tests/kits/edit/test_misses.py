"""A text that is not found is answered with the one reason that helps."""

import pytest

from kits import EditToolSet, WorkspaceError


@pytest.fixture(name="miss")
def miss_(tmp_path):
    def miss(content, old, new="something new"):
        (tmp_path / "a.txt").write_text(content, newline="")
        with pytest.raises(WorkspaceError) as caught:
            EditToolSet(tmp_path).str_replace("a.txt", old, new)
        return f"{caught.value}\n{caught.value.hint}"

    return miss


def test_a_new_text_that_is_there_may_have_been_applied(miss):
    assert "already, at line 2" in miss("def f():\n    return 2\n", "return 1", "return 2")


@pytest.mark.parametrize("new", ["", "}", "f()"], ids=repr)
def test_a_new_text_that_proves_nothing_is_no_reason(miss, new):
    assert "already" not in miss("def f(): }\n", "g = f()  # }", new)


def test_whitespace_is_shown_on_both_sides(miss):
    text = miss("def f():\n    return 1\n", "def f():\n\treturn 1\n")

    assert "only whitespace differs from lines 1-2" in text
    assert "\n     2\t····return·1¶" in text
    assert "\n      \t→return·1¶" in text


def test_outer_blank_lines_of_the_text_do_not_match_mid_line(miss):
    assert "only whitespace differs from line 1" in miss("x foo bar baz\n", "\nfoo   bar\n")


@pytest.mark.parametrize(
    ("content", "old", "named"),
    [
        ("it\u2019s\n", "it's", "the file has \u2019 (U+2019 RIGHT SINGLE QUOTATION MARK)"),
        ("say \u201cok\u201d\n", 'say "ok"', "U+201C LEFT DOUBLE QUOTATION MARK"),
        ("a \u2014 b\n", "a - b", "U+2014 EM DASH"),
        ("a\u00a0b\n", "a b", "U+00A0 NO-BREAK SPACE"),
        ("cafe\u0301\n", "caf\u00e9", "U+00E9 LATIN SMALL LETTER E WITH ACUTE"),
        ("a\u200bb\n", "ab", "U+200B ZERO WIDTH SPACE), yours nothing"),
        ("wait\u2026\n", "wait...", "U+2026 HORIZONTAL ELLIPSIS"),
    ],
    ids=ascii,
)
def test_characters_that_look_alike_are_named(miss, content, old, named):
    text = miss(content, old)

    assert "characters differ that look alike, in line 1" in text
    assert named in text


@pytest.mark.parametrize("old", ["     2\tbeta", "2: beta", "     1\talpha\n     2\tbeta"])
def test_pasted_line_numbers_are_named(miss, old):
    assert "line number" in miss("alpha\nbeta\n", old)


def test_numbers_that_are_no_line_numbers_are_no_reason(miss):
    assert "line number" not in miss("alpha\nbeta\n", "     2\tgamma")


def test_the_closest_lines_are_quoted_with_invisible_characters(miss):
    text = miss(
        "one\nresult = compute(first)\n\treturn result\n", "\nresult = compute(frist)\nreturn"
    )

    assert "the closest lines are:\n     1\tone¶\n     2\tresult·=·compute(first)¶\n" in text


def test_many_lines_are_quoted_in_part(miss):
    content = "".join(f"  line {n}\n" for n in range(20))

    assert "… 12 more lines" in miss(content, content.replace("  ", "\t"))


@pytest.mark.parametrize("old", ["@@@@@@", " \n ", "\n\n"], ids=repr)
def test_a_text_like_no_other_is_simply_not_found(miss, old):
    assert "nothing like it was found" in miss("alpha\nbeta\n", old)


def test_a_reason_is_found_in_large_files_without_much_time(miss):
    content = "".join(f"value_{n} = compute({n})\n" for n in range(100_000))

    assert "the closest lines are" in miss(content, "value_777 = compite(777)")
