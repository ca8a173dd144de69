"""The examples in docstrings run, and each public class is in one."""

import doctest
import importlib
import inspect
import re
import shutil

import pytest

import qitos_like
from tests.architecture.source import PACKAGES, ROOT, modules

SOURCES = [module for module in modules(ROOT, *PACKAGES) if ">>> " in module.text]
WORD = re.compile(r"\w+")
#: Classes without behaviour of their own: the tree in their module's docstring shows them.
SHOWN_ELSEWHERE = (Exception,)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_examples_of_a_module_run(source, tmp_path, monkeypatch):
    shutil.copy(ROOT / "README.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(source.name)

    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)

    assert (0, True) == (result.failed, result.attempted > 0)


def public_classes():
    values = (getattr(qitos_like, name) for name in qitos_like.__all__)
    classes = (value for value in values if inspect.isclass(value))
    return [value for value in classes if not issubclass(value, SHOWN_ELSEWHERE)]


@pytest.mark.parametrize("value", public_classes(), ids=lambda value: value.__name__)
def test_a_public_class_is_used_in_an_example_of_its_module(value):
    found = doctest.DocTestFinder().find(importlib.import_module(value.__module__))
    words = {word for test in found for each in test.examples for word in WORD.findall(each.source)}

    assert value.__name__ in words
