"""What the front doors give."""

import importlib
import inspect

import pytest

import kits
import qitos_like
from qitos_like import errors

DOORS = (qitos_like, kits)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_all_is_sorted(door):
    assert sorted(door.__all__) == list(door.__all__)


@pytest.mark.parametrize(
    ("door", "name"),
    [(door, name) for door in DOORS for name in door.__all__],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_name_in_all_can_be_had(door, name):
    assert getattr(door, name) is getattr(importlib.import_module(door.__name__), name)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_a_door_lists_what_it_gives(door):
    assert set(door.__all__) <= set(dir(door))


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_a_name_that_does_not_exist_is_an_attribute_error(door):
    with pytest.raises(AttributeError, match="nothing_like_this"):
        _ = door.nothing_like_this


def test_every_exception_is_at_the_front_door():
    values = (value for value in vars(errors).values() if inspect.isclass(value))
    own = {value.__name__ for value in values if issubclass(value, Exception)}

    assert set() == own - set(qitos_like.__all__)
