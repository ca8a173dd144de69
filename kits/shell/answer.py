"""From what became of a command to what a model is told."""

import os
from pathlib import Path

from attrs import frozen

from kits.caps import Caps
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, Ok

from . import text
from .capture import Capture
from .environment import Secrets
from .flow import safe_end
from .jobs import News
from .shell import Outcome
from .whole import Whole

#: What an executor shows of an error is less than of a result; this leaves room for the rest.
_TIMEOUT_CHARS = 3_400
_EARLIER_CHARS = 2_000


@frozen
class Asked:
    """What was asked for, as far as the answer needs it.

    Attributes:
        timeout_s: the time that the command had.
        clamped: a longer time was asked for.
        cwd: the absolute folder it started in.
    """

    timeout_s: float
    clamped: bool
    cwd: str


@frozen
class _Kept:
    artifact: str | None
    how: str


@frozen
class Answerer:
    """Makes results of outcomes.

    Attributes:
        root: the workspace's folder; folders below it are shown relative to it.
        secrets: what is hidden.
        caps: how much is shown.
    """

    root: Path
    secrets: Secrets
    caps: Caps

    def result(self, outcome: Outcome, asked: Asked, whole: Whole | None = None) -> Ok | Err:
        """The result of a command: a failed one is a result like any other, a timeout is not.

        Args:
            outcome: what became of it.
            asked: what was asked for.
            whole: keeps all of an output that is cut; ``None`` if nothing does.
        """
        head, tail = self._texts(outcome.output, outcome)
        dropped = outcome.output.dropped
        shown = text.excerpt(head, tail, dropped, max_chars=self.caps.command_chars)
        artifact = whole.keep(outcome.output) if whole and shown.left_out else None
        kept = _Kept(artifact, "all that was kept" if whole and whole.missed else "whole")
        facts: Json = {
            "output": shown.text,
            "exit_code": outcome.exit_code,
            "timed_out": outcome.timed_out,
            "signal": outcome.signal,
            "cwd": self._folder(outcome.cwd),
            "duration_s": round(outcome.duration_s, 3),
            "truncated": shown.left_out > 0,
            "artifact": artifact,
        }
        if not outcome.timed_out:
            told = self._told(shown, outcome, asked, kept=kept)
            return Ok(told, structured=facts, artifact=artifact)
        short = text.excerpt(head, tail, dropped, max_chars=_TIMEOUT_CHARS)
        return Err(
            ErrorCode.TIMEOUT,
            self._told(short, outcome, asked, kept=kept),
            hint=f"Give it more time (timeout, at most {self.caps.command_timeout_s} s), or less to do.",
            retryable=False,
            structured=facts,
        )

    def certain(self, data: bytes) -> int:
        """Up to where output that goes on can be told: no character and no secret is split."""
        end = safe_end(data)
        return self.secrets.redaction().certain(data[:end].decode("latin-1"))

    def news(self, name: str, news: News) -> Ok:
        """The result of asking for a background command."""
        output = self._shown(news.output, news.script_name)
        gap = f"[... {news.missed:,} bytes were not kept ...]\n" if news.missed else ""
        shown = text.excerpt(gap + output, "", max_chars=self.caps.command_chars)
        ended = news.ended
        if ended is None:
            how = f"{name} has been running for {news.seconds:.0f} s; go on with since={news.mark}"
        else:
            by_signal = f" ({ended.signal})" if ended.signal else ""
            how = f"{name} ended, exit code {ended.exit_code}{by_signal}"
        facts = {
            "id": name,
            "output": shown.text,
            "running": ended is None,
            "exit_code": ended.exit_code if ended else None,
            "signal": ended.signal if ended else None,
            "duration_s": round(news.seconds, 3),
            "since": news.mark,
            "truncated": shown.left_out > 0,
        }
        return Ok(_with_note(shown.text, how), structured=facts)

    def _told(self, shown: text.Excerpt, outcome: Outcome, asked: Asked, *, kept: _Kept) -> str:
        """The output, and one line about what is unusual."""
        earlier, output = self._earlier(outcome), shown.text
        unusual = self._unusual(outcome, asked)
        if shown.left_out:
            where = f", {kept.how}: {kept.artifact}" if kept.artifact else ""
            unusual.append(f"{shown.left_out:,} characters left out{where}")
        if not output and not unusual:
            unusual = ["no output"]
        if not unusual:
            return earlier + output
        return earlier + _with_note(output, "; ".join(unusual))

    def _unusual(self, outcome: Outcome, asked: Asked) -> list[str]:
        told = []
        if outcome.timed_out:
            told.append(f"timed out after {asked.timeout_s:g} s, stopped with all it had started")
        if asked.clamped:
            told.append(f"the timeout was shortened to {asked.timeout_s:g} s")
        if outcome.exit_code:
            by_signal = f" ({outcome.signal})" if outcome.signal else ""
            told.append(f"exit code {outcome.exit_code}{by_signal}")
        if outcome.restarted:
            told.append("the shell was restarted, its folder and environment are as before")
        if outcome.cwd != asked.cwd:
            told.append(f"cwd: {self._folder(outcome.cwd)}")
        return told

    def _earlier(self, outcome: Outcome) -> str:
        head, tail = self._texts(outcome.earlier, outcome)
        dropped = outcome.earlier.dropped
        shown = text.excerpt(head, tail, dropped, max_chars=_EARLIER_CHARS).text.rstrip("\n")
        return f"[from background processes, before:\n{shown}\n]\n" if shown else ""

    def _texts(self, capture: Capture, outcome: Outcome) -> list[str]:
        """The text before and after what was dropped; all in the first if nothing was."""
        pieces = [capture.head(), capture.tail()]
        if not capture.dropped:
            pieces = [b"".join(pieces), b""]
        return [self._shown(piece, outcome.script_name) for piece in pieces]

    def _shown(self, data: bytes, script_name: str) -> str:
        """Output as text, without secrets, and without the name of our script in bash's messages."""
        if not data:
            return ""
        shown = text.clean(data).replace(script_name, "bash")
        return self.secrets.redaction().text(shown)

    def _folder(self, absolute: str) -> str:
        """A folder as tools name it: relative to the workspace, absolute outside."""
        shown = os.fsencode(absolute).decode("utf-8", "backslashreplace")
        if shown == str(self.root):
            return "."
        path = Path(shown)
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else shown


def _with_note(output: str, note: str) -> str:
    between = "" if not output or output.endswith("\n") else "\n"
    return f"{output}{between}[{note}]"
