"""A function becomes a tool: its schema, its checks and its errors come by themselves."""

from typing import Annotated, Literal

from qitos_like import Action, ActionExecutor, ToolRegistry, tool

CELSIUS_ZERO_F = 32


@tool
def convert(
    degrees: Annotated[float, "the temperature to convert"],
    to: Literal["celsius", "fahrenheit"] = "celsius",
) -> str:
    """Convert a temperature."""
    if to == "celsius":
        return f"{(degrees - CELSIUS_ZERO_F) / 1.8:.1f} °C"
    return f"{degrees * 1.8 + CELSIUS_ZERO_F:.1f} °F"


def main() -> None:
    """Show the tool as a model sees it, then run what a model might ask for."""
    registry = ToolRegistry().register(convert)
    print(registry.get_tool_descriptions())
    print()

    with ActionExecutor(registry) as executor:
        for action in (
            Action("convert", {"degrees": 212}),
            Action("convert", '{"degrees": 100, "to": "fahrenheit"}'),  # as providers send it
            Action("convert", {"degrees": "hot", "too": "celsius"}),
            Action("convrt", {"degrees": 1}),
        ):
            result = executor.run_sync(action)
            print(f"{result.code or 'ok'}: {result.text}")
    print()
    print("In a test it is still a function:", convert(50))


if __name__ == "__main__":
    main()
