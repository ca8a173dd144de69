import json
from math import inf

import pytest

from qitos_like.core.shapes import literal


@pytest.mark.parametrize(
    "value",
    [0, -7, 10**400, 0.5, 1e22, -0.0, 1e-7, inf, True, False, None, "a", [1, {"b": 2.5}]],
    ids=repr,
)
def test_a_value_is_spelled_as_in_json(value):
    assert json.dumps(value) == literal(value)


def test_what_cannot_be_seen_is_escaped():
    assert '"a\\u202eb"' == literal("a\u202eb")
    assert '"é"' == literal("é")
