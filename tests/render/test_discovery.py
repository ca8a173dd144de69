import pytest

from qitos_like import ActionExecutor, ErrorCode, ToolMeta, ToolRegistry, dialect, render
from qitos_like.core.context import ToolContext
from qitos_like.render.discovery import DiscoveryToolSet
from tests.render.catalogue import catalogue

QUERIES = {
    "open a pull request": "github.create_pull_request",
    "list the branches of a repository": "github.list_branch",
    "close and remove an issue": "github.delete_issue",
    "merge requests on gitlab": "gitlab.list_merge_request",
    "show me the pipeline": "gitlab.get_pipeline",
    "create a ticket": "jira.create_ticket",
    "which sprints are there": "jira.list_sprint",
    "post a message in a slack channel": "slack.create_channel_message",
    "delete a reminder": "slack.delete_reminder",
    "write an email draft": "mail.create_draft",
    "list emails": "mail.list_email",
    "get the attachment of a mail": "mail.get_attachment",
    "update a calendar event": "calendar.update_event",
    "find a free meeting room": "calendar.list_meeting_room",
    "share links of a document": "drive.list_share_link",
    "change a range of cells": "sheets.update_cell_range",
    "start a new virtual machine": "aws.create_virtual_machine",
    "delete storage buckets": "aws.delete_storage_bucket",
    "restart pods in kubernetes": "kubernetes.update_pod",
    "details of a database table": "postgres.get_database_table",
    "refund a payment": "stripe.create_refund",
    "cancel the subscription of a customer": "stripe.delete_subscription",
    "shopping cart contents": "shop.get_shopping_cart",
    "driving route between places": "maps.get_driving_route",
    "weather forecast": "weather.get_forecast",
    "boarding passes for my flight": "flights.get_boarding_pass",
    "reviews by hotel guests": "hotels.list_guest_review",
    "add a song to a playlist": "music.update_playlist",
    "heart rate": "health.get_heart_rate_sample",
    "exchange rates": "finance.list_exchange_rate",
    "turn the thermostat": "home.update_thermostat",
}


@pytest.fixture(scope="module")
def registry():
    registry = catalogue()
    return registry.register_toolset(DiscoveryToolSet(registry))


def discovery_of(registry):
    return registry["tools.search"].toolset


def family(name):
    """A tool without its verb: a question does not always say which."""
    return name.partition(".")[0], name.partition("_")[2]


@pytest.mark.parametrize(("query", "expected"), QUERIES.items(), ids=QUERIES)
def test_the_right_tool_is_among_the_first_three(registry, query, expected):
    found = [entry.name for entry in render.search(registry, query, 3)]

    assert family(expected) in [family(name) for name in found], found


EXACT = [
    "create a ticket",
    "delete a reminder",
    "list emails",
    "update a calendar event",
    "details of a database table",
    "delete storage buckets",
]


@pytest.mark.parametrize("query", EXACT)
def test_with_its_verb_it_is_the_very_tool(registry, query):
    assert QUERIES[query] in [entry.name for entry in render.search(registry, query, 3)]


def test_there_are_five_hundred_tools_and_thirty_queries():
    assert 500 == len(catalogue())
    assert 30 <= len(QUERIES)


def test_what_has_nothing_to_do_with_it_is_not_found(registry):
    assert [] == render.search(registry, "xylophone")
    assert [] == render.search(registry, "")
    assert [] == render.search(ToolRegistry(), "anything")


def test_words_meet_whatever_their_form():
    registry = ToolRegistry().register(
        lambda: 1, "t", ToolMeta(name="t", description="Stopping HTTPServers, entries and boxes.")
    )

    for query in ("stop", "stopped", "http server", "entry", "box"):
        assert ["t"] == [entry.name for entry in render.search(registry, query)], query


def test_the_prompt_is_short_and_stays_the_same_while_tools_are_found(registry):
    shown = discovery_of(registry).shown()
    before = shown.get_tool_descriptions(), dialect("openai").tools(shown)
    with ActionExecutor(registry) as executor:
        found = executor("tools.search", query="open a pull request")
        told = executor("tools.describe", name="github.create_pull_request")
        called = executor("tools.call", name="github.create_pull_request", arguments={"title": "x"})
    after = shown.get_tool_descriptions(), dialect("openai").tools(shown)

    assert before == after
    assert len(before[0]) <= 2_000
    assert ["tools.search", "tools.describe", "tools.call"] == [entry.name for entry in shown]
    assert "github.create_pull_request(" in found.text
    assert told.text.startswith("github.create_pull_request(title: str?, details: str?)")
    assert "create_pull_request [('title', 'x')]" == called.text


def test_a_call_is_checked_as_the_tool_that_runs(registry):
    with ActionExecutor(registry) as executor:
        wrong = executor("tools.call", name="mail.get_email", arguments={"nope": 1})
        unknown = executor("tools.call", name="mail.get_emial")

    assert ErrorCode.INPUT_INVALID == wrong.code
    assert "mail.get_email" in wrong.error
    assert ErrorCode.UNKNOWN_TOOL == unknown.code


def test_what_is_not_there_is_said(registry):
    with ActionExecutor(registry) as executor:
        assert "try other words" in executor("tools.search", query="xylophone").text
        assert ErrorCode.UNKNOWN_TOOL == executor("tools.describe", name="x").code
        assert 1 == len(executor("tools.search", query="pod", limit=0).text.splitlines())


def test_a_tool_that_is_always_included_is_shown_too():
    registry = catalogue()
    registry.register(lambda: 1, meta=ToolMeta(name="now", description="D.", always_include=True))
    discovery = DiscoveryToolSet(registry)
    registry.register_toolset(discovery)

    assert ["now", "tools.search", "tools.describe", "tools.call"] == [
        entry.name for entry in discovery.shown()
    ]


def test_before_it_is_registered_nothing_is_shown():
    assert 0 == len(DiscoveryToolSet(catalogue()).shown())


@pytest.mark.anyio
async def test_without_an_executor_no_tool_can_be_called():
    answer = await DiscoveryToolSet(catalogue()).call(ToolContext(), "mail.get_email")

    assert ErrorCode.NOT_AVAILABLE == answer.code
