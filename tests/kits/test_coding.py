"""The whole kit: its options, its tools, its texts."""

import contextlib
import inspect
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import kits
from kits import Caps, CodingToolSet
from kits.shell.sandbox import SandboxError
from kits.toolset import coding_tools, edit_tools, file_tools, shell_tools
from qitos_like import Action, ActionExecutor, ToolRegistry


@pytest.fixture(name="root")
def root_(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\n")
    return tmp_path


@pytest.fixture(name="execute")
def execute_(root):
    with ActionExecutor(coding_tools(root)) as executor:
        yield executor


def test_the_tools_are_methods_too(root):
    kit = CodingToolSet(root)

    assert kit.view("a.txt").value.startswith("     1\tone\n")
    assert 1 == kit.str_replace("a.txt", "two", "TWO").structured["replacements"]
    assert not hasattr(kit, "fly")


def test_read_only_offers_only_what_reads(root):
    for entry in coding_tools(root, read_only=True):
        assert not entry.spec.permissions.filesystem_write
        assert not entry.spec.permissions.command


@pytest.mark.parametrize(
    "option",
    [
        {"include_notebook": True},
        {"enable_lsp": True},
        {"enable_tasks": "todo"},
        {"enable_web": True},
    ],
    ids=lambda option: next(iter(option)),
)
def test_a_group_that_does_not_exist_is_refused_by_name(root, option):
    [(name, value)] = option.items()

    with pytest.raises(NotImplementedError, match=f"{name}={value!r}"):
        CodingToolSet(root, **option)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (
            {"sandbox": "bwarp"},
            "sandbox is one of 'none', 'bwrap', 'auto', not 'bwarp'; did you mean",
        ),
        ({"sandbox": True}, "sandbox is one of .*, not True"),
        ({"ledger": "strct"}, "ledger is one of .*, not 'strct'; did you mean 'strict'"),
        ({"shell_timeout": 0}, "more than 0, not 0"),
    ],
    ids=["sandbox", "no word", "ledger", "no time"],
)
def test_what_an_option_cannot_be_is_refused(root, option, said):
    with pytest.raises(ValueError, match=said):
        CodingToolSet(root, **option)


def test_commands_run_in_the_background_when_asked_for(root):
    with ActionExecutor(coding_tools(root, enable_background=True)) as execute:
        execute("coding.run_command", command="echo one", background=True).unwrap()
        assert "bg1" in execute("coding.stop_command", id="bg1").text


MODERN = ("Bash", "BashOutput", "KillShell")


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "unlisted"])
def test_background_commands_have_modern_names(root, listed):
    options = {"enable_background": True, "expose_modern_names": listed}
    registry = coding_tools(root, **options)
    with ActionExecutor(registry) as execute:
        started = execute(
            "coding.Bash", command="echo one", description="say it", run_in_background=True
        )
        assert {"id": "bg1"} == started.structured
        assert execute("coding.BashOutput", bash_id="bg1").ok
        assert "[bg1 ended" in execute("coding.KillShell", shell_id="bg1").text
        timed_out = execute("coding.Bash", command="sleep 20", timeout=300)

    assert [listed] * 3 == [f"coding.{name}" in [e.name for e in registry] for name in MODERN]
    assert "timeout" == timed_out.code


def test_without_background_nobody_knows_its_names(root):
    with ActionExecutor(coding_tools(root)) as execute:
        for name in ("BashOutput", "KillShell", "command_output", "stop_command"):
            assert "unknown_tool" == execute(f"coding.{name}", id="bg1").code
        unknown = execute("coding.run_command", command="true", background=True)

    assert "input_invalid" == unknown.code


def test_a_sandbox_is_asked_for_by_name(root, monkeypatch):
    monkeypatch.setenv("PATH", str(root))

    with pytest.raises(SandboxError, match="not installed"):
        CodingToolSet(root, sandbox="bwrap")


