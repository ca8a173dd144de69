"""Large results are made into text beside the event loop, in steps."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like import Action, ArtifactStore, ToolContext
from qitos_like.run import serialise
from qitos_like.run.large import is_large, pieces
from tests.run.stub import answer_sync, executor_of

pytestmark = pytest.mark.anyio

ROWS = {"rows": [{"id": number, "name": "é"} for number in range(4_000)], "more": [[0] * 6_000]}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=30,
)


def dumps(value):
    return json.dumps(value, ensure_ascii=False)


@given(VALUES, st.integers(1, 20))
def test_pieces_come_to_the_same_as_the_whole(value, most):
    assert (dumps(value), value) == pieces(value, dumps, most)


@pytest.mark.parametrize(
    "value", [ROWS, list(ROWS.values()), tuple(ROWS)], ids=["map", "list", "tuple"]
)
def test_a_large_value_has_the_text_and_the_data_that_json_makes(value):
    assert (dumps(value), json.loads(dumps(value))) == serialise.both(value)


def test_keys_that_json_makes_texts_of_are_the_same_in_pieces():
    value = {1: [0] * 6_000, None: [0] * 6_000, False: 1, "x": 2}

    assert dumps(value) == serialise.both(value)[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([*[0] * 6_000, float("nan")], "$[6000] is nan, which JSON has no form for"),
        ({"a": [0] * 6_000, "b": {"c": float("inf")}}, "$.b.c is inf"),
    ],
)
def test_what_is_no_json_in_a_large_value_is_told_by_its_place(value, text):
    with pytest.raises(serialise.NotJsonError, match=r"^\$") as raised:
        serialise.both(value)

    assert text in str(raised.value)


def test_a_large_value_that_holds_itself_is_told():
    value = [0] * 6_000
    value.append(value)

    with pytest.raises(serialise.NotJsonError, match="holds itself"):
        serialise.both(value)


@pytest.mark.parametrize(
    ("value", "large"),
    [
        ("a" * 500_000, False),
        ("a" * 500_001, True),
        (["a" * 300_000] * 2, True),
        ({"a": {"b": [0] * 5_000}}, True),
        ([[]] * 4_000, False),
        (5, False),
        (object(), False),
    ],
)
def test_what_is_large(value, large):
    assert large == is_large(value)


class Watched:
    """Says in which thread it was asked for its text."""

    def __str__(self):
        return threading.current_thread().name


async def test_a_large_result_is_made_text_in_another_thread():
    def call():
        return [*[0] * 6_000, Watched()]

    async with executor_of(call) as executor:
        (result,) = await executor.run_turn([Action("call")])

    assert threading.current_thread().name not in result.text


def test_who_does_not_await_needs_no_other_thread():
    def call():
        return [*[0] * 6_000, Watched()]

    assert threading.current_thread().name in answer_sync(call).text


@pytest.mark.parametrize("in_turn", [True, False], ids=["turn", "alone"])
async def test_a_long_text_is_kept_in_another_thread(in_turn):
    class Store(ArtifactStore):
        def save(self, text):
            self.thread = threading.current_thread()
            return super().save(text)

    def call(context: ToolContext) -> str:
        return "line\n" * 200_000

    store = Store()
    async with executor_of(call, options={"artifacts": store}) as executor:
        action = Action("call")
        result = (await executor.run_turn([action]))[0] if in_turn else await executor.run(action)
    size = len(store.path(result.artifact).read_text())
    store.close()

    assert 1_000_000 == size
    assert threading.current_thread() is not store.thread
