"""A loop over OpenAI's API (pip install 'qitos-like[openai]'); without a key, over a script."""

import os
from typing import Any

from local_model import scripted
from openai import OpenAI

from qitos_like import ActionExecutor, ToolRegistry, dialect

registry = ToolRegistry()
wire = dialect("openai")


@registry.tool
def temperature(city: str, *, fahrenheit: bool = False) -> str:
    """The temperature in a city right now."""
    celsius = {"Oslo": 3, "Cairo": 31}[city]
    return f"{celsius * 9 // 5 + 32} F" if fahrenheit else f"{celsius} C"


def ask(client: OpenAI, question: str) -> str:
    """The model's answer, once it calls no more tools."""
    history: list[Any] = [{"role": "user", "content": question}]
    with ActionExecutor(registry) as executor:
        while True:
            said = client.chat.completions.create(
                model="gpt-5.5", messages=history, tools=wire.tools(registry)
            )
            results = executor.run_turn_sync(wire.actions(said, registry))
            history += [wire.assistant(said), *wire.results(results)]
            for result in results:
                print(result)
            if not results:
                return str(history[-1]["content"])


def completion(**message: object) -> dict[str, Any]:
    """A response of the API with this message."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


CALLS = [
    {"id": str(n), "type": "function", "function": {"name": "temperature", "arguments": arguments}}
    for n, arguments in enumerate(['{"city": "Oslo", "fahrenheit": null}', '{"city": "Cairo"}'])
]

if __name__ == "__main__":
    if "OPENAI_API_KEY" in os.environ:
        print(ask(OpenAI(), "Is Oslo warmer than Cairo?"))
    else:
        with scripted(
            completion(tool_calls=CALLS), completion(content="No: 3 C, 31 C.")
        ) as address:
            print(ask(OpenAI(base_url=address, api_key="none"), "Is Oslo warmer than Cairo?"))
