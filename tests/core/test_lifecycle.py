import copy

import anyio
import pytest

from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import BaseTool, ToolSet, tool
from qitos_like.errors import LifecycleError

pytestmark = pytest.mark.anyio


class Recorder(ToolSet):
    def __init__(self, name, log, fail=()):
        self.name, self.log, self.fail = name, log, fail

    def setup(self):
        self._note("setup")

    async def teardown(self):
        self._note("teardown")

    def _note(self, what):
        self.log.append(f"{what} {self.name}")
        if what in self.fail:
            raise OSError(f"{what} of {self.name}")

    @tool
    def act(self) -> None:
        """Act."""


class Nested(Recorder):
    def tools(self):
        return [*super().tools(), Recorder("inner", self.log), Handle(self.log)]


class Handle(BaseTool):
    """Holds a thing."""

    def __init__(self, log):
        super().__init__()
        self.log = log

    async def setup(self):
        self.log.append("setup handle")

    def teardown(self):
        self.log.append("teardown handle")

    def run(self) -> None: ...


async def test_toolsets_start_in_order_and_stop_in_reverse():
    log = []
    registry = ToolRegistry().register_toolset(Nested("a", log))
    registry.register_toolset(Recorder("b", log))

    async with registry:
        await registry.setup()
        log.append("work")

    assert [
        "setup a",
        "setup inner",
        "setup handle",
        "setup b",
        "work",
        "teardown b",
        "teardown handle",
        "teardown inner",
        "teardown a",
    ] == log


async def test_a_failing_setup_stops_what_was_started_and_raises():
    log = []
    registry = ToolRegistry().register_toolset(Recorder("a", log))
    registry.register_toolset(Recorder("b", log, fail=["setup"]))

    with pytest.raises(LifecycleError, match="setup of Recorder raised OSError: setup of b"):
        await registry.setup()
    assert ["setup a", "setup b", "teardown a"] == log


async def test_teardown_goes_on_after_an_error_and_collects_all():
    log = []
    registry = ToolRegistry().register_toolset(Recorder("a", log, fail=["teardown"]))
    registry.register_toolset(Recorder("b", log, fail=["teardown"]))
    await registry.setup()

    with pytest.raises(LifecycleError, match="teardown of b.*teardown of a") as raised:
        await registry.teardown()
    assert ["teardown of b", "teardown of a"] == [str(cause) for cause in raised.value.causes]


async def test_what_two_hold_is_stopped_with_the_second():
    log = []
    registry = ToolRegistry().register_toolset(Recorder("a", log))
    one, other = object(), object()

    await registry.setup(one)
    await registry.setup(other)
    await registry.teardown(one)
    await registry.teardown(one)
    log.append("still in use")
    await registry.teardown(other)

    assert ["setup a", "still in use", "teardown a"] == log


@pytest.mark.parametrize(
    "derived",
    [copy.copy, ToolRegistry, ToolRegistry.available, lambda registry: registry.select("*")],
    ids=["copy", "entries", "available", "select"],
)
async def test_registries_made_of_one_another_start_a_toolset_once(derived):
    log = []
    registry = ToolRegistry().register_toolset(Recorder("a", log))

    async with registry, derived(registry):
        log.append("work")

    assert ["setup a", "work", "teardown a"] == log


async def test_registries_made_apart_start_a_toolset_each():
    log = []
    toolset = Recorder("a", log)
    one, other = (ToolRegistry().register_toolset(toolset) for _ in range(2))

    async with one, other:
        log.append("work")

    assert ["setup a", "setup a", "work", "teardown a", "teardown a"] == log


async def test_without_a_holder_everything_is_stopped():
    log = []
    registry = ToolRegistry().register_toolset(Recorder("a", log))

    await registry.setup(object())
    await registry.teardown()

    assert ["setup a", "teardown a"] == log


def test_a_plain_with_serves_lifecycles_that_do_not_wait():
    log = []
    with ToolRegistry().register_toolset(Recorder("a", log)):
        log.append("work")

    assert ["setup a", "work", "teardown a"] == log


def test_a_plain_with_says_so_when_a_setup_waits():
    class Waits:
        def __await__(self):
            yield

    class Parked(Recorder):
        async def setup(self):
            await Waits()

    registry = ToolRegistry().register_toolset(Parked("a", []))

    with pytest.raises(LifecycleError, match="async with registry"), registry:
        pass


class Slow(Recorder):
    async def setup(self):
        await anyio.sleep(0.02)
        self._note("setup")

    async def teardown(self):
        await anyio.sleep(0.01)
        self._note("teardown")


async def test_a_cancelled_setup_stops_what_was_started():
    class Endless(Recorder):
        async def setup(self):
            scope.cancel()
            await anyio.sleep_forever()

    log = []
    registry = ToolRegistry().register_toolset(Slow("a", log))
    registry.register_toolset(Endless("b", log))

    with anyio.CancelScope() as scope:
        await registry.setup()

    assert ["setup a", "teardown a"] == log


async def test_setups_at_once_are_one():
    log = []
    registry = ToolRegistry().register_toolset(Slow("a", log))
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(registry.setup, object())

    assert ["setup a"] == log


async def test_a_cancelled_block_is_torn_down_to_the_end():
    log = []
    registry = ToolRegistry().register_toolset(Slow("a", log)).register_toolset(Slow("b", log))
    with anyio.move_on_after(0.1):
        async with registry:
            await anyio.sleep_forever()

    assert ["setup a", "setup b", "teardown b", "teardown a"] == log


async def test_a_toolset_under_two_namespaces_is_set_up_once():
    log = []
    handle, toolset = Handle(log), Recorder("a", log)
    registry = ToolRegistry().register_toolset(toolset, "one").register_toolset(toolset, "two")
    registry.register(handle).register(handle, name="other")

    async with registry:
        assert ["one.act", "two.act", "handle", "other"] == [entry.name for entry in registry]

    assert ["setup a", "setup handle", "teardown handle", "teardown a"] == log


async def test_what_is_nested_in_a_toolset_under_two_namespaces_is_set_up_after_it():
    log = []
    toolset = Nested("a", log)
    registry = ToolRegistry().register_toolset(toolset, "one").register_toolset(toolset, "two")

    async with registry.select("two.*"):
        pass

    assert ["setup a", "setup inner", "setup handle"] == log[:3]
    assert ["teardown handle", "teardown inner", "teardown a"] == log[3:]
