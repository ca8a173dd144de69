"""A terminal to run commands on, for what only a person sees."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from contextlib import contextmanager

import psutil

#: A leader of a session gets the terminal that it opens, and with that Ctrl-C.
_LEAD = "import os, sys; os.close(os.open(os.ttyname(0), os.O_RDWR)); os.execv(sys.argv[1], sys.argv[1:])"
_PATIENCE_S = 30


class Terminal:
    """What is typed and what is shown."""

    def __init__(self, process, handle):
        self.process = process
        self.shown = ""
        self._handle = handle

    def type(self, keys):
        """Type, once the command waits: between a question and its reading a Ctrl-C is lost."""
        until = time.monotonic() + _PATIENCE_S / 3
        while not self._waits() and time.monotonic() < until:
            time.sleep(0.01)
        os.write(self._handle, keys.encode())

    def _waits(self):
        return psutil.Process(self.process.pid).status() == psutil.STATUS_SLEEPING

    def wait(self, text):
        """Wait until a text is shown; it may have been before."""
        self._read(lambda: text in self.shown)
        assert text in self.shown

    def end(self):
        """The exit code, once the command has ended."""
        self._read(lambda: False)
        return self.process.wait(_PATIENCE_S)

    def _read(self, is_enough):
        until = time.monotonic() + _PATIENCE_S
        while not is_enough() and time.monotonic() < until:
            if select.select([self._handle], [], [], 0.1)[0]:
                try:
                    read = os.read(self._handle, 65536)
                except OSError:  # nobody has it open any more
                    return
                self.shown += read.decode(errors="replace")


@contextmanager
def terminal(command, folder, *, columns=80, **environment):
    """A command at work on a terminal."""
    handle, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", _LEAD, *map(str, command)],
        cwd=folder,
        env={**os.environ, "TERM": "xterm", **environment},
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
    )
    os.close(inner)
    try:
        yield Terminal(process, handle)
    finally:
        process.kill()
        process.wait()
        os.close(handle)
