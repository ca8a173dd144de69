"""``BaseTool``: a tool as a class, for what needs shared state or a lifecycle."""

import inspect
import types
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from ._first_use import read_docstring, read_signature
from .jsontypes import Json
from .names import snake_case
from .spec import ToolMeta, ToolSpec, meta_fields
from .traits import Traits

if TYPE_CHECKING:
    from .schema.signature import Signature

_TRAIT_NAMES = frozenset(meta_fields())


class BaseTool:
    """A tool as a class: subclass it, write ``run``, register an instance.

    Give ``super().__init__`` an explicit ``ToolSpec``, or let it be read from the class: the
    docstring describes, the signature of ``run`` gives the schema, and class keywords or class
    attributes give the traits. ``run`` may be sync, async or a generator. ``setup()`` and
    ``teardown()`` (sync or async) are called around the tool's life where a subclass has them.

    >>> class Double(BaseTool, parallel_safe=True):
    ...     '''Twice a number.'''
    ...
    ...     def run(self, number: int) -> int:
    ...         return 2 * number
    >>> Double()(number=4), Double().spec.name
    (8, 'double')
    """

    _class_meta: ClassVar[ToolMeta] = ToolMeta()

    def __init_subclass__(cls, **options: Json) -> None:
        """Collect traits from class keywords and class attributes.

        Raises:
            TypeError: a class keyword that is no field of ``ToolMeta``.
        """
        super().__init_subclass__()
        unknown = options.keys() - _TRAIT_NAMES
        if unknown:
            message = f"{cls.__name__}: no tool has the trait {', '.join(sorted(unknown))}"
            raise TypeError(message)
        attributes = {name: value for name, value in vars(cls).items() if _says_trait(name, value)}
        cls._class_meta = cls._class_meta.merged(ToolMeta(**{**attributes, **options}))

    def __init__(self, spec: ToolSpec | None = None) -> None:
        """Take an explicit spec; without one it is read from the class when first needed."""
        if spec is not None:
            self.spec = spec

    @cached_property
    def spec(self) -> ToolSpec:
        """Everything known about the tool that is data.

        Raises:
            RegistrationError: the class gives no legal spec.
        """
        meta = self._class_meta
        name = meta.name or snake_case(type(self).__name__.removesuffix("Tool"))
        description = meta.description or read_docstring(self._docstring()).description
        if meta.parameters is not None:
            return ToolSpec(name, description, meta.parameters, meta.required, **meta.traits())
        schema = self.signature.input_schema()
        return ToolSpec.inferred(name, description, schema, **meta.traits())

    def _docstring(self) -> str | None:
        """The class's own, or that of the class it refines."""
        kinds = type(self).__mro__
        return next(filter(None, (kind.__doc__ for kind in kinds[: kinds.index(BaseTool)])), None)

    @property
    def traits(self) -> Traits:
        """What is said of the tool besides its schema; cheaper than ``spec`` where it can be."""
        return self.spec

    @cached_property
    def signature(self) -> "Signature":
        """How arguments become the parameters of ``run``.

        Raises:
            SignatureError: ``run`` does not fit the explicit schema.
        """
        is_own = "spec" in self.__dict__ or self._class_meta.parameters is not None
        is_explicit = is_own or inspect.getattr_static(type(self), "spec") is not _READ_FROM_CLASS
        explicit = self.spec.input_schema if is_explicit else None
        run: Json = self.run
        if isinstance(run, types.FunctionType):
            run = staticmethod(run)  # it takes no self
        return read_signature(run, owner=type(self), explicit=explicit, tool=type(self).__name__)

    def available(self) -> object:
        """Truthy if the tool can be used now, else falsy, best ``Unavailable(reason)``."""
        return True

    # Open parameters, so that a subclass may have any of its own.
    def run(self, /, *args: Json, **kwargs: Json) -> object:
        """Do the tool's work; every subclass has its own.

        Raises:
            NotImplementedError: the subclass has none.
        """
        message = f"{type(self).__name__} has no run()"
        raise NotImplementedError(message)

    def __call__(self, /, *args: Json, **kwargs: Json) -> Json:
        """The plain value of ``run``."""
        return self.run(*args, **kwargs)


_READ_FROM_CLASS = inspect.getattr_static(BaseTool, "spec")


def _says_trait(name: str, value: object) -> bool:
    """Whether a class attribute gives a trait, and is no method or descriptor of that name."""
    return name in _TRAIT_NAMES and not isinstance(
        value, types.FunctionType | property | cached_property | classmethod | staticmethod
    )
