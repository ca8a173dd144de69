"""Many deadlines, and one timer of the loop for them."""

import asyncio
from time import monotonic

from qitos_like.run.alarms import Alarms
from qitos_like.run.gates import AsyncioGate


def test_each_wait_ends_at_its_own_time_whichever_came_first():
    ended = []

    async def wait(name, gate, after_s):
        ended.append((name, await gate.wait_until(monotonic() + after_s, alarms)))

    async def main():
        gates = [AsyncioGate(asyncio.get_running_loop()) for _ in range(4)]
        waits = [*zip(("late", "early", "past", "opened"), gates, (0.08, 0.03, -1, 9), strict=True)]
        tasks = [asyncio.create_task(wait(*each)) for each in waits]
        await asyncio.sleep(0.01)
        gates[3].open()
        await asyncio.gather(*tasks)

    alarms = Alarms()
    asyncio.run(main())

    assert [("past", False), ("opened", True), ("early", False), ("late", False)] == ended


def test_a_wait_that_is_cancelled_is_forgotten():
    class Counting(AsyncioGate):
        rung = 0

        def wake(self):
            self.rung += 1

    async def main():
        gate = Counting(asyncio.get_running_loop())
        task = asyncio.create_task(gate.wait_until(monotonic() + 0.02, Alarms()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0.05)
        return gate.rung

    assert asyncio.run(main()) == 0


def test_every_loop_has_an_alarm_of_its_own():
    alarms = Alarms()

    async def alarm():
        return alarms.of(asyncio.get_running_loop())

    first, other = asyncio.run(alarm()), asyncio.run(alarm())

    assert first is not other
    assert other is alarms.of(other.loop)
