"""What looks like an option of ripgrep is data."""

import os
import re

import pytest

from kits.errors import WorkspaceError
from kits.search.modern import ModernSearchToolSet
from kits.search.ripgrep import Ripgrep
from kits.search.toolset import SearchToolSet

OPTIONS = (
    "--pre=x --pre-glob=* -f/etc/hostname -e -- --files --version --help -V -z --search-zip --hostname-bin=x "
    "--ignore-file=/etc/passwd -uuu --no-ignore --hidden --follow -L --type-add=x:* --type-list --debug "
    "--config=x -g* --glob=!* --max-count=0 -r$0 --replace=x --json -0 -o -v --invert-match --stats -q "
    "--files-without-match -c -l -i -w -x -F --fixed-strings -P --pcre2 -U -A9 -B9 -C9 --sort=path "
    "--passthru -E=none --encoding=utf-16 --null-data --one-file-system --threads=1 -j1 @file $(id) "
    "`id` ;id |id &id >x <x ~ ~root $HOME %s \\x41 --no-config #x"
)


@pytest.mark.parametrize("text", OPTIONS.split())
def test_what_looks_like_an_option_is_data(text, search, tree, tmp_path):
    tree({"a.txt": f"before\n{text}\nafter\n", "b.txt": "nothing\n"})
    before = sorted(tmp_path.iterdir())

    assert ["a.txt"] == search.grep(text, literal=True).structured["files"]
    assert [] == search.glob(text).structured["files"]
    assert [] == search.grep("before", glob=text).structured["files"]
    with pytest.raises(WorkspaceError):
        search.grep("before", text)
    with pytest.raises(WorkspaceError):
        search.grep("before", type=text)
    assert before == sorted(tmp_path.iterdir())


@pytest.mark.parametrize("text", OPTIONS.split())
def test_what_looks_like_an_option_is_data_by_the_modern_names(text, search, tree, tmp_path):
    tree({"a.txt": f"before\n{text}\nafter\n", "b.txt": "nothing\n"})
    before = sorted(tmp_path.rglob("*"))
    modern = ModernSearchToolSet(search)

    assert ["a.txt"] == modern.grep(re.escape(text)).structured["files"]
    assert [] == modern.glob(text).structured["files"]
    assert [] == modern.grep("before", glob=text).structured["files"]
    for arguments in ({"path": text}, {"type": text}):
        with pytest.raises(WorkspaceError):
            modern.grep("before", **arguments)
    with pytest.raises(WorkspaceError):
        modern.glob("*", text)
    assert before == sorted(tmp_path.rglob("*"))


def test_there_are_many_of_them():
    assert len(OPTIONS.split()) >= 60


def test_no_configuration_of_ripgrep_is_read(search, tree, tmp_path, monkeypatch):
    tree({"a.txt": "foo\n", "config": "--files-without-match\n"})
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "config"))

    assert ["a.txt"] == search.grep("foo").structured["files"]


def test_no_program_of_the_folder_that_is_searched_runs(tree, tmp_path, monkeypatch):
    tree({"a.txt": "foo\n", "rg": f"#!/bin/sh\ntouch {tmp_path}/has-run\n"})
    (tmp_path / "rg").chmod(0o755)
    usual = Ripgrep.find()
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)

    assert usual == Ripgrep.find()
    assert ["a.txt"] == SearchToolSet(tmp_path).grep("^foo").structured["files"]
    assert not (tmp_path / "has-run").exists()
