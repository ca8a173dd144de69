"""The modern names: listed by a toolset of their own, understood in any case."""

import pytest

from kits.search.modern import ModernSearchToolSet
from qitos_like import ActionExecutor, ToolRegistry

TREE = {"a.py": "1\nfoo bar foo\n3\n4\n", "b.ts": "FOO\n", ".gitignore": "*.log", "c.log": "foo"}


@pytest.fixture
def modern(search, tree):
    tree(TREE)
    return ModernSearchToolSet(search)


@pytest.fixture
def call(search, tree):
    """Calls a tool by a name that is listed, or not."""
    tree(TREE)

    def run(listed, name, **arguments):
        registry = ToolRegistry().register_toolset(listed, namespace="")
        with ActionExecutor(registry) as executor:
            return executor(name, **arguments).text

    return run


def test_grep_names_files_unless_lines_are_asked_for(modern):
    advice = "given as path, an ignored folder is searched"
    assert f"a.py\n[not searched or shown: 1 ignored; {advice}]" == modern.grep("foo").value
    assert modern.grep("foo", output_mode="content").value.startswith("a.py\n2:foo bar foo\n")
    assert modern.grep("foo", output_mode="count").value.startswith("a.py: 1\n")


def test_lines_before_and_after_are_told_apart(modern):
    shown = modern.grep("bar", "a.py", output_mode="content", before=1, after=2).value

    assert "a.py\n1-1\n2:foo bar foo\n3-3\n4-4" == shown


def test_only_what_matches_is_shown(modern):
    shown = modern.grep("fo+|b", "a.py", output_mode="content", only_matching=True).value

    assert "a.py\n2:foo\n2:b\n2:foo" == shown


def test_a_limit_of_none_is_all(call, search, tmp_path):
    (tmp_path / "many.py").write_text("many\n" * 150)
    for listed in (search, ModernSearchToolSet(search)):
        shown = call(listed, "Grep", pattern="many", output_mode="content", head_limit=0)

        assert "150:many" in shown


CALLS = {
    "Grep": ({"pattern": "foo", "-i": True}, "a.py\nb.ts\n"),
    "grep": ({"pattern": "foo", "ignore_case": True}, "a.py\n2:foo bar foo\n\nb.ts\n1:FOO\n"),
    "Glob": ({"pattern": "*.py"}, "a.py"),
    "glob": ({"pattern": "*.py"}, "a.py"),
}


@pytest.mark.parametrize(
    ("name", "arguments", "begin"), [(n, *c) for n, c in CALLS.items()], ids=CALLS
)
def test_each_name_is_understood_where_the_other_is_listed(name, arguments, begin, call, search):
    assert call(search, name, **arguments).startswith(begin)
    assert call(ModernSearchToolSet(search), name, **arguments).startswith(begin)


def test_options_of_the_other_name_are_mapped(call, search):
    options = {"output_mode": "content", "-n": True, "-A": 1, "-C": 0, "-o": False}
    assert call(search, "Grep", pattern="bar", **options).startswith(
        "a.py\n1-1\n2:foo bar foo\n3-3"
    )
    modern = ModernSearchToolSet(search)
    assert call(modern, "grep", pattern="bar", context=1).startswith(
        "a.py\n1-1\n2:foo bar foo\n3-3"
    )
    assert call(
        modern, "Grep", pattern="bar", output_mode="content", context=1, path="a.py"
    ).startswith("a.py\n1-1\n2:foo bar foo\n3-3")
    assert call(modern, "grep", pattern="bar", output_mode="files").startswith("a.py\n[")
    assert call(search, "Grep", pattern="bar", output_mode="files_with_matches").startswith(
        "a.py\n["
    )
