"""Shell commands as the simple commands that they run."""

import shlex
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.run.commands import split
from qitos_like.run.shell_grammar import is_installed

SURE = {
    "one": ("git status", ["git status"]),
    "spaces": ("  git   status\t-s ", ["git status -s"]),
    "quotes": ("git 'push' \"or\"igin", ["git push origin"]),
    "quoted operator": ("echo 'a && b; c'", ["echo a && b; c"]),
    "quoted space": ("rm 'a b'", ["rm a b"]),
    "empty word": ("grep '' a", ["grep  a"]),
    "escape": ("g\\it push", ["git push"]),
    "escape in quotes": ('echo "a \\" b \\\\ \\n"', ['echo a " b \\ \\n']),
    "line continued": ("git \\\npush", ["git push"]),
    "semicolon": ("a;", ["a"]),
    "comment": ("a # b; c", ["a"]),
    "quoted continuation": ("echo 'a\\\nb'", ["echo a\\\nb"]),
    "to nowhere": ("a > /dev/null 2>&1", ["a"]),
    "glob in an argument": ("ls *.py", ["ls *.py"]),
    "path": ("/usr/bin/git push", ["/usr/bin/git push", "git push"]),
    "declaration": ("export A=1", ["export A=1"]),
}

SEVERAL = {
    "and, or": ("a && b || c", ["a", "b", "c"]),
    "semicolon": ("a; b;", ["a", "b"]),
    "pipe": ("a | b |& c", ["a", "b", "c"]),
    "background": ("a & b &", ["a", "b"]),
    "lines": ("a\nb\r\n\nc", ["a", "b", "c"]),
    "comments": ("a # b; c\nd", ["a", "d"]),
    "subshell": ("(git push)", ["git push"]),
    "group": ("{ git push; ls; }", ["git push", "ls"]),
    "not": ("! git push", ["git push"]),
    "to nowhere": ("(a; b 2>&1 >/dev/null) | c", ["a", "b", "c"]),
}

UNSURE = {
    "substitution": ("echo $(git push)", "git push"),
    "in quotes": ('echo "now: $(git push)"', "git push"),
    "nested": ('echo "$(echo "$(git push)")"', "git push"),
    "backquotes": ("echo `git push`", "git push"),
    "backquotes in quotes": ('echo "`git push`"', "git push"),
    "nested backquotes": ("echo `echo \\`git push\\``", "git push"),
    "process": ("diff <(git push) a", "git push"),
    "process out": ("tee >(git push)", "git push"),
    "variable": ("git push $HOME", "git push HOME"),
    "ansi quotes": ("$'git' push", "git push"),
    "function": ("f() { git push; }; f", "git push"),
    "if": ("if true; then git push; fi", "git push"),
    "loop": ("for i in a; do git push; done", "git push"),
    "case": ("case a in a) git push;; esac", "git push"),
    "assignment": ("A=1 B=2 git push", "git push"),
    "assigned substitution": ("A=$(git push)", "git push"),
    "sudo": ("sudo -u me git push", "git push"),
    "env": ("env -i A=1 git push", "git push"),
    "time": ("time git push", "git push"),
    "timeout": ("timeout 5 /usr/bin/git push", "git push"),
    "xargs": ("echo a | xargs git push", "git push"),
    "find": ("find . -exec git push ;", "git push"),
    "bash -c": ("bash -c 'cd a; git push'", "git push"),
    "sudo bash": ("sudo bash -c 'git push'", "git push"),
    "eval": ("eval 'git push'", "git push"),
    "bash of bash": ("bash -c \"bash -c 'git push'\"", "git push"),
    "bash -c, many times": ("bash -c " * 10 + "'git push'", "git push"),
    "open backquotes": ("echo `git push\\", "git push"),
    "here-document": ("bash <<EOF\ngit push\nEOF\nls", "git push"),
    "indented here-document": ("bash <<-'EOF'\n\tgit push\n\tEOF", "git push"),
    "substituted here-document": ("cat <<EOF\n$(git push)\nEOF", "git push"),
    "unended here-document": ("bash <<EOF\ngit push", "git push"),
    "here-string": ("bash <<< 'git push'", "git push"),
    "to a file": ("git log > /etc/a", "> /etc/a"),
    "to a file, glued": ("git log>>'/etc/a'", "> /etc/a"),
    "numbered": ("git log 2>err", "> err"),
    "both": ("git log &> all", "> all"),
    "from a file": ("mail < /etc/a", "< /etc/a"),
    "after a redirection": ("> a git push", "git push"),
    "globbed program": ("/usr/bin/g?t push", "/usr/bin/g?t push"),
    "braces": ("{git,push} a", "{git,push} a"),
    "open quote": ("git push 'a", "git push a"),
    "open double quote": ('git push "a', "git push a"),
    "open substitution": ("echo $(git push", "git push"),
    "stray parenthesis": ("git push )", "git push"),
    "continued in quotes": ('echo "a\\\nb"', "echo ab"),
    "continued in a word": ("git pu\\\nsh", "git push"),
    "comment that seems to go on": ("$A # a \\\ngit push", "git push"),
    "alias": ("alias gp='git push'; gp", "git push"),
    "group to a file": ("{ git push; } > a", "git push"),
    "group to nowhere": ("{ git push; } > /dev/null", "git push"),
    "test": ("[[ -f a ]] && git push", "git push"),
    "arithmetic": ("((1)) && git push", "git push"),
    "declared substitution": ("export A=$(git push)", "git push"),
}


