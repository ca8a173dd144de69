"""How a module has to look: each function yields a line for each breach."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import PACKAGES, Module, modules

MODULE_LINES = 300
TEST_LINES = 400
FUNCTION_LINES = 50
PUBLIC_METHODS = 12
MANY_METHODS = {"ToolRegistry": 16}
COMMENT_SHARE = 0.05

FORBIDDEN_NAMES = {"common", "helper", "helpers", "impl", "manager", "misc", "util", "utils", "v2"}
#: The front doors, and the module whose whole purpose is to re-export what authors import.
DOORS = {"qitos_like", "kits", "qitos_like.core.tool"}
CATCH_ALL = {"qitos_like.core.raised", "qitos_like.run.invoke"}
DIRECTIVE = re.compile(r"#\s*(noqa|type:|pragma:|!)")
HISTORY = re.compile(r"\b(TODO|FIXME|XXX)\b|#\d+\b")


def long_modules(module: Module) -> Iterator[str]:
    """More lines than one reads in a sitting."""
    limit = TEST_LINES if module.name.startswith("tests.") else MODULE_LINES
    if len(module.lines) > limit:
        yield f"{module.where}: {len(module.lines)} lines, at most {limit}"


def long_functions(module: Module) -> Iterator[str]:
    """More lines than one sees at once, docstring included."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{module.where}:{node.lineno}: {node.name} has {lines} lines"


def wide_classes(module: Module) -> Iterator[str]:
    """A class with too many public methods."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            public = {name for name in method_names(node) if not name.startswith("_")}
            if len(public) > MANY_METHODS.get(node.name, PUBLIC_METHODS):
                yield f"{module.where}:{node.lineno}: {node.name} has {len(public)} public methods"


def method_names(node: ast.ClassDef) -> Iterator[str]:
    """The methods, properties left out."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = {ast.unparse(decorator) for decorator in statement.decorator_list}
            if not decorators & {"property", "cached_property", "overload"}:
                yield statement.name


def missing_docstrings(module: Module) -> Iterator[str]:
    """A module that does not say what it is."""
    if not ast.get_docstring(module.tree):
        yield f"{module.where}: no docstring"


def forbidden_names(module: Module) -> Iterator[str]:
    """A module named after nothing."""
    words = set(re.split(r"[._]", module.name))
    for word in sorted(words & FORBIDDEN_NAMES):
        yield f"{module.where}: {word!r} says nothing"


def extra_doors(module: Module) -> Iterator[str]:
    """``__all__`` outside the two doors, or unsorted in them."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and "__all__" in names_set_by(node):
            if module.name not in DOORS:
                yield f"{module.where}:{node.lineno}: __all__ outside the doors"
            elif node.value and (names := ast.literal_eval(node.value)) != sorted(names):
                yield f"{module.where}:{node.lineno}: __all__ is not sorted"


def names_set_by(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def broad_excepts(module: Module) -> Iterator[str]:
    """Catching everything where it is not allowed, or without saying why."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = set(re.findall(r"\w+", ast.unparse(node.type))) if node.type else {"all"}
            if caught & {"all", "BaseException"} and module.name not in CATCH_ALL:
                yield f"{module.where}:{node.lineno}: BaseException where no tool's code is called"
            elif caught & {"all", "BaseException", "Exception"} and not has_reason(module, node):
                yield f"{module.where}:{node.lineno}: a broad except without its reason"


def has_reason(module: Module, node: ast.ExceptHandler) -> bool:
    """Whether a comment stands on the line of the except, above it or below it."""
    near = (module.comments.get(node.lineno + step, "") for step in (-1, 0, 1))
    return any(comment and not DIRECTIVE.match(comment) for comment in near)


def history(module: Module) -> Iterator[str]:
    """A comment about the past or the future rather than the code."""
    for line, comment in module.comments.items():
        if HISTORY.search(comment[1:]):
            yield f"{module.where}:{line}: {comment}"


def chatty_packages(root: Path) -> Iterator[str]:
    """Comments on more lines than a reader wants; those for machines do not count."""
    for package in PACKAGES:
        ours = modules(root, package)
        said = [comment for module in ours for comment in module.comments.values()]
        count = sum(not DIRECTIVE.match(comment) for comment in said)
        total = sum(len(module.lines) for module in ours)
        if count > COMMENT_SHARE * total:
            yield f"{package}: comments on {count} of {total} lines"
