"""What is worked out once for a tool, and kept."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

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

#: Runs code somewhere else, and waits for it.
Away = Callable[[Code, Call], object]


class Prepared:
    """An entry, ready to have its actions checked and run.

    Attributes:
        entry: the tool as registered.
        name: its qualified name.
        spec: what is known about it.
        function: what runs its code.
        is_plain: whether it has one name only and can always be used.
        lifecycle: what has to be started before its first call, if anything has.
        requires_approval, max_retries: as the spec has them.
    """

    def __init__(self, entry: Entry, *, mends: bool = True, backend: Backend | None = None) -> None:
        self.entry = entry
        self.name = entry.name
        self._mends = mends
        self._backend = backend
        self.spec: ToolSpec = entry.spec
        self.function = _function(entry.tool)
        self.lifecycle = None if entry.lifecycle.is_plain else entry.lifecycle
        self.requires_approval = self.spec.requires_approval
        self.max_retries = self.spec.max_retries
        self.is_plain = entry.is_always_available and not entry.traits.aliases

    @cached_property
    def checker(self) -> Checker:
        """The check of its arguments."""
        schema = self.spec.input_schema
        return Checker(
            name=self.entry.name,
            required=tuple(schema.get("required", ())),
            validation=Validation(schema),
            signature=self.entry.tool.signature,
            mends=self._mends,
        )

    @cached_property
    def access(self) -> Access | None:
        """What its actions touch; ``None`` where that depends on their arguments."""
        traits = self.entry.traits
        if traits.reads or traits.writes:
            return None
        return FREE if traits.parallel_safe else ALONE

    @cached_property
    def promise(self) -> Promise | None:
        """The check of its results, if it says what they are."""
        schema = self.spec.output_schema
        return None if schema is None else Promise(self.name, Validation(schema))

    @cached_property
    def takes_values(self) -> bool:
        """Whether its code is called, here, with nothing but the values of its arguments."""
        signature = self.entry.tool.signature
        is_here = self.away is None
        return is_here and type(signature) is Signature and signature.is_plain

    @cached_property
    def takes_context(self) -> bool:
        """Whether its code is given a ``ToolContext``."""
        return self.entry.tool.signature.context_parameter is not None

    @cached_property
    def is_async(self) -> bool:
        """Whether its code belongs on an event loop of ours."""
        return self.away is None and _is_async(self.function)

    @cached_property
    def away(self) -> Away | None:
        """What runs its code, if that is not done here."""
        if self.spec.isolation == "process":
            return processes.run
        takes = self._backend is not None and self._backend.takes(self.entry)
        return self._backend.run if self._backend is not None and takes else None

    def sent(self, positional: Sequence[object], named: Mapping[str, object]) -> Code:
        """Its code with arguments, for what runs it away from here."""
        writes = retries.writes(self.spec)
        return Code(self.name, self.entry.tool, positional, named, writes=writes)


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
