"""An agent with the coding kit: the model is a script, so that it runs anywhere."""

from pathlib import Path
from tempfile import TemporaryDirectory

from kits import CodingToolSet
from qitos_like import (
    Action,
    AgentModule,
    Decision,
    Engine,
    ScriptedModel,
    StateSchema,
    ToolRegistry,
)

SCRIPT = [
    Decision.act([Action("coding.grep", {"pattern": "def mean"})], "Where is it?"),
    Decision.act([Action("coding.view", {"path": "stats.py"})], "I read it."),
    Decision.act(
        [
            Action(
                "coding.str_replace",
                {"path": "stats.py", "old_str": "/ 2", "new_str": "/ len(numbers)"},
            )
        ],
        "It divides by two, whatever comes.",
    ),
    Decision.final("mean() now divides by the count."),
]


class Mender(AgentModule[StateSchema, dict[str, object], Action]):
    """Mends one file."""

    def build_system_prompt(self, state: StateSchema) -> str:
        """Who it is, and what it can do."""
        return f"You mend Python. {state.task}\n\n{self.tool_registry.get_tool_descriptions()}"


def main() -> None:
    """Run the agent on a folder with one bug."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "stats.py")
        file.write_text("def mean(numbers):\n    return sum(numbers) / 2\n")
        registry = ToolRegistry().register_toolset(CodingToolSet(workspace_root=folder))
        result = Engine(Mender(tool_registry=registry, llm=ScriptedModel(SCRIPT))).run("Mend mean.")
        for decision, step in zip(SCRIPT, result.steps, strict=True):
            print(f"{step.index + 1}. {decision.rationale or decision.final_answer}")
            for answer in step.results:
                print(answer.text)
        print(f"\n{result.stop_reason}; the file is now:\n{file.read_text()}", end="")


if __name__ == "__main__":
    main()
