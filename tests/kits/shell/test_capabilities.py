"""What works here is told, with what the rest would give."""

import shutil

import pytest

from kits.shell.capabilities import capabilities


def by_name():
    return {each.name: each for each in capabilities()}


@pytest.mark.parametrize("name", ["rg", "git"])
def test_a_program_that_is_there_tells_its_version(name):
    if not shutil.which(name):
        pytest.skip(f"needs {name}")
    found = by_name()[name]

    assert found.works
    assert f": {shutil.which(name)}, " in found.note


def test_what_is_missing_is_told_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    found = by_name()

    assert {"bash": True, "rg": False, "git": False, "bwrap": False} == {
        name: found[name].works for name in ("bash", "rg", "git", "bwrap")
    }
    assert found["rg"].note.endswith("install ripgrep")
    assert "not installed" in found["bwrap"].note
    assert "install bubblewrap" in found["bwrap"].note


def test_a_program_that_does_not_run_is_missing(tmp_path, monkeypatch):
    (tmp_path / "rg").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "rg").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert not by_name()["rg"].works
