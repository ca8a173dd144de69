import asyncio
import copy
import functools
import inspect
import pickle

import pytest

from qitos_like.core.decorator import declaration_of, tool
from qitos_like.core.permission import ToolPermission
from qitos_like.core.spec import ToolMeta
from qitos_like.errors import SignatureError


@tool(name="twice", timeout_s=2.0)
def double(number: int) -> int:
    """Twice a number."""
    return 2 * number


def test_a_decorated_function_is_the_same_function():
    def plain(number: int) -> int:
        return number

    assert plain is tool(plain)
    assert plain is tool()(plain)
    assert plain is tool(name="x")(plain)
    assert 8 == double(4)
    assert ["number"] == list(inspect.signature(double).parameters)


def test_a_decorated_function_can_be_pickled_and_copied():
    assert double is pickle.loads(pickle.dumps(double))
    assert double is copy.deepcopy(double)


def test_a_decorated_coroutine_function_is_awaited_as_before():
    @tool
    async def fetch() -> str:
        return "text"

    assert "text" == asyncio.run(fetch())


def test_options_are_remembered_as_they_were_given():
    declaration = declaration_of(double)

    assert declaration is not None
    assert {"name": "twice", "timeout_s": 2.0} == declaration.meta.given()


def test_the_options_of_the_documents_may_be_none():
    @tool(permissions=None, required_ops=None, timeout_s=None)
    def act() -> None: ...

    meta = declaration_of(act).meta
    assert (ToolPermission(), (), None) == (meta.permissions, meta.required_ops, meta.timeout_s)


@pytest.mark.parametrize("outer", [staticmethod, classmethod])
@pytest.mark.parametrize("tool_first", [True, False])
def test_static_and_class_methods_are_declared_in_either_order(outer, tool_first):
    def act(number: int) -> int:
        return number

    decorated = tool(outer(act)) if tool_first else outer(tool(act))

    assert isinstance(decorated, outer)
    assert declaration_of(decorated) is not None


def test_partials_and_callable_objects_are_declared():
    class Adder:
        def __call__(self, a: int) -> int:
            return a

    adder, bound = Adder(), functools.partial(double, number=1)

    assert adder is tool(adder)
    assert declaration_of(adder) is not None
    assert "twice" == declaration_of(bound).meta.name
    assert "once" == declaration_of(tool(name="once")(bound)).meta.name
    assert "twice" == declaration_of(double).meta.name


def test_a_misspelt_option_names_the_nearest_right_one():
    with pytest.raises(TypeError, match="no option 'timeout'; did you mean 'timeout_s'"):
        tool(timeout=3)
    with pytest.raises(TypeError, match="no option 'zzzz'; known: usage"):
        tool(zzzz=3)


def test_two_positional_arguments_are_refused():
    with pytest.raises(TypeError, match="one target"):
        tool(double, "name")


@pytest.mark.parametrize("target", [[].append, len], ids=["method", "builtin"])
def test_what_cannot_carry_metadata_names_the_other_way(target):
    with pytest.raises(TypeError, match=r"registry\.register\(obj, meta="):
        tool(target)


def test_an_object_without_a_dict_names_the_other_way():
    class Slotted:
        __slots__ = ()

        def __call__(self) -> None: ...

    with pytest.raises(TypeError, match=r"registry\.register\(obj, meta="):
        tool(Slotted())


def test_a_class_or_a_value_is_refused():
    class Group: ...

    with pytest.raises(TypeError, match="subclass BaseTool"):
        tool(Group)
    with pytest.raises(TypeError, match="goes on a callable"):
        tool("text")


def test_an_explicit_schema_with_a_name_the_function_lacks_is_refused_at_once():
    with pytest.raises(SignatureError, match="limit"):

        @tool(parameters={"path": {"type": "string"}, "limit": {"type": "integer"}})
        def read(path: str) -> str: ...


def test_an_explicit_schema_without_a_needed_parameter_is_refused_at_once():
    with pytest.raises(SignatureError, match="mode"):

        @tool(parameters={"path": {"type": "string"}})
        def read(path: str, mode: str) -> str: ...


def test_in_a_class_body_the_check_waits_for_registration():
    class Files:
        @tool(parameters={"path": {"type": "string"}})
        def read(self, path: str) -> str: ...

    assert declaration_of(Files.read) is not None


def test_an_unrelated_object_has_no_declaration():
    class Eager:
        def __getattr__(self, name):
            raise AssertionError(name)

    assert declaration_of(Eager()) is None
    assert declaration_of(len) is None
    assert declaration_of(Eager) is None


def test_meta_remembers_what_was_said_and_overrides_field_by_field():
    own = ToolMeta(timeout_s=3, requires_approval=True, tags=["a"])
    override = ToolMeta(timeout_s=None, requires_approval=False)

    merged = own.merged(override)

    assert (None, False, ("a",)) == (merged.timeout_s, merged.requires_approval, merged.tags)
    assert own is own.merged(None)
    assert {"timeout_s": 3} == pickle.loads(pickle.dumps(ToolMeta(timeout_s=3))).given()