needs_grammar = pytest.mark.skipif(not is_installed(), reason="the extra shell is not installed")
either_way = pytest.mark.parametrize(
    "uses_grammar", [pytest.param(True, marks=needs_grammar), False], ids=["grammar", "alone"]
)


@either_way
@pytest.mark.parametrize(("text", "commands"), SURE.values(), ids=SURE.keys())
def test_plain_words_are_split_for_sure(text, commands, uses_grammar):
    found = split(text, uses_grammar=uses_grammar)

    assert (tuple(commands), True) == (found.commands, found.is_certain)


@either_way
@pytest.mark.parametrize(("text", "commands"), SEVERAL.values(), ids=SEVERAL.keys())
def test_several_commands_are_split_for_sure_by_the_grammar_alone(text, commands, uses_grammar):
    found = split(text, uses_grammar=uses_grammar)

    assert set(commands) <= set(found.commands)
    assert uses_grammar == found.is_certain


@either_way
@pytest.mark.parametrize(("text", "command"), UNSURE.values(), ids=UNSURE.keys())
def test_what_may_run_more_is_not_sure_and_lists_what_it_finds(text, command, uses_grammar):
    found = split(text, uses_grammar=uses_grammar)

    assert not found.is_certain
    assert command in found.commands


def test_what_is_too_deep_to_follow_is_not_sure():
    text = "git push"
    for _ in range(6):
        text = f"bash -c {shlex.quote(text)}"

    assert not split(text).is_certain


def test_nothing_runs_nothing():
    assert ((), True) == (split(" \n ").commands, split(" \n ").is_certain)


def test_the_last_of_five_thousand_is_found():
    found = split(" && ".join(["ls"] * 5_000 + ["git push"]))

    assert ("ls", "git push") == found.commands
    assert is_installed() == found.is_certain


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "$(" * 100_000,
        "`" * 100_000,
        '"' + "$(" * 10_000,
        "a " * 200_000,
        "sudo " * 20_000,
        "bash -c " * 20_000,
        "<<a " * 2_000 + "\n" + "x\n" * 20_000,
        "a\\" * 100_000,
    ],
    ids=[
        "open",
        "substitutions",
        "backquotes",
        "quoted",
        "words",
        "sudo",
        "bash",
        "here",
        "escapes",
    ],
)
def test_a_monstrous_command_takes_no_monstrous_time(text):
    began = time.monotonic()
    split(text)

    assert time.monotonic() - began < 10


@given(st.text(st.sampled_from("ab '\"\\$`(){}&|;<>#\n=!*~-/"), max_size=60))
def test_every_text_is_split(text):
    found = split(text)

    assert tuple(dict.fromkeys(found.commands)) == found.commands
