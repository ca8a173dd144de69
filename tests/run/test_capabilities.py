"""What a tool needs of the host, against what the environment grants."""

import pytest

from qitos_like.core.environment import Environment
from qitos_like.core.permission import ToolPermission
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolMeta
from qitos_like.run import capabilities


def noop() -> None:
    """Nothing."""


@pytest.fixture
def entry():
    meta = ToolMeta(permissions=ToolPermission(network=True, command=True), required_ops=["gpu"])
    return ToolRegistry().register(noop, meta=meta)["noop"]


@pytest.mark.parametrize(
    "environment",
    [None, Environment(permissions=ToolPermission.all(), ops={"gpu"})],
    ids=["no environment", "all of it"],
)
def test_what_is_granted_is_not_refused(entry, environment):
    assert capabilities.check(entry, environment) is None


def test_what_lacks_is_named(entry):
    granted = Environment(permissions=ToolPermission(network=True))

    refused = capabilities.check(entry, granted)

    assert (
        "denied",
        "noop needs command and gpu, which this environment does not grant",
    ) == (refused.code, refused.error)
