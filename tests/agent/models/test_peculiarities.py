"""What one provider alone answers, or a client of the caller's."""

import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from qitos_like import AgentModule, Engine, MissingExtraError, OpenAIModel, Price, ToolRegistry
from qitos_like.agent.models.price import Tokens
from qitos_like.agent.models.sdk import Sdk
from tests.agent.models.speakers import SPEAKERS
from tests.loopback import answering

CHAT, RESPONSES, MESSAGES = SPEAKERS


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def run(speaker, *answers):
    pytest.importorskip(speaker.extra, reason=f"{speaker.extra} is not installed")
    registry = ToolRegistry().register(add)
    with answering(*answers) as (address, bodies):
        agent = AgentModule(llm=speaker.model(address), tool_registry=registry)
        return Engine(agent).run("1 + 2"), bodies


def changed(answer, **changes):
    return {**answer, **changes}


def test_an_sdk_that_is_missing_is_an_extra_to_install():
    def load():
        import no_such_sdk

        return no_such_sdk

    with pytest.raises(MissingExtraError, match=r"pip install 'qitos-like\[nobody\]'"):
        Sdk(provider="Nobody", extra="nobody", load=load, client_class="Client", settings={})


def test_an_unknown_api_is_refused():
    with pytest.raises(ValueError, match="unknown api 'chats'; known: chat, responses"):
        OpenAIModel("m", api="chats")


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda speaker: speaker.name)
@pytest.mark.parametrize(
    ("option", "said"),
    [({"price": 5}, "a model's price is a Price"), ({"max_retries": -1}, "has to be 0 or more")],
    ids=["price", "retries"],
)
def test_a_setting_that_cannot_be_is_refused_at_once(speaker, option, said):
    pytest.importorskip(speaker.extra, reason=f"{speaker.extra} is not installed")
    with pytest.raises((TypeError, ValueError), match=said):
        speaker.model("http://127.0.0.1:1", **option)


@pytest.mark.parametrize("amounts", [(-1, 2), ("3", 2), (float("nan"), 2)], ids=str)
def test_a_price_is_of_amounts(amounts):
    with pytest.raises(ValueError, match="input is an amount of US dollars, not "):
        Price(*amounts)


def test_a_client_of_the_callers_own_is_used():
    sdk = pytest.importorskip("openai", reason="openai is not installed")
    with answering((500, {}), (500, {})) as (address, bodies):
        client = sdk.AsyncOpenAI(base_url=address, api_key="k", max_retries=1)
        result = Engine(AgentModule(llm=OpenAIModel("m", client=client))).run("1 + 2")

    assert 2 == len(bodies)
    assert "ModelError: OpenAI answered 500 after 2 tries" in result.error


def test_a_completion_without_a_message_is_a_failure():
    result, _ = run(CHAT, changed(CHAT.says(""), choices=[]))

    assert "model_error" == result.stop_reason
    assert "the answer has no message: {" in result.error


def test_a_server_may_leave_usage_out():
    for speaker in (CHAT, RESPONSES):
        result, _ = run(speaker, changed(speaker.says("3"), usage=None))

        assert ("3", 0) == (result.final_answer, result.usage.input_tokens)


def chat(finish_reason="stop", **message):
    answer = CHAT.says("x")
    answer["choices"][0].update(finish_reason=finish_reason)
    answer["choices"][0]["message"].update(message)
    return CHAT, answer


def message(*content, **changes):
    return MESSAGES, changed(MESSAGES.says("x"), content=list(content), **changes)


def response(*output, **changes):
    return RESPONSES, changed(RESPONSES.says("x"), output=list(output), **changes)


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}
PARTS = [{"type": "thinking", "thinking": [{"text": "hm"}]}, {"type": "text", "text": "3"}]

#: Messages that say nothing, which providers refuse to be sent again.
SILENT = {
    "nothing": chat(content=None),
    "space": chat(content=" \n"),
    "reasoning": chat(content="", reasoning_content="hm"),
    "a call that is none": chat("tool_calls", content=None, tool_calls=[]),
    "no blocks": message(),
    "a block of space": message({"type": "text", "text": "\n"}),
    "a thought": message(THOUGHT),
    "a text that is null": message({"type": "text", "text": None}),
    "content that is null": (MESSAGES, changed(MESSAGES.says("x"), content=None)),
    "no items": response(),
    "an item of reasoning": response({"type": "reasoning", "id": "r1", "summary": []}),
}


