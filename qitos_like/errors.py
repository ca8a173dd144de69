"""Exceptions for programmers and warnings; imports nothing of ours.

What a model did wrong is never an exception: it is an ``Err`` value (``core.results``).

    QitosLikeError
    |-- RegistrationError (ValueError)   an author's mistake, raised when a tool is registered
    |   |-- ToolNameError                a name that is not segments joined by dots
    |   |-- DuplicateToolError           a name that is taken
    |   |-- SchemaError                  a JSON Schema that is not one
    |   |-- SignatureError               a signature and a schema that do not fit together
    |   `-- ToolsetError                 tools() raised, or returned something else
    |-- SelectionError (ValueError)      a pattern that matches no tool
    |-- LifecycleError                   setup or teardown of toolsets failed
    |-- PreflightError                   tools need what the environment does not grant
    |-- SourceError (ValueError)         a SOURCE that names no tools
    |-- ConfigError (ValueError)         a configuration that cannot be meant as it is written
    |-- MissingExtraError (ImportError)  an optional extra is not installed
    |-- ModelError                       a model's provider failed, or cannot be reached
    `-- ToolError (in core.results)      raised by a tool; its text is meant for the model
    QitosLikeWarning (UserWarning)
    |-- SchemaWarning                    a parameter that takes any value
    `-- DescriptionWarning               a tool without a description
"""

from collections.abc import Sequence


class QitosLikeError(Exception):
    """Base of everything this package raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as it is: text and fields, whatever its class's constructor takes."""
        return _restored, (type(self), self.args), self.__dict__


class RegistrationError(QitosLikeError, ValueError):
    """An author's mistake, found when a tool is decorated or registered.

    Attributes:
        tool: the tool's name as far as it is known, else ``None``.
    """

    def __init__(self, message: str, *, tool: str | None = None) -> None:
        super().__init__(message)
        self.tool = tool


class ToolNameError(RegistrationError):
    """A name that is not segments of ``[A-Za-z_][A-Za-z0-9_-]*`` joined by dots."""


class DuplicateToolError(RegistrationError):
    """A name that another tool of the registry already has; the text names both owners."""


class SchemaError(RegistrationError):
    """A JSON Schema that is invalid; the text says where."""


class SignatureError(RegistrationError):
    """A callable whose parameters cannot be filled as its schema promises."""


class ToolsetError(RegistrationError):
    """A toolset whose ``tools()`` raised or returned something that is no tool."""


class SelectionError(QitosLikeError, ValueError):
    """A selection pattern that matches no tool.

    Attributes:
        pattern: the pattern as it was written.
    """

    def __init__(self, message: str, *, pattern: str) -> None:
        super().__init__(message)
        self.pattern = pattern


class LifecycleError(QitosLikeError):
    """Setting up or tearing down a toolset failed.

    Attributes:
        causes: the exceptions that were collected, in the order they happened.
    """

    def __init__(self, message: str, *, causes: Sequence[Exception] = ()) -> None:
        super().__init__(message)
        self.causes = tuple(causes)


class PreflightError(QitosLikeError):
    """Tools of an agent need what its environment does not grant.

    Attributes:
        problems: one line per problem, each naming the tool and what it lacks.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(["the environment lacks what tools need:", *self.problems]))


class SourceError(QitosLikeError, ValueError):
    """A SOURCE (``module:object``, module, file or toolset name) that gives no tools."""


class ConfigError(QitosLikeError, ValueError):
    """A configuration that cannot be meant as it is written.

    Attributes:
        problems: one line per problem, each with its place (``qitos-like.toml:3``) in front.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class MissingExtraError(QitosLikeError, ImportError):
    """An optional dependency is not installed; the text holds the line that installs it."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'qitos-like[{extra}]'")
        self.extra = extra


class ModelError(QitosLikeError):
    """A model's provider failed, or cannot be reached; it ends a run, which keeps its text."""


def _restored(kind: type[QitosLikeError], args: tuple[object, ...]) -> QitosLikeError:
    return kind.__new__(kind, *args)


class QitosLikeWarning(UserWarning):
    """Base of the warnings of this package."""


class SchemaWarning(QitosLikeWarning):
    """A parameter whose type is unknown, so that its schema admits any value."""


class DescriptionWarning(QitosLikeWarning):
    """A tool that a model is shown without a word about what it does."""
