"""Sharing a turn's budget among its results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.run.budget import Budget


@pytest.mark.parametrize(
    ("sizes", "shares"),
    [
        ([], []),
        ([10, 20], [10, 20]),
        ([100, 100], [50, 50]),
        ([10, 100, 100], [10, 45, 45]),
        ([100, 30, 100], [35, 30, 35]),
        ([200], [100]),
    ],
    ids=["none", "all fit", "equal", "a short one gives", "order does not matter", "one"],
)
def test_short_results_give_what_they_do_not_need(sizes, shares):
    assert shares == Budget(per_turn=100).shares(sizes)


@given(st.lists(st.integers(0, 1000), max_size=20), st.integers(0, 2000))
def test_shares_keep_to_the_budget_and_waste_none_of_it(sizes, per_turn):
    shares = Budget(per_turn=per_turn).shares(sizes)

    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    assert min(sum(sizes), per_turn) - len(sizes) <= sum(shares) <= per_turn
