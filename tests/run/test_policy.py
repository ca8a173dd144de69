"""Rules over calls: deny before ask before allow before the default."""

import re
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qitos_like.core.action import Action
from qitos_like.core.environment import Environment
from qitos_like.core.marks import PathArg
from qitos_like.core.permission import ToolPermission
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolMeta
from qitos_like.run.events import CallDecided
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.policy import PermissionPolicy
from qitos_like.run.rules import Rule
from tests.run.policy_stub import ping, policy_registry, verdict
from tests.run.test_commands import SEVERAL, SURE, UNSURE


@pytest.fixture(scope="module")
def registry():
    return policy_registry()


RULES = {
    "no rule": ([], "coding.view", {"path": "a"}, "allow"),
    "the name": (["deny coding.view"], "coding.view", {"path": "a"}, "deny"),
    "another name": (["deny coding.run"], "coding.view", {"path": "a"}, "allow"),
    "a glob": (["deny coding.*"], "coding.view", {"path": "a"}, "deny"),
    "a tag": (["deny tag:readonly"], "coding.view", {"path": "a"}, "deny"),
    "ask before allow": (["allow *", "ask coding.*"], "coding.view", {"path": "a"}, "ask"),
    "deny before ask": (["ask *", "deny coding.*"], "coding.view", {"path": "a"}, "deny"),
    "no arguments at all": (["deny ping"], "ping", {}, "deny"),
    "a pattern without an argument": (["deny ping(x)"], "ping", {}, "allow"),
    "a path": (["deny *(secret.txt)"], "coding.view", {"path": "secret.txt"}, "deny"),
    "a path otherwise": (
        ["deny *(secret.txt)"],
        "coding.view",
        {"path": "./a/../secret.txt"},
        "deny",
    ),
    "a path with two slashes": (["deny *(/etc/x)"], "coding.view", {"path": "//etc//x"}, "deny"),
    "a pattern with two slashes": (["deny *(//etc/x)"], "coding.view", {"path": "/etc/x"}, "deny"),
    "what is in a folder": (["deny *(keys)"], "coding.view", {"path": "keys/a/b"}, "deny"),
    "a folder's beginning": (["deny *(keys)"], "coding.view", {"path": "keyshop"}, "allow"),
    "one of two paths": (["deny *(keys)"], "coding.move", {"source": "a", "to": "keys/a"}, "deny"),
    "files that are declared": (["deny *(keys)"], "coding.patch", {"text": "a keys/b"}, "deny"),
    "one file that is declared": (["deny *(keys)"], "noted", {"text": "keys/b"}, "deny"),
    "the first required": (["deny web.*(http://*)"], "web.fetch", {"url": "http://a"}, "deny"),
    "by name": (["deny *(start=7)"], "coding.view", {"path": "a", "start": 7}, "deny"),
    "by name, a default": (["deny *(start=1)"], "coding.view", {"path": "a"}, "deny"),
    "by name, data": (
        ['deny *(headers=*"X"*)'],
        "web.fetch",
        {"url": "", "headers": {"X": "1"}},
        "deny",
    ),
    "by name, the same number": (
        ["deny *(start=7)"],
        "coding.view",
        {"path": "a", "start": 7.0},
        "deny",
    ),
    "by name, the number otherwise": (
        ["deny *(start=7.0)"],
        "coding.view",
        {"path": "a", "start": 7},
        "deny",
    ),
    "an alias": (["deny Bash(git push*)"], "coding.run", {"command": "git push"}, "deny"),
    "an alias in its namespace": (["deny coding.Bash"], "coding.run", {"command": "ls"}, "deny"),
    "an alias is allowed": (["allow Bash"], "coding.run", {"command": "ls"}, "allow"),
    "a provider's spelling": (["deny coding__run"], "coding.run", {"command": "ls"}, "deny"),
    "the last part of a name": (["ask run"], "coding.run", {"command": "ls"}, "ask"),
    "the last part of a name allows nothing": (
        ["allow run"],
        "coding.run",
        {"command": "ls"},
        "deny",
    ),
    "brackets": (["deny *(a/[id]/b.ts)"], "coding.view", {"path": "a/[id]/b.ts"}, "deny"),
    "brackets of a glob": (["deny *(a/[ij].ts)"], "coding.view", {"path": "a/j.ts"}, "deny"),
    "any folder or none": (["deny *(**/.env)"], "coding.view", {"path": ".env"}, "deny"),
    "any folder between or none": (["deny *(a/**/b)"], "coding.view", {"path": "a/b"}, "deny"),
    "all of a folder": (["deny *(keys/**)"], "coding.view", {"path": "keys/a/b"}, "deny"),
    "a pattern otherwise": (["deny *(./a/..//keys/)"], "coding.view", {"path": "keys/a"}, "deny"),
    "all there is": (["deny *(.)"], "coding.view", {"path": ".env"}, "deny"),
    "allowed all there is": (["allow *(./)"], "coding.view", {"path": "a/b"}, "allow"),
    "allowed not more than there is": (["allow *(.)"], "coding.view", {"path": "../a"}, "deny"),
    "allowed not what is elsewhere": (["allow *(.)"], "coding.view", {"path": "/a"}, "deny"),
    "a quoted pattern": (
        ['deny *.run(git commit -m "x*")'],
        "coding.run",
        {"command": "git commit -m 'x y'"},
        "deny",
    ),
    "a name that is none": (["deny *(x=7)"], "coding.run", {"command": "x=7"}, "ask"),
    "a command": (["deny *.run(git push*)"], "coding.run", {"command": "git push -f"}, "deny"),
    "its words": (["deny *(git push*)"], "coding.run_words", {"command": ["git", "push"]}, "deny"),
    "words for a shell": (
        ["deny *(git push*)"],
        "coding.run_words",
        {"command": ["bash", "-lc", "git push"]},
        "deny",
    ),
    "one of several commands": (
        ["deny *(git push*)"],
        "coding.run_words",
        {"command": ["ls", "git push"]},
        "deny",
    ),
    "several commands allowed by the first": (
        ["allow *.run_words(ls*)"],
        "coding.run_words",
        {"command": ["ls", "rm a"]},
        "deny",
    ),
    "a part of it": (
        ["deny *.run(git push*)"],
        "coding.run",
        {"command": "ls && git push"},
        "deny",
    ),
    "not that command": (["deny *.run(git push*)"], "coding.run", {"command": "git pull"}, "allow"),
    "a doubt": (["deny *.run(git push*)"], "coding.run", {"command": "git $A"}, "ask"),
    "no doubt without a pattern": (["ask *.view"], "coding.run", {"command": "git $A"}, "allow"),
    "allowed in part": (["allow *.run(git *)"], "coding.run", {"command": "git log; rm a"}, "deny"),
    "allowed in whole": (
        ["allow *.run(git *)", "allow *.run(ls*)"],
        "coding.run",
        {"command": "git log; ls"},
        "allow",
    ),
    "allowed, not sure": (
        ["allow *.run(git *)"],
        "coding.run",
        {"command": "git log $(ls)"},
        "deny",
    ),
    "allowed, to a file": (
        ["allow *.run(git *)"],
        "coding.run",
        {"command": "git log > a"},
        "deny",
    ),
    "allowed path": (["allow *(src)"], "coding.view", {"path": "src/../src/a"}, "allow"),
    "allowed one of two": (["allow *(src)"], "coding.move", {"source": "src/a", "to": "b"}, "deny"),
    "nothing to allow": (["allow *(src)"], "ping", {}, "deny"),
    "allowed whole tool": (["allow coding.run"], "coding.run", {"command": "git $A"}, "allow"),
    "allowed by two arguments": (
        ["allow *(start=1)", "allow *(src)"],
        "coding.view",
        {"path": "src/a"},
        "allow",
    ),
}


