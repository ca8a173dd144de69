"""The demo as a person watches it: 80 columns, colours on a terminal alone."""

import textwrap

from qitos_like.agent.result import RunResult
from qitos_like.agent.state import StateSchema
from qitos_like.agent.step import Step
from qitos_like.core.action import Action, ActionResult

from .console import say, say_table, width
from .demo_session import TASK, Session
from .sizes import prompt_chars, schema_chars

_MAX_LINES = 14
_INDENT = "   "
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
        decision = step.decision
        said = (decision.final_answer or decision.rationale or "") if decision else ""
        say()
        say(f"{step.index + 1}. {said}", bold=True)
        for result in step.results:
            outcome = f"{result.code or 'ok'} {_time(result.duration_s)}"
            colour = "cyan" if result.ok else "red"
            self._line(f"{_INDENT}> {_call(result.action)}", outcome, colour)
            self._output(result)

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
        rows = [
            (str(step.index + 1), _time(step.duration_s), _tools(step)) for step in result.steps
        ]
        rows.append(("all", _time(result.duration_s), f"stopped: {result.stop_reason}"))
        say_table(("STEP", "TIME", ""), rows, numeric={0, 1})

    def _heading(self, text: str) -> None:
        say()
        say(f"== {text} {'=' * max(0, self._width - len(text) - 4)}", bold=True)

    def _line(self, left: str, right: str, colour: str) -> None:
        """Left and right at the borders of the line; the left is cut where it is too long."""
        room = self._width - len(right) - 1
        left = left if len(left) <= room else f"{left[: room - 1]}…"
        say(f"{left.ljust(room)} {right}", fg=colour)

    def _output(self, result: ActionResult) -> None:
        """The last lines of a result, which say how a command ended."""
        lines = result.text.expandtabs(2).splitlines()
        left_out = len(lines) - _MAX_LINES
        if left_out > 0:
            lines = [f"… {left_out} lines …", *lines[left_out:]]
        for line in lines:
            text = f"{_INDENT}| {line}".rstrip()
            say(text if len(text) <= self._width else f"{text[: self._width - 1]}…", dim=True)


def _call(action: Action) -> str:
    """The call on one line: the name, and the values of its arguments."""
    arguments = (
        action.args
        if isinstance(action.args, str)
        else " ".join(f"{name}={value}" for name, value in action.args.items())
    )
    return " ".join(f"{action.name} {arguments}".split())


def _tools(step: Step) -> str:
    return ", ".join(result.action.name for result in step.results) or "final answer"


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
