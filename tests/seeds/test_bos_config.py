"""The configuration of "Writing Tools": a drop-in file, options, enable and disable, usages.

``.bos/config.toml`` is ``qitos-like.toml``, ``[platform].extensions`` is ``[plugins].modules``, and
``[exts.ep_tool.NAME]`` is ``[tools.NAME]``.
"""

import sys

import pytest

from qitos_like import ConfigError, load_config
from tests.seeds.blocks import blocks_of

BLOCKS = blocks_of("bos")
EP_TOOL = "from qitos_like import tool as ep_tool\n"
EXTENSIONS = '[plugins]\ndirectories = [".bos/extensions"]\n'
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


def test_a_drop_in_file_is_available_to_all_agents(folder):
    (folder / ".bos" / "extensions" / "word_count.py").write_text(BLOCKS["minimal"])
    config = config_of(folder, EXTENSIONS + "[agents.one]\n[agents.two]\n")

    for agent in ("one", "two"):
        with config.executor(agent) as executor:
            assert "3 words" == executor("WordCount", text="one two three").text


def test_a_module_can_be_listed_instead(folder):
    (folder / "my_extension.py").write_text(BLOCKS["minimal"])
    config = config_of(folder, '[plugins]\nmodules = ["my_extension"]\n')

    assert ["WordCount"] == names(config.registry())


def test_a_duplicate_name_raises(folder):
    (folder / ".bos" / "extensions" / "again.py").write_text(BLOCKS["minimal"])

    with pytest.raises(ConfigError, match="the name 'WordCount' is taken by plugin again"):
        config_of(folder, EXTENSIONS)


def test_per_tool_config_fills_what_the_model_cannot(folder):
    config = config_of(
        folder, EXTENSIONS + '[tools.GrepSearch]\nextend_ignore = ["*.generated.py", "vendor/"]\n'
    )

    with config.executor() as executor:
        filled = executor("GrepSearch", query="x")
        refused = executor("GrepSearch", query="x", extend_ignore=[])

    assert ["*.generated.py", "vendor/"] == filled.value
    assert "input_invalid" == refused.code


def test_the_example_reads_its_config(folder):
    text = "the cat the dog"
    config = config_of(folder, EXTENSIONS + "[tools.WordCount]\nexclude_stopwords = true\n")

    with config.executor() as with_config:
        assert "2 words" == with_config("WordCount", text=text).text
    with config_of(folder, EXTENSIONS).executor() as without:
        assert "4 words" == without("WordCount", text=text).text


def test_a_tool_that_does_not_accept_an_option_says_so(folder):
    with pytest.raises(ConfigError, match=r"qitos-like.toml:4: .*did you mean 'exclude_stopwords'"):
        config_of(folder, EXTENSIONS + "[tools.WordCount]\nexclude_stopword = true\n")


def test_an_agent_sees_what_is_enabled_minus_what_is_disabled(folder):
    config = config_of(
        folder,
        EXTENSIONS
        + '[agents.researcher.tools]\nenabled = ["GrepSearch", "WordCount"]\n'
        + '[agents.writer.tools]\nenabled = ["*"]\ndisabled = ["GrepSearch"]\n',
    )

    assert ["GrepSearch", "WordCount"] == names(config.registry("researcher"))
    assert ["WordCount"] == names(config.registry("writer"))


def test_an_agent_overrides_the_usage_guidance(folder):
    usage = "Use this to estimate document size before deciding whether to summarise."
    config = config_of(
        folder, EXTENSIONS + f'[agents.researcher.tools.usages]\nWordCount = "{usage}"\n'
    )

    assert usage in config.registry("researcher").get_tool_descriptions()
    assert usage not in config.registry().get_tool_descriptions()
