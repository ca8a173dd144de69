"""Every kind of callable, and how its parameters are filled."""

import functools
import inspect
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import attrs
import pytest

from qitos_like.core.context import ToolContext
from qitos_like.core.marks import CommandArg, Configured, Name, PathArg
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import read
from qitos_like.errors import SignatureError


def plain(a: int, b: str = "x", *, c: float = 1.0):
    """Do it.

    Args:
        a: the first
    """
    return a, b, c


def positional(a: int, b: int, /, *rest: int):
    return a, b, rest


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Tools:
    def method(self, a: int):
        return a

    @classmethod
    def on_class(cls, a: int):
        return a

    @staticmethod
    def static(a: int):
        return a

    @logged
    def wrapped(self, a: int):
        return a

    def with_rest(*args: int):
        return args[1]

    def with_keywords(self, **kwargs: int):
        return kwargs["a"]

    def only_positional(self, a: int, /):
        return a

    @functools.cached_property
    def made(self):
        return lambda a: a

    async def asynchronous(self, a: int):
        return a

    def generator(self, a: int):
        yield a


class Callable:
    def __call__(self, a: int):
        return a


@dataclass
class DataTools:
    factor: int = 2

    def method(self, a: int):
        return a * self.factor // 2


@attrs.frozen
class AttrsTools:
    factor: int = 2

    def method(self, a: int):
        return a * self.factor // 2


def signed(*args, **kwargs):
    return kwargs["a"]


signed.__signature__ = inspect.Signature(
    [inspect.Parameter("a", inspect.Parameter.KEYWORD_ONLY, annotation=int)]
)


@functools.lru_cache
def cached(a: int):
    return a


def call(target, arguments, **more):
    signature = read(target)
    positional_, named = signature.bind(signature.structure(arguments), **more)
    return target(*positional_, **named)


@pytest.mark.parametrize(
    "target",
    [
        pytest.param(Tools().method, id="bound method"),
        pytest.param(Tools.on_class, id="class method"),
        pytest.param(Tools.static, id="static method"),
        pytest.param(Tools().wrapped, id="wrapped method"),
        pytest.param(Tools().only_positional, id="positional-only method"),
        pytest.param(Callable(), id="callable object"),
        pytest.param(Callable().__call__, id="its call"),
        pytest.param(DataTools().method, id="method of a dataclass"),
        pytest.param(AttrsTools().method, id="method of an attrs class"),
        pytest.param(logged(logged(cached)), id="wrapped twice"),
        pytest.param(cached, id="cached"),
        pytest.param(signed, id="with a signature of its own"),
        pytest.param(partial(Tools().method), id="partial of a method"),
        pytest.param(partial(partial(cached)), id="partial of a partial"),
        pytest.param(partial(Callable()), id="partial of an object"),
    ],
)
def test_a_callable_takes_its_own_parameters(target):
    schema = read(target).input_schema()

    assert {"a": {"type": "integer"}} == schema["properties"]
    assert ["a"] == schema["required"]
    assert 1 == call(target, {"a": 1.0})
    with pytest.raises(ArgumentsError):
        read(target).structure({"a": "1"})
    with pytest.raises(ArgumentsError):
        read(target).structure({"a": 1, "self": 2})


@pytest.mark.parametrize(
    "target",
    [
        Tools.__dict__["on_class"],
        Tools.__dict__["static"],
        staticmethod(cached),
    ],
    ids=["class method", "static method", "static method of a cached function"],
)
def test_a_descriptor_in_a_class_body_is_read_too(target):
    assert ["a"] == [each.name for each in read(target).parameters]


def test_a_method_that_finds_self_among_the_rest():
    assert {"args": {"type": "array", "items": {"type": "integer"}}} == read(
        Tools().with_rest
    ).input_schema()["properties"]
    assert 5 == call(Tools().with_rest, {"args": [5]})


def test_the_name_of_self_is_no_keyword_of_a_bound_method():
    signature = read(Tools().with_keywords)

    assert 1 == call(Tools().with_keywords, {"a": 1})
    with pytest.raises(ArgumentsError, match=r"\$\.self: is not yours to give"):
        signature.structure({"a": 1, "self": 2})


@pytest.mark.parametrize(
    ("target", "left", "arguments", "result"),
    [
        (partial(plain, 5), ["b", "c"], {"b": "y"}, (5, "y", 1.0)),
        (partial(plain, a=5), ["b", "c"], {"b": "y", "c": 2}, (5, "y", 2.0)),
        (partial(plain, b="z"), ["a", "c"], {"a": 1}, (1, "z", 1.0)),
        (partial(plain, 5, c=9), ["b"], {}, (5, "x", 9)),
        (partial(positional, 1), ["b", "rest"], {"b": 2, "rest": [3]}, (1, 2, (3,))),
        (partial(positional, 1, 2, 3), ["rest"], {"rest": [4]}, (1, 2, (3, 4))),
        (partial(partial(plain, 1), "b"), ["c"], {}, (1, "b", 1.0)),
    ],
    ids=["position", "name", "later name", "both", "positional-only", "into the rest", "nested"],
)
def test_what_a_partial_has_filled_is_not_shown_and_not_changed(target, left, arguments, result):
    signature = read(target)

    assert left == list(signature.input_schema()["properties"])
    assert result == call(target, arguments)
    with pytest.raises(ArgumentsError):
        signature.structure({**arguments, "nope": 1})


