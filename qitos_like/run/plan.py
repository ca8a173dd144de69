"""What is known of an action before it may run."""

from typing import NamedTuple

from attrs import define

from qitos_like.core.action import Action
from qitos_like.core.results import Err

from .arguments import Checked
from .prepared import Prepared


@define(eq=False)  # what is frozen takes three times as long to make
class Ready:
    """An action whose tool is found and whose arguments are checked; it is never changed.

    Attributes:
        action: what was asked, with its id.
        prepared: the tool.
        arguments: as the tool takes them.
    """

    action: Action
    prepared: Prepared
    arguments: Checked

    def with_arguments(self, arguments: Checked) -> "Ready":
        """The same action with other arguments."""
        return Ready(self.action, self.prepared, arguments)


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
