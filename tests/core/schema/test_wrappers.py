"""Functions that others wrap: what a call can fill, and how."""

import functools

import pytest

from tests.core.schema.case import Case, table

INT = {"type": "integer"}
ALL = {"x": INT, "y": {**INT, "default": 2}, "z": {**INT, "default": 3}}


def wrapped(make, **options):
    """A function of ``x``, ``y`` and, by name only, ``z``, in the wrapper that ``make`` makes."""

    def function(x: int, y: int = 2, *, z: int = 3):
        return x, y, z

    return functools.wraps(function, **options)(make(function))


def by_position(function):
    def wrapper(*args):
        return function(*args)

    return wrapper


def by_name(function):
    def wrapper(**kwargs):
        return function(**kwargs)

    return wrapper


def naming_the_first(function):
    def wrapper(first, *args, **kwargs):
        return function(first, *args, **kwargs)

    return wrapper


def with_its_own_option(function):
    def wrapper(*args, attempts=1, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def filling_one_itself(function):
    def wrapper(x):
        return function(x, 5)

    return wrapper


@functools.singledispatch
def dispatching(x: int, y: int = 2):
    return x, y


def annotating_its_own(function):
    def wrapper(text: str, z: "int" = 3):
        return function(len(text), z=z)

    return wrapper


@table(
    Case(
        "by position",
        wrapped(by_position),
        {"x": INT, "y": ALL["y"]},
        {"x": 1, "y": 5},
        (1, 5, 3),
        ({"y": 5}, {"x": 1, "z": 3}),
    ),
    Case(
        "by the type of the first",
        dispatching,
        {"x": INT, "y": ALL["y"]},
        {"x": 1, "y": 5},
        (1, 5),
        ({},),
    ),
    Case("by name", wrapped(by_name), ALL, {"x": 1, "z": 5}, (1, 2, 5), ({"x": "1"},)),
    Case("naming the first", wrapped(naming_the_first), ALL, {"x": 1, "z": 5}, (1, 2, 5), ({},)),
    Case("its own option", wrapped(with_its_own_option), ALL, {"x": 1}, (1, 2, 3), ({},)),
    Case(
        "filling one itself",
        wrapped(filling_one_itself),
        {"x": INT},
        {"x": 1},
        (1, 5, 3),
        ({"x": 1, "y": 2}, {"x": "1"}),
    ),
    Case(
        "annotating its own",
        wrapped(annotating_its_own, assigned=("__name__", "__doc__")),
        {"text": {"type": "string"}, "z": {**INT, "default": 3}},
        {"text": "abc"},
        (3, 2, 3),
        ({"x": 1}, {"text": 1}),
    ),
    Case(
        "two of them",
        functools.wraps(wrapped(naming_the_first))(by_position(wrapped(naming_the_first))),
        {"x": INT, "y": ALL["y"]},
        {"x": 1, "y": 5},
        (1, 5, 3),
        ({"y": 1},),
    ),
)
def test_a_wrapped_function_is_called_as_its_wrapper_takes_it(case: Case):
    case.check()


@pytest.mark.parametrize("wrapper", [naming_the_first, by_position], ids=lambda each: each.__name__)
def test_a_method_in_a_wrapper_has_its_object(wrapper):
    class Store:
        def sell(self, x: int, y: int = 2):
            return x, y

    Store.sell = functools.wraps(Store.sell)(wrapper(Store.sell))
    properties = {name: ALL[name] for name in ("x", "y")}

    Case("method", Store().sell, properties, {"x": 1}, (1, 2), ({"self": 1, "x": 1},)).check()
