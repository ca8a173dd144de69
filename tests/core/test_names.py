from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.core.names import (
    WIRE_RULES,
    check_name,
    did_you_mean,
    near_names,
    qualified,
    snake_case,
    wire_name,
)
from qitos_like.errors import ToolNameError

SEGMENTS = st.builds(
    str.__add__,
    st.sampled_from(ascii_letters + "_"),
    st.text(st.sampled_from("ab_-" + digits), max_size=40),
)
NAMES = st.lists(SEGMENTS, min_size=1, max_size=4).map(".".join).filter(lambda n: len(n) <= 128)


@pytest.mark.parametrize("name", ["view", "_x", "a-b", "coding.view", "a.b.c", "A1", "x" * 128])
def test_a_legal_name_is_returned(name):
    assert name == check_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "<lambda>", "a b", "a..b", ".a", "a.", "1a", "é", "a.1", "a\n", "x" * 129, "ａ", None, 3],
    ids=repr,
)
def test_an_illegal_name_is_refused_and_the_rule_is_said(name):
    with pytest.raises(ToolNameError, match="segments joined by dots"):
        check_name(name)


@pytest.mark.parametrize(
    ("namespace", "expected"), [("coding", "coding.view"), ("", "view"), (None, "view")]
)
def test_a_namespace_is_joined_by_a_dot(namespace, expected):
    assert expected == qualified(namespace, "view")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("MathTools", "math_tools"), ("HTTPCache", "http_cache"), ("web2Page", "web2_page")],
)
def test_class_names_become_snake_case(name, expected):
    assert expected == snake_case(name)


def test_near_names_ignore_case_separators_and_the_namespace():
    known = ["coding.str_replace", "coding.view", "web.fetch"]

    assert ["coding.view"] == near_names("coding.vew", known)
    assert ["coding.view"] == near_names("codng.view", known)
    assert ["coding.str_replace"] == near_names("StrReplace", known)
    assert "" == did_you_mean("zzz", known)
    assert "; did you mean 'coding.view'?" == did_you_mean("View", known)


@pytest.mark.parametrize(
    ("name", "provider", "expected"),
    [
        ("coding.view", "openai", "coding__view"),
        ("coding.view", "gemini", "coding.view"),
        ("coding.view", "mcp", "coding.view"),
        ("view", "anthropic", "view"),
        ("_view", "openai", "_view"),
    ],
)
def test_a_short_plain_name_goes_out_readable(name, provider, expected):
    assert expected == wire_name(name, provider)


@pytest.mark.parametrize("name", ["a__b", "a._b", "a_.b", "a." + "b" * 70])
def test_a_name_that_could_be_mistaken_or_is_too_long_is_hashed(name):
    stem, _, digest = wire_name(name, "openai").rpartition("___")

    assert stem
    assert 16 == len(digest)


def test_an_unknown_provider_is_an_error_that_names_the_known_ones():
    with pytest.raises(ValueError, match="openai"):
        wire_name("view", "nobody")


@pytest.mark.parametrize("provider", WIRE_RULES)
@given(names=st.sets(NAMES, min_size=2, max_size=8))
def test_wire_names_are_legal_and_never_collide(provider, names):
    rule = WIRE_RULES[provider]
    extra = set(".") if rule.keeps_dots else set()
    wires = [wire_name(name, provider) for name in sorted(names)]
    rehashed = {wire_name(wire, provider) for wire in wires if "." not in wire} | set(wires)

    assert len(names) == len(set(wires))
    assert all(len(wire) <= rule.max_chars for wire in wires)
    assert set("".join(wires)) <= set(ascii_letters + digits + "_-") | extra
    assert len(rehashed) >= len(wires)
