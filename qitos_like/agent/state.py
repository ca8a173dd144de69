"""What an agent knows while it works."""

from dataclasses import dataclass, field

from qitos_like.core.jsontypes import Json

DEFAULT_MAX_STEPS = 20


@dataclass
class StateSchema:
    """The state of one run; agents extend it with ``@dataclass`` and fields of their own.

    A standard dataclass, and mutable, since ``reduce`` may change it in place.

    Attributes:
        task: what the agent was asked.
        max_steps: how many steps it may take.
        step: how many it has taken; the engine counts.
        final_result: the answer, once there is one.
        metadata: whatever else belongs to the run.

    >>> StateSchema("mend it", max_steps=3).step
    0
    """

    task: str
    max_steps: int = DEFAULT_MAX_STEPS
    step: int = 0
    final_result: Json = None
    metadata: dict[str, Json] = field(default_factory=dict)


def check_state(state: object, owner: str) -> None:
    """Refuse what no run can begin with.

    Args:
        state: what ``init_state`` returned.
        owner: the name of the agent's class.

    Raises:
        TypeError: it is no state, or has no number of steps.
    """
    if not isinstance(state, StateSchema):
        message = f"{owner}.init_state() has to return the state, not {type(state).__name__}"
        raise TypeError(message)
    max_steps: object = state.max_steps
    if not isinstance(max_steps, int):
        message = f"max_steps has to be a whole number, not {max_steps!r}"
        raise TypeError(message)
