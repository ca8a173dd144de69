"""A loop over Anthropic's API (pip install 'qitos-like[anthropic]'); without a key, over a script."""

import os
from typing import Any

from anthropic import Anthropic
from local_model import scripted

from qitos_like import ActionExecutor, ToolError, ToolRegistry, dialect

registry = ToolRegistry()
wire = dialect("anthropic")


@registry.tool(name="library.shelf")
def shelf(title: str) -> str:
    """Where a book stands."""
    if title == "Momo":
        return "shelf 12"
    raise ToolError(f"no book {title!r}", hint="try the title alone")  # noqa: EM102


def ask(client: Anthropic, question: str) -> str:
    """The model's answer, once it calls no more tools."""
    history: list[Any] = [{"role": "user", "content": question}]
    with ActionExecutor(registry) as executor:
        while True:
            said = client.messages.create(
                model="claude-sonnet-5",
                max_tokens=1_000,
                messages=history,
                tools=wire.tools(registry, cache=True),
            )
            results = executor.run_turn_sync(wire.actions(said, registry))
            history += [wire.assistant(said), *wire.results(results)]
            for result in results:
                print(result)
            if not results:
                return str(history[-1]["content"][-1]["text"])


def message(*content: dict[str, Any]) -> dict[str, Any]:
    """A response of the API with this content."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    kind = {"id": "1", "type": "message", "role": "assistant", "model": "m", "usage": usage}
    return {**kind, "stop_reason": "end_turn", "stop_sequence": None, "content": list(content)}


def call(call_id: str, title: str) -> dict[str, Any]:
    """A call of the tool by its wire name."""
    return {"type": "tool_use", "id": call_id, "name": "library__shelf", "input": {"title": title}}


if __name__ == "__main__":
    if "ANTHROPIC_API_KEY" in os.environ:
        print(ask(Anthropic(), "Where is Momo?"))
    else:
        says = [message(call("a", "Momo, by Ende")), message(call("b", "Momo"))]
        with scripted(*says, message({"type": "text", "text": "On shelf 12."})) as address:
            print(ask(Anthropic(base_url=address, api_key="none"), "Where is Momo?"))
