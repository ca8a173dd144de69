"""The environment of commands: no secrets, and nothing that waits for a person."""

import shutil
from time import monotonic

import pytest

from kits.shell.environment import Secrets, for_commands
from kits.shell.toolset import ShellToolSet

SECRETS = [
    "FAKE_API_KEY",
    "OPENROUTER_API_KEYS",
    "API_KEY_2",
    "GITHUB_TOKEN",
    "GITHUB_PAT",
    "AWS_BEARER_TOKEN_BEDROCK",
    "TOKEN",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "MY_SECRETS",
    "DB_PASSWORD",
    "DB_PASS",
    "MYSQL_PWD",
    "PGPASSWORD",
    "lower_case_password",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "SENTRY_DSN",
    "DATABASE_URL",
    "OPENAI_BASE_URL",
    "ANTHROPIC_MODEL",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_not_passed(name, monkeypatch):
    monkeypatch.setenv(name, "value-1234")

    assert name not in for_commands()


@pytest.mark.parametrize(
    "name", ["HOME", "PATH", "KEYBOARD", "MONKEY", "TOKENIZERS_PARALLELISM", "INIT_PWD"]
)
def test_what_is_no_secret_is_passed(name, monkeypatch):
    monkeypatch.setenv(name, "value-1234")

    assert "value-1234" == for_commands()[name]


def test_secrets_are_passed_by_pattern_or_given(monkeypatch):
    monkeypatch.setenv("DATABASE_PASSWORD", "1")
    monkeypatch.setenv("OTHER_PASSWORD", "2")

    passed = for_commands(pass_env=("DATABASE_*",), env={"GIVEN_TOKEN": "3", "PAGER": "less"})

    assert "1" == passed["DATABASE_PASSWORD"]
    assert "OTHER_PASSWORD" not in passed
    assert ("3", "less") == (passed["GIVEN_TOKEN"], passed["PAGER"])


def test_the_value_of_a_secret_is_redacted(tmp_path, monkeypatch):
    monkeypatch.setenv("FAKE_API_KEY", "sk-123456")
    (tmp_path / "config").write_text("key = sk-123456; other = tok-98765\n")
    shell = ShellToolSet(tmp_path, env={"GIVEN_TOKEN": "tok-98765"}, pass_env="FAKE_*")

    result = shell.run_command('cat config; [ "$GIVEN_TOKEN" = tok-98765 ] && echo $FAKE_API_KEY')
    shell.teardown()

    hidden = "key = [secret FAKE_API_KEY]; other = [secret GIVEN_TOKEN]\n[secret FAKE_API_KEY]\n"
    assert hidden == result.value
    assert hidden == result.structured["output"]


def test_the_value_of_a_secret_is_redacted_from_a_timeout(tmp_path):
    shell = ShellToolSet(tmp_path, env={"GIVEN_TOKEN": "tok-98765"})

    result = shell.run_command("echo $GIVEN_TOKEN; sleep 20", 0.3)
    shell.teardown()

    assert result.error.startswith("[secret GIVEN_TOKEN]\n")


def test_short_values_are_left_alone():
    hidden = Secrets({"FAKE_KEY": "short", "OTHER_KEY": "longer"}).redaction()

    assert "short [secret OTHER_KEY]" == hidden.text("short longer")


def test_startup_files_of_the_host_are_not_read(tmp_path, monkeypatch):
    (tmp_path / "startup").write_text("echo startup; exit 9\n")
    for name in ("BASH_ENV", "ENV"):
        monkeypatch.setenv(name, str(tmp_path / "startup"))
    shell = ShellToolSet(tmp_path)

    assert "hi\n" == shell.run_command("bash -c 'echo hi'").structured["output"]
    shell.teardown()


@pytest.mark.parametrize(
    "name", ["CDPATH", "GIT_DIR", "GPG_TTY", "KUBE_EDITOR", "POSIXLY_CORRECT", "PROMPT_COMMAND"]
)
def test_what_would_change_the_shell_or_ask_is_not_passed(name, monkeypatch):
    monkeypatch.setenv(name, "value")

    assert name not in for_commands()


LOCALES = {
    "none": ({}, "1\n"),
    "empty": ({"LANG": ""}, "1\n"),
    "one that is asked for": ({"LC_ALL": "C"}, "2\n"),
}


@pytest.mark.parametrize(("env", "length"), LOCALES.values(), ids=LOCALES)
def test_text_is_utf_8_unless_another_locale_is_set(env, length, tmp_path, monkeypatch):
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    shell = ShellToolSet(tmp_path, env=env)

    assert length == shell.run_command("text=é; echo ${#text}").value
    shell.teardown()


REBASE = """git init -q .; git config user.name a; git config user.email a@b
git config sequence.editor 'sleep 30;'
git commit -q --allow-empty -m x && git rebase -i --root"""

#: What would wait for a person, and part of what it says instead.
ASKING = {
    "read": ("read -p 'Name? ' name; echo got:$name", "got:"),
    "terminal": ("head -1 </dev/tty", "No such device or address"),
    "pager": ("echo page | ${PAGER:-less}", "page"),
    "editor": ("${EDITOR:-vi} file && echo edited", ""),
    "python input": ("python3 -c 'input()'", "EOFError"),
    "git log": ("git init -q . && git log", "fatal"),
    "git commit": (
        "git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty",
        "empty commit message",
    ),
    "git rebase": (REBASE, "Successfully rebased"),
    "git credentials": (
        "git init -q . && printf 'protocol=https\\nhost=example.invalid\\n' | git credential fill",
        "terminal prompts disabled",
    ),
    "cat": ("cat", ""),
    "ssh": ("ssh -o ConnectTimeout=1 127.0.0.1 -p 9 true", ""),
    "sudo": ("sudo -k true", ""),
}


@pytest.mark.parametrize(("command", "said"), ASKING.values(), ids=ASKING)
def test_what_would_ask_fails_at_once(command, said, shell):
    program = command.split()[0]
    if program in {"git", "ssh", "sudo"} and not shutil.which(program):
        pytest.skip(f"needs {program}")
    begun = monotonic()

    result = shell.run_command(command, 20)

    assert not result.structured["timed_out"]
    assert said in result.structured["output"]
    assert monotonic() - begun < 15
