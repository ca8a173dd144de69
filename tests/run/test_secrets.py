"""Secrets that the host named are in nothing that an executor tells, shows or keeps."""

import json
from contextlib import closing

import attrs
import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Approval,
    ArtifactStore,
    Budget,
    Ok,
    Part,
    PermissionPolicy,
    ToolContext,
    ToolError,
    ToolRegistry,
    err,
)
from qitos_like.run.events import ToolOutput
from qitos_like.testing import cassette
from tests.run.stub import answer_sync, executor_of

SECRET = 'hunter2 "x"\n\\'
SHOWN = "[secret PW]"
SECRETS = {"PW": SECRET}


@attrs.frozen
class Login:
    user: str
    password: str


class Odd:
    def __str__(self):
        return f"odd {SECRET}"


RESULTS = {
    "text": (lambda: f"a {SECRET} b", f"a {SHOWN} b"),
    "data": (lambda: {"a": [SECRET]}, json.dumps({"a": [SHOWN]})),
    "json in text": (lambda: json.dumps({"a": SECRET}), json.dumps({"a": SHOWN})),
    "json in json": (
        lambda: {"body": json.dumps({"a": SECRET})},
        json.dumps({"body": json.dumps({"a": SHOWN})}),
    ),
    "record": (lambda: Login("me", SECRET), json.dumps({"user": "me", "password": SHOWN})),
    "object": (Odd, f"odd {SHOWN}"),
    "key": (lambda: {SECRET: 1}, json.dumps({SHOWN: 1})),
    "set": (lambda: {SECRET}, json.dumps([SHOWN])),
    "error": (lambda: err(f"no {SECRET}", hint=f"not {SECRET}"), f"no {SHOWN}\nnot {SHOWN}"),
}


@pytest.mark.parametrize(("function", "text"), RESULTS.values(), ids=RESULTS.keys())
def test_results_are_without_secrets(function, text):
    def call() -> object:
        return function()

    answer = answer_sync(call, options={"secrets": SECRETS})

    assert text == answer.text
    assert_clean(answer.structured, answer.error, answer.hint)


def test_what_cannot_be_searched_is_not_shown():
    class Disguised:
        @property
        def __class__(self):
            raise OSError("gone")

    def call() -> object:
        return [Disguised(), SECRET]

    answer = answer_sync(call, options={"secrets": SECRETS})

    assert "execution_failed" == answer.code
    assert "call ran, but its result cannot be shown: OSError: gone" == answer.text


def assert_clean(*values):
    for value in values:
        text = json.dumps(value, default=str)
        assert "hunter2" not in text


def test_values_data_and_parts_are_without_secrets():
    def call():
        part = Part("text/plain", SECRET.encode())
        return Ok(["a", SECRET], structured={"b": SECRET}, parts=[part])

    answer = answer_sync(call, options={"secrets": SECRETS})

    assert ["a", SHOWN] == answer.value
    assert {"b": SHOWN} == answer.structured
    assert SHOWN.encode() == answer.parts[0].data


@pytest.mark.parametrize(
    "error",
    [ValueError(SECRET), KeyError(SECRET), ToolError(SECRET, hint=SECRET), SystemExit(SECRET)],
    ids=lambda error: type(error).__name__,
)
def test_what_a_tool_raises_is_without_secrets(error):
    def call():
        raise error

    answer = answer_sync(call, options={"secrets": SECRETS})

    assert SHOWN in answer.text
    assert_clean(answer.text, answer.error, answer.hint)


def test_wrong_arguments_are_told_without_secrets():
    def call(number: int) -> int:
        return number

    answer = answer_sync(call, {"number": SECRET}, options={"secrets": SECRETS})

    assert "input_invalid" == answer.code
    assert_clean(answer.text, answer.structured)


def test_events_are_without_secrets():
    def call(text: str, context: ToolContext) -> str:
        context.emit(f"with {SECRET}", audience="user")
        return text

    heard = []
    with executor_of(call, options={"secrets": SECRETS}) as executor:
        executor.subscribe(heard.append)
        executor("call", text=SECRET)

    assert ["ToolStarted", "ToolProgress", "ToolEnded"] == [type(each).__name__ for each in heard]
    assert f"with {SHOWN}" == heard[1].message
    assert {"text": SHOWN} == heard[0].action.args
    assert_clean(*(attrs.asdict(event) for event in heard))


