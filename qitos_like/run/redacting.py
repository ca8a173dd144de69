"""What an executor tells, without the values of secrets that its host named."""

import logging
from collections.abc import Callable
from pathlib import Path

from attrs import evolve, field, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.raised import contained, describe
from qitos_like.core.redaction import Redaction
from qitos_like.core.results import Err, ErrorCode, Part, ToolResult
from qitos_like.core.spec import ToolSpec

from . import output
from .artifacts import ArtifactDraft, ArtifactStore
from .failures import Fault

_log = logging.getLogger("qitos_like")


@frozen(eq=False)
class Redacting:
    """The last step, and the store for it, without secrets.

    Attributes:
        redaction: what is hidden, if anything is.
        render: as ``output.render``.
    """

    redaction: Redaction
    render: output.Render = field(init=False)

    @render.default
    def _render(self) -> output.Render:
        return self._render_without if self.redaction else output.render

    def _render_without(
        self, result: ToolResult, spec: ToolSpec | None, *, in_steps: bool = False
    ) -> tuple[ToolResult, str]:
        """A result and its text.

        The value goes first, so that JSON stays JSON; then what an object of its own kind shows.
        """
        name = "it" if spec is None else spec.name
        clean = without_secrets(result, self.redaction, name)
        shown, text = output.render(clean, spec, in_steps=in_steps)
        return without_secrets(shown, self.redaction, name), self.redaction.text(text)

    def store(self, store: ArtifactStore) -> ArtifactStore:
        """The store as tools find it: what they keep in it is without secrets too."""
        return _Store(store, self.redaction) if self.redaction else store


def without_secrets(result: ToolResult, redaction: Redaction, name: str = "it") -> ToolResult:
    """A tool's result, as far as it is text and plain data; an error where that cannot be read."""
    if not redaction:
        return result
    try:
        return contained(_clean, result, redaction.data)
    except Exception as error:  # user code: what is no plain data, and what changes meanwhile
        _log.debug("a result cannot be searched for secrets", exc_info=True)
        message = f"{name} ran, but its result cannot be shown: {describe(error)}"
        return Fault(ErrorCode.EXECUTION_FAILED, redaction.text(message), retryable=False)


def _clean(result: ToolResult, clean: Callable[[Json], Json]) -> ToolResult:
    if isinstance(result, Err):
        return evolve(
            result,
            error=clean(result.error),
            hint=clean(result.hint),
            field=clean(result.field),
            structured=clean(result.structured),
        )
    return evolve(
        result,
        value=clean(result.value),
        structured=clean(result.structured),
        parts=[Part(part.media_type, clean(part.data)) for part in result.parts],
    )


class _Store(ArtifactStore):
    """Another store, into which no secret goes."""

    def __init__(self, store: ArtifactStore, redaction: Redaction) -> None:
        super().__init__()
        self._store = store
        self._redaction = redaction

    def save(self, text: str) -> str | None:
        """Keep a text without secrets."""
        return self._store.save(self._redaction.text(text))

    def draft(self, redaction: Redaction | None = None) -> ArtifactDraft:
        """Begin a text of the other, into which no secret goes."""
        return self._store.draft(redaction or self._redaction)

    def path(self, name: str) -> Path:
        """The other's file."""
        return self._store.path(name)

    def close(self) -> None:
        """Close the other."""
        self._store.close()
