"""What is worked out once for a tool, and kept."""

import dis
import inspect
from collections.abc import Callable, Mapping, Sequence
from inspect import CO_COROUTINE
from types import FunctionType

from qitos_like.core.base import BaseTool
from qitos_like.core.entry import Entry
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.schema.signature import Signature
from qitos_like.core.spec import ToolSpec

from . import processes, retries
from .arguments import Checker
from .backends import Backend
from .call import Call
from .promised import Promise
from .remote import Code
from .resources import ALONE, FREE
from .ticket import Access
from .validation import Validation

#: The step of compiled code that every ``await`` has, ``async for`` and ``async with`` too.
_SEND = dis.opmap["SEND"]
#: Runs code somewhere else, and waits for it.
Away = Callable[[Code, Call], object]


class Prepared:
    """An entry, ready to have its actions checked and run.

    Attributes:
        entry: the tool as registered.
        name: its qualified name.
        spec: what is known about it.
        checker: the check of its arguments.
        access: what its actions touch; ``None`` where that depends on their arguments.
        promise: the check of its results, if it says what they are.
        function: what runs its code.
        away: what runs its code, if that is not done here.
        is_async: whether its code belongs on an event loop of ours.
        may_wait: whether that code ever waits there; if not, it cannot be stopped either.
        takes_values: whether its code is called, here, with nothing but the values of its arguments.
        takes_context: whether its code is given a ``ToolContext``.
        is_plain: whether it has one name only and can always be used.
        is_text: whether a text that it returns is shown as it is.
        is_usual: whether its results may be as long as most, and are trusted as most.
        lifecycle: what has to be started before its first call, if anything has.
        requires_approval, max_retries: as the spec has them.
    """

    def __init__(self, entry: Entry, *, mends: bool = True, backend: Backend | None = None) -> None:
        spec, traits, signature = entry.spec, entry.traits, entry.tool.signature
        self.entry = entry
        self.name = entry.name
        self.spec: ToolSpec = spec
        self.checker = _checker(entry, mends=mends)
        is_free_of_arguments = not (traits.reads or traits.writes)
        alone = FREE if traits.parallel_safe else ALONE
        self.access: Access | None = alone if is_free_of_arguments else None
        schema = spec.output_schema
        self.promise = None if schema is None else Promise(self.name, Validation(schema))
        self.function = _function(entry.tool)
        self.away = _away(entry, backend)
        self.is_async = self.away is None and _is_async(self.function)
        self.may_wait = _may_wait(self.function)
        is_bound_by_name = type(signature) is Signature and signature.is_plain
        self.takes_values = self.away is None and is_bound_by_name
        self.takes_context = signature.context_parameter is not None
        self.is_plain = entry.is_always_available and not traits.aliases
        self.is_text = self.promise is None and spec.result_serializer != "json"
        self.is_usual = spec.max_result_chars is None and not spec.output_untrusted
        self.lifecycle = None if entry.lifecycle.is_plain else entry.lifecycle
        self.requires_approval = spec.requires_approval
        self.max_retries = spec.max_retries

    def sent(self, positional: Sequence[object], named: Mapping[str, object]) -> Code:
        """Its code with arguments, for what runs it away from here."""
        writes = retries.writes(self.spec)
        return Code(self.name, self.entry.tool, positional, named, writes=writes)


def _checker(entry: Entry, *, mends: bool) -> Checker:
    schema = entry.spec.input_schema
    return Checker(
        name=entry.name,
        required=tuple(schema.get("required", ())),
        validation=Validation(schema),
        signature=entry.tool.signature,
        mends=mends,
    )


def _away(entry: Entry, backend: Backend | None) -> Away | None:
    if entry.spec.isolation == "process":
        return processes.run
    return backend.run if backend is not None and backend.takes(entry) else None


def _function(tool: BaseTool) -> Callable[..., object]:
    """What the tool calls in the end, as far as it can be seen."""
    if isinstance(tool, FunctionTool) and type(tool).run is FunctionTool.run:
        return tool.function
    return tool.run


def _is_async(code: object) -> bool:
    parts = (code, inspect.getattr_static(type(code), "__call__", None))
    return any(
        inspect.iscoroutinefunction(part) or inspect.isasyncgenfunction(part) for part in parts
    )


def _may_wait(code: object) -> bool:
    """Whether a call of it may wait on the event loop; not if it is seen to have no ``await``."""
    function = getattr(code, "__func__", code)
    if not isinstance(function, FunctionType) or not function.__code__.co_flags & CO_COROUTINE:
        return True
    return _SEND in function.__code__.co_code[::2]
