"""Marks that stand in ``Annotated``; they tell the toolkit something and show in no schema.

>>> from typing import Annotated
>>> def view(path: Annotated[str, PathArg, "relative to the workspace"]) -> str: ...
>>> def bash(command: Annotated[str, CommandArg], shell: Annotated[str, Configured]) -> str: ...
>>> def grep(pattern: str, ignore_case: Annotated[bool, Name("-i")] = False) -> str: ...
"""

from typing import final

from attrs import frozen


@final
class PathArg:
    """The argument is a path of the workspace: policies match it, schedules read it.

    It may stand beside the items of an argument too, ``list[Annotated[str, PathArg]]``, but not
    beside the fields of a class, which rules do not look into.
    """


@final
class CommandArg:
    """The argument is a shell command: policies match it per simple command."""


@final
class Configured:
    """The parameter is filled by configuration only; a model that sends it is refused."""


@frozen
class Name:
    """The property has this name, which Python cannot spell: ``Annotated[bool, Name("-i")]``."""

    name: str