@pytest.mark.parametrize(("rules", "name", "args", "effect"), RULES.values(), ids=RULES.keys())
def test_rules_decide(registry, rules, name, args, effect):
    default = "deny" if rules and all(rule.startswith("allow") for rule in rules) else "allow"

    assert effect == verdict(registry, rules, name, args, default).effect
    assert effect == verdict(registry, rules[::-1], name, args, default).effect


PUSHES = [row for row in UNSURE.values() if row[1].startswith(("git push", "> /etc/"))]
GUARD = ["deny *.run(git push*)", "deny *.run(> /etc/*)", "allow *.run(*)"]


@pytest.mark.parametrize("command", ["git push", *(row[0] for row in PUSHES)])
def test_a_command_that_is_found_inside_is_denied(registry, command):
    assert "deny" == verdict(registry, GUARD, "coding.run", {"command": command}).effect


@pytest.mark.parametrize(
    "wrap", ["ls; {}", "ls\n{}", "{} # x", "true && ({})", "(cd a; {})", "ls \\\n; {}"]
)
@pytest.mark.parametrize("command", [row[0] for row in UNSURE.values()], ids=UNSURE.keys())
def test_what_is_not_sure_is_never_allowed(registry, wrap, command):
    wrapped = {"command": wrap.format(command)}

    assert verdict(registry, GUARD, "coding.run", wrapped).effect in {"deny", "ask"}