@pytest.mark.parametrize(("speaker", "answer"), SILENT.values(), ids=SILENT)
def test_a_message_that_says_nothing_is_not_sent_back(speaker, answer):
    result, bodies = run(speaker, answer, speaker.says("3"))
    sent = bodies[1].get("messages") or bodies[1]["input"]
    said = [each["content"] for each in sent if each["role"] == "assistant"]

    assert ("3", 2) == (result.final_answer, len(result.steps))
    assert said in ([], [[{"type": "text", "text": "(nothing)"}]])


def test_a_block_of_space_beside_a_call_is_not_sent_back():
    call = {"type": "tool_use", "id": "t1", "name": "add", "input": {}}
    odd = message({"type": "text", "text": "\n"}, call, stop_reason="tool_use")
    _, bodies = run(*odd, MESSAGES.says("3"))

    assert [call] == bodies[1]["messages"][1]["content"]


ANSWERED = {
    "text in parts": chat(content=PARTS),
    "content that is text": (MESSAGES, changed(MESSAGES.says("x"), content="3")),
    "usage that is text": (CHAT, changed(CHAT.says("3"), usage={"prompt_tokens": "5"})),
    "usage that is a list": (RESPONSES, changed(RESPONSES.says("3"), usage=[])),
    "no usage of a message": (MESSAGES, changed(MESSAGES.says("3"), usage={})),
    "usage that is null": (MESSAGES, changed(MESSAGES.says("3"), usage=None)),
    "no reason for its end": chat(None, content="3"),
    "no status": (RESPONSES, changed(RESPONSES.says("3"), status=None)),
}


@pytest.mark.parametrize(("speaker", "answer"), ANSWERED.values(), ids=ANSWERED)
def test_what_other_servers_write_otherwise_is_read(speaker, answer):
    result, _ = run(speaker, answer)

    assert ("3", True) == (result.final_answer, result.cost_usd >= 0)


def test_more_tokens_from_the_cache_than_in_all_cost_no_less_than_nothing():
    usage = {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 50}}
    result, _ = run(CHAT, changed(CHAT.says("3"), usage=usage))

    assert result.cost_usd > 0


FAILED = {
    "an end by an error": (chat("error", content="half"), "the completion ended with 'error'"),
    "a filter's other name": (chat("sensitive", content="half"), "the provider's filter"),
    "an error at a choice": (chat(None, content=""), "with None: {'message': 'no'}"),
    "an end by the server": (chat("abort", content="half"), "ended with 'abort'"),
    "a filter in capitals": (chat("SAFETY", content="half"), "the provider's filter"),
    "a filter of another server": (message(stop_reason="content_filter"), "the model refused"),
    "a part that refuses": (chat(content=[{"type": "refusal", "refusal": "no"}]), "refused: no"),
    "no message": (chat(), "is not what its API says ('NoneType' object has no"),
    "a call that is null": (chat(tool_calls=[None]), "is not what its API says (a message is"),
    "a block that is null": (message(None), "is not what its API says"),
    "items that are null": ((RESPONSES, changed(RESPONSES.says("x"), output=None)), "is not what"),
    "a status alone": (response(status="failed"), "no answer: its status is 'failed'"),
    "no answer yet": (response(status="queued"), "no answer: its status is 'queued'"),
}
FAILED["an error at a choice"][0][1]["choices"][0]["error"] = {"message": "no"}
FAILED["no message"][0][1]["choices"][0]["message"] = None


@pytest.mark.parametrize(("odd", "said"), FAILED.values(), ids=FAILED)
def test_what_is_no_answer_is_a_failure(odd, said):
    result, _ = run(*odd)

    assert ("model_error", True) == (result.stop_reason, said in result.error), result.error


HALF = {"type": "text", "text": "half"}
NOT_WHOLE = {
    "no details": (RESPONSES, changed(RESPONSES.says("half"), status="incomplete")),
    "another server's limit": chat("MAX_TOKENS", content="half"),
    "a limit in another's word": message(HALF, stop_reason="length"),
    "a call that is broken": chat("malformed_function_call", content="half"),
    "no call": chat("tool_calls", content="half"),
    "no call of the old form": chat("function_call", content="half"),
    "no block of a call": message(HALF, stop_reason="tool_use"),
}