def test_patches_and_undo_are_offered_when_asked_for(root):
    with ActionExecutor(coding_tools(root, enable_patch=True)) as execute:
        patch = "*** Begin Patch\n*** Update File: a.txt\n-one\n+ONE\n*** End Patch"
        assert "M a.txt (+1 -1)" == execute("coding.apply_patch", patch=patch).text
        execute("coding.str_replace", path="a.txt", old_str="two", new_str="TWO").unwrap()
        execute("coding.undo_edit", path="a.txt").unwrap()
        execute("coding.undo_edit", path="a.txt").unwrap()

    assert b"one\ntwo\n" == (root / "a.txt").read_bytes()


def test_the_resources_of_a_patch_are_all_its_files(root):
    spec = coding_tools(root, enable_patch=True)["coding.apply_patch"].spec
    patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: ./b.txt\n*** Delete File: c.txt"

    assert [f"file:{root}/{name}.txt" for name in "abc"] == list(spec.writes({"patch": patch}))
    assert [] == list(spec.writes({"patch": "nonsense"}))


def test_a_root_that_is_no_folder_is_refused(root):
    with pytest.raises(NotADirectoryError, match=r"a\.txt"):
        CodingToolSet(root / "a.txt")


@pytest.mark.parametrize(
    ("build", "name"),
    [
        (coding_tools, "coding.view"),
        (file_tools, "files.create"),
        (edit_tools, "edit.insert"),
        (shell_tools, "shell.run_command"),
    ],
)
def test_a_builder_gives_a_ready_registry(root, build, name):
    assert name in build(root)


