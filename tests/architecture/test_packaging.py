"""What is shipped, and what the lock says."""

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.source import PACKAGES, ROOT, modules

# All of the tree and all that is installed is read, which takes a busy machine a while.
pytestmark = pytest.mark.timeout(120)

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKED_GROUPS = ("test", "lint", "providers", "dev")
#: Extras that bring so much that nobody gets them unasked.
HEAVY = {"dask"}
#: Is imported only where the program already runs in it.
LOADED_ALREADY = {"trio"}
OURS = modules(ROOT, *PACKAGES)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The names in the built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, check=True, cwd=ROOT, capture_output=True, timeout=30)
    (built,) = folder.glob("*.whl")
    return frozenset(zipfile.ZipFile(built).namelist())


def locked():
    return set(re.findall(r"^([a-z0-9-]+)==", LOCK, re.MULTILINE))


def wanted():
    project = PROJECT["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    groups += (PROJECT["dependency-groups"][name] for name in LOCKED_GROUPS)
    lines = [line for group in groups for line in group if isinstance(line, str)]
    return {Requirement(line).name for line in lines} - {project["name"]}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_says_that_the_package_is_typed(package, wheel):
    assert f"{package}/py.typed" in wheel


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_holds_every_file_of_the_package(package, wheel):
    ours = (path for path in (ROOT / package).rglob("*") if path.is_file())
    kept = {path.relative_to(ROOT).as_posix() for path in ours if "__pycache__" not in path.parts}

    assert set() == kept - wheel


def test_the_wheel_holds_nothing_else(wheel):
    tops = {name.partition("/")[0] for name in wheel}

    assert {*PACKAGES} == {top for top in tops if not top.endswith(".dist-info")}


def test_everything_wanted_is_locked():
    assert set() == wanted() - locked()


def declared():
    """What the packages need or can use."""
    project = PROJECT["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return {Requirement(line).name for group in groups for line in group} - {project["name"]}


@pytest.fixture(scope="module")
def imported():
    """The distributions that the packages import from."""
    distributions = packages_distributions()
    names = {name.partition(".")[0] for module in OURS for _, name in module.imports()}
    theirs = names - sys.stdlib_module_names - {*PACKAGES}
    return {canonicalize_name(distributions.get(name, [name])[0]) for name in theirs}


def test_every_import_is_a_dependency(imported):
    assert set() == imported - declared() - LOADED_ALREADY


def test_every_dependency_is_imported(imported):
    assert set() == declared() - imported


def test_the_lock_names_no_host_and_no_machine():
    assert [] == re.findall(r"^.*(?:://|--index|--find-links|/root|/home).*$", LOCK, re.MULTILINE)


def test_all_is_the_union_of_the_extras():
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]

    assert extras.keys() - {"all"} - HEAVY == Requirement(everything).extras