@pytest.mark.parametrize("command", [row[0] for row in SURE.values()], ids=SURE.keys())
def test_what_is_surely_another_command_is_not_held_up(registry, command):
    rules = ["deny *.run(rm -rf /*)"]

    assert "allow" == verdict(registry, rules, "coding.run", {"command": command}).effect


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("deny coding.run(git push*)", Rule("deny", "coding.run", "git push*")),
        ("  allow   * ", Rule("allow", "*")),
        ("ask tag:net(url=http://(x)*)", Rule("ask", "tag:net", "url=http://(x)*")),
        ("deny a.b()", Rule("deny", "a.b")),
    ],
)
def test_a_rule_is_read_from_text(text, rule):
    assert rule == Rule.parse(text)
    assert rule == Rule.parse(str(rule))


@pytest.mark.parametrize("text", ["", "deny", "forbid a", "deny a b", "deny (x)"])
def test_what_is_no_rule_says_how_to_write_one(text):
    with pytest.raises(ValueError, match="is no rule: write 'deny coding"):
        Rule.parse(text)


@pytest.mark.parametrize("tools", ["", "run(rm *)", "run)", "a b", "!run", "c.{a,b}", "tag:"])
def test_a_rule_that_can_be_about_no_tool_is_refused(tools):
    with pytest.raises(ValueError, match=f"^no tool is called {re.escape(repr(tools))}"):
        Rule("deny", tools)


