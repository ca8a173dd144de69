"""Whatever cannot be meant is told with its file, its line and the nearest right name."""

import pytest

from qitos_like import ConfigError, load_config

TOOLS = '''
"""Tools with options."""
from typing import Annotated, Literal

from attrs import field, frozen

from qitos_like import Configured, tool


@frozen
class Bounds:
    low: int = field(default=0)

    def __attrs_post_init__(self):
        if self.low < 0:
            raise ValueError("below zero")


@tool(tags=["web"])
def search(query: str, limit: int = 10, bounds: Annotated[Bounds, Configured] = Bounds()) -> str:
    """Search."""
    return query


@tool(name="Get", description="Get.", parameters={"properties": {"at": {"maxLength": 2}}})
def get(at: str = "", mode: Literal["r", "w"] = "r") -> str:
    return at


class Broken:
    def tools(self):
        return [3]


class Picky:
    def __init__(self, size: int):
        raise OSError("no room")

    def tools(self):
        return []
'''

MISNAMED = [
    ("tools/shout.py", "did you mean 'tools.shout'?"),
    ("./shout.py", "did you mean 'shout'?"),
    ("two words", "write my_pkg.tools"),
    ("", "write my_pkg.tools"),
    ("deep.toolz", "did you mean 'deep.tools'?"),
    ("mime", "did you mean 'mine'?"),
]
HEAD = '[plugins]\nmodules = ["mine"]\n'  # so that what follows begins in line 3

