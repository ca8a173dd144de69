"""JSON text from a model, read within limits."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.run import jsontext, plain


def nested(levels):
    return '{"a":' * levels + "1" + "}" * levels


GOOD = {
    "object": ('{"a": [1, 2.5, null, true, "é"]}', {"a": [1, 2.5, None, True, "é"]}),
    "joined surrogate escapes": ('"\\ud83d\\ude00"', "\U0001f600"),
    "joined surrogates": ('{"\ud83d\ude00": "a\ud83d\ude00"}', {"\U0001f600": "a\U0001f600"}),
    "brackets in a string": ('["' + "[{" * 100 + '"]', ["[{" * 100]),
    "long digits in a string": ('"' + "9" * 5000 + '"', "9" * 5000),
    "small exponent": ("1e-999", 0.0),
    "as deep as allowed": (nested(64), json.loads(nested(64))),
    "deep with brackets in a string": (
        nested(64).replace("1", '"[{:"'),
        json.loads(nested(64).replace("1", '"[{:"')),
    ),
    "many objects": (json.dumps([{"a": {"b": ":"}}] * 20), [{"a": {"b": ":"}}] * 20),
    "many objects with keys in strings": (json.dumps([{"a": '"b":'}] * 20), [{"a": '"b":'}] * 20),
    "white space around": (" \n{}\t", {}),
}

BAD = {
    "empty": ("", "$: not valid JSON: expecting value, at its end after ''"),
    "cut off": ('{"a": [1,', "$: not valid JSON: expecting value, at its end after '{\"a\": [1,'"),
    "single quotes": ("{'a': 1}", "$: not valid JSON: expecting property name enclosed in double"),
    "line break in a string": (
        '{"a": "x\ny"}',
        "$: not valid JSON: a control character in a string; ",
    ),
    "backslash": (
        '{"a": "C:\\x"}',
        "$: not valid JSON: a backslash that escapes nothing; write it",
    ),
    "rest": ('{"a": 1} x', "$: not valid JSON: extra data, at line 1 column 10"),
    "twice": ('{"b": [{"x": 1, "x": 1}]}', "$.b[0].x: given twice; give it once"),
    "twice in the first object": ('{"a": 1, "b": [{"x": 1}], "a": 2}', "$.a: given twice"),
    "twice among many": ("[" + "{}," * 20 + '{"x" :1, "x": ":"}]', "$[20].x: given twice"),
    "NaN": ('{"a": NaN}', "$: NaN is no JSON number"),
    "Infinity": ("[-Infinity]", "$: -Infinity is no JSON number"),
    "overflow": ('{"a": 1e999}', "$: the number 1e999 is too large"),
    "digits": ('{"a": ' + "9" * 4301 + "}", "$: a number of more than 4,300 digits"),
    "too deep": (nested(65), "$: nested deeper than 64 levels"),
    "much too deep": ("[" * 100_000, "$: nested deeper than 64 levels"),
    "lone surrogate escape": ('{"a": "x\\ud83d"}', "$.a: \\ud83d at character 1 is half of a"),
    "lone surrogate": ('{"a": "\ud83d"}', "$: \\ud83d at character 7 of the text is half of a"),
    "too long": ("[" + "1," * 600_000 + "1]", "$: 1,200,003 characters of JSON text; at most"),
}


@pytest.mark.parametrize(("text", "value"), GOOD.values(), ids=GOOD.keys())
def test_json_within_the_limits_is_read(text, value):
    assert value == jsontext.parse(text)


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD.keys())
def test_what_is_wrong_is_said_with_its_place(text, message):
    with pytest.raises(ArgumentsError) as raised:
        jsontext.parse(text)

    assert str(raised.value).startswith(message)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=20,
)


@given(JSON)
def test_what_json_writes_is_read_back(value):
    assert value == jsontext.parse(json.dumps(value))
    assert value == plain.value(value)


PAIRS = st.lists(st.tuples(st.sampled_from(["a", "b", '":', "\\"]), st.sampled_from("x:{")))


@given(st.lists(PAIRS, max_size=4), st.sampled_from([":", " :"]))
def test_a_key_that_is_lost_is_missed_among_however_many(objects, colon):
    texts = [
        "{" + ",".join(f"{json.dumps(key)}{colon}{json.dumps(value)}" for key, value in pairs) + "}"
        for pairs in objects
    ]
    text = f"[{','.join([*texts, *['{}'] * 20])}]"

    try:
        is_read = jsontext.parse(text) == json.loads(text)
    except ArgumentsError as error:
        is_read = "given twice" not in str(error)

    assert all(len(dict(pairs)) == len(pairs) for pairs in objects) == is_read


@given(st.text(st.sampled_from('{}[]",:\\u0dD8ef019.-+aNtrueI ')))
def test_no_text_is_too_odd_to_be_judged(text):
    try:
        value = jsontext.parse(text)
    except ArgumentsError:
        return
    assert json.loads(text) == value
