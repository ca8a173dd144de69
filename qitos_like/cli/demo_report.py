"""The demo as a person watches it: 80 columns, colours on a terminal alone."""

import textwrap

from qitos_like.agent.result import RunResult
from qitos_like.agent.state import StateSchema
from qitos_like.agent.step import Step

from .console import say, say_table, width
from .demo_session import TASK, Session
from .sizes import prompt_chars, schema_chars
from .steps import time, write_step

_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class Report:
    """Prints a session as it goes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._width = width()

    def opening(self) -> None:
        """The tools, the prompt and the task."""
        say("An agent mends a failing test. Its model is a script; all else is real.")
        registry = self._session.agent.tool_registry
        self._heading("The tools, and their size in characters")
        rows = [
            (entry.name, f"{prompt_chars(entry.spec):,}", f"{schema_chars(entry.spec):,}")
            for entry in registry
        ]
        say_table(("TOOL", "PROMPT", "SCHEMA"), rows, numeric={1, 2})
        self._heading("The prompt")
        for line in registry.get_tool_descriptions().splitlines():
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            say(textwrap.fill(line, self._width, subsequent_indent=indent))
        self._heading("The session")
        say(f"Task: {TASK}")

    def step(self, step: Step) -> None:
        """One step: what the model said, what was done, and what came of it."""
        write_step(step, say)

    def summary(self, result: RunResult[StateSchema]) -> None:
        """Red before, green after; what was changed; how long each step took."""
        self._heading("Summary")
        runs = self._session.test_runs(result)
        for label, code in (("before", runs[0]), ("after", runs[-1])) if runs else ():
            colour = "green" if code == 0 else "red"
            say(f"tests {label}: {colour} (exit code {code})", fg=colour)
        say()
        for line in self._session.diff().splitlines():
            say(line, fg=_DIFF_COLOURS.get(line[0]) if line else None)
        say()
        rows = [(str(step.index + 1), time(step.duration_s), _tools(step)) for step in result.steps]
        rows.append(("all", time(result.duration_s), f"stopped: {result.stop_reason}"))
        say_table(("STEP", "TIME", ""), rows, numeric={0, 1})

    def _heading(self, text: str) -> None:
        say()
        say(f"== {text} {'=' * max(0, self._width - len(text) - 4)}", bold=True)


def _tools(step: Step) -> str:
    return ", ".join(result.action.name for result in step.results) or "final answer"
