"""Making the environment: what a newcomer is told when their machine lacks something."""

import shutil
import subprocess
import sys

import pytest

from tests.architecture.source import ROOT

PROGRAMS = ("sh", "cat", "cksum", "dirname", "rm")

TOO_OLD = "import sys; sys.version_info = (3, 9, 0, 'final', 0)"
NO_VENV = "import sys; sys.modules['ensurepip'] = None; sys.version_info = (3, 12, 0, 'final', 0)"
BROKEN_SHIM = "raise SystemExit(127)"


@pytest.fixture
def machine(tmp_path):
    """Makes a PATH on which each of these Pythons begins with the given statement."""
    for program in PROGRAMS:
        (tmp_path / program).symlink_to(shutil.which(program))

    def make(**pythons):
        for name, prelude in pythons.items():
            shim = tmp_path / name.replace("_", ".")
            shim.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{prelude}\n$2"\n')
            shim.chmod(0o755)
        return tmp_path

    return make


def set_up(path):
    return subprocess.run(
        [ROOT / ".ci" / "venv", path / "venv"],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_no_python_at_all_is_said(machine):
    run = set_up(machine())

    assert run.returncode == 1
    assert "error: Python 3.11 or newer is needed; no Python was found;" in run.stderr


def test_a_python_that_is_too_old_is_named_with_its_version(machine):
    run = set_up(machine(python3=TOO_OLD))

    assert run.returncode == 1
    assert "Python 3.11 or newer is needed; python3 is 3.9;" in run.stderr


def test_a_missing_venv_module_is_named_with_its_package(machine):
    run = set_up(machine(python3=NO_VENV))

    assert run.returncode == 1
    assert "python3 has no venv module" in run.stderr
    assert "apt-get install python3.12-venv" in run.stderr


def test_a_shim_that_only_fails_is_passed_over(machine):
    run = set_up(machine(python3_13=BROKEN_SHIM, python3=NO_VENV))

    assert "python3 has no venv module" in run.stderr
