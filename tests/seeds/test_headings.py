"""Every heading of the documents has a test that is named after it, and every such test a heading."""

import ast

import pytest

from tests.seeds.blocks import FOLDER
from tests.seeds.headings import HEADINGS, prefix

ROWS = [(document, heading) for document, headings in HEADINGS.items() for heading in headings]


def named_in(document):
    """The names of the tests in the files of a document."""
    trees = [ast.parse(path.read_text("utf-8")) for path in FOLDER.glob(f"test_{document}*.py")]
    return [
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[:5] == "test_"
    ]


@pytest.mark.parametrize(("document", "heading"), ROWS, ids=lambda part: part)
def test_a_heading_has_a_test_named_after_it(document, heading):
    assert any(name.startswith(prefix(heading)) for name in named_in(document))


@pytest.mark.parametrize("document", HEADINGS)
def test_a_test_is_named_after_a_heading(document):
    prefixes = tuple(map(prefix, HEADINGS[document]))

    assert [] == [name for name in named_in(document) if not name.startswith(prefixes)]
