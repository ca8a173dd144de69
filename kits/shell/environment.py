"""What a command finds in its environment: no secrets, nothing that waits for a person.

Without a sandbox this is a courtesy, not a wall: a command can still read what its user can read.
"""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from fnmatch import translate

from qitos_like.core.redaction import MIN_CHARS, Redaction

#: Names of secrets; the values of such variables are redacted wherever they appear.
SECRET_NAMES = (
    *("*_KEY", "*_KEY_ID", "*APIKEY*", "*API_KEY*", "*ACCESS_KEY*", "*PRIVATE_KEY*"),
    *("*_TOKEN", "TOKEN", "*BEARER*", "*_PAT", "*SECRET*", "*CREDENTIAL*", "*_CREDS"),
    *("*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*_PASS", "MYSQL_PWD"),
    *("*_DSN", "*_CONNECTION_STRING", "*DATABASE_URL"),
)
#: Settings of model providers, which are the agent's and not its commands'.
PROVIDER_NAMES = ("ANTHROPIC_*", "OPENAI_*", "AZURE_OPENAI_*", "GEMINI_*", "MISTRAL_*", "GROQ_*")

#: What would change the shell itself, ask on a terminal or by a window, open an editor whatever
#: the usual ones are, or point git at another repository.
_LEFT_OUT = frozenset(
    [
        *("BASH_ENV", "BASHOPTS", "CDPATH", "ENV", "GLOBIGNORE", "OLDPWD", "POSIXLY_CORRECT"),
        *("PROMPT_COMMAND", "PWD", "SHELLOPTS", "SHLVL", "TMOUT"),
        *("GIT_ASKPASS", "GPG_TTY", "SSH_ASKPASS", "SUDO_ASKPASS"),
        *("FCEDIT", "HGEDITOR", "KUBE_EDITOR", "SUDO_EDITOR", "SVN_EDITOR", "SYSTEMD_EDITOR"),
        *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE"),
        *("GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_WORK_TREE"),
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
    "GIT_SEQUENCE_EDITOR": "true",
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

#: Without any of these, programs take text for ASCII: they print ``?`` for what is not.
_LOCALES = ("LC_ALL", "LC_CTYPE", "LANG")
_UTF_8 = {"LC_CTYPE": "UTF-8" if sys.platform == "darwin" else "C.UTF-8"}


def for_commands(
    *, env: Mapping[str, str] | None = None, pass_env: Iterable[str] = ()
) -> dict[str, str]:
    """The environment of commands: the host's without secrets, and what was asked for.

    Args:
        env: variables to set, secrets or not.
        pass_env: patterns of names to pass although they look like secrets.
    """
    passed = _any_of(pass_env)
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in _LEFT_OUT
        and (passed.fullmatch(name.upper()) or not _NOT_PASSED.fullmatch(name.upper()))
    }
    given = {**kept, **_QUIET, **(env or {})}
    return given if any(given.get(name) for name in _LOCALES) else {**given, **_UTF_8}


class Secrets:
    """The secrets of this process, and of ``env``, as they are when they are asked for.

    >>> Secrets({"API_KEY": "abc-12345"}).redaction().text("key=abc-12345!")
    'key=[secret API_KEY]!'
    """

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._env = dict(env or {})
        self._redaction = Redaction()

    def redaction(self) -> Redaction:
        """Hides them."""
        secrets = {
            name: os.fsencode(value).decode("utf-8", "backslashreplace")
            for name, value in {**os.environ, **self._env}.items()
            if len(value) >= MIN_CHARS and _SECRET.fullmatch(name.upper())
        }
        if secrets != self._redaction.secrets:
            self._redaction = Redaction(secrets)
        return self._redaction


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Matches the names, in upper case, that fit one of the patterns."""
    return re.compile("|".join(translate(each.upper()) for each in patterns) or "(?!)")


_SECRET = _any_of(SECRET_NAMES)
_NOT_PASSED = _any_of((*SECRET_NAMES, *PROVIDER_NAMES))
