"""How much of its results a model is shown."""

from collections.abc import Sequence
from functools import cached_property

from attrs import field, frozen
from attrs.validators import ge, is_callable

from qitos_like.core.given import instance

from .cut import Count

#: What an error may measure.
ERROR_LIMIT = 4_000


@frozen(slots=False)  # with slots, what is kept would slow every attribute down
class Budget:
    """How much text the results of a turn may have, and one of them alone.

    Attributes:
        per_turn: for all results of a turn together.
        per_result: for one result, unless its tool says otherwise.
        count: measures a text; characters by default, or a counter of tokens.

    Raises:
        ValueError: a budget is below 0.
        TypeError: a budget is no whole number, or the counter no function.

    >>> Budget().shares([10, 90_000, 60_000])
    [10, 39995, 39995]
    """

    per_turn: int = field(default=80_000, validator=[instance(int), ge(0)])
    per_result: int = field(default=30_000, validator=[instance(int), ge(0)])
    count: Count = field(default=len, validator=is_callable(), kw_only=True)

    @cached_property
    def limit(self) -> int:
        """For one result with nothing else in its turn."""
        return min(self.per_result, self.per_turn)

    @cached_property
    def least(self) -> int:
        """What any result may measure, an error too, unless its tool says otherwise."""
        return min(self.limit, ERROR_LIMIT)

    def shares(self, sizes: Sequence[int]) -> list[int]:
        """What each result may have, the turn's budget filled like water.

        Short results give what they do not need to long ones; all that are cut get the same.
        """
        shares = list(sizes)
        left = self.per_turn
        order = sorted(range(len(sizes)), key=sizes.__getitem__)
        for done, index in enumerate(order):
            shares[index] = min(sizes[index], left // (len(sizes) - done))
            left -= shares[index]
        return shares