MISTAKES = [
    ("[plugin]\n", 3, "unknown key 'plugin'; did you mean 'plugins'?"),
    ("[toolset.a]\n", 3, "unknown key 'toolset'; did you mean 'toolsets'?"),
    ("zzz = 1\n", 3, "unknown key 'zzz'; there are modules, directories, enabled"),
    ('enable = ["x"]\n', 3, "unknown key 'enable'; did you mean 'enabled'?"),
    ("enabled = 'x'\n", 3, 'plugins.enabled: expected array, got string "x"'),
    ("directories = [\n  3,\n]\n", 4, "plugins.directories[0]: expected string, got integer 3"),
    ('directories = ["tols"]\n', 3, "unknown folder 'tols'; did you mean 'tools'?"),
    ('directories = ["./gone/tools"]\n', 3, "unknown folder './gone/tools'"),
    ('enabled = ["wether"]\n', 3, "unknown plugin 'wether'; did you mean 'weather'?"),
    ("\n[toolsets.codin]\n", 4, "use is missing; did you mean 'coding'?"),
    ("[toolsets.a]\nuse = 3\n", 4, "use: expected string, got 3"),
    ("[toolsets.a]\nuse = 'codng'\n", 4, "use: 'codng' is no module:object; did you mean 'coding'"),
    ("[toolsets.a]\nuse = 'kits:CodingToolset'\n", 4, "did you mean 'CodingToolSet'?"),
    ("[toolsets.a]\nuse = 'mine2:x'\n", 4, "use: no module, file or toolset is named 'mine2'"),
    ("[toolsets.a]\nuse = 'mine.pi:x'\n", 4, "use: no module, file or toolset is named 'mine.pi'"),
    ("[toolsets.a]\nuse = 'min.py:x'\n", 4, "there is no file"),
    ("[toolsets.a]\nuse = 'mine:search'\nlimit = 3\n", 5, "limit: it takes no options"),
    ("[toolsets.a]\nuse = 'mine:Broken'\n", 3, "Broken.tools() has 3"),
    ("[toolsets.a]\nuse = 'mine:Picky'\nsize = 3\n", 3, "cannot be made: OSError: no room"),
    (
        "[toolsets.coding]\nread_onli = true\n",
        4,
        "unknown key 'read_onli'; did you mean 'read_only'",
    ),
    ("[toolsets.coding]\nshell_timeout = '9'\n", 4, "shell_timeout: expected integer, got string"),
    ("[toolsets.coding]\nledger = 'of'\n", 4, "did you mean 'off'?"),
    (
        "[toolsets.coding]\ncaps = {\nview_line = 3 }\n".replace("{\n", "{ "),
        4,
        "unknown key 'view_line'; did you mean 'view_lines'?",
    ),
    ("[toolsets.coding]\nworkspace_root = 'nope'\n", 3, "cannot be made: NotADirectoryError"),
    ("[tools.serch]\nlimit = 3\n", 3, "unknown tool 'serch'; did you mean 'search'?"),
    ("[tools.search]\nlimt = 3\n", 4, "unknown key 'limt'; did you mean 'limit'?"),
    ("[tools.search]\nlimit = 'x'\n", 4, 'limit: expected integer, got string "x"'),
    ("[tools.search.bounds]\nlow = -1\n", 3, "below zero"),
    ("[tools.search.bounds]\nlw = 1\n", 4, "unknown key 'lw'; did you mean 'low'?"),
    ("[tools.Get]\nat = 'long'\n", 4, "at: expected at most 2 characters"),
    ("[tools.Get]\nmode = 'x'\n", 4, 'mode: expected one of "r", "w", got string "x"'),
    ("[tools]\nsearch = 3\n", 4, "tools.search: expected object, got integer 3"),
    ("[agents.a]\nmodle = 'x'\n", 4, "unknown key 'modle'; did you mean 'model'?"),
    ("[agents.a.tols]\n", 3, "unknown key 'tols'; did you mean 'tools'?"),
    ("[agents.a.tools]\nenable = []\n", 4, "unknown key 'enable'; did you mean 'enabled'?"),
    (
        "[agents.a.tools]\nenabled = ['serch']\n",
        4,
        "'serch' matches no tool; did you mean 'search'",
    ),
    ("[agents.a.tools]\ndisabled = [\n'*',\n'tag:wep']\n", 6, "did you mean 'tag:web'?"),
    (
        "[agents.a.tools]\nusages = { serch = 'x' }\n",
        4,
        "unknown tool 'serch'; did you mean 'search'",
    ),
    ("[agents.a]\nmax_steps = true\n", 4, "agents.a.max_steps: expected integer or null"),
    ("[permissions]\ndeni = []\n", 4, "unknown key 'deni'; did you mean 'deny'?"),
    ("[permissions]\ndeny = ['serch']\n", 4, "'serch' matches no tool; did you mean 'search'?"),
    ("[permissions]\nask = ['*', 'tag:wep']\n", 4, "did you mean 'tag:web'?"),
    (
        "[permissions]\ndeny = ['search(qery=x*)']\n",
        4,
        "unknown argument 'qery'; did you mean 'query'",
    ),
    (
        "[permissions]\ndeny = ['search (x']\n",
        4,
        "'search (x' is no rule; write coding.run_command(",
    ),
    ("[permissions]\ndefault = 'alow'\n", 4, "did you mean 'allow'?"),
    ("[agents.a]\nprice = { input = 1 }\n", 4, "agents.a.price.output: missing, and required"),
    (
        "[agents.a.price]\ninput = 1\noutput = 2\ncache = 1\n",
        6,
        "agents.a.price.cache: no such argument; did you mean 'cached'?",
    ),
    ("[agents.a.price]\ninput = 1\noutput = -2\n", 5, "output: expected >= 0, got integer -2"),
    ("[agents.a]\nmax_steps = 0\n", 4, "agents.a.max_steps: expected >= 1, got integer 0"),
    (
        "[toolsets.coding]\n[tools.coding.view]\npath = 'a'\n",
        4,
        'a name with dots is quoted: write [tools."coding.view"]',
    ),
    ("[toolsets.a]\nuse = 'mine.Picky'\n", 4, "did you mean 'mine:Picky'?"),
    ("[toolsets.a]\nuse = 'kit:CodingToolSet'\n", 4, "did you mean 'kits'?"),
    ("[toolsets.a]\nuse = 'deep.toolz:x'\n", 4, "did you mean 'deep.tools'?"),
    ("x = [\n", 4, "this is no TOML"),
    ("modules = []\n", 3, "this is no TOML: Cannot overwrite a value"),
]


@pytest.fixture
def mine(project):
    project.write("mine.py", TOOLS)
    project.write("tools/_none.py", "")
    project.write("deep/tools.py", "")
    project.install("weather", "weather_plugin", "")
    return project


