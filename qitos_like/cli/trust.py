"""``trust``: let a project's file name code and loosen permissions."""

from pathlib import Path

import click
from attrs import evolve

from qitos_like.core.jsontypes import Json
from qitos_like.load.layers import Layer, Sources, read_file
from qitos_like.load.settings import together
from qitos_like.load.trust import Trust

from .console import note, say, say_json
from .options import json_option


@click.command()
@click.argument("path", default=".", type=click.Path(exists=True, path_type=Path))
@click.option("--remove", is_flag=True, help="Trust it no more.")
@json_option
def trust(path: Path, *, remove: bool, as_json: bool) -> None:
    """Trust a project's file as it is now.

    PATH is the file, or a folder in the project. What the file says is shown; read it. Without trust
    a project may only deny and ask. A change of the file ends the trust.
    """
    sources = Sources.of_process()
    layer = _layer(path, sources)
    kept = Trust(sources.user_folder)
    if remove:
        kept.remove(layer)
    else:
        together([layer])
        kept.add(layer)
    if as_json:
        facts = {
            "file": str(layer.folder / Path(layer.name).name),
            "digest": layer.digest,
            "trusted": not remove,
        }
        say_json(facts)
        return
    for line in _lines(layer.data, ""):
        say(line)
    note(f"{layer.name} is {'not trusted' if remove else 'trusted as it is now'}")


def _layer(path: Path, sources: Sources) -> Layer:
    if path.is_file():
        return read_file(path, "project")
    layer = evolve(sources, start=path.absolute()).project()
    if layer is None:
        message = f"there is no qitos-like.toml in {path}, nor above it"
        raise click.UsageError(message)
    return layer


def _lines(data: Json, path: str) -> list[str]:
    """Every value with its keys."""
    if isinstance(data, dict):
        return [
            line
            for key, value in data.items()
            for line in _lines(value, f"{path}.{key}".strip("."))
        ]
    return [f"{path} = {data!r}"]