def test_what_a_tool_shows_is_without_secrets_not_even_in_pieces():
    def call(context: ToolContext) -> str:
        for piece in ("with ", SECRET[:5], SECRET[5:], " \ud800", SECRET[:3]):
            context.output(piece)
        return "done"

    heard = []
    with executor_of(call, options={"secrets": SECRETS}) as executor:
        executor.subscribe(heard.append)
        executor("call")

    texts = [event.text for event in heard if isinstance(event, ToolOutput)]
    assert ["with ", f"{SHOWN}", " ?", SECRET[:3]] == texts


@pytest.mark.anyio
async def test_a_stream_is_without_secrets():
    async def call(text: str):
        yield text

    async with executor_of(call, options={"secrets": SECRETS}) as executor:
        events = [each async for each in executor.stream([Action("call", {"text": SECRET})])]

    assert SHOWN == events[-1].results[0].text
    assert_clean(*(attrs.asdict(event) for event in events[:-1]))


def test_artifacts_are_without_secrets():
    def call(context: ToolContext) -> str:
        context.services[ArtifactStore].save(SECRET)
        return f"{SECRET}\n" * 1_000

    with closing(ArtifactStore()) as store:
        options = {"secrets": SECRETS, "artifacts": store, "budget": Budget(per_result=100)}
        answer = answer_sync(call, options=options)

        assert "artifact:2" == answer.artifact
        assert SHOWN == store.path("artifact:1").read_text()
        assert f"{SHOWN}\n" * 1_000 == store.path("artifact:2").read_text()


def test_drafts_are_without_secrets_not_even_in_pieces():
    def call(context: ToolContext) -> str:
        with context.services[ArtifactStore].draft() as draft:
            for piece in (b"a ", SECRET[:5].encode(), SECRET[5:].encode(), SECRET[:3].encode()):
                assert draft.write(piece)
            return draft.keep()

    with closing(ArtifactStore()) as store:
        answer = answer_sync(call, options={"secrets": SECRETS, "artifacts": store})

        assert f"a {SHOWN}{SECRET[:3]}" == store.path(answer.text).read_text()


def test_the_tools_store_gives_and_closes_the_hosts():
    seen = []

    def call(context: ToolContext) -> None:
        seen.append(context.services[ArtifactStore])

    with executor_of(call, options={"secrets": SECRETS}) as executor:
        executor("call")
        name = seen[0].save("text")
        path = seen[0].path(name)
        assert "text" == path.read_text()
    seen[0].close()
    assert not path.exists()


def test_a_person_is_asked_without_secrets_and_the_tool_runs_with_them():
    asked, seen = [], []

    def call(text: str) -> None:
        seen.append(text)

    def approve(request):
        asked.append(request.preview)
        return Approval.once()

    options = {"policy": PermissionPolicy(["ask *"]), "approve": approve, "secrets": SECRETS}
    with executor_of(call, options=options) as executor:
        action = Action("call", {"text": SECRET})
        previewed = executor.preview(action).text
        executor.run_sync(action)

    assert [previewed] == asked
    assert {"text": SHOWN} == json.loads(previewed)
    assert [SECRET] == seen


def test_what_cannot_run_is_previewed_without_secrets():
    def call(number: int) -> None: ...

    with executor_of(call, options={"secrets": SECRETS}) as executor:
        assert_clean(executor.preview(Action("call", {"number": SECRET})).reason)


def test_hooks_and_cassettes_see_no_secret(tmp_path):
    def call() -> str:
        return SECRET

    seen = []

    async def look(call, next):
        result = await next(call)
        seen.append(result.value)
        return result

    with cassette(tmp_path / "tape.jsonl", "record") as tape:
        answer_sync(call, options={"secrets": SECRETS, "hooks": [look, tape]})

    assert [SHOWN] == seen
    assert "hunter2" not in (tmp_path / "tape.jsonl").read_text()


def test_what_a_hook_answers_is_without_secrets():
    async def replace(call, next):
        return SECRET

    def call() -> str:
        return "a"

    assert SHOWN == answer_sync(call, options={"secrets": SECRETS, "hooks": [replace]}).text


def test_nested_calls_are_without_secrets():
    registry = ToolRegistry()

    @registry.tool
    def inner() -> str:
        """Inner."""
        return SECRET

    @registry.tool
    async def outer(context: ToolContext) -> str:
        """Outer."""
        return (await context.parent.run(Action("inner"))).text

    with ActionExecutor(registry, secrets=SECRETS) as executor:
        assert SHOWN == executor("outer").text


def test_a_secret_that_cannot_be_hidden_is_refused_at_once():
    with pytest.raises(ValueError, match="the secret PIN has fewer than 6 characters"):
        ActionExecutor(ToolRegistry(), secrets={"PIN": "1234"})
