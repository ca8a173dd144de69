"""What an operator says about ignoring, by configuration."""

import pytest

RULES = {
    "extended": ({"extend_ignore": ["*.gen.py", "vendor/"]}, ["a.py", "sub/b.py"]),
    "removed": (
        {"remove_ignore": ["x.log"]},
        ["a.gen.py", "a.py", "sub/b.py", "vendor/v.py", "x.log"],
    ),
    "replaced": (
        {"replace_ignore": ["sub/"]},
        ["a.gen.py", "a.py", "vendor/v.py", "x.log", "y.log"],
    ),
    "replaced by nothing": (
        {"replace_ignore": []},
        ["a.gen.py", "a.py", "sub/b.py", "vendor/v.py", "x.log", "y.log"],
    ),
    "replaced and extended": (
        {"replace_ignore": ["*.log"], "extend_ignore": ["*.py"], "remove_ignore": ["a.py"]},
        ["a.py"],
    ),
}


@pytest.mark.parametrize(("rules", "files"), RULES.values(), ids=RULES)
def test_an_operator_says_what_is_ignored(rules, files, search, tree):
    names = ["a.py", "a.gen.py", "sub/b.py", "vendor/v.py", "x.log", "y.log"]
    tree({".gitignore": "*.log\n", **dict.fromkeys(names, "foo")})

    assert files == search.grep("foo", **rules).structured["files"]
    assert files == search.glob("*", **rules).structured["files"]
    inside = [path for path in files if path.startswith("sub/")]
    if "sub/" not in rules.get("replace_ignore", ()):
        assert inside == search.grep("foo", "sub", **rules).structured["files"]
