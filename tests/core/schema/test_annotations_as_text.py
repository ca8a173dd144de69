"""Annotations that are text, by ``from __future__ import annotations``, each resolved by itself."""

from __future__ import annotations

import dataclasses
import functools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Optional, TypedDict, TypeVar

import attrs
import pytest

from qitos_like import ToolRegistry, tool
from qitos_like.core.context import ToolContext
from qitos_like.core.marks import PathArg
from qitos_like.core.schema.signature import read
from qitos_like.errors import SchemaWarning
from tests.core.schema.case import closed

if TYPE_CHECKING:
    from decimal import Decimal as Money

    from elsewhere import Client, Options
    from elsewhere import ToolContext as Context  # noqa: F401

T = TypeVar("T")
INTEGER = {"type": "integer"}
STRING = {"type": "string"}


def properties(function, **more):
    return read(function, **more).input_schema()["properties"]


def arrives(function, arguments, **more):
    signature = read(function, **more)
    positional, named = signature.bind(signature.structure(arguments))
    return function(*positional, **named)


@dataclass
class Point:
    x: int
    next: Point | None = None
    list: list[int] = dataclasses.field(default_factory=list)


class Options_(TypedDict, total=False):  # noqa: N801
    path: Path
    points: Sequence[Point]


@attrs.frozen
class Box(Generic[T]):
    item: T
    inner: Box[T] | None = None


class Tools:
    @dataclass
    class Query:
        text: str
        limit: Tools.Limit | None = None

    @dataclass
    class Limit:
        n: int

    Size = int

    def search(self, query: Query, size: Size = 3):
        return query, size

    @staticmethod
    def static(query: Query):
        return query

    @classmethod
    def on_class(cls, limit: Limit):
        return limit


class MoreTools(Tools):
    def inherited(self, limit: Limit):  # noqa: F821 (it lives in the base class)
        return limit


def test_names_of_the_module():
    def function(a: int, b: Optional[Path] = None, *rest: list[str], **more: float): ...  # noqa: UP045

    expected = {
        "a": INTEGER,
        "b": {"type": ["string", "null"], "default": None},
        "rest": {"type": "array", "items": {"type": "array", "items": STRING}},
    }

    assert expected == properties(function)


def test_a_class_that_holds_itself():
    def function(point: Point):
        return point

    assert Point(1, Point(2), [3]) == arrives(
        function, {"point": {"x": 1, "next": {"x": 2}, "list": [3]}}
    )


def test_a_typed_dict():
    def function(options: Options_):
        return options

    assert {"path": Path("a"), "points": [Point(1)]} == arrives(
        function, {"options": {"path": "a", "points": [{"x": 1}]}}
    )


def test_a_generic_class():
    def function(box: Box[int]):
        return box

    assert Box(1, Box(2)) == arrives(function, {"box": {"item": 1, "inner": {"item": 2}}})


@pytest.mark.parametrize("owner", [Tools, MoreTools])
def test_a_class_nested_in_the_owner(owner):
    query = {"query": {"text": "a", "limit": {"n": 1}}}

    assert (Tools.Query("a", Tools.Limit(1)), 3) == arrives(owner().search, query)
    assert Tools.Query("a") == arrives(owner.static, {"query": {"text": "a"}})
    assert Tools.Limit(1) == arrives(owner.on_class, {"limit": {"n": 1}})


def test_a_class_nested_in_a_base_of_the_owner():
    assert Tools.Limit(2) == arrives(MoreTools().inherited, {"limit": {"n": 2}})


def test_a_plain_function_with_its_owner():
    assert {"query", "size"} == properties(Tools.search, owner=Tools).keys()


def test_types_that_are_local_to_a_function():
    @dataclass
    class Inner:
        n: int

    @dataclass
    class Local:
        inner: Inner
        again: Local | None = None

    def function(local: Local, other: list[Inner]):
        return local, other

    namespace = {"Local": Local, "Inner": Inner}
    arguments = {"local": {"inner": {"n": 1}, "again": {"inner": {"n": 2}}}, "other": [{"n": 3}]}

    expected = (Local(Inner(1), Local(Inner(2))), [Inner(3)])
    assert expected == arrives(function, arguments, namespace=namespace)


def test_local_types_of_a_decorated_and_of_a_registered_function():
    @dataclass
    class Local:
        n: int

    @tool(name="decorated")
    def decorated(local: Local):
        """Doc."""

    def registered(local: Local):
        """Doc."""

    registry = ToolRegistry().register(decorated).register(registered)

    expected = {"local": closed({"n": INTEGER}, "n")}
    assert expected == registry["decorated"].spec.input_schema["properties"]
    assert expected == registry["registered"].spec.input_schema["properties"]


