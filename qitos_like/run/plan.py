"""What is known of an action before it may run."""

from typing import NamedTuple

from qitos_like.core.action import Action
from qitos_like.core.results import Err

from .arguments import Checked
from .prepared import Prepared


class Ready(NamedTuple):
    """An action whose tool is found and whose arguments are checked.

    Attributes:
        action: what was asked, with its id.
        prepared: the tool.
        arguments: as the tool takes them.
    """

    action: Action
    prepared: Prepared
    arguments: Checked


class Refused(NamedTuple):
    """An action that will not run.

    Attributes:
        action: what was asked, with its id.
        error: why not.
        prepared: the tool, if it is only the arguments that are wrong.
    """

    action: Action
    error: Err
    prepared: Prepared | None = None


Plan = Ready | Refused
