"""What the search tests share."""

import shutil

import pytest

from kits.search.ripgrep import Ripgrep
from kits.search.toolset import SearchToolSet


@pytest.fixture(params=["ripgrep", "own"])
def search(request, tmp_path):
    """A toolset on a folder of its own, in each way of searching."""
    if request.param == "own":
        return SearchToolSet(tmp_path, use_ripgrep=False)
    if not shutil.which("rg"):
        pytest.skip("needs rg")
    return SearchToolSet(tmp_path, use_ripgrep=Ripgrep(shutil.which("rg"), quick_files=0))


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
