"""Whether a tool can be used right now, and if not, why."""

from collections.abc import Callable

from attrs import frozen

from . import _lazy
from .raised import contained, kind_of

#: A check that says yes with a truthy value, no with a falsy one or with ``Unavailable``.
AvailabilityCheck = Callable[[], object]


@frozen
class Unavailable:
    """A falsy answer with its reason, which the model is told.

    >>> bool(Unavailable("WEATHER_API_KEY is not set"))
    False
    """

    reason: str

    def __bool__(self) -> bool:
        """Always ``False``."""
        return False


def why_unavailable(check: AvailabilityCheck | None, name: str) -> str | None:
    """``None`` if the tool can be used, else the reason.

    A check that raises hides its tool alone: the reason names the exception's type, and the
    exception is logged. What a check returns is never shown, since it may be a secret.
    """
    if check is None:
        return None
    try:
        answer = contained(check)
        if contained(bool, answer):
            return None
    except Exception as error:  # user code: a broken check must not hide the other tools
        _lazy.log().warning("availability check of %s raised", name, exc_info=True)
        return f"its availability check raised {kind_of(error)}"
    if isinstance(answer, Unavailable):
        return answer.reason
    return "its availability check says no"
