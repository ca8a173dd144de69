"""What the tests of the kits share."""

import os

import pytest


@pytest.fixture
def as_another_user():
    """Run an act in a child process, as a user that owns nothing; what it returned."""
    if os.geteuid() != 0:
        pytest.skip("dropping root needs root")

    def run(act, uid=4321):
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.setgid(uid)
                os.setuid(uid)
                os.write(writer, repr(act()).encode())
            except BaseException as error:
                os.write(writer, repr(error).encode())
            finally:
                os._exit(0)
        os.close(writer)
        os.waitpid(pid, 0)
        with os.fdopen(reader, "rb") as answer:
            return answer.read().decode()

    return run
