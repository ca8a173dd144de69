"""Values of secrets, hidden in texts and data."""

import html
import json
import re
from base64 import b64encode, urlsafe_b64encode
from typing import NamedTuple
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.core.redaction import Redaction, checked
from qitos_like.core.redaction_stream import RedactionStream

ODD = 'pass "word" \\ / é\n<&>'
KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n"
HIDDEN = Redaction({"ODD": ODD})

QUOTED = {
    "as it is": ODD,
    "JSON": json.dumps(ODD, ensure_ascii=False)[1:-1],
    "ASCII JSON": json.dumps(ODD)[1:-1],
    "JSON of PHP": json.dumps(ODD, ensure_ascii=False)[1:-1].replace("/", "\\/"),
    "JSON in JSON": json.dumps(json.dumps(ODD)[1:-1])[1:-1],
    "Python": repr(ODD)[1:-1],
    "ASCII Python": ascii(ODD)[1:-1],
    "Python in JSON": json.dumps(repr(ODD)[1:-1])[1:-1],
    "HTML": html.escape(ODD),
    "URL": quote(ODD, safe=""),
    "form": quote_plus(ODD),
    "path of a URL": quote(ODD),
    "URL in small letters": re.sub("%..", lambda found: found[0].lower(), quote(ODD, safe="")),
    "hexadecimal": ODD.encode().hex(),
    "Base64": b64encode(ODD.encode()).decode(),
    "Base64 in URLs": urlsafe_b64encode(ODD.encode()).decode(),
    "Base64 without padding": b64encode(ODD.encode()).decode().rstrip("="),
}


@pytest.mark.parametrize("form", QUOTED.values(), ids=QUOTED.keys())
def test_a_value_is_found_however_it_is_quoted(form):
    assert "a[secret ODD]b" == HIDDEN.text(f"a{form}b")


@pytest.mark.parametrize("before", range(4))
@pytest.mark.parametrize("after", range(4))
def test_among_other_bytes_a_value_is_found_in_base64(before, after):
    value = "tok_4f9a1c"
    text = b64encode(b"u" * before + value.encode() + b"!" * after).decode()

    clean = Redaction({"TOKEN": value}).text(text)

    assert "[secret TOKEN]" in clean
    assert len(clean) - len("[secret TOKEN]") <= 4 * (before + 2) / 3 + 4 * (after + 2) / 3


@pytest.mark.parametrize("width", [64, 76])
def test_base64_in_lines_is_hidden_line_by_line(width):
    encoded = b64encode(KEY.encode()).decode()
    lines = [encoded[start : start + width] for start in range(0, len(encoded), width)]

    assert {"[secret KEY]"} == set(Redaction({"KEY": KEY}).text("\n".join(lines)).splitlines())


def test_json_around_a_value_stays_json():
    text = json.dumps({"a": ODD, "b": json.dumps([ODD])})

    clean = HIDDEN.text(text)

    assert {"a": "[secret ODD]", "b": '["[secret ODD]"]'} == json.loads(clean)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abcdefghi", "[secret A][secret B]"),
        ("xabcdefghiy", "x[secret A][secret B]y"),
        ("abcdefabcdef", "[secret A][secret A]"),
        ("defghijk", "[secret LONG]"),
        ("abcdefghijk", "[secret A][secret LONG]"),
        ("abcabcdef", "abc[secret A]"),
        ("ababababab", "[secret AB]"),
    ],
)
def test_values_that_overlap_are_hidden_whole(text, shown):
    redaction = Redaction({"A": "abcdef", "B": "defghi", "LONG": "defghijk", "AB": "ababab"})

    assert shown == redaction.text(text)


def test_of_a_value_with_several_lines_each_line_is_hidden():
    redaction = Redaction({"KEY": KEY})

    numbered = "".join(f"  {n}\t{line}\n" for n, line in enumerate(KEY.splitlines()))

    assert "  0\t[secret KEY]\n  1\t[secret KEY]\n  2\t[secret KEY]\n  3\t[secret KEY]\n" == (
        redaction.text(numbered)
    )


def test_a_value_that_was_read_with_its_line_end_is_found_without_it():
    assert "[secret A]" == Redaction({"A": "abcdef\n"}).text("abcdef")


