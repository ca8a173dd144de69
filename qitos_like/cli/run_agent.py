"""``run``: an agent of the configuration at work, watched by who started it."""

import os
import shlex
import sys
from functools import partial
from pathlib import Path

import click
from attrs import asdict

from qitos_like.agent.agent import Agent
from qitos_like.agent.engine import Engine
from qitos_like.agent.models.named import named
from qitos_like.agent.models.price import Price
from qitos_like.agent.result import RunResult
from qitos_like.agent.state import DEFAULT_MAX_STEPS, StateSchema
from qitos_like.agent.step import Step
from qitos_like.core.jsontypes import Json
from qitos_like.errors import ConfigError
from qitos_like.load.agents import unknown_agent
from qitos_like.load.settings import AgentSettings
from qitos_like.run.executor import ActionExecutor

from . import codes, completing, project
from .asking import Asking, Careful
from .console import note, say, say_json
from .options import json_option
from .resuming import Kept, answers_of, resume
from .steps import write_step
from .waiting import Waiting

_FILE = click.Path(exists=True, dir_okay=False)

_NEW_FILE = click.Path(dir_okay=False, writable=True)


def _in_a_folder(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    """A file that can be written, once there is something to write.

    Raises:
        BadParameter: its folder is none, or not to be written.
    """
    if value is not None and not os.access(Path(value).parent, os.W_OK | os.X_OK):
        message = f"{value!r} cannot be written: there is no such folder, or it is not yours"
        raise click.BadParameter(message, context, parameter)
    return value


def _amount(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """Dollars.

    Raises:
        BadParameter: it is no amount.
    """
    if value is not None and not value >= 0:  # nan is not
        message = f"{value} is no amount"
        raise click.BadParameter(message, context, parameter)
    return value


@click.command("run")
@click.argument("agent", shell_complete=completing.agents)
@click.argument("task", required=False)
@click.option("--model", metavar="MODEL", help="In place of the agent's, as provider:name.")
@click.option("--max-steps", type=click.IntRange(min=1), help="How often the model is asked.")
@click.option(
    "--max-cost-usd", type=float, callback=_amount, help="No step begins once this is spent."
)
@click.option(
    "--trace",
    type=_NEW_FILE,
    callback=_in_a_folder,
    metavar="FILE",
    help="Append the run as JSON lines.",
)
@click.option(
    "--save",
    type=_NEW_FILE,
    callback=_in_a_folder,
    metavar="FILE",
    help="Keep a run that waits for a person.",
)
@click.option(
    "--resume", "saved", type=_FILE, metavar="FILE", help="Go on with a run that was kept."
)
@click.option("--allow", multiple=True, metavar="ID", help="With --resume: this action may run.")
@click.option("--deny", multiple=True, metavar="ID", help="With --resume: this action may not.")
@json_option
def run_agent(
    agent: str,
    task: str | None,
    *,
    model: str | None,
    max_steps: int | None,
    max_cost_usd: float | None,
    trace: str | None,
    save: str | None,
    saved: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    as_json: bool,
) -> int:
    """Let an agent of the config work on a TASK.

    Its steps are told on stderr, its answer on stdout. Tools may read. What writes, runs commands or
    uses the network asks on the terminal, unless a rule of the config decides. Where nobody can be
    asked, the run stops; kept by --save, it goes on by --resume.
    """
    _check(task, saved, max_steps, answers=(*allow, *deny))
    module, settings = _agent_named(agent, model)
    policy = project.policy()
    waiting = Waiting(agent)
    asking = Asking(waiting)
    approve = asking.approve if sys.stdin.isatty() else None
    careful = Careful(policy.rules, policy.default)
    executing = ActionExecutor(module.tool_registry, policy=careful, approve=approve)
    with executing as executor, waiting:
        tell = partial(_tell, waiting)
        engine = Engine(module, executor=executor, trace_path=trace, on_step=tell)
        asking.stop = engine.cancel
        executor.subscribe(waiting.progress)
        if saved is None:
            steps = max_steps or settings.max_steps or DEFAULT_MAX_STEPS
            result = engine.run(task or "", max_cost_usd=max_cost_usd, max_steps=steps)
        else:
            kept = Kept(saved, answers_of(allow, deny), waiting)
            result = resume(engine, executor, kept, max_cost_usd=max_cost_usd)
    if as_json:
        say_json(_facts(result))
    elif result.final_answer is not None:
        say(result.final_answer)
    if result.stop_reason != "final":
        note(_ending(result))
    if result.pending:
        note(_kept(result, agent, save or saved))
    return _CODES.get(result.stop_reason, codes.TOOL_ERROR)


_CODES = {"final": codes.OK, "approval": codes.REFUSED, "cancelled": codes.STOPPED}


def _check(
    task: str | None, saved: str | None, max_steps: int | None, *, answers: tuple[str, ...]
) -> None:
    """Refuse what does not go together.

    Raises:
        UsageError: a new run is asked for what only a kept one has, or the reverse.
    """
    message = None
    if saved is None and not task:
        message = "give a TASK, or a run that was kept: --resume FILE"
    elif saved is None and answers:
        message = "--allow and --deny answer a run that was kept: add --resume FILE"
    elif saved is not None and (task is not None or max_steps is not None):
        message = "a run that was kept has its TASK and its --max-steps: leave them out"
    if message:
        raise click.UsageError(message)


def _agent_named(name: str, model: str | None) -> tuple[Agent, AgentSettings]:
    """An agent of the configuration, and what that says of it.

    Raises:
        UsageError: there is no such agent, or it has no model.
        ConfigError: its model is none.
    """
    config = project.config(sandbox="auto", ledger="auto")
    settings = config.agents.get(name)
    if settings is None:
        raise click.UsageError(unknown_agent(name, config.agents))
    named_model = model or settings.model
    if named_model is None:
        message = f'agent {name} has no model: give it one, model = "provider:name", or --model'
        raise click.UsageError(message)
    try:
        price = None if settings.price is None else Price(**asdict(settings.price))
        module = Agent(
            named(named_model, price), config.registry(name), system=settings.system or ""
        )
    except (ValueError, OSError) as error:
        place = "--model" if model else project.settings().at("agents", name, "model")
        raise ConfigError([f"{place}: the model of {name}: {error}"]) from error
    return module, settings


def _kept(result: RunResult[StateSchema], agent: str, file: str | None) -> str:
    """Keep a run that waits, if there is where; what to do next."""
    if file is None:
        return "with --save FILE it would be kept, to go on with"
    try:
        result.save(file)
    except OSError as error:
        return f"Error: it cannot be kept: {error}"
    config: str | None = click.get_current_context().find_root().obj
    named = [] if config is None else ["--config", config]
    ids = [word for action in result.pending for word in ("--allow", str(action.id))]
    command = ["qitos-like", *named, "run", agent, "--resume", file, *ids]
    return f"go on with: {shlex.join(command)}"


def _tell(waiting: Waiting, step: Step) -> None:
    with waiting.aside():
        write_step(step, note)


def _ending(result: RunResult[StateSchema]) -> str:
    waiting = ", ".join(action.name for action in result.pending)
    why = result.error or (f"a person has to allow {waiting}" if waiting else "")
    return f"stopped: {result.stop_reason}{f': {why}' if why else ''}"


def _facts(result: RunResult[StateSchema]) -> Json:
    return {key: value for key, value in result.end_record().items() if key != "type"}
