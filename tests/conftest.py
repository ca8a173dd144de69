"""What all tests share."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# A slow or busy machine is no failure, and CI tries the same cases each time.
settings.register_profile(
    "project",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("project")


def pytest_configure():
    """A shell has its jobs in the background ignore Ctrl-C, which tests of it need."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    """Async tests run on both event loops."""
    return request.param


def pytest_collection_modifyitems(items):
    """Workers have to collect the same tests, so that no name may hold an address."""
    addressed = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if addressed:
        raise pytest.UsageError("\n".join(["give these tests other ids:", *addressed]))
