"""Output made readable piece by piece."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kits.shell import text
from kits.shell.flow import Flow
from qitos_like.core.redaction import Redaction

SECRETS = Redaction(
    {
        "A_KEY": "abcdef",
        "B_KEY": "abcdefgh",
        "C_KEY": "efghij\nklm",
        "D_KEY": "ghghgh",
        "E_KEY": "naïve→",
    }
)
PARTS = [b"ab", b"abcdef", b"gh", b"efghij", b"\n", b"klm", b"\r", b"\x1b[31m", b"\x1b", b"\xff"]
PARTS += [b"\b", b"g", "naïve→".encode(), "→".encode()[:1], "→".encode(), b"\r\n", b"\0", b"x"]
pieces = st.lists(st.one_of(st.sampled_from(PARTS), st.binary(max_size=3)), max_size=30)


def through(flow, given):
    return b"".join([*map(flow.feed, given), flow.rest()]).decode()


@given(pieces)
def test_pieces_come_to_what_the_whole_does(given):
    assert SECRETS.text(text.clean(b"".join(given))) == through(Flow(lambda: SECRETS), given)


@given(pieces)
def test_every_byte_alone_comes_to_what_the_whole_does(given):
    alone = [bytes([byte]) for byte in b"".join(given)]

    assert SECRETS.text(text.clean(b"".join(given))) == through(Flow(lambda: SECRETS), alone)


def test_a_line_is_given_when_it_is_complete():
    flow = Flow()

    assert [b"", b"one\n", b""] == list(map(flow.feed, [b"on", b"e\ntw", b"o"]))
    assert flow.is_amid
    assert (b"two", False) == (flow.rest(), flow.is_amid)


AMID = {
    "plain": (b"Name? ", b"Name? "),
    "part of a character": ("x→".encode()[:-1], b"x"),
    "a whole character": ("x→".encode(), "x→".encode()),
    "bytes that are no character": (b"x\xff\x80\x80\x80\x80", b"x\\xff\\x80\\x80\\x80\\x80"),
    "part of an escape": (b"x\x1b[3", b"x"),
    "behind an escape": (b"\x1b[1mx\x1b[0m? ", b"x? "),
    "part of a title": (b"x\x1b]0;tit", b"x"),
    "part of a character set": (b"x\x1b(", b"x"),
    "part of a secret": (b"a abcde", b"a "),
    "a secret that may be longer": (b"a abcdef", b"a "),
}


@pytest.mark.parametrize(("line", "shown"), AMID.values(), ids=AMID)
def test_what_stands_amid_a_line_is_given_unsplit(line, shown):
    flow = Flow(lambda: SECRETS)

    assert b"" == flow.feed(line)
    assert shown == flow.amid()
    assert SECRETS.text(text.clean(line)) == (shown + flow.rest()).decode()


def test_a_long_line_is_given_in_pieces_that_split_no_character_and_no_secret():
    line = ("→" * 9 + "abcdefgh").encode() * 20_000
    flow = Flow(lambda: SECRETS)
    given = [flow.feed(line[start : start + 64_001]) for start in range(0, len(line), 64_001)]

    assert sum(map(bool, given)) > 1
    assert ("→" * 9 + "[secret B_KEY]") * 20_000 == b"".join([*given, flow.rest()]).decode()


def test_a_progress_that_never_ends_its_line_takes_little_memory():
    flow = Flow()
    for number in range(200_000):
        assert b"" == flow.feed(b"\r%d" % number)

    assert len(flow._line) < 300_000
    assert b"199999" == flow.rest()
