"""Arguments that the signature alone judges, and what the schema says of them."""

from copy import deepcopy

from hypothesis import event, given
from hypothesis import strategies as st

from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.spec import ToolMeta
from qitos_like.run.arguments import Checker
from qitos_like.run.validation import Validation
from tests.core.schema.types_at_random import PARSED, SCALARS, damaged, kinds


def checkers(annotation):
    """The check of a tool as it is made, and one that asks the schema first."""

    def function(x): ...

    function.__annotations__["x"] = annotation
    tool = FunctionTool(function, ToolMeta(description="Take anything."))
    schema = tool.spec.input_schema

    def checker(judge):
        return Checker(
            name="function",
            required=("x",),
            validation=Validation(judge),
            signature=tool.signature,
        )

    return checker(schema), checker(deepcopy(schema))


@given(data=st.data(), kind=kinds(SCALARS + PARSED))
def test_one_pass_and_the_schema_come_to_the_same(data, kind):
    at_once, asked = checkers(kind.annotation)
    sent = {"x": data.draw(damaged(kind.to_json(data.draw(kind.values))))}

    answer = at_once.check(sent)
    event(type(answer).__name__)

    assert repr(asked.check(sent)) == repr(answer)


@given(data=st.data(), kind=kinds(SCALARS + PARSED))
def test_what_fits_comes_to_the_same_too(data, kind):
    at_once, asked = checkers(kind.annotation)
    sent = {"x": kind.to_json(data.draw(kind.values))}

    assert repr(asked.check(sent)) == repr(at_once.check(sent))
