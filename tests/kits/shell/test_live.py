"""The output of a command for who listens, while it comes."""

from time import monotonic

import anyio
import pytest

from kits import CodingToolSet, ShellToolSet
from kits.shell.flow import Flow
from kits.shell.live import Live
from qitos_like import Action, ActionExecutor, ToolRegistry
from qitos_like.run.events import ToolEnded, ToolOutput
from qitos_like.testing import stub_context

pytestmark = pytest.mark.anyio


def executor_on(folder, **options):
    toolset = CodingToolSet(folder, **options)
    return ActionExecutor(ToolRegistry().register_toolset(toolset, namespace=""))


def run(command, **args):
    return Action("run_command", {"command": command, **args})


async def texts_of(executor, command, **args):
    events = [event async for event in executor.stream([run(command, **args)])]
    return [event.text for event in events if isinstance(event, ToolOutput)]


async def test_output_comes_while_the_command_runs(tmp_path):
    assert ["one\n", "two\n", "ended"] == await seen_of("echo one; WAIT; echo two", tmp_path)


async def test_what_stands_still_within_a_line_is_shown(tmp_path):
    seen = await seen_of("printf 'half '; WAIT; echo whole", tmp_path)

    assert ["half ", "whole\n", "ended"] == seen


async def seen_of(command, folder):
    """What is seen of a command that waits for its first output to be seen."""
    seen = []
    waiting = command.replace("WAIT", "until [ -e go ]; do sleep 0.02; done")
    async with executor_on(folder) as executor:
        async for event in executor.stream([run(waiting)]):
            if isinstance(event, ToolOutput):
                seen.append(event.text)
                await anyio.Path(folder / "go").touch()
            elif isinstance(event, ToolEnded):
                seen.append("ended")
    return seen


async def test_secrets_are_not_shown_not_even_in_pieces(tmp_path):
    async with executor_on(tmp_path, env={"GIVEN_TOKEN": "tok-98765"}) as executor:
        texts = await texts_of(
            executor, "printf 'is tok-9'; sleep 0.3; printf '8765 end'; sleep 0.3; echo; nope"
        )

    assert "is [secret GIVEN_TOKEN] end\nbash: line 1: nope: command not found\n" == "".join(texts)


async def test_a_flood_is_shown_in_part_and_kept_whole(tmp_path):
    async with executor_on(tmp_path) as executor:
        texts = await texts_of(executor, "seq 3000000")

    assert max(map(len, texts)) < 8_400
    assert sum(map(len, texts)) < 5_000_000
    assert " bytes left out ...]\n" in "".join(texts)
    assert texts[-1].endswith("\n3000000\n")


async def test_a_timeout_shows_what_came(tmp_path):
    async with executor_on(tmp_path) as executor:
        texts = await texts_of(executor, "echo begun; sleep 30", timeout=1)

    assert ["begun\n"] == texts


async def test_who_stops_listening_stops_the_command(tmp_path):
    begun = monotonic()
    async with executor_on(tmp_path) as executor:
        stream = executor.stream([run("echo one; sleep 30; touch never")])
        async for event in stream:
            if isinstance(event, ToolOutput):
                break
        await stream.aclose()
        assert "next\n" == (await executor.run(run("echo next"))).text

    assert monotonic() - begun < 20


async def test_a_listener_that_raises_breaks_nothing(tmp_path):
    def odd(event):
        if isinstance(event, ToolOutput):
            raise ValueError

    async with executor_on(tmp_path) as executor:
        executor.subscribe(odd)
        assert "1\n2\n" == (await executor.run(run("echo 1; sleep 0.2; echo 2"))).text


async def test_a_direct_call_shows_by_its_context(tmp_path):
    shell, context = ShellToolSet(tmp_path), stub_context()
    shell.run_command("echo one", context=context)
    shell.teardown()

    assert ["one\n"] == context.shown


PROGRESS = {
    "lines": ([b"one\ntwo\n", b"three\n"], ["one\ntwo\n", "three\n"]),
    "an overwritten line": ([b"1%", b"", b"\r2%", b"", b"\r3%\n"], ["1%", "\n2%", "\n3%\n"]),
    "a line that goes on": ([b"1%", b"", b" 2%\r\n"], ["1%", " 2%\n"]),
    "a line without rest": ([b"." for _ in range(25)], ["." * 10, "." * 10]),
    "a part of a character": ([b"\xe2\x86", b"", b"\x92\n"], ["→\n"]),
}


@pytest.mark.parametrize(("pieces", "shown"), PROGRESS.values(), ids=PROGRESS)
async def test_lines_are_shown_as_they_grow(pieces, shown):
    context = stub_context()
    live = Live(context, Flow())
    for piece in pieces:
        live.feed(piece)
        live.show()

    assert shown == context.shown


async def test_of_too_much_at_once_the_last_is_shown():
    context = stub_context()
    live = Live(context, Flow())
    live.feed(b"begun")
    live.show()
    live.feed(b"x" * 10_000 + b"\n" + b"y" * 8_000)
    live.show(is_last=True)

    [shown] = context.shown
    assert shown.startswith("begun\n[... 9,809 bytes left out ...]\nx")
    assert shown.endswith("x\n" + "y" * 8_000)
