"""``assert_called``: calls looked back on."""

import pytest

from qitos_like import (
    ActionExecutor,
    PermissionPolicy,
    ToolError,
    ToolRegistry,
)
from qitos_like.testing import assert_called


def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


def say() -> None:
    """Say."""


@pytest.fixture
def executor():
    registry = ToolRegistry().register(add, namespace="sums").register(say)
    policy = PermissionPolicy(["deny sums.add(666)"])
    with ActionExecutor(registry, policy=policy) as executor:
        executor("sums__add", a="4", b=2)
        executor("sums.add", a=666)
        executor("sums.add", a="four")
        yield executor


@pytest.mark.parametrize("name", ["sums.add", "sums__add", "add"])
@pytest.mark.parametrize("args", [{}, {"a": 4}, {"a": 4, "b": 2}], ids=str)
def test_a_call_is_found_by_any_name_and_some_of_its_arguments(executor, name, args):
    assert_called(executor, name, **args)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("add", {"a": 5}, "sums.add was not called with {'a': 5}, but with:\n{'a': 4, 'b': 2}"),
        ("add", {"c": None}, "sums.add was not called with {'c': None}, but"),
        ("add", {"a": 666}, "sums.add was not called with {'a': 666}, but"),
        ("say", {}, "say was not called; sums.add was"),
        ("sums.ad", {}, "sums.ad was not called; sums.add was; there is no tool 'sums.ad'"),
    ],
)
def test_what_was_not_called_is_told_with_what_was(executor, name, args, message):
    with pytest.raises(AssertionError) as caught:
        assert_called(executor, name, **args)
    assert message in str(caught.value)


def test_nothing_called_is_told():
    with pytest.raises(AssertionError, match="add was not called; nothing was"):
        assert_called(ActionExecutor(ToolRegistry().register(add)), "add")


def test_a_tool_that_failed_was_called():
    def fail(text: str) -> None:
        """Fail."""
        raise ToolError("no", code="denied")

    with ActionExecutor(ToolRegistry().register(fail)) as executor:
        executor("fail", text="x")

    assert_called(executor, "fail", text="x")


def test_the_last_thousand_calls_are_known():
    with ActionExecutor(ToolRegistry().register(add), default_timeout_s=None) as executor:
        for number in range(1_003):
            executor("add", a=number)

    assert (1_000, 3, 1_002) == (
        len(executor.called),
        executor.called[0].args["a"],
        executor.called[-1].args["a"],
    )