@pytest.mark.parametrize(("text", "line", "said"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_mistake_has_its_line_and_the_right_name(mine, text, line, said):
    with pytest.raises(ConfigError) as caught:
        mine.load(HEAD + text)
    (problem,) = caught.value.problems
    assert f"qitos-like.toml:{line}" == problem.partition(": ")[0]
    assert said in problem


def test_all_mistakes_are_told_at_once(mine):
    with pytest.raises(ConfigError) as caught:
        mine.load("[plugns]\n[agent.a]\n[permissions]\nden = []\n")
    assert 3 == len(caught.value.problems)
    assert str(caught.value).splitlines() == list(caught.value.problems)


def test_a_module_that_is_not_there_is_named_with_the_nearest(mine):
    with pytest.raises(ConfigError, match=r"qitos-like.toml:2: .*'mime'.*did you mean .*'mine'"):
        mine.load('[plugins]\nmodules = ["mime"]')


@pytest.mark.parametrize(("name", "said"), MISNAMED)
def test_a_name_that_is_no_module_is_told(mine, name, said):
    with pytest.raises(ConfigError) as caught:
        mine.load(f'[plugins]\nmodules = ["{name}"]')
    (problem,) = caught.value.problems
    assert ("qitos-like.toml:2", True) == (problem.partition(": ")[0], said in problem)


def test_a_taken_name_names_both_owners(mine):
    mine.write("tools/again.py", TOOLS)

    with pytest.raises(ConfigError) as caught:
        mine.load(HEAD + 'directories = ["tools"]\n')
    assert "qitos-like.toml:3: the name 'search' is taken by plugin mine; plugin again" in str(
        caught.value
    )


def test_the_name_of_two_plugins_names_both(mine):
    mine.install("weather", "other_plugin", "", "other-package")

    with pytest.raises(ConfigError, match="several plugins: .*-package 1.0 .* and .*-package"):
        mine.load('[plugins]\nenabled = ["weather"]')


@pytest.mark.parametrize("name", ["coding.Read", "Read", "coding__view", "view"])
def test_a_rule_may_name_a_tool_as_models_do(project, name):
    loaded = project.load(f'[permissions]\ndeny = ["{name}"]')

    assert "deny" == loaded.policy.explain("coding.view", {"path": "a"}).partition(":")[0]


UNREADABLE = [
    (b"a = '\xff'", r"qitos-like.toml:1: this is no UTF-8"),
    (b"a = " + b"[" * 3000 + b"]" * 3000, r"qitos-like.toml: it is nested too deep"),
    (b"#" * ((1 << 20) + 1), r"qitos-like.toml: it has more than 1,048,576 bytes"),
]


@pytest.mark.parametrize(("content", "said"), UNREADABLE, ids=["bytes", "deep", "long"])
def test_what_is_no_text_is_told(project, content, said):
    (project.folder / "qitos-like.toml").write_bytes(content)

    with pytest.raises(ConfigError, match=said):
        project.find()


def test_a_file_that_is_not_there_is_told(project):
    with pytest.raises(ConfigError, match=r"nope.toml: it cannot be read: No such file"):
        load_config("nope.toml")


def test_a_variable_with_a_mistake_is_named(project):
    project.environ["QITOS_LIKE_PERMISSIONS__DENI"] = '["*"]'

    with pytest.raises(ConfigError, match="QITOS_LIKE_PERMISSIONS__DENI: unknown key 'deni'"):
        project.find()


def test_a_variable_with_a_mistake_in_its_table_is_named(project):
    project.environ["QITOS_LIKE_AGENT__A__MODEL"] = "openai:x"

    with pytest.raises(ConfigError, match="^QITOS_LIKE_AGENT__A__MODEL: unknown key 'agent'; did"):
        project.find()


def test_variables_that_contradict_are_told(project):
    project.environ |= {"QITOS_LIKE_A__B": "1", "QITOS_LIKE_A__B__C": "2"}

    with pytest.raises(ConfigError, match="QITOS_LIKE_A__B__C: b is no table"):
        project.find()
