"""``FunctionTool``: what registering a callable makes of it."""

import warnings
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from qitos_like.errors import DescriptionWarning, ToolNameError

from ._first_use import read_docstring, read_signature
from .base import BaseTool
from .callables import describe_callable, own_docstring, own_name
from .decorator import declaration_of
from .frames import annotation_locals
from .names import check_name
from .schema._lazy import check_schema, object_schema
from .spec import ToolMeta, ToolSpec
from .traits import Traits

if TYPE_CHECKING:
    from .schema.signature import Signature


class FunctionTool(BaseTool):
    """A callable as a tool; ``ToolRegistry.register`` makes one of each callable.

    The signature is read at once, so that an author's mistake shows here; the spec, with the
    schema and the docstring, is made when it is first needed.

    Raises:
        RegistrationError: a bad name, schema or signature.

    >>> FunctionTool(lambda n: n + 1, ToolMeta(name="next", description="The next number."))(n=1)
    2
    """

    def __init__(
        self,
        function: Callable[..., object],
        meta: ToolMeta | None = None,
        *,
        name: str | None = None,
    ) -> None:
        """Take the callable and what ``meta`` says over what its own ``@tool`` says.

        ``name`` is for a callable that has none a tool may have, such as a lambda.
        """
        declaration = declaration_of(function)
        own = declaration.meta if declaration else ToolMeta()
        self.function = function
        self.meta = own.merged(meta)
        self.name = _checked_name(function, self.meta, name)
        if self.meta.parameters is None:
            explicit = None
        else:
            explicit = object_schema(self.meta.parameters, self.meta.required, tool=self.name)
            check_schema(explicit, tool=self.name)
        self._explicit = explicit
        namespace = {
            **annotation_locals(function),
            **(declaration.namespace if declaration else {}),
        }
        self._signature = read_signature(
            function, namespace=namespace, explicit=explicit, tool=self.name
        )
        if not (self.meta.description or own_docstring(function)):
            warnings.warn(
                f"{self.name} ({describe_callable(function)}) has no description: a model sees its "
                "name only; write a docstring or give description=...",
                DescriptionWarning,
                stacklevel=3,
            )

    @cached_property
    def spec(self) -> ToolSpec:
        """Everything known about the tool that is data."""
        schema = self._explicit or self._signature.input_schema()
        return ToolSpec.inferred(self.name, self._description(), schema, **self.meta.traits())

    @property
    def traits(self) -> Traits:
        """What the author said."""
        return self.meta

    @property
    def signature(self) -> "Signature":
        """How arguments become the callable's parameters."""
        return self._signature

    def run(self, /, *args: object, **kwargs: object) -> object:
        """Call the callable."""
        return self.function(*args, **kwargs)

    def _description(self) -> str:
        if self.meta.description is not None:
            return self.meta.description
        return read_docstring(own_docstring(self.function)).description


def _checked_name(function: Callable[..., object], meta: ToolMeta, given: str | None) -> str:
    name = meta.name if meta.name is not None else own_name(function)
    try:
        return check_name(name)
    except ToolNameError as error:
        if given is not None and meta.name is None:
            return check_name(given)
        message = f"{describe_callable(function)}: {error}"
        raise ToolNameError(message, tool=name) from None