def test_local_types_that_mention_each_other():
    @dataclass
    class Leaf:
        n: int

    @dataclass
    class Branch:
        leaf: Leaf
        twin: Branch | None = None

    @dataclass
    class Root:
        branches: list[Branch]

    @tool
    def by_text(root: Root):
        """Doc."""
        return root

    def by_type(root):
        """Doc."""
        return root

    by_type.__annotations__["root"] = list[Root]
    registry = ToolRegistry().register(by_text).register(by_type)

    arguments = {"branches": [{"leaf": {"n": 1}, "twin": {"leaf": {"n": 2}}}]}
    value = Root([Branch(Leaf(1), Branch(Leaf(2)))])
    structured = registry["by_text"].tool.signature.structure({"root": arguments})
    assert {"root": value} == structured
    structured = registry["by_type"].tool.signature.structure({"root": [arguments]})
    assert {"root": [value]} == structured


def test_types_in_the_closure():
    class Size(int):
        pass

    Local = list[int]  # noqa: N806

    def function(values: Local):
        return Local, values

    assert {"values": {"type": "array", "items": INTEGER}} == properties(function)


def test_a_name_for_type_checkers_only_takes_any_value_with_a_warning():
    def function(client: Client, n: int, options: dict[str, Options] | None = None) -> Money: ...

    with pytest.warns(SchemaWarning) as caught:
        schema = properties(function, tool="fetch")

    expected = {
        "client": {},
        "n": INTEGER,
        "options": {"type": ["object", "null"], "default": None},
    }
    assert expected == schema
    first, second = [str(warning.message) for warning in caught]
    assert "fetch: parameter 'client'" in first
    assert "'Client'" in first
    assert "parameter 'options'" in second


def test_the_return_type_does_not_matter():
    def function(n: int) -> Nowhere:  # noqa: F821
        return n

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert {"n": INTEGER} == properties(function)


def test_the_context_is_known_where_its_import_is_for_type_checkers_only():
    source = """
from __future__ import annotations
def function(n: int, context: ToolContext | None = None, path: Annotated[str, PathArg] = ""): ...
"""
    names = {"Annotated": Annotated}
    exec(source, names)
    signature = read(names["function"])

    assert "context" == signature.context_parameter
    assert "path" == signature.marked(PathArg)
    assert ["n", "path"] == list(signature.input_schema()["properties"])


def test_marks_are_kept_beside_an_unknown_name():
    def function(client: Annotated[Client, "who asks"]): ...

    with pytest.warns(SchemaWarning):
        assert {"client": {"description": "who asks"}} == properties(function)


@pytest.mark.parametrize(
    "text", ["1 +", "Missing.attribute", "Missing[int]()", "int if unknown() else", "Point.nope"]
)
def test_text_that_is_no_type_takes_any_value_with_a_warning(text):
    def function(a): ...

    function.__annotations__["a"] = text

    with pytest.warns(SchemaWarning, match="parameter 'a'"):
        assert {"a": {}} == properties(function)


def test_text_in_a_generic_alias():
    def function(a): ...

    function.__annotations__["a"] = list["Point"]

    assert "Point" in str(properties(function))
    assert "$defs" in read(function).input_schema()


def test_a_method_or_default_does_not_hide_a_type():
    @dataclass
    class Shadow:
        list: list[int]
        int: int = 3

        def dict(self): ...

        def method(self, a: dict[str, int], b: list[int]):
            return a, b

    signature = read(Shadow([1]).method)

    assert {"a": {"type": "object", "additionalProperties": INTEGER}} == {
        "a": signature.input_schema()["properties"]["a"]
    }


def test_the_annotations_of_a_wrapped_function_are_those_of_its_module():
    def logged(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)

        return wrapper

    @logged
    def function(point: Point):
        return point

    assert Point(1) == arrives(function, {"point": {"x": 1}})


def test_a_string_annotation_may_hold_any_expression():
    def function(a: Annotated[Any, "x"], b: Point | list[Point] | None, c: ToolContext): ...

    assert ["a", "b"] == list(properties(function))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int | 'str'", {"type": ["integer", "string"]}),
        ("'int' | None", {"type": ["integer", "null"]}),
        (
            "list[int | 'str | None']",
            {"type": "array", "items": {"type": ["integer", "string", "null"]}},
        ),
        ("Annotated['int' | None, 'a | b']", {"type": ["integer", "null"], "description": "a | b"}),
    ],
)
def test_a_part_of_a_union_may_be_text_once_more(text, expected):
    def function(a): ...

    function.__annotations__["a"] = text

    assert {"a": expected} == properties(function)
