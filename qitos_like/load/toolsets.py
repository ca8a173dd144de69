"""Toolsets of a configuration: the class that ``use`` names, called with the other options."""

import inspect
from collections.abc import Mapping
from pathlib import Path

from qitos_like.core.decorator import declaration_of
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.names import did_you_mean
from qitos_like.core.raised import describe
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.scan import is_toolset
from qitos_like.core.schema.signature import Signature
from qitos_like.errors import RegistrationError, SourceError
from qitos_like.run import options
from qitos_like.run.options import OptionsError
from qitos_like.run.tables import Table

from .importing import find_modules_in, import_file, import_module, is_module_name
from .layers import PROJECT_FILE, PYPROJECT, Layer
from .settings import Said, Spot
from .source import TOOLSETS

#: The modules of the toolsets with short names, which a finder may not list.
_KNOWN = [known.use.partition(":")[0] for known in TOOLSETS.values()]


def entries_of(spot: Spot) -> list[Entry]:
    """The tools of the toolset that is described there, under its namespace.

    Raises:
        ConfigError: what it uses is not there, takes no such options, or gives no tools.
    """
    name = str(spot.steps[-1])
    table = dict(spot.said.settings.toolsets[name])
    registry = ToolRegistry()
    try:
        made = _made(_found(spot, table.pop("use", None)), table, spot)
        if is_toolset(made):
            registry.register_toolset(made, name)
        elif declaration_of(made) is not None:
            registry.register(made, namespace=name)
        else:
            registry.include(made, namespace=name)
    except OptionsError as error:
        raise spot.errors(error.problems) from error
    except RegistrationError as error:
        raise spot.error(str(error)) from error
    return list(registry)


def _found(spot: Spot, use: Json) -> Json:
    """What ``use`` names: ``module:object``, ``file.py:object`` or a toolset with a short name.

    The namespace may be such a short name itself.

    Raises:
        ConfigError: it is not there.
    """
    here = spot if use is None else spot.at("use")
    text = spot.steps[-1] if use is None else use
    if not isinstance(text, str):
        message = f"use: expected string, got {use!r}"
        raise here.error(message)
    known = TOOLSETS.get(text)
    place, colon, path = (known.use if known else text).partition(":")
    if not colon:
        near = did_you_mean(text, [*TOOLSETS, *_with_colon(text)], 1) or "; write module:object"
        message = "use is missing" if use is None else f"use: {use!r} is no module:object"
        raise here.error(message + near)
    try:
        return _attribute(_module(place, here.layer), path, text)
    except SourceError as error:
        message = f"use: {error}"
        raise here.error(message) from error


def _with_colon(text: str) -> list[str]:
    """What a dotted name would be as ``module:object``."""
    module, dot, name = text.rpartition(".")
    return [f"{module}:{name}"] if dot and is_module_name(text) else []


def _module(place: str, layer: Layer) -> object:
    if place.endswith(".py"):
        return import_file(layer.folder / place)
    if layer.kind == "project":
        find_modules_in(layer.folder)
    return import_module(place, suggestions=_KNOWN)


def _attribute(found: Json, path: str, use: str) -> Json:
    for name in path.split("."):
        if not hasattr(found, name):
            public = [each for each in dir(found) if not each.startswith("_")]
            message = f"{use!r} has no {name!r}{did_you_mean(name, public, 1)}"
            raise SourceError(message)
        found = getattr(found, name)
    return found


def _made(found: Json, table: Table, spot: Spot) -> object:
    """The toolset: of a class or another maker of one what it returns.

    Raises:
        OptionsError: it takes no such options.
        ConfigError: it raises.
    """
    is_function = inspect.isroutine(found) and declaration_of(found) is None
    if not isinstance(found, type) and not is_function:
        if table:
            raise OptionsError([(f"$.{key}", f"{key}: it takes no options") for key in table])
        return found
    signature = options.signature_of(found)
    values = options.read(signature, _with_paths(table, signature, spot)).values
    values |= _protection(values, signature, spot.said)
    try:
        return found(**values)
    except Exception as error:  # user code: a toolset refuses what it is given
        message = f"the toolset {spot.steps[-1]} cannot be made: {describe(error)}"
        raise spot.error(message) from error


def _with_paths(table: Table, signature: Signature, spot: Spot) -> Table:
    """The table, what is a path by its parameter's type taken from its file's folder."""
    paths = {each.name for each in signature.parameters if options.takes_path(each)}
    return {
        key: _from(spot.at(key).layer.folder, value) if key in paths else value
        for key, value in table.items()
    }


def _from(folder: Path, value: Json) -> Json:
    if isinstance(value, list):
        return [_from(folder, each) for each in value]
    return str(folder / Path(value).expanduser()) if isinstance(value, str) else value


def _protection(values: Mapping[str, object], signature: Signature, said: Said) -> Table:
    """``protected``, where a toolset takes it, with what this configuration runs at the next start.

    An agent that could write a drop-in file would be run by it.
    """
    files = {layer.file.name for layer in said.layers if layer.kind == "project" and layer.file}
    folders = [Path(each) for each in said.settings.plugins.directories]
    inside = {each.as_posix() for each in folders if not each.is_absolute() and each.parts}
    ours = sorted({PROJECT_FILE, *files, *inside} - {PYPROJECT})
    for parameter in signature.parameters:
        if parameter.name == "protected":
            own: Json = values.get("protected", parameter.default)
            return {"protected": tuple(dict.fromkeys([*own, *ours]))}
    return {}
