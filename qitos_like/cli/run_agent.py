"""``run``: an agent of the configuration at work, watched by who started it."""

import sys
from collections.abc import Callable

import click
from attrs import frozen

from qitos_like.agent.agent import Agent
from qitos_like.agent.engine import Engine
from qitos_like.agent.models.named import named
from qitos_like.agent.result import RunResult
from qitos_like.agent.state import DEFAULT_MAX_STEPS, StateSchema
from qitos_like.agent.step import Step
from qitos_like.core.jsontypes import Json
from qitos_like.core.permission import ToolPermission
from qitos_like.errors import ConfigError
from qitos_like.run.approvals import Approval, ApprovalRequest
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.policy import PermissionPolicy, Verdict
from qitos_like.run.subject import Subject
from qitos_like.run.tables import unknown

from . import codes, project
from .console import note, say, say_json
from .options import json_option
from .steps import write_step

_READING = ToolPermission(filesystem_read=True)


@click.command("run")
@click.argument("agent")
@click.argument("task")
@click.option("--model", metavar="MODEL", help="In place of the agent's, as provider:name.")
@click.option("--max-steps", type=click.IntRange(min=1), help="How often the model is asked.")
@click.option("--max-cost-usd", type=float, help="No step begins once this is spent.")
@click.option("--trace", type=click.Path(), metavar="FILE", help="Append the run as JSON lines.")
@json_option
def run_agent(
    agent: str,
    task: str,
    *,
    model: str | None,
    max_steps: int | None,
    max_cost_usd: float | None,
    trace: str | None,
    as_json: bool,
) -> int:
    """Let an agent of the config work on a task.

    Its steps are told on stderr, its answer on stdout. Tools may read. What writes, runs commands or
    uses the network asks on the terminal, unless a rule of the config decides.
    """
    config = project.config()
    settings = config.agents.get(agent)
    if settings is None:
        raise click.UsageError(unknown("agent", agent, config.agents))
    named_model = model or settings.model
    if named_model is None:
        message = f'agent {agent} has no model: give it one, model = "provider:name", or --model'
        raise click.UsageError(message)
    try:
        module = Agent(named(named_model), config.registry(agent), system=settings.system or "")
    except (ValueError, OSError) as error:
        raise ConfigError([f"the model of {agent}: {error}"]) from error
    policy = _Careful(config.policy.rules, config.policy.default)
    asking = _Asking()
    approve = asking.approve if sys.stdin.isatty() else None
    with ActionExecutor(module.tool_registry, policy=policy, approve=approve) as executor:
        engine = Engine(module, executor=executor, trace_path=trace, on_step=_tell)
        asking.stop = engine.cancel
        steps = max_steps or settings.max_steps or DEFAULT_MAX_STEPS
        result = engine.run(task, max_cost_usd=max_cost_usd, max_steps=steps)
    if as_json:
        say_json(_facts(result))
    elif result.final_answer is not None:
        say(result.final_answer)
    if result.stop_reason != "final":
        note(_ending(result))
    return _CODES.get(result.stop_reason, codes.TOOL_ERROR)


_CODES = {"final": codes.OK, "approval": codes.REFUSED, "cancelled": codes.STOPPED}


@frozen
class _Careful(PermissionPolicy):
    """The rules of the configuration; what none decides may only read, and else is asked for."""

    def decide(self, subject: Subject) -> Verdict:
        """What holds for a call."""
        verdict = super().decide(subject)
        beyond = _READING.missing(subject.entry.spec.permissions)
        if verdict.effect != "allow" or verdict.rule is not None or not beyond:
            return verdict
        return Verdict("ask", f"{subject.entry.name} needs {', '.join(beyond)}")


class _Asking:
    """Asks on the terminal.

    Attributes:
        stop: called when the user has had enough.
    """

    def __init__(self) -> None:
        self.stop: Callable[[], object] = bool

    async def approve(self, request: ApprovalRequest) -> Approval:
        """What the user says; asked in the main thread, where Ctrl-C is heard."""
        note(f"\n{request.spec.name}: {request.reason}\n{request.preview}")
        try:
            answer = click.prompt(
                "Allow it? yes, no, always (the same call)",
                type=click.Choice(["y", "n", "a"]),
                default="n",
                err=True,
            )
        except click.Abort:
            self.stop()
            answer = "n"
        if answer == "n":
            return Approval.deny("the user said no")
        return Approval.for_run() if answer == "a" else Approval.once()


def _tell(step: Step) -> None:
    write_step(step, _note)


def _note(line: str, **style: Json) -> None:
    click.echo(click.style(line, **style) if line and style else line, err=True)


def _ending(result: RunResult[StateSchema]) -> str:
    waiting = ", ".join(action.name for action in result.pending)
    why = result.error or (f"a person has to allow {waiting}" if waiting else "")
    return f"stopped: {result.stop_reason}{f': {why}' if why else ''}"


def _facts(result: RunResult[StateSchema]) -> Json:
    return {key: value for key, value in result.end_record().items() if key != "type"}
