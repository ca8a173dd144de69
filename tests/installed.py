"""A package of somebody else, installed by pip into a Python of its own."""

import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest


def python_with(folder, package, pyproject, code):
    """The Python of a new venv that has this package, and ours as this Python has it."""
    if not (find_spec("hatchling") and find_spec("pip")):
        pytest.skip("hatchling and pip are needed to install a package without a network")
    source = folder / "source"
    (source / package).mkdir(parents=True)
    (source / "pyproject.toml").write_text(pyproject)
    (source / package / "__init__.py").write_text(code, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    ours = sysconfig.get_path("purelib")
    (Path(site) / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", source], check=True)
    return python
