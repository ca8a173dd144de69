"""The ledger keeps bytes only as far as its memory goes."""

import os

import pytest

from kits.files.ledger import Ledger, Record


@pytest.fixture(name="facts")
def facts_(tmp_path):
    return tmp_path.stat()


def test_the_oldest_bytes_go_first_and_their_digests_stay(facts):
    ledger = Ledger()
    for number in range(40):
        ledger.put(f"/{number}", Record.of(facts, os.urandom(1 << 20)))

    assert ledger.get("/0").data is None
    assert ledger.get("/0").digest is not None
    assert ledger.get("/39").data is not None


def test_a_file_that_is_gone_is_forgotten(facts):
    ledger = Ledger()
    ledger.put("/a", Record.of(facts, b"x"))

    ledger.forget("/a")
    ledger.forget("/b")

    assert ledger.get("/a") is None


def test_a_record_without_a_digest_goes_by_the_facts(facts):
    record = Record.of(facts, None)

    assert record.is_same(facts, b"whatever")
    assert record.data is None
