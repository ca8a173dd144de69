"""A part of a text that one of the forms of calls recognised."""

from attrs import field, frozen

from qitos_like.core.action import Action


@frozen
class Piece:
    """A part of the text.

    Attributes:
        end: where it ends.
        actions: the calls in it; none if it is prose after all.
        problem: why it is no call, if it was meant as one.
        quoted: whether it is shown, not said: nothing in it is a call.
        thought: whether it was only considered; if it is not quoted, so was all before it.
        bare: whether nothing marks it but its own form; where something is marked, it is data.
    """

    end: int
    actions: list[Action] = field(factory=list)
    problem: str | None = None
    quoted: bool = field(default=False, kw_only=True)
    thought: bool = field(default=False, kw_only=True)
    bare: bool = field(default=False, kw_only=True)
