import logging

import pytest

from qitos_like.core.availability import Unavailable, why_unavailable
from qitos_like.core.context import Services, ToolContext


class Base: ...


class Derived(Base): ...


def test_services_are_found_by_their_type_or_a_base_of_it():
    derived = Derived()
    services = Services([3, derived])

    assert 3 == services[int]
    assert derived is services[Base]
    assert [int, Derived] == list(services)
    assert 2 == len(services)


def test_a_missing_service_names_those_that_are_there():
    with pytest.raises(KeyError, match=r"no service of type str.*\(has: int\)"):
        Services([3])[str]


def test_a_bare_context_can_be_used_by_a_tool():
    context = ToolContext()

    context.emit("half", percent=50, audience="user")
    context.output("text")
    context.raise_if_cancelled()
    assert not context.is_watched
    assert {} == context.state


def test_an_available_tool_has_no_reason():
    assert why_unavailable(None, "t") is None
    assert why_unavailable(lambda: "secret", "t") is None


def test_an_unavailable_tool_says_why_and_never_the_value():
    assert "KEY is not set" == why_unavailable(lambda: Unavailable("KEY is not set"), "t")
    assert "its availability check says no" == why_unavailable(lambda: "", "t")


def test_a_check_that_raises_hides_its_tool_and_is_logged(caplog):
    def check():
        raise OSError("disk")

    with caplog.at_level(logging.WARNING, "qitos_like"):
        assert "its availability check raised OSError" == why_unavailable(check, "t")
    assert "availability check of t raised" in caplog.text
