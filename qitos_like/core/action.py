"""One tool call by a model, and its answer."""

from collections.abc import Mapping
from typing import NoReturn

from attrs import evolve, field, frozen

from .jsontypes import Json
from .results import Err, ErrorCode, Ok, Part, ToolError, ToolResult

_REPR_CHARS = 60


@frozen
class Action:
    """One call of a tool: a name, arguments and an id.

    Attributes:
        name: the tool, as the model spelled it.
        args: a mapping, or the JSON text of one as a provider sent it.
        id: the provider's call id; the executor fills in what is missing.

    >>> Action("coding.view", {"path": "a.py"})
    Action(name='coding.view', args={'path': 'a.py'}, id=None)
    """

    name: str
    args: Mapping[str, Json] | str = field(factory=dict)
    id: str | None = None

    def with_id(self, call_id: str) -> "Action":
        """The same call under this id."""
        return evolve(self, id=call_id)

    def with_args(self, args: Mapping[str, Json] | str) -> "Action":
        """The same call with other arguments."""
        return evolve(self, args=args)


class _Answer:
    """An ``ActionResult`` that is not frozen yet: what is has each attribute written by a call."""

    __slots__ = ("__weakref__", "action", "attempts", "duration_s", "repairs", "result", "text")


@frozen(kw_only=True)
class ActionResult(_Answer):
    """The one answer to one action.

    Its truth value is an error on purpose: ``if result`` would be true for failures too.

    Attributes:
        action: what was asked, with its id filled in.
        result: what came of it.
        text: what the model is shown; the error's text and hint if it failed.
        attempts: how often the tool's code was started; 0 if it never was.
        duration_s: from the first step to the last, in seconds.
        repairs: what was mended in the arguments before they were accepted.

    >>> result = ActionResult(action=Action("add"), result=Ok(3), text="3")
    >>> result.ok, result.unwrap(), result
    (True, 3, ActionResult(add ok: '3'))
    """

    action: Action
    result: ToolResult
    text: str
    attempts: int = 0
    duration_s: float = 0.0
    repairs: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the tool succeeded."""
        return self.result.ok

    @property
    def value(self) -> object:
        """What the tool returned; ``None`` if it failed."""
        return self.result.value if isinstance(self.result, Ok) else None

    @property
    def structured(self) -> Json:
        """The value as JSON data, where there is any."""
        return self.result.structured

    @property
    def parts(self) -> tuple[Part, ...]:
        """Images and the like; empty if it failed."""
        return self.result.parts if isinstance(self.result, Ok) else ()

    @property
    def artifact(self) -> str | None:
        """The name of the artifact that holds the whole text of a cut result."""
        return self.result.artifact if isinstance(self.result, Ok) else None

    @property
    def code(self) -> ErrorCode | None:
        """The kind of failure; ``None`` if it succeeded."""
        return self.result.code if isinstance(self.result, Err) else None

    @property
    def error(self) -> str | None:
        """The failure's sentence; ``None`` if it succeeded."""
        return self.result.error if isinstance(self.result, Err) else None

    @property
    def hint(self) -> str | None:
        """What to do next, if it failed and there is something to say."""
        return self.result.hint if isinstance(self.result, Err) else None

    def unwrap(self) -> object:
        """The value.

        Raises:
            ToolError: the action failed.
        """
        if isinstance(self.result, Err):
            raise ToolError(self.result.error, code=self.result.code, hint=self.result.hint)
        return self.result.value

    def __bool__(self) -> NoReturn:
        """Always an error.

        Raises:
            TypeError: always; use ``.ok``.
        """
        message = "the truth of an ActionResult is ambiguous: use .ok"
        raise TypeError(message)

    def __repr__(self) -> str:
        """A short form: name, outcome, the beginning of the text."""
        text = self.text if len(self.text) <= _REPR_CHARS else f"{self.text[:_REPR_CHARS]}…"
        return f"ActionResult({self.action.name} {self.code or 'ok'}: {text!r})"

    def _repr_markdown_(self) -> str:
        """The form notebooks show."""
        fence = "```"
        while fence in self.text:
            fence += "`"
        return f"**{self.action.name}** {self.code or 'ok'}\n\n{fence}\n{self.text}\n{fence}"


def answered(
    action: Action,
    result: ToolResult,
    text: str,
    *,
    attempts: int,
    duration_s: float,
    repairs: tuple[str, ...],
) -> ActionResult:
    """An ``ActionResult`` with all that it has, made in a third of the time that its class takes.

    >>> answered(Action("add"), Ok(3), "3", attempts=1, duration_s=0.1, repairs=())
    ActionResult(add ok: '3')
    """
    made: Json = _Answer()
    made.action = action
    made.result = result
    made.text = text
    made.attempts = attempts
    made.duration_s = duration_s
    made.repairs = repairs
    made.__class__ = ActionResult
    frozen_one: ActionResult = made
    return frozen_one
