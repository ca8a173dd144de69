"""Where things stand in a TOML text."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.core.schema.problems import json_path
from qitos_like.load.positions import lines_of

TEXT = """\
# a comment with = and [brackets]
title = "a = [b] # no comment"

[plugins]  # here
modules = ["one", 'two', # and
  "three"
]
[tools."coding.grep"]
extend.ignore = { "a.b" = 1, c = [1, {d = 2}] }
text = \"\"\"
[not.a.table]
key = \\"\"\"\"\"
raw = '''
x = '1'
'''
'q k' . sub = 1979-05-27 07:32:00
[[list]]
a = 1
[[list]]
b = [
  [1],

  [2, 3],
]
[list.inner]
c = true
"""


def paths_of(value, path=()):
    yield json_path(path)
    pairs = value.items() if isinstance(value, dict) else []
    pairs = enumerate(value) if isinstance(value, list) else pairs
    for step, part in pairs:
        yield from paths_of(part, (*path, step))


LINES = [
    ("$.title", 2),
    ("$.plugins", 4),
    ("$.plugins.modules", 5),
    ("$.plugins.modules[1]", 5),
    ("$.plugins.modules[2]", 6),
    ("$.tools", 8),
    ("$.tools['coding.grep']", 8),
    ("$.tools['coding.grep'].extend", 9),
    ("$.tools['coding.grep'].extend.ignore['a.b']", 9),
    ("$.tools['coding.grep'].extend.ignore.c[1].d", 9),
    ("$.tools['coding.grep'].text", 10),
    ("$.tools['coding.grep'].raw", 13),
    ("$.tools['coding.grep']['q k'].sub", 16),
    ("$.list", 17),
    ("$.list[0].a", 18),
    ("$.list[1]", 19),
    ("$.list[1].b[1][1]", 23),
    ("$.list[1].inner.c", 26),
]


@pytest.mark.parametrize(("path", "line"), LINES, ids=[row[0] for row in LINES])
def test_a_key_has_the_line_where_it_is_written(path, line):
    assert line == lines_of(TEXT)[path]


def test_every_key_of_a_text_is_found():
    assert set(paths_of(tomllib.loads(TEXT))) - {"$"} == set(lines_of(TEXT))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "a=1",
        "a = ''",
        'a = """"""',
        "a = ''''it's''''",
        'a = """\\\n  b"""',
        "a = []\r\n[b]\r\nc = {}\r\n",
        "'' = 1",
        "1.2.3 = 4",
    ],
)
def test_odd_texts_are_read_to_their_end(text):
    assert set(paths_of(tomllib.loads(text))) - {"$"} == set(lines_of(text))


keys = st.text("ab.-_ é\"'\\", min_size=0, max_size=3)
scalars = st.integers() | st.booleans() | st.text("a[]{}#=,'\"\\\n", max_size=6)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


def toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(toml, value)) + "]"
    return quoted(value) if isinstance(value, str) else str(value).lower()


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


@given(st.dictionaries(keys, values, max_size=4))
def test_every_key_of_any_document_is_found(document):
    text = "".join(f"{quoted(key)} = {toml(value)}\n" for key, value in document.items())

    assert document == tomllib.loads(text)
    assert set(paths_of(document)) - {"$"} == set(lines_of(text))
