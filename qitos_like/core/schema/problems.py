"""What is wrong with a model's arguments, each problem at its path."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from qitos_like.errors import QitosLikeError


@frozen
class Problem:
    """One thing that is wrong with the arguments.

    Attributes:
        path: where, as ``$.edits[2].old_str``; ``$`` is the arguments as a whole.
        message: what is wrong, in words for the model.

    >>> Problem("$.n", "must be an integer")
    Problem(path='$.n', message='must be an integer')
    """

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class ArgumentsError(QitosLikeError):
    """Arguments that cannot become the values that a tool's parameters are annotated with.

    Attributes:
        problems: at least one, in the order of the arguments.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, self.problems)))


def json_path(steps: Iterable[str | int]) -> str:
    """Keys and indices as a path.

    >>> json_path(["edits", 2, "old str"])
    "$.edits[2]['old str']"
    """
    return "$" + "".join(map(path_step, steps))


def path_step(step: str | int) -> str:
    """What one key or index adds to a path."""
    if isinstance(step, str) and step.isidentifier():
        return f".{step}"
    return f"[{step!r}]"
