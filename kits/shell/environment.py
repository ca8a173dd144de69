"""What a command finds in its environment: no secrets, nothing that waits for a person.

Without a sandbox this is a courtesy, not a wall: a command can still read what its user can read.
"""

import os
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from attrs import field, frozen

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
#: Shorter values stand in ordinary text too, so that hiding them would tell more than they do.
_MIN_SECRET_CHARS = 6


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


@frozen
class Redaction:
    """Replaces the values of secrets by their names.

    >>> Redaction({"API_KEY": "abc-12345"}).apply("key=abc-12345!")
    'key=[secret API_KEY]!'
    """

    secrets: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, env: Mapping[str, str] | None = None) -> "Redaction":
        """For the secrets of this process, and of ``env``."""
        return cls(
            {
                name: value
                for name, value in {**os.environ, **(env or {})}.items()
                if _matches(name, SECRET_NAMES) and len(value) >= _MIN_SECRET_CHARS
            }
        )

    def apply(self, text: str) -> str:
        """``text`` with ``[secret NAME]`` for each value."""
        names = {value: name for name, value in self.secrets.items()}
        if not any(value in text for value in names):
            return text
        longest_first = sorted(names, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest_first))
        return re.sub(pattern, lambda match: f"[secret {names[match[0]]}]", text)


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name.upper(), pattern.upper()) for pattern in patterns)
