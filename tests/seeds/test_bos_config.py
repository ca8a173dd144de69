"""The configuration of "Writing Tools": a drop-in file, options, enable and disable, usages.

``.bos/config.toml`` is ``qitos-like.toml``, ``[platform].extensions`` is ``[plugins].modules``,
``[exts.ep_tool.NAME]`` is ``[tools.NAME]``, and the file tools have the names of the coding kit.
"""

import sys

import pytest

from qitos_like import ConfigError, load_config
from tests.seeds.blocks import blocks_of

BLOCKS = blocks_of("bos")
EP_TOOL = "from qitos_like import tool as ep_tool\n"
EXTENSIONS = '[plugins]\ndirectories = [".bos/extensions"]\n'
CODING = "[toolsets.coding]\n"
GREP = EP_TOOL + BLOCKS["config_only"].replace("-> str: ...", "-> list:\n    return extend_ignore")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A project with the document's files as drop-in files; their modules are forgotten after."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    extensions = tmp_path / ".bos" / "extensions"
    extensions.mkdir(parents=True)
    (extensions / "word_count.py").write_text(BLOCKS["stopwords"])
    (extensions / "grep_search.py").write_text(GREP)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def config_of(folder, text):
    (folder / "qitos-like.toml").write_text(text)
    return load_config(folder / "qitos-like.toml")


def names(registry):
    return [entry.name for entry in registry]


def test_minimal_example_dropped_into_the_folder_is_available_to_all_agents(folder):
    (folder / ".bos" / "extensions" / "word_count.py").write_text(BLOCKS["minimal"])
    config = config_of(folder, EXTENSIONS + "[agents.one]\n[agents.two]\n")

    for agent in ("one", "two"):
        with config.executor(agent) as executor:
            assert "3 words" == executor("WordCount", text="one two three").text


def test_minimal_example_can_be_listed_as_a_module_instead(folder):
    (folder / "my_extension.py").write_text(BLOCKS["minimal"])
    config = config_of(folder, '[plugins]\nmodules = ["my_extension"]\n')

    assert ["WordCount"] == names(config.registry())


def test_name_that_two_files_have_raises(folder):
    (folder / ".bos" / "extensions" / "again.py").write_text(BLOCKS["minimal"])

    with pytest.raises(ConfigError, match="the name 'WordCount' is taken by plugin again"):
        config_of(folder, EXTENSIONS)


def test_per_tool_config_via_exts_ep_tool_name_fills_what_the_model_cannot(folder):
    config = config_of(folder, EXTENSIONS + BLOCKS["config_only.toml"])

    with config.executor() as executor:
        filled = executor("GrepSearch", query="x")
        refused = executor("GrepSearch", query="x", extend_ignore=[])

    assert ["*.generated.py", "vendor/"] == filled.value
    assert "input_invalid" == refused.code


NESTED = """
from qitos_like import tool

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


@tool(name="Search", description="Search.", parameters=SCHEMA)
async def search(query: str, limits: dict = {"lines": 10, "files": {"all": 3, "hidden": 0}}):
    return limits


@tool(name="Loose", description="Take anything.", parameters=SCHEMA)
async def loose(query: str, **options):
    return options
"""


def test_per_tool_config_via_exts_ep_tool_name_is_merged_deep_into_the_defaults(folder):
    (folder / ".bos" / "extensions" / "nested.py").write_text(NESTED)
    config = config_of(folder, EXTENSIONS + "[tools.Search.limits.files]\nhidden = 2\n")

    with config.executor() as executor:
        answer = executor("Search", query="x")

    assert {"lines": 10, "files": {"all": 3, "hidden": 2}} == answer.value


def test_per_tool_config_via_exts_ep_tool_name_needs_a_parameter_for_each_key(folder):
    with pytest.raises(ConfigError, match=r"qitos-like.toml:4: .*did you mean 'exclude_stopwords'"):
        config_of(folder, EXTENSIONS + "[tools.WordCount]\nexclude_stopword = true\n")


