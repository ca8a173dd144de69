"""Whatever the host gave an executor does, an action has one answer."""

import pytest

from qitos_like.core.action import Action
from qitos_like.run.artifacts import ArtifactStore
from qitos_like.run.budget import Budget
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.policy import PermissionPolicy
from tests.run.stub import registry_of

pytestmark = pytest.mark.anyio


def tool() -> int:
    return 1


def failing(*args, **kwargs):
    raise RuntimeError("broken")


async def failing_hook(call, next):
    raise RuntimeError("broken")


class BrokenPolicy(PermissionPolicy):
    def decide(self, subject):
        raise RuntimeError("broken")


class BrokenStore(ArtifactStore):
    def save(self, text):
        raise OSError("the disk is full")


class OddStore(ArtifactStore):
    def save(self, text):
        raise LookupError("no shelf")


ASKING = PermissionPolicy(["ask *"])
#: What a host gives an executor, and what its failure makes of a call.
HOSTS = {
    "hook": ({"hooks": [failing_hook]}, "denied", "RuntimeError: broken"),
    "policy": ({"policy": BrokenPolicy()}, "denied", "RuntimeError: broken"),
    "approver": ({"policy": ASKING, "approve": failing}, "denied", "nobody could be asked"),
    "odd approver": ({"policy": ASKING, "approve": lambda _: "yes"}, "denied", "not approved"),
    "counter": ({"budget": Budget(count=failing)}, None, "1"),
    "counter of nothing": ({"budget": Budget(count=lambda _: None)}, None, "1"),
    "counter of texts": ({"budget": Budget(count=str)}, None, "1"),
    "counter below nothing": ({"budget": Budget(count=lambda _: -1)}, None, "1"),
    "counter of NaN": ({"budget": Budget(count=lambda _: float("nan"))}, None, "1"),
    "store": ({"budget": Budget(per_result=0), "artifacts": BrokenStore()}, None, ""),
    "odd store": ({"budget": Budget(per_result=0), "artifacts": OddStore()}, None, ""),
}


@pytest.mark.parametrize(("options", "code", "text"), HOSTS.values(), ids=HOSTS.keys())
async def test_a_fault_of_the_host_is_an_answer(options, code, text):
    async with ActionExecutor(registry_of(tool), **options) as executor:
        results = await executor.run_turn([Action("tool"), Action("none"), Action("tool")])

    assert [code, "unknown_tool", code] == [result.code for result in results]
    assert text in results[0].text


async def test_a_sink_that_raises_breaks_nothing():
    heard = []
    async with ActionExecutor(registry_of(tool)) as executor:
        executor.subscribe(failing)
        executor.subscribe(heard.append)
        assert (await executor.run(Action("tool"))).ok

    assert 2 == len(heard)
