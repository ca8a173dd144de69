"""The configuration that commands work by: of ``--config FILE``, or as it is found."""

import click
from attrs import evolve

from qitos_like.core.jsontypes import Json
from qitos_like.load.config import Config, config_of, read_settings
from qitos_like.load.permissions import policy_of
from qitos_like.load.settings import Said
from qitos_like.load.source import TOOLSETS, NamedToolset
from qitos_like.run.policy import PermissionPolicy

_READ = "qitos_like.settings"


def config(**options: Json) -> Config:
    """All of it; this runs the code that it names.

    Args:
        options: of the coding toolset, where it does not say them itself.

    Raises:
        ConfigError: it cannot be meant as it is written.
    """
    said, coding = settings(), TOOLSETS["coding"]
    toolsets = {
        name: {**options, **table} if table.get("use", name) in {"coding", coding.use} else table
        for name, table in said.settings.toolsets.items()
    }
    said = evolve(said, settings=evolve(said.settings, toolsets=toolsets))
    return config_of(said, NamedToolset(coding.use, {**coding.options, **options}))


def settings() -> Said:
    """What it says, read once for a command; nothing is run.

    Raises:
        ConfigError: a key is unknown, or a value is wrong.
    """
    context = click.get_current_context().find_root()
    if _READ not in context.meta:
        context.meta[_READ] = read_settings(context.obj)
    said: Said = context.meta[_READ]
    return said


def policy() -> PermissionPolicy:
    """Its permissions, which hold for tools from elsewhere too.

    Raises:
        ConfigError: a key is unknown, a value is wrong, or a rule is none.
    """
    return policy_of(settings())
