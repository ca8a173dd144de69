"""The shell's name in the vocabulary that is not listed; its timeout is in milliseconds there."""

from math import ceil

from qitos_like.core.jsontypes import Json
from qitos_like.core.traits import Alias

MS = 1_000


def _to_s(timeout_ms: Json) -> Json:
    return max(ceil(float(timeout_ms) / MS), 1)


def _to_ms(timeout_s: Json) -> Json:
    return ceil(float(timeout_s) * MS)


def _without_description(given: dict[str, Json]) -> dict[str, Json]:
    """What is told to people who watch, not to the shell."""
    return {name: value for name, value in given.items() if name != "description"}


BASH = Alias(
    "Bash",
    {"run_in_background": "background"},
    values={"timeout": _to_s},
    adapt=_without_description,
)
BASH_OUTPUT = Alias("BashOutput", {"bash_id": "id"})
KILL_SHELL = Alias("KillShell", {"shell_id": "id"})

RUN_COMMAND = Alias("run_command", {"background": "run_in_background"}, values={"timeout": _to_ms})
COMMAND_OUTPUT = Alias("command_output", {"id": "bash_id"})
STOP_COMMAND = Alias("stop_command", {"id": "shell_id"})
