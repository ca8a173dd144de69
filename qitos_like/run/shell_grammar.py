"""The simple commands of a shell text by bash's grammar, with the extra ``shell``."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from qitos_like.core._lazy import bash_parser

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

#: What only puts commands beside each other.
_PUTTING_TOGETHER = frozenset(
    {"program", "list", "pipeline", "subshell", "compound_statement", "negated_command"}
)
_SIMPLE = frozenset({"command", "declaration_command", "unset_command"})


def simple_commands(text: str) -> tuple[str, ...] | None:
    """The texts of the simple commands; ``None`` if there is more to it, or nobody can tell.

    Lists, pipelines, groups and subshells are commands beside each other. Loops, functions and
    what redirects a group are more.
    """
    parser = _parser()
    if parser is None:
        return None
    source = text.encode("utf-8", "surrogatepass")
    root = parser.parse(source).root_node
    if root.has_error:
        return None
    found = list(_found(root))
    if any(node is None for node in found):
        return None
    return tuple(
        source[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")
        for node in found
        if node is not None
    )


def _found(root: "Node") -> "Iterator[Node | None]":
    """The nodes of simple commands, in order; ``None`` for what is none."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _SIMPLE or _is_simple_with_redirection(node):
            yield node
        elif node.type in _PUTTING_TOGETHER:
            stack += reversed(node.named_children)
        elif node.type != "comment":
            yield None


def _is_simple_with_redirection(node: "Node") -> bool:
    if node.type != "redirected_statement":
        return False
    body = node.child_by_field_name("body")
    return body is not None and body.type in _SIMPLE


def is_installed() -> bool:
    """Whether the extra is there."""
    return _parser() is not None


@cache
def _parser() -> "Parser | None":
    return bash_parser()
