"""Steps of a run as a person reads them: what was said, done, and what came of it.

Models and tools wrote all that: nothing in it steers the terminal.
"""

from collections.abc import Callable, Mapping

from qitos_like.agent.step import Step
from qitos_like.core.action import Action, ActionResult
from qitos_like.core.safe_text import clean, visible

from .console import width

MAX_LINES = 14
_INDENT = "   "

#: Writes a line in a style of click's.
Write = Callable[..., None]


def write_step(step: Step, write: Write, *, max_lines: int | None = MAX_LINES) -> None:
    """Write a step.

    Args:
        step: what happened.
        write: takes a line, and a style by name.
        max_lines: how many lines of a result are written, its last ones; ``None`` for all.
    """
    decision = step.decision
    said = (decision.final_answer or decision.rationale or "") if decision else "(no decision)"
    write("")
    write(f"{step.index + 1}. {visible(said)}", bold=True)
    for result in step.results:
        outcome = f"{result.code or 'ok'} {time(result.duration_s)}"
        colour = "cyan" if result.ok else "red"
        write(_line(f"{_INDENT}> {call(result.action)}", outcome), fg=colour)
        for line in _output(result, max_lines):
            write(line, dim=True)


def call(action: Action) -> str:
    """The call on one line: the name, and the values of its arguments."""
    arguments = (
        " ".join(f"{name}={value}" for name, value in action.args.items())
        if isinstance(action.args, Mapping)
        else action.args  # text, or what a model of the user's own made of it
    )
    return clean(f"{action.name} {arguments}")


def time(seconds: float) -> str:
    """Seconds, or milliseconds where it is less than one."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def _line(left: str, right: str) -> str:
    """Left and right at the borders of the line; the left is cut where it is too long."""
    room = width() - len(right) - 1
    left = left if len(left) <= room else f"{left[: room - 1]}…"
    return f"{left.ljust(room)} {right}"


def _output(result: ActionResult, max_lines: int | None) -> list[str]:
    """The last lines of a result, which say how a command ended."""
    lines = visible(result.text).expandtabs(2).splitlines()
    if max_lines is None:
        return [f"{_INDENT}| {line}".rstrip() for line in lines]
    left_out = len(lines) - max_lines
    if left_out > 0:
        lines = [f"… {left_out} lines …", *lines[left_out:]]
    texts = [f"{_INDENT}| {line}".rstrip() for line in lines]
    return [text if len(text) <= width() else f"{text[: width() - 1]}…" for text in texts]
