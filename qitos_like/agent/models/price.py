"""What tokens cost."""

from attrs import Attribute, field, frozen

from qitos_like.agent.model import Usage

_PER = 1_000_000
_MOST = 2**53


def _dollars(_price: "Price", attribute: "Attribute[float]", value: object) -> None:
    if value is not None and not (isinstance(value, int | float) and value >= 0):
        message = f"{attribute.name} is an amount of US dollars, not {value!r}"
        raise ValueError(message)


@frozen
class Price:
    """US dollars per million tokens.

    Attributes:
        input: tokens read.
        output: tokens written.
        cached: tokens read from the provider's cache; as ``input`` if not given.
        cache_write: tokens written to it, where that is charged; as ``input`` if not given.

    Raises:
        ValueError: one of them is no amount.

    >>> Price(3, 15, cached=0.3).cost_usd(Tokens(fresh=200_000, cached=1_000_000, output=0))
    0.9
    """

    input: float = field(validator=_dollars)
    output: float = field(validator=_dollars)
    cached: float | None = field(default=None, validator=_dollars, kw_only=True)
    cache_write: float | None = field(default=None, validator=_dollars, kw_only=True)

    def cost_usd(self, tokens: "Tokens") -> float:
        """What these tokens cost."""
        cost = (
            tokens.fresh * self.input
            + tokens.cached * (self.input if self.cached is None else self.cached)
            + tokens.cache_write * (self.input if self.cache_write is None else self.cache_write)
            + tokens.output * self.output
        )
        return cost / _PER


def checked(price: object) -> Price | None:
    """A price, or none.

    Raises:
        TypeError: it is something else.
    """
    if price is None or isinstance(price, Price):
        return price
    message = f"a model's price is a Price(input, output), not {price!r}"
    raise TypeError(message)


def count(used: object, *names: str) -> int:
    """How many tokens an answer says were used; servers leave that out, or write it otherwise.

    >>> from types import SimpleNamespace
    >>> count(SimpleNamespace(output=7), "output"), count(None, "output")
    (7, 0)
    """
    for name in names:
        used = getattr(used, name, None)
    return int(used) if isinstance(used, int | float) and 0 < used < _MOST else 0


@frozen(kw_only=True)
class Tokens:
    """What a reply used.

    Attributes:
        fresh: tokens read that are counted in neither of the next two.
        cached: tokens read from the cache.
        cache_write: tokens read, and written to the cache.
        output: tokens written.
    """

    fresh: int
    cached: int = 0
    cache_write: int = 0
    output: int

    def usage(self, price: Price | None) -> Usage:
        """The same as a run adds it up; without a price the cost is unknown."""
        return Usage(
            input_tokens=self.fresh + self.cached + self.cache_write,
            output_tokens=self.output,
            cost_usd=None if price is None else price.cost_usd(self),
        )
