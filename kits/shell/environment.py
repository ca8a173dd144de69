"""What a command finds in its environment: no secrets, nothing that waits for a person.

Without a sandbox this is a courtesy, not a wall: a command can still read what its user can read.
"""

import os
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from qitos_like.core.redaction import MIN_CHARS, Redaction

#: Names of secrets; the values of such variables are redacted wherever they appear.
SECRET_NAMES = (
    "*_KEY",
    "*_KEY_ID",
    "*APIKEY*",
    "*_TOKEN",
    "TOKEN",
    "*SECRET*",
    "*PASSWORD*",
    "*PASSWD*",
    "*PASSPHRASE*",
    "*CREDENTIAL*",
    "*_DSN",
    "*_CONNECTION_STRING",
    "*DATABASE_URL",
)
#: Settings of model providers, which are the agent's and not its commands'.
PROVIDER_NAMES = ("ANTHROPIC_*", "OPENAI_*", "AZURE_OPENAI_*", "GEMINI_*", "MISTRAL_*", "GROQ_*")

#: What would change the shell itself, ask by a window, or point git at another repository.
_LEFT_OUT = frozenset(
    [
        "BASH_ENV",
        "BASHOPTS",
        "ENV",
        "SHELLOPTS",
        "PROMPT_COMMAND",
        "SHLVL",
        "PWD",
        "OLDPWD",
        "GIT_ASKPASS",
        "SSH_ASKPASS",
        "SUDO_ASKPASS",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_WORK_TREE",
    ]
)

#: Pagers, editors and prompts fail or go on at once; output comes unbuffered and in order.
_QUIET = {
    "AWS_PAGER": "",
    "DEBIAN_FRONTEND": "noninteractive",
    "EDITOR": "false",
    "GCM_INTERACTIVE": "never",
    "GIT_EDITOR": "true",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "MANPAGER": "cat",
    "PAGER": "cat",
    "PIP_NO_INPUT": "1",
    "PYTHONUNBUFFERED": "1",
    "SSH_ASKPASS_REQUIRE": "never",
    "SYSTEMD_PAGER": "cat",
    "TERM": "dumb",
    "VISUAL": "false",
}


def for_commands(
    *, env: Mapping[str, str] | None = None, pass_env: Iterable[str] = ()
) -> dict[str, str]:
    """The environment of commands: the host's without secrets, and what was asked for.

    Args:
        env: variables to set, secrets or not.
        pass_env: patterns of names to pass although they look like secrets.
    """
    passed = tuple(pass_env)
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in _LEFT_OUT
        and (_matches(name, passed) or not _matches(name, (*SECRET_NAMES, *PROVIDER_NAMES)))
    }
    return {**kept, **_QUIET, **(env or {})}


def redaction(env: Mapping[str, str] | None = None) -> Redaction:
    """Hides the secrets of this process, and of ``env``.

    >>> redaction({"API_KEY": "abc-12345"}).text("key=abc-12345!")
    'key=[secret API_KEY]!'
    """
    return Redaction(
        {
            name: os.fsencode(value).decode("utf-8", "backslashreplace")
            for name, value in {**os.environ, **(env or {})}.items()
            if _matches(name, SECRET_NAMES) and len(value) >= MIN_CHARS
        }
    )


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name.upper(), pattern.upper()) for pattern in patterns)
