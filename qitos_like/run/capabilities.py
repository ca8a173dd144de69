"""What a tool needs of the host, against what the environment grants."""

from qitos_like.core.entry import Entry
from qitos_like.core.environment import Environment
from qitos_like.core.results import Err, ErrorCode


def check(entry: Entry, environment: Environment | None) -> Err | None:
    """A refusal that names what is lacking; ``None`` if all is granted."""
    if environment is None:
        return None
    traits = entry.traits
    lacking = environment.lacks(traits.permissions, traits.required_ops)
    if not lacking:
        return None
    message = f"{entry.name} needs {' and '.join(lacking)}, which this environment does not grant"
    hint = "do it without, or say that it is needed"
    return Err(ErrorCode.DENIED, message, hint=hint, retryable=False)
