import pickle

import pytest

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.results import Err, ErrorCode, Ok, Part, ToolError, err, ok


def test_ok_carries_its_value_and_what_goes_with_it():
    part = Part("image/png", b"123")
    result = ok("text", structured={"a": 1}, parts=[part], cost_usd=0.5)

    assert Ok("text", structured={"a": 1}, parts=(part,), cost_usd=0.5) == result
    assert result.ok is True
    assert "3 bytes" in repr(part)


def test_err_carries_a_code_and_what_to_do_next():
    result = err("no", "input_invalid", hint="say yes", retryable=False, field="$.a")

    assert result.ok is False
    assert ErrorCode.INPUT_INVALID is result.code
    assert ("no", "say yes", False, "$.a") == (
        result.error,
        result.hint,
        result.retryable,
        result.field,
    )
    assert "other" == result.with_hint("other").hint


def test_an_unknown_code_is_an_error_of_the_author():
    with pytest.raises(ValueError, match="strange"):
        err("x", "strange")


def test_a_tool_error_becomes_the_same_failure_as_a_value():
    error = ToolError("gone", code="not_available", hint="wait")

    assert Err(ErrorCode.NOT_AVAILABLE, "gone", hint="wait") == error.to_result()


@pytest.fixture(name="action")
def _action():
    return Action("add", {"a": 1})


def test_an_action_is_changed_by_copies(action):
    assert "7" == action.with_id("7").id
    assert "{}" == action.with_args("{}").args
    assert action.id is None


def test_a_good_answer_gives_its_value(action):
    answer = ActionResult(action=action, result=Ok(3, structured=3, artifact="a"), text="3")

    assert answer.ok
    assert (3, 3, "a", ()) == (answer.value, answer.structured, answer.artifact, answer.parts)
    assert (None, None, None) == (answer.code, answer.error, answer.hint)
    assert 3 == answer.unwrap()
    assert "ActionResult(add ok: '3')" == repr(answer)


def test_a_bad_answer_raises_when_unwrapped(action):
    answer = ActionResult(action=action, result=err("no", hint="h"), text="no")

    assert (None, None, ()) == (answer.value, answer.artifact, answer.parts)
    assert ("execution_failed", "no", "h") == (answer.code, answer.error, answer.hint)
    with pytest.raises(ToolError, match="no") as raised:
        answer.unwrap()
    assert "h" == raised.value.hint


def test_the_truth_of_an_answer_is_an_error(action):
    answer = ActionResult(action=action, result=Ok(0), text="0")

    with pytest.raises(TypeError, match=r"\.ok"):
        bool(answer)


def test_a_long_text_is_cut_in_the_repr_and_fenced_in_a_notebook(action):
    answer = ActionResult(action=action, result=Ok("x"), text="```" + "x" * 100)

    assert len(repr(answer)) < 100
    assert "````\n```xxx" in answer._repr_markdown_()


def test_values_survive_pickling(action):
    for value in (action, ok(1), err("x"), ActionResult(action=action, result=ok(1), text="1")):
        assert repr(value) == repr(pickle.loads(pickle.dumps(value)))


@pytest.mark.parametrize("cost", ["1", float("nan"), float("inf"), -1, 1j], ids=str)
def test_a_cost_that_is_no_amount_is_refused(cost):
    with pytest.raises(ValueError, match="cost_usd is a number of US dollars, not "):
        Ok(1, cost_usd=cost)


def test_a_part_that_is_none_is_refused():
    with pytest.raises(TypeError, match="parts are of the class Part, not 'image'"):
        Ok(1, parts=["image"])
