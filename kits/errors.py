"""What the kits refuse, as errors whose text a model can act on.

``WorkspaceError`` is a path or a write that a workspace refuses. ``MissingPathError`` is one of
them where nothing is, ``BinaryFileError`` (``kits.text.encoding``) one where no text is.
"""

import errno
import os

from attrs import frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, ToolError


class WorkspaceError(ToolError):
    """A path or a write that a workspace refuses.

    Attributes:
        code: ``denied`` outside the workspace or where it is protected, ``input_invalid`` for a
            wrong path, ``execution_failed`` when the operating system refuses.
        structured: the facts as JSON data.

    >>> WorkspaceError("no such file", code="input_invalid").to_result().ok
    False
    """

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode | str,
        hint: str | None = None,
        structured: Json = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint)
        self.structured = structured

    def to_result(self) -> Err:
        """This failure as a value."""
        return Err(self.code, str(self), hint=self.hint, structured=self.structured)


class MissingPathError(WorkspaceError):
    """A path where nothing is.

    >>> MissingPathError("no such file").code
    <ErrorCode.INPUT_INVALID: 'input_invalid'>
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, code=ErrorCode.INPUT_INVALID, hint=hint)


@frozen
class _Reason:
    code: ErrorCode
    text: str
    hint: str | None = None


_INVALID, _DENIED = ErrorCode.INPUT_INVALID, ErrorCode.DENIED
_NOT_OURS = "The user who runs the tools may not do this; trying again does not help."
_NO_ROOM = "Nothing was written. Make room, or write less."

#: ``EXDEV`` is what the kernel, and our walk, answer for a path that leaves its root.
_REASONS = {
    errno.EXDEV: _Reason(_DENIED, "leads outside the workspace"),
    errno.ELOOP: _Reason(_INVALID, "is a loop of links"),
    errno.ENOTDIR: _Reason(_INVALID, "has a file where a folder is meant", "Use another folder."),
    errno.EISDIR: _Reason(_INVALID, "is a folder, not a file", "Name a file in it."),
    errno.ENXIO: _Reason(_INVALID, "is a socket or a device, not a file"),
    errno.EEXIST: _Reason(
        _INVALID, "exists already", "Change it by an edit, or write another path."
    ),
    errno.ENAMETOOLONG: _Reason(_INVALID, "is too long a name", "A name has at most 255 bytes."),
}

_ADVICE = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _NOT_OURS),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _NO_ROOM),
}


def from_os(error: OSError, path: str) -> WorkspaceError:
    """The operating system's refusal of ``path``; what is no mistake of the path stays a failure."""
    if error.errno == errno.ENOENT:
        return MissingPathError(f"{path!r} does not exist")
    reason = _REASONS.get(error.errno or 0)
    if reason is not None:
        return WorkspaceError(f"{path!r} {reason.text}", code=reason.code, hint=reason.hint)
    what = os.strerror(error.errno) if error.errno else str(error)
    message = f"{path!r}: {what.lower()}"
    advice = _ADVICE.get(error.errno or 0)
    return WorkspaceError(message, code=ErrorCode.EXECUTION_FAILED, hint=advice)


def invalid(message: str, *, hint: str | None = None, structured: Json = None) -> WorkspaceError:
    """A wrong argument."""
    return WorkspaceError(message, code=_INVALID, hint=hint, structured=structured)


def denied(message: str, *, hint: str | None = None) -> WorkspaceError:
    """A path that is outside, or protected."""
    return WorkspaceError(message, code=_DENIED, hint=hint)
