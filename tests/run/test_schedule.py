"""Which actions may run at the same time."""

from random import Random

import pytest

from qitos_like.run.schedule import Schedule
from qitos_like.run.ticket import Access

BARRIER = Access(is_barrier=True)
FREE = Access()


def writes(*names):
    return Access(writes=names)


def reads(*names):
    return Access(reads=names)


class Plan:
    """Tickets of a schedule, and which of them run."""

    def __init__(self, most=100):
        self.schedule = Schedule(most)
        self.tickets = {}

    def enter(self, name, access, parent=None):
        within = self.tickets[parent] if parent else None
        self.tickets[name] = self.schedule.enter(access, lambda: None, within)
        return self

    def leave(self, name):
        self.schedule.leave(self.tickets.pop(name))
        return self

    @property
    def running(self):
        return "".join(name for name, ticket in self.tickets.items() if ticket.is_started)


def plan(*accesses, most=100):
    planned = Plan(most)
    for name, access in zip("abcdefgh", accesses, strict=False):
        planned.enter(name, access)
    return planned


@pytest.mark.parametrize(
    ("accesses", "running"),
    [
        ([FREE, FREE, FREE], "abc"),
        ([BARRIER, BARRIER], "a"),
        ([FREE, BARRIER, FREE], "a"),
        ([writes("x"), writes("y")], "ab"),
        ([writes("x"), writes("x")], "a"),
        ([reads("x"), reads("x")], "ab"),
        ([reads("x"), writes("x"), reads("x")], "a"),
        ([writes("x"), reads("x"), reads("y")], "ac"),
        ([writes("x", "y"), writes("y", "z"), writes("z")], "a"),
        ([writes("x"), FREE, BARRIER], "ab"),
        ([BARRIER, writes("x")], "a"),
    ],
    ids=[
        "free",
        "barriers",
        "a barrier between",
        "two files",
        "one file",
        "readers",
        "a writer between readers",
        "reading what is written",
        "a chain",
        "a barrier last",
        "a barrier first",
    ],
)
def test_what_conflicts_waits(accesses, running):
    assert running == plan(*accesses).running


def test_what_waited_starts_in_order():
    planned = plan(writes("x"), writes("x"), reads("x"), reads("x"), writes("x"))

    assert ["a", "b", "cd", "d", "e"] == [
        planned.running,
        planned.leave("a").running,
        planned.leave("b").running,
        planned.leave("c").running,
        planned.leave("d").running,
    ]


def test_a_barrier_waits_for_all_and_holds_all():
    planned = plan(FREE, writes("x"), BARRIER, FREE, writes("x"))

    assert ["ab", "b", "c", "de"] == [
        planned.running,
        planned.leave("a").running,
        planned.leave("b").running,
        planned.leave("c").running,
    ]


def test_no_more_run_than_may():
    planned = plan(FREE, FREE, FREE, FREE, most=2)

    assert ["ab", "bc", "cd"] == [
        planned.running,
        planned.leave("a").running,
        planned.leave("b").running,
    ]


def test_what_leaves_unstarted_keeps_the_order_of_the_others():
    planned = plan(writes("x"), writes("x"), writes("x"))

    assert ["a", "a", "c"] == [
        planned.running,
        planned.leave("b").running,
        planned.leave("a").running,
    ]


def test_what_leaves_while_it_waits_for_a_place_is_not_started():
    planned = plan(FREE, FREE, FREE, most=1)

    assert "c" == planned.leave("b").leave("a").running


def test_leaving_twice_is_leaving_once():
    schedule = Schedule(1)
    first, second = schedule.enter(FREE, print), schedule.enter(FREE, print)
    third = schedule.enter(FREE, print)
    schedule.leave(first)
    schedule.leave(first)

    assert (True, False) == (second.is_started, third.is_started)


def test_who_starts_later_is_told():
    told = []
    schedule = Schedule(9)
    first = schedule.enter(BARRIER, lambda: told.append("first"))
    schedule.enter(BARRIER, lambda: told.append("second"))
    schedule.leave(first)

    assert ["second"] == told


def test_who_asks_after_it_may_run_is_told_at_once():
    told = []
    schedule = Schedule(9)
    first = schedule.enter(BARRIER)
    second, third = schedule.enter(BARRIER), schedule.enter(BARRIER)
    schedule.leave(first)
    schedule.when_started(second, lambda: told.append("second"))
    schedule.when_started(third, lambda: told.append("third"))

    assert ["second"] == told


def test_what_a_parent_that_has_ended_still_starts_is_in_order():
    planned = Plan().enter("a", FREE)
    parent = planned.tickets["a"]
    planned.leave("a").tickets["a"] = parent
    planned.enter("b", writes("x"), "a").enter("c", writes("x"), "a")

    assert ["ab", "ac"] == [planned.running, planned.leave("b").running]


def test_a_nested_action_may_use_what_its_parent_holds():
    planned = Plan().enter("a", writes("x")).enter("b", writes("x"), "a").enter("c", BARRIER, "b")

    assert "abc" == planned.running


def test_nested_actions_are_in_order_among_themselves():
    planned = Plan().enter("a", BARRIER)
    planned.enter("b", writes("x"), "a").enter("c", writes("x"), "a").enter("d", BARRIER, "a")

    assert ["ab", "ac", "ad"] == [
        planned.running,
        planned.leave("b").running,
        planned.leave("c").running,
    ]


def test_a_nested_action_waits_for_what_runs_elsewhere():
    planned = Plan().enter("a", FREE).enter("b", writes("x")).enter("c", writes("x"), "a")

    assert ["ab", "ac"] == [planned.running, planned.leave("b").running]


def test_a_nested_action_does_not_wait_for_what_waits_for_its_parent():
    planned = Plan().enter("a", writes("x")).enter("b", writes("x", "y"))
    planned.enter("c", writes("y"), "a")

    assert ["ac", "a", "b"] == [
        planned.running,
        planned.leave("c").running,
        planned.leave("a").running,
    ]


def test_what_is_free_again_waits_for_a_nested_action_that_was_faster():
    planned = Plan().enter("a", writes("x")).enter("b", FREE).enter("c", writes("x", "y"))
    planned.enter("d", writes("y"), "b").leave("a")

    assert ["bd", "bc"] == [planned.running, planned.leave("d").running]


def test_nested_actions_have_places_of_their_own():
    planned = Plan(most=1).enter("a", FREE).enter("b", FREE, "a").enter("c", FREE, "b")

    assert "abc" == planned.running


@pytest.mark.parametrize("seed", range(20))
def test_random_actions_all_run_and_never_against_a_rule(seed):
    random = Random(seed)
    schedule, running, started = Schedule(3), {}, []

    def access():
        names = [random.choice("xyz") for _ in range(random.randrange(3))]
        return random.choice([BARRIER, FREE, reads(*names), writes(*names)])

    def enter(number):
        ticket = schedule.enter(access(), lambda: start(number))
        tickets[number] = ticket
        if ticket.is_started:
            start(number)

    def start(number):
        ticket = tickets[number]
        assert not any(ticket.conflicts(other) for other in running.values())
        running[number] = ticket
        started.append(number)

    tickets = {}
    numbers = iter(range(200))
    while len(started) < 200 or running:
        if random.random() < 0.6 and (number := next(numbers, None)) is not None:
            enter(number)
        elif running:
            number = random.choice(list(running))
            schedule.leave(running.pop(number))
        assert len(running) <= 3

    assert list(range(200)) == sorted(started)
