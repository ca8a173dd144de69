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
