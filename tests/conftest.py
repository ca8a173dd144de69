"""What all tests share."""

import os

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


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    """Async tests run on both event loops."""
    return request.param
