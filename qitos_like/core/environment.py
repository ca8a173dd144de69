"""What the host grants to an agent's tools."""

from collections.abc import Iterable

from attrs import field, frozen

from .given import instance
from .permission import ToolPermission
from .traits import texts


def _ops(ops: Iterable[str]) -> frozenset[str]:
    return frozenset(texts(ops))


@frozen(kw_only=True)
class Environment:
    """Capabilities, operations and a workspace that the host grants.

    Where an executor or engine takes an environment, ``None`` grants everything; an
    ``Environment()`` as it stands grants nothing.

    Attributes:
        permissions: what tools may do.
        ops: identifiers of the low-level operations the host offers (``required_ops``).
        workspace: the object that decides paths, handed to tools as ``context.workspace``.

    Raises:
        TypeError: the permissions are no ``ToolPermission``.

    >>> Environment(ops={"shell"}).lacks(ToolPermission(network=True), ("shell", "gpu"))
    ('network', 'gpu')
    """

    permissions: ToolPermission = field(
        default=ToolPermission(), validator=instance(ToolPermission)
    )
    ops: frozenset[str] = field(default=frozenset(), converter=_ops)
    workspace: object = None

    def lacks(self, permissions: ToolPermission, ops: Iterable[str] = ()) -> tuple[str, ...]:
        """The names of what is required and not granted: permissions first, then ops."""
        missing_ops = (op for op in ops if op not in self.ops)
        return (*self.permissions.missing(permissions), *missing_ops)
