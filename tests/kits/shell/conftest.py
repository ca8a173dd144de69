"""What the shell's tests share."""

import pytest

from kits.shell.toolset import ShellToolSet


@pytest.fixture
def shell(tmp_path):
    """A toolset on a folder of its own, without processes afterwards."""
    toolset = ShellToolSet(tmp_path)
    yield toolset
    toolset.teardown()


@pytest.fixture
def output(shell):
    """Runs a command and gives its output."""

    def run(command, timeout=20):
        return shell.run_command(command, timeout).structured["output"]

    return run
