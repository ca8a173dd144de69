"""What the code of others raises: kept from ending more than a call, and put in words."""

import dis
import threading
from collections.abc import Awaitable, Callable
from types import CodeType
from typing import TypeVar, TypeVarTuple

from . import _lazy

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_SHOWN_CAUSES = 5


class ExitError(Exception):
    """Code raised what is no ``Exception`` and would have ended more than a call.

    Attributes:
        error: what it raised.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def contained(code: Callable[[*Ts], T], *args: *Ts) -> T:
    """What the code of a tool's author returns; whatever it raises is an ``Exception``.

    Raises:
        Exception: as the code raises it.
        ExitError: the code raised something else, such as ``SystemExit``.
        KeyboardInterrupt: the person pressed Ctrl-C meanwhile.

    >>> contained(str, 4)
    '4'
    """
    try:
        return code(*args)
    except BaseException as error:  # user code: what it raises belongs to its call
        if isinstance(error, Exception) or is_interrupt(error):
            raise
        raise ExitError(error) from error


async def contained_await(awaited: Awaitable[T]) -> T:
    """As ``contained``, of what is awaited; a cancellation passes.

    Raises:
        Exception: as it raises it.
        ExitError: it raised ``SystemExit``, or a ``KeyboardInterrupt`` of its own.
        KeyboardInterrupt: the person pressed Ctrl-C meanwhile.
    """
    try:
        return await awaited
    except (SystemExit, KeyboardInterrupt) as error:
        if is_interrupt(error):
            raise
        raise ExitError(error) from error


def is_interrupt(error: BaseException) -> bool:
    """Whether this is Ctrl-C, and no ``KeyboardInterrupt`` that a tool raised itself.

    Ctrl-C reaches the main thread between any two of its steps, or in the function that an event
    loop has for the signal; a tool's own needs a ``raise``.
    """
    if not isinstance(error, KeyboardInterrupt):
        return False
    traceback = error.__traceback__
    if threading.current_thread() is not threading.main_thread() or traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    step = dis.opname[code.co_code[traceback.tb_lasti]]
    return step not in {"RAISE_VARARGS", "RERAISE"} or code is _code_for_ctrl_c()


def _code_for_ctrl_c() -> CodeType | None:
    """What runs when the signal comes, if Python does and not C."""
    code: CodeType | None = getattr(_lazy.interrupt_handler(), "__code__", None)
    return code


def describe(error: BaseException) -> str:
    """The exception's kind and text, or those of the exceptions that it groups.

    >>> describe(ValueError("no number")), describe(KeyError())
    ('ValueError: no number', 'KeyError')
    """
    try:
        return contained(_described, error)
    except Exception as raised:  # user code: what an exception does when it is looked at
        return f"an exception that cannot be told ({kind_of(raised)})"


def text_of(error: BaseException) -> str:
    """What an exception says, which may be nothing."""
    try:
        return contained(str, error)
    except Exception as raised:  # user code: an exception's __str__
        return f"(its __str__ raised {kind_of(raised)})"


def kind_of(error: BaseException) -> str:
    """The name of an exception's class."""
    return type(error.error if isinstance(error, ExitError) else error).__name__


def _described(error: BaseException) -> str:
    leaves = _leaves(error)
    shown = [_one(leaf) for leaf in leaves[:_SHOWN_CAUSES]]
    if len(leaves) > _SHOWN_CAUSES:
        shown.append(f"and {len(leaves) - _SHOWN_CAUSES} more")
    return "; ".join(shown)


def _leaves(error: BaseException) -> list[BaseException]:
    """The exceptions of a group, however deep they are, in their order."""
    leaves, waiting = [], [error]
    while waiting:
        each = waiting.pop()
        if isinstance(each, BaseExceptionGroup):
            waiting += reversed(each.exceptions)
        else:
            leaves.append(each)
    return leaves


def _one(error: BaseException) -> str:
    if isinstance(error, ExitError):
        error = error.error
    kind, text = kind_of(error), text_of(error)
    return f"{kind}: {text}" if text else kind
