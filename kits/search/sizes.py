"""How large a pattern gets when it is compiled, and how deep it is nested."""

from .characters import Refused

_MAX_NESTING = 100
#: Repetitions are copies in the compiled pattern, and ripgrep limits its size; a class of Unicode
#: takes much more of it than a character.
_MAX_SIZE = 10_000
CLASS_SIZE = 25


class Sizes:
    """The size of a pattern so far, and of each group in it that is open."""

    def __init__(self) -> None:
        self._sizes = [0]

    @property
    def depth(self) -> int:
        """In how many groups the next piece is, from 1."""
        return len(self._sizes)

    def open(self) -> None:
        """A group begins.

        Raises:
            Refused: it is nested too deep.
        """
        self._sizes.append(0)
        if len(self._sizes) > _MAX_NESTING:
            message = f"groups are nested more than {_MAX_NESTING} deep"
            raise Refused(message)

    def close(self) -> int:
        """A group ends; its size, which is still to be added."""
        return self._sizes.pop()

    def add(self, size: int, times: int) -> None:
        """A piece or a group, and how often it is repeated.

        Raises:
            Refused: the pattern gets too large.
        """
        self._sizes[-1] += size * times
        if self._sizes[-1] > _MAX_SIZE:
            message = "it repeats too much"
            raise Refused(message)