def test_data_is_cleaned_wherever_it_holds_a_value():
    redaction = Redaction({"A": "abcdef", "N": "123456"})
    given = {
        "abcdef": ["abcdef", ("abcdef",), {"abcdef"}, frozenset(["abcdef"])],
        "number": [123456, 1234567, 0.5, True, None],
        "bytes": [b"\xffabcdef", bytearray(b"abcdef")],
    }

    assert {
        "[secret A]": [
            "[secret A]",
            ("[secret A]",),
            {"[secret A]"},
            frozenset(["[secret A]"]),
        ],
        "number": ["[secret N]", "[secret N]7", 0.5, True, None],
        "bytes": [b"\xff[secret A]", bytearray(b"[secret A]")],
    } == redaction.data(given)


def cyclic():
    holds_itself = ["abcd"]
    holds_itself.append(holds_itself)
    return holds_itself


def deep():
    value = []
    for _ in range(20_000):
        value = [value]
    return value


class Pair(NamedTuple):
    a: str
    b: str


@pytest.mark.parametrize(
    "value",
    [{"a": [1, ("b", {"c"})]}, cyclic(), deep(), 10**5_000, Pair("a", "b"), object(), b"\xff"],
    ids=["plain", "cyclic", "deep", "digits", "of a class", "object", "bytes"],
)
def test_data_without_a_value_is_the_same_object(value):
    assert value is Redaction({"A": "abcdef"}).data(value)


def test_without_secrets_there_is_nothing_to_do():
    assert not Redaction()
    assert Redaction({"A": "abcdef"})


@pytest.mark.parametrize(
    ("secrets", "error", "message"),
    [
        ({"A": ""}, ValueError, "the secret A has fewer than 6 characters"),
        ({"A": "12345"}, ValueError, "the secret A has fewer than 6 characters"),
        ({"A": " \n 12345 "}, ValueError, "the secret A has fewer than 6 characters"),
        ({"A": b"abcdefgh"}, TypeError, "the secret A has to be text, not bytes"),
        ({"A": None}, TypeError, "the secret A has to be text, not NoneType"),
        ({"": "abcdef"}, ValueError, "the secret '' needs a name"),
        ({"A B": "abcdef"}, ValueError, "the secret 'A B' needs a name"),
        ({"A": "secret"}, ValueError, "is part of the text that replaces it"),
        ({"A": "API_KEY", "API_KEY": "abcdef"}, ValueError, "is part of the text"),
    ],
)
def test_secrets_that_cannot_be_hidden_are_refused(secrets, error, message):
    with pytest.raises(error, match=message):
        checked(secrets)


SECRETS = st.dictionaries(
    st.text("ABC", min_size=1, max_size=3),
    st.text("ab\"\\\n/é'<😀", min_size=6, max_size=12).filter(lambda text: len(text.strip()) >= 6),
    min_size=1,
    max_size=4,
)


@given(secrets=SECRETS, data=st.data())
def test_no_value_is_left_anywhere(secrets, data):
    values = list(secrets.values())
    parts = st.one_of(st.sampled_from(values), st.text("ab\"\\\n/é'<😀", max_size=8))
    texts = st.lists(parts, max_size=6).map("".join)
    value = data.draw(
        st.recursive(
            texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8
        )
    )
    redaction = checked(secrets)

    clean = redaction.data(value)

    assert not any(each in text for text in texts_of(clean) for each in values)
    assert clean == redaction.data(clean)
    for dump in (json.dumps, lambda each: json.dumps(each, ensure_ascii=False), repr):
        shown = redaction.text(dump(value))
        assert not any(each in shown for each in values)
        assert not any(json.dumps(each)[1:-1] in shown for each in values)


def texts_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from texts_of(part)
    else:
        for part in value:
            yield from texts_of(part)


OVERLAPPING = Redaction({"A": "abcdef", "B": "defghi", "LONG": "defghijk", "AB": "ababab\né"})
PIECES = st.lists(st.sampled_from(["a", "b", "abc", "def", "ghi", "jk", "\n", "é", "\\n"]))


@given(PIECES)
def test_pieces_are_hidden_as_if_they_came_at_once(pieces):
    stream = RedactionStream(OVERLAPPING)

    given = [stream.feed(piece.encode()) for piece in pieces]

    assert OVERLAPPING.text("".join(pieces)) == b"".join([*given, stream.rest()]).decode()
    assert 0 == stream.size


def test_of_what_may_be_a_value_no_more_is_held_back_than_needed():
    stream = RedactionStream(OVERLAPPING)

    given = list(map(stream.feed, [b"xabc", b"def", b"x", b"\n"]))

    assert [b"x", b"", b"[secret A]x", b"\n"] == given
