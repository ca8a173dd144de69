"""What people give by mistake is refused where they give it, in a sentence that says what is wanted."""

import re

import pytest

from kits import CodingToolSet
from qitos_like import (
    Action,
    ActionExecutor,
    AgentModule,
    Budget,
    Decision,
    Engine,
    Environment,
    PermissionPolicy,
    QitosLikeError,
    ScriptedModel,
    ToolMeta,
    ToolPermission,
    ToolRegistry,
    ToolSet,
    ToolSpec,
    dialect,
    err,
)
from qitos_like.testing import fuzz, stub_context


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


class Undecorated(ToolSet):
    """A toolset whose author forgot what makes a method a tool."""

    def add(self, a: int, b: int) -> int:
        """Add."""
        return a + b


REGISTRY = ToolRegistry().register(add)
DONE = Decision.final("done")
CALL = Action("add", {"a": 1, "b": 2})
NO_PROPERTY = {"type": "object", "properties": {"type": "x"}}


def executor(**options):
    return ActionExecutor(REGISTRY, **options)


def spec(kind):
    return ToolSpec(name="s", description="S.", parameters={"a": {"type": kind}})


MISTAKES = [
    (
        lambda: Environment(permissions={"network": True}),
        "permissions takes an object of ToolPermission, not {'network': True}",
    ),
    (lambda: Budget(per_turn="80000"), "per_turn takes an object of int, not '80000'"),
    (
        lambda: PermissionPolicy([{"deny": "x"}]),
        "a rule is a text, 'deny coding.create', or a Rule, not {'deny': 'x'}",
    ),
    (
        lambda: PermissionPolicy(["forbid x"]),
        "'forbid x' is no rule: write 'deny coding.run_command(git push*)', or ask or allow",
    ),
    (lambda: executor().run_turn_sync(CALL), "the actions of a turn are a list, as in [Action("),
    (lambda: executor(hooks=print), "hooks are a list, as in [<built-in function print>]"),
    (
        lambda: executor(hooks=[3]),
        "a hook is a function, async def around(call, next), not 3",
    ),
    (
        lambda: executor(config={"add": "b"}),
        "config['add']: the options of a tool are a mapping, not 'b'",
    ),
    (
        lambda: ToolRegistry().register(add, meta={"description": "A."}),
        "meta is a ToolMeta, as in ToolMeta(description='...'), not {'description': 'A.'}",
    ),
    (
        lambda: ToolRegistry().register_toolset(Undecorated()),
        "Undecorated has no tools: decorate its methods with @tool",
    ),
    (lambda: dialect("openai").tools([]), "a dialect shows a ToolRegistry, not []"),
    (lambda: fuzz([add]), "registry takes an object of ToolRegistry, not [<function add"),
    (lambda: spec("str"), "at $.properties.a.type: 'str' is no type of JSON Schema ('string', "),
    (lambda: spec("dict"), "'null'); did you mean 'object'?"),
    (
        lambda: ToolSpec(name="s", description="S.", parameters=NO_PROPERTY),
        "at $.properties.type: 'x' is not of type 'object', 'boolean'",
    ),
    (
        lambda: err("no", "input_wrong"),
        "code is one of 'input_invalid', 'not_available', ",
    ),
    (lambda: err("no", "input_invald"), "not 'input_invald'; did you mean 'input_invalid'?"),
    (lambda: Decision.act(CALL), "the actions of a decision are a list, as in [Action("),
    (lambda: ScriptedModel(DONE), "the decisions of a script are a list, as in [Decision("),
    (
        lambda: Engine(AgentModule(tool_registry=[add], llm=ScriptedModel([DONE]))),
        "tool_registry takes an object of ToolRegistry, not [<function add",
    ),
    (
        lambda: stub_context().emit("half-way", audience="users"),
        "audience is one of 'internal', 'user', 'dashboard', not 'users'; did you mean 'user'?",
    ),
    (
        lambda: CodingToolSet(".", caps={"view_lines": 5}),
        "caps takes an object of Caps, as in Caps(view_lines=500), not {'view_lines': 5}",
    ),
]


@pytest.mark.parametrize(("mistake", "said"), MISTAKES, ids=[said[:50] for _, said in MISTAKES])
def test_a_mistake_is_refused_where_it_is_made(mistake, said):
    with pytest.raises((TypeError, ValueError, QitosLikeError), match=re.escape(said)):
        mistake()


def test_what_is_meant_is_taken():
    environment = Environment(permissions=ToolPermission(network=True), ops="gpu")

    assert frozenset({"gpu"}) == environment.ops == Environment(ops=["gpu"]).ops
    assert 3 == ActionExecutor(REGISTRY, hooks=iter(())).run_turn_sync(iter([CALL]))[0].value
    assert (
        "A."
        == ToolRegistry().register(add, meta=ToolMeta(description="A."))["add"].spec.description
    )
