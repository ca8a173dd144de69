"""Asking a person whether a call may run."""

import threading
from typing import Annotated

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.environment import Environment
from qitos_like.core.marks import CommandArg
from qitos_like.core.permission import ToolPermission
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolMeta
from qitos_like.run.approvals import Approval, digest_of
from qitos_like.run.events import CallDecided
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.policy import PermissionPolicy
from qitos_like.run.workers import WORKERS

pytestmark = pytest.mark.anyio

ASK = PermissionPolicy(["ask run", "deny run(rm*)"])
LS = Action("run", {"command": "ls"})


def run(command: Annotated[str, CommandArg], times: int = 1) -> str:
    """Run."""
    return f"{command} {times}"


def executor_with(approve=None, policy=ASK, **meta):
    registry = ToolRegistry().register(run, meta=ToolMeta(**meta))
    return ActionExecutor(registry, policy=policy, approve=approve, user="Ann")


ANSWERS = {
    "true": (True, None, "ls 1"),
    "once": (Approval.once(), None, "ls 1"),
    "for the run": (Approval.for_run(), None, "ls 1"),
    "deny": (Approval.deny("not now"), "denied", "run was not run: not now"),
    "false": (False, "denied", "run was not run: it was not approved"),
    "nothing": (None, "denied", "run was not run: it was not approved"),
    "one": (1, "denied", "run was not run: it was not approved"),
    "yes": ("yes", "denied", "run was not run: it was not approved"),
    "edit": (Approval.edit({"command": "ls -l"}), None, "ls -l 1"),
    "wrong edit": (Approval.edit({}), "input_invalid", "the arguments of run are wrong"),
    "forbidden edit": (Approval.edit({"command": "rm a"}), "denied", "the rule deny run(rm*)"),
}


@pytest.mark.parametrize(("answer", "code", "text"), ANSWERS.values(), ids=ANSWERS.keys())
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_only_true_or_an_approval_allows(answer, code, text, is_async):
    async def approve_async(request):
        await anyio.lowlevel.checkpoint()
        return answer

    async with executor_with(approve_async if is_async else lambda request: answer) as executor:
        result = await executor.run(LS)

    assert (code, True) == (result.code, text in result.text)


@pytest.mark.parametrize(("answer", "code", "text"), ANSWERS.values(), ids=ANSWERS.keys())
def test_who_does_not_await_is_asked_in_the_own_thread(answer, code, text):
    threads = []

    def approve(request):
        threads.append(threading.current_thread())
        return answer

    with executor_with(approve) as executor:
        result = executor.run_sync(LS)

    assert (code, True) == (result.code, text in result.text)
    assert [threading.current_thread()] == threads


async def test_an_approver_that_raises_refuses(caplog):
    def approve(request):
        raise SystemExit(1)

    async with executor_with(approve) as executor:
        result = await executor.run(LS)

    assert ("denied", True) == (result.code, "nobody could be asked" in result.text)
    assert "the approver tried to end the program" in caplog.text


async def test_a_request_says_what_would_run():
    seen = []

    async with executor_with(seen.append) as executor:
        await executor.run(Action("run", '{"command": "cd a && ls"}', id="7"))

    [request] = seen
    assert request.action.id == "7"
    assert ("run", {"command": "cd a && ls"}) == (request.spec.name, request.args)
    assert ("cd a\nls", "the rule ask run", "Ann") == (
        request.preview,
        request.reason,
        request.user,
    )
    assert request.digest == digest_of("run", {"command": "cd a && ls"})
    assert request.digest not in repr(request)


@pytest.mark.parametrize(
    ("command", "preview"),
    [
        ("cd a && ls; cd a", "cd a\nls\ncd a"),
        ("A=1 ls", "A=1 ls"),
        ("mv 'a b' c", "mv 'a b' c"),
        ("echo $(mv a b)", "echo $(mv a b)"),
        ("ls > /dev/null", "ls > /dev/null"),
        ("mv a b\x1b[2K\rls \u202e", "mv a b\nls <U+202E>"),
    ],
    ids=["several", "assignment", "quotes", "substitution", "redirection", "hidden"],
)
async def test_a_person_reads_all_that_would_run(command, preview):
    seen = []

    async with executor_with(seen.append) as executor:
        await executor.run(Action("run", {"command": command}))

    assert [preview] == [request.preview for request in seen]


async def test_a_person_reads_what_is_said_beside_a_command():
    seen = []

    async with executor_with(seen.append) as executor:
        await executor.run(Action("run", {"times": 9, "command": "ls"}))

    assert ['ls\n{"times": 9}'] == [request.preview for request in seen]


async def test_what_is_allowed_once_is_asked_for_again_and_for_the_run_is_not():
    asked = []

    def approve(request):
        asked.append(request.args["command"])
        return Approval.for_run() if request.args["command"] == "ls" else True

    async with executor_with(approve) as executor:
        for command in ("ls", "ls", "pwd", "pwd"):
            await executor.run(Action("run", {"command": command}))

    assert ["ls", "pwd", "pwd"] == asked


