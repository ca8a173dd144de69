"""Importing what people name; whatever goes wrong in their code is a ``SourceError``."""

import importlib
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from qitos_like.core.names import did_you_mean
from qitos_like.core.raised import describe
from qitos_like.errors import SourceError

_OURS = str(Path(__file__).parents[1])


def import_module(name: str, *, suggestions: Iterable[str] = ()) -> ModuleType:
    """The module of this dotted name, looked up in ``sys.path``.

    Args:
        name: the dotted name.
        suggestions: what else may have been meant, for the text of the error.

    Raises:
        SourceError: there is none, or its code fails.
    """
    if not is_module_name(name):
        raise SourceError(_missing(name, suggestions))
    with _explained(name):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if f"{name}.".startswith(f"{error.name}."):
                raise SourceError(_missing(name, suggestions)) from error
            raise


def is_module_name(name: str) -> bool:
    """Whether a module can have this dotted name.

    >>> is_module_name("my_pkg.tools"), is_module_name("tools.py:x"), is_module_name("")
    (True, False, False)
    """
    return all(part.isidentifier() for part in name.split("."))


def import_file(path: Path) -> ModuleType:
    """The module that a file is; its code runs once, and can import the files beside it.

    Raises:
        SourceError: there is no such file, it is no Python, or its code fails.
    """
    file = path.resolve()
    if not file.is_file():
        raise SourceError(f"{path} is a folder" if file.is_dir() else _no_file(path))
    # A name for each path, so that two files of one name do not meet in sys.modules.
    name = f"{file.stem}_{sha256(str(file).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        message = f"{path} is no Python file"
        raise SourceError(message)
    module = importlib.util.module_from_spec(spec)
    find_modules_in(file.parent)
    sys.modules[name] = module  # dataclasses and pickle look modules up by name
    try:
        with _explained(str(path)):
            spec.loader.exec_module(module)
    except SourceError:
        del sys.modules[name]
        raise
    return module


def find_modules_in(folder: Path) -> None:
    """Look modules up in a folder before anywhere else, as Python does for a file it runs."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _missing(name: str, suggestions: Iterable[str]) -> str:
    modules = _modules_like(name) if is_module_name(name) else ()
    near = did_you_mean(name, suggestions, 1) or did_you_mean(name, modules, 1)
    return f"no module, file or toolset is named {name!r}{near}"


def _modules_like(name: str) -> Iterator[str]:
    """The names that the first part of ``name`` that is not there could have had.

    Much is installed that is a little like anything: what begins otherwise was not meant.
    """
    known, rest = "", name
    while rest and sys.modules.get(inner := _joined(known, rest.partition(".")[0])):
        known, rest = inner, rest.partition(".")[2]
    after = rest.partition(".")[2]
    folders = getattr(sys.modules.get(known), "__path__", None)
    for module in pkgutil.iter_modules(folders):
        if module.name[0] == rest[:1] != "_":
            yield _joined(known, module.name, after)


def _joined(*names: str) -> str:
    return ".".join(filter(None, names))


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Whatever importing ``what`` raises, in one sentence that says where."""
    try:
        yield
    except SourceError:
        raise
    except ModuleNotFoundError as error:
        message = f"{what} imports {error.name!r}, which is not installed"
        raise SourceError(message) from error
    except SystemExit as error:  # a script that runs when it is imported
        message = f"{what} ends the program when it is imported: guard it with __name__"
        raise SourceError(message) from error
    except Exception as error:  # user code: whatever it raises is said, with its place
        message = f"{what} raised {describe(error)}{_place(error)}"
        raise SourceError(message) from error


def _place(error: Exception) -> str:
    """Where in the user's code it was raised; a syntax error says so itself."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [
        frame
        for frame in frames
        if not frame.filename.startswith((_OURS, "<frozen ")) and "importlib" not in frame.filename
    ]
    return f" ({theirs[-1].filename}, line {theirs[-1].lineno})" if theirs else ""


def _no_file(path: Path) -> str:
    folder = path.parent
    beside = [each.name for each in folder.glob("*.py")] if folder.is_dir() else []
    return f"there is no file {path}{did_you_mean(path.name, beside)}"
