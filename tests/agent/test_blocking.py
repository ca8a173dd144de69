"""``Engine.run`` where a loop runs already: it gets a thread of its own."""

import contextvars
import signal
import subprocess
import sys

import anyio
import pytest

from qitos_like import Action, Agent, Decision, ScriptedModel
from qitos_like.agent.blocking import run_blocking

pytestmark = pytest.mark.anyio

USER = contextvars.ContextVar("USER", default="nobody")

INTERRUPTED = """
import asyncio, os, signal, threading, time
from qitos_like import Action, Agent, Decision, ScriptedModel

def interrupt():
    '''Press Ctrl-C.'''
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
    return "pressed"

async def wait():
    '''Wait.'''
    await asyncio.sleep(3600)

script = [Decision.act([Action("interrupt")]), Decision.act([Action("wait")])]

async def main():
    Agent(ScriptedModel(script), [interrupt, wait]).run("x")

loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(main())
except KeyboardInterrupt:
    print("interrupted")
"""


async def test_it_works_where_a_loop_runs():
    assert "done" == Agent(ScriptedModel([Decision.final("done")])).run("x").final_answer


async def test_context_variables_are_seen_there_too():
    def who() -> str:
        """Tell who it is."""
        return USER.get()

    USER.set("ann")
    script = [Decision.act([Action("who")]), Decision.final("done")]
    result = Agent(ScriptedModel(script), [who]).run("x")

    assert "ann" == result.steps[0].results[0].text


async def test_what_is_raised_there_is_raised_here():
    async def fail():
        await anyio.lowlevel.checkpoint()
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        run_blocking(fail)


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="no SIGINT here")
def test_ctrl_c_stops_the_run_in_its_thread():
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=25, check=False
    )

    assert (0, "interrupted\n") == (ran.returncode, ran.stdout), ran.stderr