def test_a_keyword_that_a_partial_has_filled_is_refused():
    def function(**kwargs):
        return kwargs

    target = partial(function, key="secret")

    assert {"key": "secret", "a": 1} == call(target, {"a": 1})
    with pytest.raises(ArgumentsError, match=r"\$\.key"):
        read(target).structure({"key": "mine"})


@pytest.mark.parametrize("target", [Tools().asynchronous, Tools().generator])
def test_async_functions_and_generators_are_read_alike(target):
    assert ["a"] == [each.name for each in read(target).parameters]


def test_a_builtin_that_tells_its_parameters():
    assert ["obj"] == list(read(len).input_schema()["properties"])
    assert 2 == call(len, {"obj": [1, 2]})


@pytest.mark.parametrize("target", [max, 3])
def test_what_does_not_tell_its_parameters_is_refused(target):
    with pytest.raises(SignatureError, match="does not tell its parameters"):
        read(target)


def test_docstrings_give_texts_and_annotations_win():
    def function(a: Annotated[int, "mine"], b: int, c: int):
        """Do it.

        Args:
            a: theirs
            b: the other
        """

    properties = read(function).input_schema()["properties"]

    assert "mine" == properties["a"]["description"]
    assert "the other" == properties["b"]["description"]
    assert "description" not in properties["c"]
    assert (
        "the first" == read(partial(plain, b="y")).input_schema()["properties"]["a"]["description"]
    )


def test_the_class_of_an_object_describes_what_its_method_does_not():
    class Tool:
        """A tool.

        Args:
            a: by the class
            b: by the class
        """

        def run(self, a: int, b: int):
            """Run it.

            Args:
                a: by the method
            """

    properties = read(Tool().run, owner=Tool).input_schema()["properties"]

    assert "by the method" == properties["a"]["description"]
    assert "by the class" == properties["b"]["description"]


def test_the_context_is_passed_and_left_out_where_it_may_be():
    def needed(context: ToolContext, a: int):
        return context

    def optional(a: int, context: ToolContext | None = None):
        return context

    context = ToolContext()

    assert context is call(needed, {"a": 1}, context=context)
    assert context is call(optional, {"a": 1}, context=context)
    assert None is call(needed, {"a": 1})
    assert None is call(optional, {"a": 1})
    assert "context" == read(optional).context_parameter
    assert None is read(plain).context_parameter


def test_a_subclass_of_the_context_is_the_context():
    class Own(ToolContext):
        pass

    def function(where: Own):
        return where

    assert "where" == read(function).context_parameter


def test_two_contexts_are_refused():
    def function(a: ToolContext, b: ToolContext): ...

    with pytest.raises(SignatureError, match="a and b both take the ToolContext"):
        read(function)


def test_configuration_fills_its_parameters():
    def function(q: str, key: Annotated[str, Configured], n: Annotated[list, Configured] = []):  # noqa: B006
        n.append(q)
        return q, key, n

    signature = read(function, tool="search")

    assert ("a", "k", ["a"]) == call(function, {"q": "a"}, config={"key": "k"})
    assert ("a", "k", ["a"]) == call(function, {"q": "a"}, config={"key": "k"})
    with pytest.raises(SignatureError, match="'key' is for configuration to fill"):
        signature.bind({"q": "a"})


def test_marks_are_found():
    def function(
        root: Annotated[str, PathArg, Configured],
        path: Annotated[str, PathArg] | None,
        run: Annotated[str, CommandArg()],
    ): ...

    signature = read(function)

    assert "path" == signature.marked(PathArg)
    assert "run" == signature.marked(CommandArg)
    assert None is signature.marked(Name)


def test_a_mutable_default_is_copied_for_each_call():
    @dataclass
    class Options:
        values: list

    def function(a: Options = Options([]), b: dict = {}, *, c: set[int] = {1}):  # noqa: B006, B008
        a.values.append(1)
        b[len(b)] = 1
        c.add(2)
        return a.values, b, c

    assert ([1], {0: 1}, {1, 2}) == call(function, {})
    assert ([1], {0: 1}, {1, 2}) == call(function, {})


def test_two_parameters_of_one_property_are_refused():
    def function(a: Annotated[int, Name("b")], b: int): ...

    with pytest.raises(SignatureError, match="two parameters are the property 'b'"):
        read(function, tool="t")
