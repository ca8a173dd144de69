"""Arrays of objects that all have the same keys, made column by column.

What would be done for each field of each object is then done by Python's own loops.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from qitos_like.core.jsontypes import Json

from .fields import Field
from .rows import Hook, Many, Structuring
from .scalars import all_by


class Columns(NamedTuple):
    """The values of the fields that all records of an array have: the first ones.

    Attributes:
        given: by field, as they are in the array.
        values: as the fields are annotated; the same list, where they are so already.
    """

    given: list[list[Json]]
    values: list[list[object]]


#: The records of an array, from that and their fields.
Make = Callable[[list[Json], Columns], Iterable[object]]


def by_columns(
    fields: Sequence[Field], structuring: Structuring, *, item: Hook, make: Make
) -> Many:
    """Makes arrays of records; where they are not alike, each record by itself.

    Args:
        fields: of a record.
        structuring: has the hooks of their types.
        item: makes one record, or says what is wrong.
        make: makes all of an array.
    """
    gets = [itemgetter(each.key) for each in fields]
    fits = [all_by(structuring.hook(each.type)) for each in fields]
    least = max((count for count, each in enumerate(fields, 1) if each.is_required), default=1)

    def given_by(array: list[Json]) -> list[list[Json]]:
        """The values as they are given; none if not every object gives the same fields."""
        try:
            sizes = {*map(len, array)}
            count = max(sizes, default=0)
            if len(sizes) == 1 and least <= count <= len(fields):
                return [[*map(get, array)] for get in gets[:count]]
        except (KeyError, TypeError):  # another key, or no object
            pass
        return []

    def many(array: list[Json]) -> list[object]:
        given = given_by(array)
        if not given:
            return [item(part, None) for part in array]
        # Nothing is tried again where a value is refused: in nested arrays that would double.
        values = [fit(column) for fit, column in zip(fits, given, strict=False)]
        return [*make(array, Columns(given, values))]

    return many
