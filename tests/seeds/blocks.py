"""The blocks of the documents this library continues, ready to run here."""

import re
import sys
from itertools import count
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
FENCED = re.compile(r"^```(?:python|toml) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: What is imported, or named in a configuration, by other paths here.
PATHS = (
    (r"from bos\.core import ep_tool", "from qitos_like import tool as ep_tool"),
    (r"from bos\.core\.contract\b", "from qitos_like"),
    (r"from qitos\.kit\b", "from kits"),
    (r"from qitos\b", "from qitos_like"),
    (r"\[exts\.ep_tool\.", "[tools."),
    (r"\bReadFile\b", "coding.view"),
    (r"\bGlobSearch\b", "coding.glob"),
)

_numbers = count()


def blocks_of(document):
    """The blocks by name, import paths mapped; a document has each name once."""
    text = (FOLDER / f"{document}.md").read_text(encoding="utf-8")
    found = FENCED.findall(text)
    assert len(found) == len(dict(found)) == text.count("\n```python") + text.count("\n```toml")
    return {name: mapped(block) for name, block in found}


def mapped(block):
    for theirs, ours in PATHS:
        block = re.sub(theirs, ours, block)
    return block


def run(block, preamble=""):
    """The names a block defines, as a module that dataclasses can look up."""
    module = ModuleType(f"seed_{next(_numbers)}")
    sys.modules[module.__name__] = module
    exec(compile(mapped(preamble), "<preamble>", "exec"), module.__dict__)
    exec(compile(block, "<block>", "exec"), module.__dict__)
    return module
