"""The function names of a public benchmark, at each provider."""

import pytest

from qitos_like.core.names import WIRE_RULES, wire_name
from tests.core.schema.bfcl import questions, wheel

NAMES_THERE_ARE = 1_853


@pytest.fixture(scope="module")
def names(pytestconfig):
    path = wheel(pytestconfig.cache.mkdir("bfcl"))
    return {function["name"] for question in questions(path) for function in question.functions}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("provider", WIRE_RULES)
def test_real_names_map_without_collision(names, provider):
    assert NAMES_THERE_ARE <= len(names)
    assert len(names) == len({wire_name(name, provider) for name in names})