async def test_a_tool_may_ask_itself():
    async with executor_with(policy=None, requires_approval=True) as executor:
        result = await executor.run(LS)

    assert "needs_approval" == result.code
    assert "a person has to allow it (each call of run has to be approved)" in result.text


async def test_without_an_approver_the_call_waits_and_runs_exactly_once():
    async with executor_with() as executor:
        refused = await executor.run(LS)
        [request] = executor.pending
        other = await executor.run(Action("run", {"command": "pwd"}), approval=request)
        allowed = await executor.run(LS, approval=request)
        again = await executor.run(LS, approval=request)

    assert ("needs_approval", 0) == (refused.code, refused.attempts)
    assert request.digest not in refused.text
    assert ["needs_approval", None, "needs_approval"] == [other.code, allowed.code, again.code]
    assert "ls 1" == allowed.text


def test_it_waits_for_who_does_not_await_too():
    with executor_with() as executor:
        executor.run_sync(LS)
        [request] = executor.pending

        assert "ls 1" == executor.run_sync(LS, approval=request).text
        assert () == executor.pending


def test_the_order_of_arguments_is_not_another_call():
    assert digest_of("a", {"x": 1, "y": 2}) == digest_of("a", {"y": 2, "x": 1})
    assert digest_of("a", {"x": 1}) != digest_of("b", {"x": 1})
    assert digest_of("a", {"x": 1}) != digest_of("a", {"x": "1"})


async def test_decisions_are_events():
    heard = []

    async with executor_with(lambda request: True) as executor:
        executor.subscribe(heard.append)
        await executor.run(LS)

    decided = [event for event in heard if isinstance(event, CallDecided)]
    assert [("ask", "policy"), ("allow", "approver")] == [(e.effect, e.by) for e in decided]


async def test_a_preview_knows_what_is_granted():
    needs = ToolMeta(permissions=ToolPermission(command=True))
    registry = ToolRegistry().register(run, meta=needs)

    with ActionExecutor(registry, environment=Environment()) as executor:
        seen = executor.preview(LS)

    assert ("deny", True) == (seen.effect, seen.reason.startswith("run needs command"))


async def test_an_edit_is_recorded():
    async with executor_with(lambda request: Approval.edit({"command": "x"})) as executor:
        result = await executor.run(LS)

    assert ("x 1", ("$: edited by who approved it",)) == (result.text, result.repairs)


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (LS, ("ask", "run", "ls", "the rule ask run")),
        (Action("run", {"command": "rm a"}), ("deny", "run", "rm a", "the rule deny run(rm*)")),
        (Action("run", {}), ("refuse", "run", "", "the arguments of run are wrong:")),
        (Action("walk", {}), ("refuse", None, "", "there is no tool 'walk'")),
    ],
    ids=["ask", "deny", "arguments", "unknown"],
)
async def test_a_preview_says_what_would_become_of_a_call(action, expected):
    asked = []

    async with executor_with(asked.append) as executor:
        seen = executor.preview(action)

    assert expected == (seen.effect, seen.name, seen.text, seen.reason.partition("\n")[0])
    assert [] == asked


def test_of_very_many_waiting_requests_the_oldest_are_forgotten():
    with executor_with() as executor:
        for number in range(1_003):
            executor("run", command="ls", times=number)

        waiting = [request.args["times"] for request in executor.pending]

    assert list(range(3, 1_003)) == waiting


async def test_a_call_that_is_asked_for_keeps_its_place_and_its_time():
    """What conflicts with it waits for the answer, what may run beside it does not."""
    happened, beside_is_over = [], anyio.Event()

    async def beside() -> None:
        happened.append("beside")
        beside_is_over.set()

    async def approve(request):
        await beside_is_over.wait()
        await anyio.sleep(0.3)  # longer than the tool may take
        happened.append("answered")
        return True

    def asked() -> None:
        happened.append("asked")

    def after() -> None:
        happened.append("after")

    registry = ToolRegistry()
    for function, meta in (
        (asked, ToolMeta(description="A.", parallel_safe=True, timeout_s=0.2)),
        (beside, ToolMeta(description="B.", parallel_safe=True)),
        (after, ToolMeta(description="C.")),
    ):
        registry.register(function, meta=meta)
    policy = PermissionPolicy(["ask asked"])
    async with ActionExecutor(registry, policy=policy, approve=approve) as executor:
        results = await executor.run_turn([Action(name) for name in ("asked", "beside", "after")])

    assert ["beside", "answered", "asked", "after"] == happened
    assert all(result.ok for result in results)


async def test_who_waits_for_many_people_keeps_no_tool_from_running():
    answered, asked = threading.Event(), threading.Semaphore(0)

    def approve(request):
        asked.release()
        return answered.wait(10)

    async def ask(executor):
        assert (await executor.run(LS)).ok

    executors = [executor_with(approve) for _ in range(WORKERS)]
    async with anyio.create_task_group() as group:
        for executor in executors:
            group.start_soon(ask, executor)
        for _ in executors:
            await anyio.to_thread.run_sync(asked.acquire)
        with anyio.fail_after(5):
            async with executor_with(policy=None) as another:
                assert (await another.run(LS)).ok
        answered.set()
    for executor in executors:
        await executor.aclose()
