"""What an agent may decide, and what a model's reply means."""

import pytest

from qitos_like import Action, Decision
from qitos_like.agent.model import Reply, Usage

VIEW = Action("view", {"path": "a"})


def test_acting_keeps_the_actions_in_order():
    decision = Decision.act([VIEW, Action("grep")], "look first")

    assert (("view", "grep"), "look first", False) == (
        tuple(action.name for action in decision.actions),
        decision.rationale,
        decision.is_final,
    )


def test_an_empty_answer_is_an_answer():
    assert Decision.final("").is_final


@pytest.mark.parametrize("actions", [[("view", {})], ["view"]], ids=["a tuple", "text"])
def test_actions_are_actions(actions):
    with pytest.raises(TypeError, match=r"of a decision are Action\(name, args\), not "):
        Decision.act(actions)


def test_waiting_does_nothing():
    assert Decision() == Decision.wait()


@pytest.mark.parametrize(
    ("reply", "decision"),
    [
        (Reply("I look", [VIEW]), Decision.act([VIEW], "I look")),
        (Reply("", [VIEW]), Decision.act([VIEW])),
        (Reply("done"), Decision.final("done")),
        (Reply(), Decision.wait()),
        (Reply(" \n"), Decision.wait()),
    ],
    ids=["text and actions", "actions", "text", "nothing", "space"],
)
def test_a_reply_is_a_decision(reply, decision):
    assert decision == Decision.of(reply)


def test_usage_adds_up():
    first = Usage(input_tokens=1, output_tokens=2, cost_usd=0.25)

    assert Usage(input_tokens=4, output_tokens=2, cost_usd=0.75) == first + Usage(
        input_tokens=3, cost_usd=0.5
    )


def test_an_unknown_price_stays_unknown():
    assert (Usage() + Usage()).cost_usd is None
