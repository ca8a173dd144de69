"""A run as JSON lines."""

import json
import shutil

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    AgentModule,
    Decision,
    Engine,
    ScriptedModel,
    StateSchema,
    ToolContext,
    ToolRegistry,
    ok,
)


class Speller(AgentModule[StateSchema, dict, Action]):
    """Spells."""


def spell(letters: list[str]) -> object:
    """Join letters."""
    return ok("".join(letters), structured={"count": len(letters)})


def run(path=None):
    script = [
        Decision.act([Action("spell", {"letters": ["é", "b"]}, "call-1")], "join"),
        Decision.act([Action("spel", {"letters": ["\ud800"]})]),
        Decision.final("spelt"),
    ]
    agent = Speller(tool_registry=ToolRegistry().register(spell), llm=ScriptedModel(script))
    return Engine(agent, trace_path=path).run("spell it")


def records(lines):
    return [json.loads(line) for line in lines]


def test_a_trace_has_a_line_for_the_run_each_step_and_the_end():
    lines = records(run().trace())

    assert ["run", "step", "step", "step", "end"] == [line["type"] for line in lines]
    assert ("Speller", "spell it") == (lines[0]["agent"], lines[0]["task"])
    assert ("final", "spelt", 3) == tuple(
        lines[-1][key] for key in ("stop_reason", "final_answer", "steps")
    )


def test_a_step_has_prompt_decision_results_and_durations():
    step = records(run().trace())[1]

    assert (0, "spell it", "model") == (step["index"], step["prompt"], step["by"])
    assert step["system"].startswith("spell(letters: [str])")
    assert ("join", [{"name": "spell", "args": {"letters": ["é", "b"]}, "id": "call-1"}]) == (
        step["decision"]["rationale"],
        step["decision"]["actions"],
    )
    (result,) = step["results"]
    assert ("call-1", True, {"count": 2}) == (result["id"], result["ok"], result["structured"])
    assert 0 <= result["duration_s"] <= step["tools_s"] <= step["duration_s"]


def test_a_failed_action_is_in_the_trace():
    (result,) = records(run().trace())[2]["results"]

    assert ("spel", False, "unknown_tool") == (result["name"], result["ok"], result["code"])


def test_a_trace_that_cannot_be_begun_is_an_error(tmp_path):
    with pytest.raises(OSError, match="missing"):
        run(tmp_path / "missing" / "trace.jsonl")


def test_a_trace_that_cannot_be_continued_does_not_lose_the_run(tmp_path, caplog):
    folder = tmp_path / "traces"
    folder.mkdir()

    def remove(step):
        if step.index == 0:
            shutil.rmtree(folder)

    agent = Speller(llm=ScriptedModel([Decision.wait(), Decision.final("spelt")]))
    result = Engine(agent, trace_path=folder / "trace", on_step=remove).run("spell")

    assert "spelt" == result.final_answer
    assert "the trace cannot be written" in caplog.text


def test_a_trace_file_has_the_same_lines_run_after_run(tmp_path):
    path = tmp_path / "trace.jsonl"
    first, second = run(path), run(path)

    lines = records(path.read_bytes().decode().splitlines())
    assert records([*first.trace(), *second.trace()]) == lines


def test_a_trace_is_without_the_secrets_of_its_executor(tmp_path):
    secret = 'hunter2 "x"'
    registry = ToolRegistry().register(spell)

    @registry.tool
    async def research(context: ToolContext) -> str:
        """Ask another agent, which keeps a trace of its own."""
        nested = AgentModule(llm=ScriptedModel([Decision.final(secret)]))
        path = tmp_path / "nested"
        result = await Engine(nested, parent=context.parent, trace_path=path).arun(secret)
        return "".join([*result.trace(), path.read_text()])

    script = [
        Decision.act([Action("spell", {"letters": [secret]}), Action("research")], secret),
        Decision.final({"the answer is": secret}),
    ]
    agent = Speller(tool_registry=registry, llm=ScriptedModel(script))
    with ActionExecutor(registry, secrets={"PW": secret}) as executor:
        engine = Engine(agent, executor=executor, trace_path=tmp_path / "trace")
        result = engine.run(f"say {secret}")

    for text in ("\n".join(result.trace()), (tmp_path / "trace").read_text()):
        assert "say [secret PW]" == records(text.splitlines())[0]["task"]
        assert "hunter2" not in text
