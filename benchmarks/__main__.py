"""``python -m benchmarks [NAME ...]``: print the named tables, or all."""

import sys

from . import (
    dispatch,
    imports,
    nested,
    parallel,
    registration,
    render,
    replacing,
    searching,
    shell,
    viewing,
)
from .measure import shown

TABLES = {
    "dispatch": dispatch.rows,
    "imports": imports.rows,
    "nested": nested.rows,
    "parallel": parallel.rows,
    "registration": registration.rows,
    "render": render.rows,
    "replace": replacing.rows,
    "search": searching.rows,
    "shell": shell.rows,
    "view": viewing.rows,
}


def main(names: list[str]) -> int:
    """Print tables; 2 if a name is unknown."""
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        print(f"no table {', '.join(unknown)}; there are: {', '.join(TABLES)}", file=sys.stderr)
        return 2
    for name in names or TABLES:
        print(f"{name}: {sys.modules[TABLES[name].__module__].__doc__}")
        print(shown(TABLES[name]()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