def test_the_front_door_lists_its_names_and_no_other():
    assert sorted(kits.__all__) == dir(kits)
    assert all(getattr(kits, name) for name in kits.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = kits.Nothing


def test_the_limits_stand_in_the_descriptions(root):
    registry = coding_tools(root, caps=Caps(view_lines=123))

    assert "the first 123 lines" in registry["coding.view"].spec.description


def test_the_prompt_text_has_a_line_for_each_tool_and_the_paths_rule(root):
    text = coding_tools(root).get_tool_descriptions()

    assert text.startswith("## coding\nPaths are relative to the workspace. Use grep rather than ")
    assert (
        "\ncoding.view(path: str, view_range: [int, int]?) - numbered lines of a file, or a folder "
        "two levels deep. Without view_range: the first 2,000 lines or 20,000 characters.\n"
    ) in text


def test_a_hint_is_given_only_where_its_tools_are(root):
    plain = "Paths are relative to the workspace."

    assert plain == CodingToolSet(root, read_only=True).instructions()
    assert f"{plain} Use Edit rather than sed." == (
        CodingToolSet(root, expose_modern_names=True).instructions()
    )


@pytest.mark.parametrize("modern", [False, True], ids=["classic", "modern"])
def test_the_tools_take_little_of_a_prompt(root, modern):
    registry = coding_tools(root, expose_modern_names=modern)
    schemas = [
        {"name": e.name, "description": e.spec.description, "input_schema": e.spec.input_schema}
        for e in registry
    ]

    text = registry.get_tool_descriptions()
    data = json.dumps(schemas, separators=(",", ":"))
    print(f"{len(registry)} tools: {len(text)} characters of text, {len(data)} of schemas")  # noqa: T201 - the figures are wanted

    assert len(text) <= 2_000
    assert len(data) <= 3_600


def test_two_kits_in_one_registry_keep_their_folders(tmp_path):
    registry = ToolRegistry()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        registry.register_toolset(CodingToolSet(tmp_path / name), namespace=name)
    with ActionExecutor(registry) as execute:
        execute("one.create", path="a.txt", file_text="1").unwrap()
        execute("two.create", path="a.txt", file_text="2").unwrap()

    assert ["1", "2"] == [(tmp_path / name / "a.txt").read_text() for name in ("one", "two")]


@pytest.mark.parametrize(
    ("name", "args", "code", "said"),
    [
        ("coding.view", {"path": "b.txt"}, "input_invalid", "does not exist"),
        ("coding.view", {"path": "/etc/passwd"}, "denied", "outside the workspace"),
        ("coding.create", {"path": ".git/config", "file_text": ""}, "denied", "protected"),
        ("coding.write_file", {"path": "a.txt", "content": "x"}, "stale_write", "not been read"),
        (
            "coding.str_replace",
            {"path": "a.txt", "old_str": "x", "new_str": "y"},
            "input_invalid",
            "not found",
        ),
        (
            "coding.insert",
            {"path": "a.txt", "insert_line": 7, "new_str": "x"},
            "input_invalid",
            "2 lines",
        ),
    ],
)
def test_a_refusal_reaches_the_model_as_an_answer_with_its_code(execute, name, args, code, said):
    result = execute(name, **args)

    assert (code, True) == (result.code, said in result.text)


def test_what_an_agent_read_counts_for_its_later_calls(execute, root):
    execute("coding.view", path="a.txt").unwrap()
    execute("coding.write_file", path="a.txt", content="new\n").unwrap()

    assert b"new\n" == (root / "a.txt").read_bytes()


def test_fifty_threads_with_fifty_edits_of_one_file_all_survive(root):
    (root / "a.txt").write_text("".join(f"<{number}>\n" for number in range(50)))
    (root / "link").symlink_to("a.txt")
    kit = CodingToolSet(root, durable=False)
    start = threading.Barrier(50)

    def edit(number):
        start.wait()
        kit.str_replace(("a.txt", "link")[number % 2], f"<{number}>", f"[{number}]")

    with ThreadPoolExecutor(50) as pool:
        list(pool.map(edit, range(50)))

    assert "".join(f"[{number}]\n" for number in range(50)) == (root / "a.txt").read_text()


def test_ten_edits_of_one_turn_all_survive_and_are_answered_in_order(execute, root):
    (root / "a.txt").write_text("".join(f"<{number}>\n" for number in range(10)))
    calls = [
        Action("coding.str_replace", {"path": "a.txt", "old_str": f"<{n}>", "new_str": f"[{n}]"})
        for n in range(10)
    ]

    results = execute.run_turn_sync(calls)

    assert [f"[{n}]" for n in range(10)] == [
        result.text.splitlines()[1 + min(n, 3)].partition("\t")[2]
        for n, result in enumerate(results)
    ]
    assert "".join(f"[{n}]\n" for n in range(10)) == (root / "a.txt").read_text()


def test_the_resources_of_a_call_are_the_file_it_leads_to(root):
    (root / "link").symlink_to("a.txt")
    spec = coding_tools(root)["coding.str_replace"].spec

    expected = [f"file:{root}/a.txt"]
    for path in ("a.txt", "./x/../a.txt", "link", f"{root}/a.txt"):
        assert expected == list(spec.writes({"path": path}))
    assert ["file:../a.txt"] == list(spec.writes({"path": "../a.txt"}))


def test_the_full_kit_has_every_group_there_is(root):
    full = {each.name for each in CodingToolSet.full(root).tools()}
    flags = [
        name
        for name, parameter in inspect.signature(CodingToolSet).parameters.items()
        if name.startswith(("enable_", "include_")) and parameter.default is False
    ]
    offered = set()
    for flag in flags:
        with contextlib.suppress(NotImplementedError):
            offered |= {each.name for each in CodingToolSet(root, **{flag: True}).tools()}

    assert {"view", "apply_patch", "command_output"} <= offered
    assert full == offered


def test_the_full_kit_takes_the_options_of_the_kit(root):
    kit = CodingToolSet.full(root, enable_background=False, caps=Caps(view_lines=2))

    assert not hasattr(kit, "command_output")
    assert [1, 2] == kit.view("a.txt", None).structured["range"]
    with pytest.raises(TypeError, match="enable_magic"):
        CodingToolSet.full(root, enable_magic=True)
