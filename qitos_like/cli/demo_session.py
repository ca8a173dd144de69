"""The demo's project, its agent, and what its agent's model will say."""

import os
import sys
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import Self

from attrs import field, frozen

from qitos_like.agent.decision import Decision
from qitos_like.agent.engine import Engine
from qitos_like.agent.module import AgentModule
from qitos_like.agent.result import RunResult
from qitos_like.agent.scripted import ScriptedModel
from qitos_like.agent.state import StateSchema
from qitos_like.agent.step import Observation, Step
from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.load.source import TOOLSETS

TASK = "A test fails. Find the bug, fix it, and run the tests until they pass."

#: Packaged under names that no tool takes for modules of this package.
_SAMPLE = Path(__file__).parent / "sample_project"
_SUFFIX = ".tmpl"


class DemoAgent(AgentModule[StateSchema, Observation, Action]):
    """The plainest agent: a prompt of the tools, and a model that decides."""


@frozen(kw_only=True)
class Session:
    """A copy of the sample project, and an agent to mend it.

    Attributes:
        folder: where the copy is.
        agent: the agent; its model is a script.
        files: the project's files before, by relative path.
    """

    folder: Path
    agent: DemoAgent
    files: dict[str, str] = field(repr=False)

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        """Copy the project into an empty folder."""
        files = {}
        for source in sorted(_SAMPLE.rglob(f"*{_SUFFIX}")):
            target = folder / source.relative_to(_SAMPLE).with_suffix("")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
            files[target.relative_to(folder).as_posix()] = target.read_text(encoding="utf-8")
        toolset = TOOLSETS["coding"].load()(workspace_root=folder, env=_environment())
        registry = ToolRegistry().register_toolset(toolset)
        agent = DemoAgent(tool_registry=registry, llm=ScriptedModel(script()))
        return cls(folder=folder, agent=agent, files=files)

    def play(self, on_step: Callable[[Step], object] | None = None) -> RunResult[StateSchema]:
        """Let the agent work."""
        return Engine(self.agent, on_step=on_step).run(TASK)

    def diff(self) -> str:
        """What the agent changed, as a unified diff."""
        lines: list[str] = []
        for name, before in self.files.items():
            after = (self.folder / name).read_text(encoding="utf-8")
            lines += unified_diff(
                before.splitlines(), after.splitlines(), f"a/{name}", f"b/{name}", lineterm=""
            )
        return "\n".join(lines)

    def test_runs(self, result: RunResult[StateSchema]) -> list[int | None]:
        """The exit codes of the tests, run by run; ``None`` for one that did not end."""
        answers = [answer for step in result.steps for answer in step.results]
        return [
            (answer.structured or {}).get("exit_code")
            for answer in answers
            if answer.action.name == "coding.run_command"
        ]

    def is_mended(self, result: RunResult[StateSchema]) -> bool:
        """Whether every tool worked, and the tests failed at first and passed in the end."""
        runs = self.test_runs(result)
        worked = all(answer.ok for step in result.steps for answer in step.results)
        return worked and len(runs) > 1 and runs[0] not in {0, None} and runs[-1] == 0


def _environment() -> dict[str, str]:
    """``python`` is the one that runs this, whatever else is on PATH."""
    folder = str(Path(sys.executable).parent)
    path = os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])
    return {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def script() -> list[Decision]:
    """What the model decides, step by step."""
    run_tests = {"command": f"{Path(sys.executable).name} -m unittest"}
    return [
        _act("First I run the tests.", "run_command", run_tests),
        _act("Ten books get no discount. Where is it?", "grep", {"pattern": "def .*discount"}),
        _act("There. I read it.", "view", {"path": "shop/discounts.py"}),
        _act(
            'It says "from ten on", but compares with >.',
            "str_replace",
            {
                "path": "shop/discounts.py",
                "old_str": "if count > BULK_COUNT:",
                "new_str": "if count >= BULK_COUNT:",
            },
        ),
        _act("Now the tests again.", "run_command", run_tests),
        Decision.final("Fixed: the discount now starts at ten books. All tests pass."),
    ]


def _act(rationale: str, tool: str, arguments: dict[str, Json]) -> Decision:
    return Decision.act([Action(f"coding.{tool}", arguments)], rationale)
