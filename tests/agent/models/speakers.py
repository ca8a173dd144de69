"""What providers' servers answer, in each one's format, and a model that asks there."""

import json
from collections.abc import Callable

from attrs import frozen

from qitos_like import AnthropicModel, OpenAIModel, Price

PRICE = Price(2, 10, cached=0.5, cache_write=3)


@frozen
class Speaker:
    """One API: its answers, and how its failures look.

    Attributes:
        name: of the API.
        extra: the SDK.
        model: makes a model at an address.
        answer: makes an answer of a text, calls, and why it ended.
        told: the text of all messages in a request's body.
    """

    name: str
    extra: str
    model: Callable[..., object]
    answer: Callable[..., object]

    def says(self, text):
        """A message without calls."""
        return self.answer(text, [], "end")

    def calls(self, *calls, text=""):
        """A message with calls: names, arguments as JSON text, ids."""
        return self.answer(text, calls, "calls")

    def cut_off(self, *calls, text=""):
        """A message that ended at the limit of tokens."""
        return self.answer(text, calls, "cut off")

    def refuses(self, text):
        """A refusal."""
        return self.answer(text, [], "refusal")


def chat(text, calls, ended):
    """A chat completion."""
    reasons = {"end": "stop", "calls": "tool_calls", "cut off": "length", "refusal": "stop"}
    message = {
        "role": "assistant",
        "content": None if ended == "refusal" else text or None,
        "refusal": text if ended == "refusal" else None,
        "tool_calls": [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": args}}
            for name, args, call_id in calls
        ]
        or None,
    }
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": reasons[ended], "message": message}],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 10,
            "total_tokens": 1010,
            "prompt_tokens_details": {"cached_tokens": 600},
        },
    }


def responses(text, calls, ended):
    """A response of the Responses API."""
    kind = {"type": "refusal", "refusal": text}
    said = {"type": "output_text", "text": text, "annotations": []}
    content = [kind if ended == "refusal" else said]
    items = [{"type": "message", "id": "m1", "role": "assistant", "content": content}]
    whole = {"status": "completed", "incomplete_details": None}
    part = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        **(part if ended == "cut off" else whole),
        "output": [
            *([{**each, "status": "completed"} for each in items] if text else []),
            *(
                {"type": "function_call", "call_id": call_id, "name": name, "arguments": args}
                for name, args, call_id in calls
            ),
        ],
        "usage": {
            "input_tokens": 1000,
            "input_tokens_details": {"cached_tokens": 600},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 1010,
        },
    }


def messages(text, calls, ended):
    """A message of the Messages API; it has arguments as objects, never as text."""
    reasons = {
        "end": "end_turn",
        "calls": "tool_use",
        "cut off": "max_tokens",
        "refusal": "refusal",
    }
    blocks = [{"type": "text", "text": text}] if text else []
    for name, args, call_id in calls:
        try:
            given = json.loads(args)
        except ValueError:
            given = args
        blocks.append({"type": "tool_use", "id": call_id, "name": name, "input": given})
    return {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": reasons[ended],
        "stop_sequence": None,
        "content": blocks,
        "usage": {
            "input_tokens": 400,
            "cache_read_input_tokens": 600,
            "cache_creation_input_tokens": 0,
            "output_tokens": 10,
        },
    }


def openai(api):
    """Makes models of OpenAI."""

    def model(address, **more):
        given = {"base_url": address, "api_key": "k", "price": PRICE, "max_retries": 2, **more}
        return OpenAIModel("m", api=api, **given)

    return model


def anthropic(address, **more):
    """Makes models of Anthropic."""
    given = {"base_url": address, "api_key": "k", "price": PRICE, "max_retries": 2, **more}
    return AnthropicModel("m", **given)


SPEAKERS = [
    Speaker("chat", "openai", openai("chat"), chat),
    Speaker("responses", "openai", openai("responses"), responses),
    Speaker("messages", "anthropic", anthropic, messages),
]
