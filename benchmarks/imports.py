"""From nothing to a first registry, against a bare ``import attrs``."""

import subprocess
import sys
from functools import partial
from importlib.util import find_spec

from .measure import Case, Row, side_by_side

LIMIT = "import attrs"
OURS = "from qitos_like import ToolRegistry; ToolRegistry()"
#: What has to be installed, and the least that its tools need.
PEERS = {
    "langchain_core": "from langchain_core.tools import tool",
    "fastmcp": "from fastmcp import FastMCP; FastMCP('peer')",
    "pydantic_ai": "from pydantic_ai.toolsets import FunctionToolset; FunctionToolset()",
    "agents": "from agents import function_tool",
}


def rows() -> list[Row]:
    """The table; peers that are not installed are named and left out."""
    cases = [Case("limit: import attrs", partial(seconds, LIMIT))]
    cases.append(Case("qitos_like", partial(seconds, OURS)))
    for name, statement in PEERS.items():
        if find_spec(name):
            cases.append(Case(name, partial(seconds, statement)))
        else:
            print(f"  {name} is not installed")
    return side_by_side(cases)


def seconds(statement: str) -> float:
    """How long a fresh interpreter takes for it, its own start left out."""
    code = f"from time import perf_counter as now\nt = now()\n{statement}\nprint(now() - t)"
    child = [sys.executable, "-W", "ignore", "-c", code]
    return float(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