@pytest.mark.parametrize(("speaker", "answer"), NOT_WHOLE.values(), ids=NOT_WHOLE)
def test_what_is_not_whole_is_asked_for_again(speaker, answer):
    result, _ = run(speaker, answer, speaker.says("3"))

    assert ("3", 2) == (result.final_answer, len(result.steps))


def test_a_call_of_the_old_form_is_run():
    called = {"name": "add", "arguments": '{"a": 1, "b": 2}'}
    result, bodies = run(*chat("function_call", content=None, function_call=called), CHAT.says("3"))

    assert ("add", "3") == (result.steps[0].decision.actions[0].name, result.final_answer)
    assert "tool_calls" in bodies[1]["messages"][2]


def test_a_filter_refuses():
    filtered = CHAT.says("half of")
    filtered["choices"][0]["finish_reason"] = "content_filter"
    reason = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
    answers = [(CHAT, filtered), (RESPONSES, changed(RESPONSES.says("half of"), **reason))]

    assert ["the model refused: the provider's filter stopped it"] * 2 == [
        run(*each)[0].error for each in answers
    ]


def test_a_response_that_failed_says_why():
    error = {"code": "server_error", "message": "out of order"}
    result, _ = run(RESPONSES, changed(RESPONSES.says(""), status="failed", error=error))

    assert "ModelError: the response failed: server_error: out of order" == result.error


def test_a_paused_turn_goes_on():
    paused = changed(MESSAGES.says("I search."), stop_reason="pause_turn")
    result, bodies = run(MESSAGES, paused, MESSAGES.says("3"))

    assert "3" == result.final_answer
    assert ["assistant", "user"] == [each["role"] for each in bodies[1]["messages"][-2:]]


def test_the_conversation_is_cached():
    _, bodies = run(MESSAGES, MESSAGES.says("3"))

    assert {"type": "ephemeral"} == bodies[0]["cache_control"]


@pytest.mark.parametrize(
    ("price", "expected"),
    [
        (Price(2, 10), 2 * 3 + 10),
        (Price(2, 10, cached=1), 2 * 2 + 1 + 10),
        (Price(2, 10, cached=1, cache_write=3), 2 + 1 + 3 + 10),
        (None, None),
    ],
    ids=["plain", "cached", "written too", "none"],
)
def test_each_kind_of_token_has_its_price(price, expected):
    million = 1_000_000
    tokens = Tokens(fresh=million, cached=million, cache_write=million, output=million)

    assert expected == tokens.usage(price).cost_usd


NO_MESSAGES = {
    "a page": (b"<html>log in</html>", "text/html", "the answer has no message: <html>log in"),
    "half of it": (b'{"choices": [', "application/json", "answered in broken JSON: "),
    "nothing": (b"{}", "application/json", "the answer has no message: "),
    "null": (b"null", "application/json", "the answer has no message: "),
    "a list": (b"[]", "application/json", "the answer has no message: "),
}


@contextmanager
def sending(body, kind, wait_s=0.0):
    """A server that answers everything with these bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(wait_s)
            with suppress(OSError):  # nobody may be there any more
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda speaker: speaker.name)
@pytest.mark.parametrize("body", NO_MESSAGES)
def test_what_is_no_message_is_told(speaker, body):
    pytest.importorskip(speaker.extra, reason=f"{speaker.extra} is not installed")
    content, kind, said = NO_MESSAGES[body]
    with sending(content, kind) as address:
        result = Engine(AgentModule(llm=speaker.model(address, max_retries=0))).run("1 + 2")

    assert ("model_error", True) == (result.stop_reason, said in result.error), result.error


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda speaker: speaker.name)
def test_a_server_that_is_too_slow_is_told(speaker):
    pytest.importorskip(speaker.extra, reason=f"{speaker.extra} is not installed")
    with sending(b"{}", "application/json", wait_s=0.6) as address:
        model = speaker.model(address, max_retries=1, timeout_s=0.2)
        result = Engine(AgentModule(llm=model)).run("1 + 2")

    assert "did not answer in time after 2 tries" in result.error


def test_a_limit_of_time_cuts_the_request_short():
    pytest.importorskip("openai", reason="openai is not installed")
    with sending(b"{}", "application/json", wait_s=2) as address:
        result = Engine(AgentModule(llm=CHAT.model(address))).run("1 + 2", max_time_s=0.3)

    assert ("time_limit", None) == (result.stop_reason, result.steps[0].decision)
