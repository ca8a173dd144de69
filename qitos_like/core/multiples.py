"""Whether a number is a multiple of another, by what is written and not by what floats round to."""

from math import isfinite

from .jsontypes import Json


def is_multiple(value: Json, step: Json) -> bool:
    """Whether the value is the step times a whole number; 0.3 is three times 0.1.

    Raises:
        ZeroDivisionError: the step is zero.

    >>> is_multiple(19.99, 0.01), is_multiple(19.995, 0.01), is_multiple(6, 4)
    (True, False, False)
    """
    if isinstance(value, float) and not isfinite(value):
        return False
    digits, exponent = _written(value)
    step_digits, step_exponent = _written(step)
    least = min(exponent, step_exponent)
    scaled: int = digits * 10 ** (exponent - least)
    return not scaled % (step_digits * 10 ** (step_exponent - least))


def _written(number: Json) -> tuple[int, int]:
    """Its decimal digits, and the power of ten that they count."""
    if isinstance(number, int):
        return int(number), 0
    digits, _, exponent = repr(float(number)).partition("e")
    whole, _, fraction = digits.partition(".")
    return int(f"{whole}{fraction}"), int(exponent or 0) - len(fraction)
