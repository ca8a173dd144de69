"""What a tool may need from the host, and what a host grants."""

from typing import Self

from attrs import asdict, fields, frozen


@frozen(kw_only=True)
class ToolPermission:
    """The capabilities a tool requires, or an environment grants. All default to ``False``.

    >>> granted = ToolPermission(filesystem_read=True)
    >>> granted.missing(ToolPermission(filesystem_read=True, network=True))
    ('network',)
    """

    filesystem_read: bool = False
    filesystem_write: bool = False
    network: bool = False
    command: bool = False

    @classmethod
    def all(cls) -> Self:
        """Every capability."""
        return cls(**dict.fromkeys(_names(), True))

    def missing(self, required: "ToolPermission") -> tuple[str, ...]:
        """The capabilities that ``required`` has and these do not, by field name."""
        return tuple(
            name for name in _names() if getattr(required, name) and not getattr(self, name)
        )

    def __or__(self, other: "ToolPermission") -> "ToolPermission":
        """The capabilities of either."""
        ours, theirs = asdict(self), asdict(other)
        return ToolPermission(**{name: ours[name] or theirs[name] for name in ours})


def _names() -> list[str]:
    return [field.name for field in fields(ToolPermission)]