def test_a_rule_alone_is_no_list_of_rules():
    with pytest.raises(TypeError, match=r"are a list, as in \['deny x'\]"):
        PermissionPolicy("deny x")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"policy": "deny x"}, "policy takes an object of PermissionPolicy, not 'deny x'"),
        ({"environment": ["network"]}, r"environment takes an object of Environment, not \["),
        ({"budget": 100}, "budget takes an object of Budget, not 100"),
        ({"registry": []}, r"registry takes an object of ToolRegistry, not \[\]"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_an_executor_says_what_its_options_take(option, said):
    with pytest.raises(TypeError, match=said):
        ActionExecutor(**{"registry": ToolRegistry(), **option})


@pytest.mark.parametrize(
    "make", [lambda: Rule("forbid", "*"), lambda: PermissionPolicy(default="maybe")]
)
def test_an_effect_is_one_of_three(make):
    with pytest.raises(ValueError, match="is one of .*, not "):
        make()


NAMES = st.sampled_from(["*", "coding.*", "coding.run", "coding.view", "tag:readonly", "ping"])
PATTERNS = st.sampled_from([None, "*", "a*", "git *", "git push*", "src", "command=ls*", "start=1"])
TEXTS = st.builds(Rule, st.sampled_from(["deny", "ask", "allow"]), NAMES, PATTERNS)
CALLS = st.one_of(
    st.tuples(
        st.just("coding.run"),
        st.fixed_dictionaries(
            {
                "command": st.sampled_from(
                    [row[0] for row in (*SURE.values(), *SEVERAL.values(), *UNSURE.values())]
                )
            }
        ),
    ),
    st.tuples(
        st.just("coding.view"),
        st.fixed_dictionaries({"path": st.sampled_from(["a", "src/a", "git push"])}),
    ),
    st.tuples(st.just("ping"), st.just({})),
)
ORDER = ["deny", "ask", "allow"]


def check_monotony(registry, rules, rule, call):
    before = verdict(registry, rules, *call, default="ask").effect
    after = verdict(registry, [*rules, rule], *call, default="ask").effect

    if before == "deny":
        assert "deny" == after
    if rule.effect != "allow":
        assert ORDER.index(after) <= ORDER.index(before)


@given(st.lists(TEXTS, max_size=5), TEXTS, CALLS)
def test_a_rule_that_is_added_lifts_no_deny(registry, rules, rule, call):
    check_monotony(registry, rules, rule, call)


@pytest.mark.stress
@pytest.mark.timeout(600)
@given(st.lists(TEXTS, max_size=6), TEXTS, CALLS)
@settings(max_examples=10_000, deadline=None)
def test_ten_thousand_rules_that_are_added_lift_no_deny(registry, rules, rule, call):
    check_monotony(registry, rules, rule, call)


def test_a_denied_call_is_an_answer_with_the_reason(registry):
    rule = Rule("deny", "coding.run", "git push*", reason="pushing is for people")
    heard = []
    with ActionExecutor(registry, policy=PermissionPolicy([rule])) as executor:
        executor.subscribe(heard.append)
        result = executor.run_sync(Action("Bash", {"cmd": "git push"}, id="1"))

    assert ("denied", "coding.run was not run: pushing is for people") == (
        result.code,
        result.error,
    )
    assert (0, CallDecided(action=result.action, effect="deny", rule=rule)) == (
        result.attempts,
        heard[0],
    )


@pytest.mark.parametrize(
    ("annotation", "paths"),
    [
        (Annotated[list[str], PathArg], ["a", "./secret"]),
        (list[Annotated[str, PathArg]], ["a", "./secret"]),
        (tuple[int, Annotated[str, PathArg]] | None, [1, "secret"]),
        (dict[str, list[Annotated[str, PathArg]]], {"a": ["b", "x/../secret"]}),
    ],
    ids=["a list", "items", "an item", "lists in an object"],
)
def test_paths_within_an_argument_are_paths(annotation, paths):
    def read(what, paths): ...

    read.__annotations__ |= {"what": str, "paths": annotation}
    registry = ToolRegistry().register(read, meta=ToolMeta(description="Read."))
    policy = PermissionPolicy([Rule("deny", "read", "secret")])
    with ActionExecutor(registry, policy=policy) as executor:
        answer = executor.run_sync(Action("read", {"what": "", "paths": paths}))

    assert "denied" == answer.code


def test_a_policy_that_raises_denies(registry):
    class Broken(PermissionPolicy):
        def decide(self, subject):
            raise ZeroDivisionError("oops")

    with ActionExecutor(registry, policy=Broken()) as executor:
        result = executor("ping")

    assert ("denied", True) == (result.code, "ZeroDivisionError: oops" in result.text)


def test_what_is_not_granted_is_not_asked_for(registry):
    needs = ToolMeta(permissions=ToolPermission(network=True))
    lacking = ToolRegistry().register(ping, meta=needs)
    asked = []
    with ActionExecutor(
        lacking,
        environment=Environment(),
        policy=PermissionPolicy(["ask *"]),
        approve=lambda request: asked.append(request) or True,
    ) as executor:
        assert "denied" == executor("ping").code

    assert [] == asked