def test_per_tool_config_via_exts_ep_tool_name_takes_any_key_with_keywords(folder):
    (folder / ".bos" / "extensions" / "nested.py").write_text(NESTED)
    config = config_of(folder, EXTENSIONS + "[tools.Loose]\ndepth = 3\n")

    with config.executor() as executor:
        assert {"depth": 3} == executor("Loose", query="x").value


def test_example_reading_per_tool_config_counts_without_the_stop_words(folder):
    text = "the cat the dog"
    config = config_of(folder, EXTENSIONS + BLOCKS["stopwords.toml"])

    with config.executor() as with_config:
        assert "2 words" == with_config("WordCount", text=text).text
    with config_of(folder, EXTENSIONS).executor() as without:
        assert "4 words" == without("WordCount", text=text).text


def test_enable_disable_per_agent_as_the_document_writes_it(folder):
    config = config_of(folder, EXTENSIONS + CODING + BLOCKS["agents.toml"])
    usage = "Use this to estimate document size before deciding whether to summarise."
    researcher = config.registry("researcher")

    assert ["GrepSearch", "WordCount", "coding.glob", "coding.view"] == sorted(names(researcher))
    assert usage in researcher.get_tool_descriptions()
    assert usage not in config.registry().get_tool_descriptions()


def test_enable_disable_per_agent_takes_a_star_for_all(folder):
    config = config_of(
        folder,
        EXTENSIONS + '[agents.writer.tools]\nenabled = ["*"]\ndisabled = ["GrepSearch"]\n',
    )

    assert ["WordCount"] == names(config.registry("writer"))


def test_enable_disable_per_agent_holds_for_calls_as_well(folder):
    config = config_of(folder, EXTENSIONS + '[agents.writer.tools]\nenabled = ["GrepSearch"]\n')

    with config.executor("writer") as executor:
        assert "unknown_tool" == executor("WordCount", text="x").code


BUILT_IN = [
    ("coding.view", {"path": "a.py", "view_range": [2, 2]}, "two"),
    ("coding.write_file", {"path": "new.txt", "content": "whole"}, "new.txt"),
    ("coding.str_replace", {"path": "a.py", "old_str": "two", "new_str": "2"}, "a.py"),
    ("coding.glob", {"pattern": "*.py"}, "a.py"),
    ("coding.grep", {"pattern": "thr.e"}, "three"),
]


@pytest.fixture
def workspace(folder):
    (folder / "a.py").write_text("one\ntwo\nthree\n")
    (folder / "vendor").mkdir()
    (folder / "vendor" / "b.py").write_text("three\n")
    return folder


@pytest.mark.parametrize(("name", "args", "said"), BUILT_IN, ids=[row[0] for row in BUILT_IN])
def test_built_in_filesystem_tools_read_write_edit_and_search(workspace, name, args, said):
    with config_of(workspace, CODING).executor() as executor:
        executor("coding.view", path="a.py")
        result = executor(name, **args)

    assert (True, True) == (result.ok, said in result.text), result.text


def test_built_in_filesystem_tools_refuse_to_overwrite_unread_files(workspace):
    with config_of(workspace, CODING).executor() as executor:
        refused = executor("coding.write_file", path="a.py", content="new")
        executor("coding.view", path="a.py")
        written = executor("coding.write_file", path="a.py", content="new")

    assert ("stale_write", True) == (refused.code, written.ok)


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("", ["a.py", "vendor/b.py"]),
        ('extend_ignore = ["vendor/"]', ["a.py"]),
        ('replace_ignore = ["a.py"]', ["vendor/b.py"]),
        ('extend_ignore = ["vendor/"]\nremove_ignore = ["vendor/"]', ["a.py", "vendor/b.py"]),
    ],
)
@pytest.mark.parametrize(("name", "pattern"), [("glob", "**/*.py"), ("grep", "three")])
def test_built_in_filesystem_tools_take_what_to_skip_from_config(
    workspace, name, pattern, table, found
):
    config = config_of(workspace, f'{CODING}[tools."coding.{name}"]\n{table}\n')

    with config.executor() as executor:
        text = executor(f"coding.{name}", pattern=pattern).text

    assert found == [path for path in ("a.py", "vendor/b.py") if path in text]
