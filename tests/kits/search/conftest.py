"""What the search tests share."""

import shutil

import pytest

from kits.search.toolset import SearchToolSet

WAYS = {"ripgrep": True, "own": False}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def search(request, tmp_path):
    """A toolset on a folder of its own, in each way of searching."""
    if request.param and not shutil.which("rg"):
        pytest.skip("needs rg")
    return SearchToolSet(tmp_path, use_ripgrep=request.param)


@pytest.fixture
def tree(tmp_path):
    """Makes files: paths with texts or bytes."""

    def make(files):
        for path, content in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return make
