"""``demo``: an agent with a scripted model mends a failing test, without key or network."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from . import codes
from .console import note, say_json
from .demo_report import Report
from .demo_session import Session
from .options import json_option


@click.command()
@json_option
def demo(*, as_json: bool) -> int:
    """Watch an agent fix a bug, offline.

    The model is a script; the tools, the files and the tests are real.
    """
    with TemporaryDirectory(prefix="qitos-like-demo-") as folder:
        session = Session.in_folder(Path(folder))
        report = None if as_json else Report(session)
        if report is not None:
            report.opening()
        result = session.play(report.step if report else None)
        if report is not None:
            report.summary(result)
        else:
            say_json([json.loads(line) for line in result.trace()])
        if session.is_mended(result):
            return codes.OK
        note("Error: the tests do not pass at the end.")
        return codes.TOOL_ERROR
