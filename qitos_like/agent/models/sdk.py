"""What the official SDKs have in common: how they are loaded, opened, and how they fail."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from json import JSONDecodeError
from types import ModuleType

import anyio
from anyio.lowlevel import EventLoopToken, current_token
from attrs import define, field, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.errors import MissingExtraError, ModelError

#: Statuses after which the SDKs try again, beside all from 500 on.
_TRIED_AGAIN = frozenset({408, 409, 429})
_SERVER_ERROR = 500
_MAX_CHARS = 500
_CLOSE_S = 5.0


@define
class _Kept:
    """The client of an event loop, and how many runs keep it."""

    runs: int = 0
    client: Json = None


@frozen(kw_only=True)
class Sdk:
    """A provider's SDK, and how its clients are made.

    A client's connections belong to one event loop, and a model outlives many: so each loop has a
    client of its own, which the last run there closes. The SDK itself repeats what failed for a
    moment, with growing pauses.

    Attributes:
        provider: its name, for people.
        extra: the extra that installs it.
        load: imports it.
        client_class: the name of the client in it.
        settings: what clients are made with; ``None`` leaves a setting to the SDK.
        client: a client of the caller's, used in place of those.
    """

    provider: str
    extra: str
    load: Callable[[], ModuleType]
    client_class: str
    settings: Mapping[str, Json]
    client: Json = field(default=None)
    _kept: dict[EventLoopToken, _Kept] = field(factory=dict, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Check that the SDK is there, and what it cannot work with.

        Raises:
            MissingExtraError: it is not installed.
            ValueError: it is to try again less than never.
        """
        self._loaded()
        if self.settings.get("max_retries", 0) < 0:
            message = f"max_retries has to be 0 or more, not {self.settings['max_retries']}"
            raise ValueError(message)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """One client, and its connections, for all requests in this loop; closed afterwards."""
        loop = current_token()
        kept = self._kept.setdefault(loop, _Kept())
        kept.runs += 1
        try:
            yield
        finally:
            kept.runs -= 1
            if not kept.runs:
                del self._kept[loop]
                if kept.client is not None:
                    with anyio.move_on_after(_CLOSE_S, shield=True):
                        await kept.client.close()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Json]:
        """A client; what the provider fails with is told in one sentence.

        Raises:
            ModelError: the provider failed, or cannot be reached.
        """
        sdk = self._loaded()
        try:
            async with self.connected():
                yield self._client(sdk)
        except sdk.APIStatusError as error:
            tries = 1 + self._retries if _is_passing(error.status_code) else 1
            said = str(error)[:_MAX_CHARS]
            message = f"{self.provider} answered {error.status_code}{_after(tries)}: {said}"
            raise ModelError(message) from error
        except sdk.APITimeoutError as error:
            message = f"{self.provider} did not answer in time{_after(1 + self._retries)}"
            raise ModelError(message) from error
        except sdk.APIConnectionError as error:
            cause = error.__cause__ or error
            reason = str(cause) or type(cause).__name__
            message = f"{self.provider} cannot be reached{_after(1 + self._retries)}: {reason}"
            raise ModelError(message) from error
        except JSONDecodeError as error:
            message = f"{self.provider} answered in broken JSON: {error}"
            raise ModelError(message) from error

    def _client(self, sdk: Json) -> Json:
        if self.client is not None:
            return self.client
        kept = self._kept[current_token()]
        if kept.client is None:
            given = {name: value for name, value in self.settings.items() if value is not None}
            kept.client = getattr(sdk, self.client_class)(**given)
        return kept.client

    @property
    def _retries(self) -> int:
        if self.client is not None:
            return int(self.client.max_retries)
        return int(self.settings["max_retries"])

    def _loaded(self) -> Json:
        try:
            return self.load()
        except ImportError as error:
            feature = f"a model of {self.provider}"
            raise MissingExtraError(feature, self.extra) from error


def message_in(answer: Json, part: str) -> Json:
    """The answer, which has a message; servers may send pages, or errors with status 200.

    Args:
        answer: what the SDK made of what came.
        part: the attribute that every message has.

    Raises:
        ModelError: it is something else.
    """
    if getattr(answer, part, None):
        return answer
    message = f"the answer has no message: {_said(answer)}"
    raise ModelError(message)


@contextmanager
def understood(answer: Json) -> Iterator[None]:
    """Reads an answer, in which a server may have left out or misspelled anything.

    Args:
        answer: what the SDK made of what came.

    Raises:
        ModelError: a part is not what the API says.
    """
    try:
        yield
    except (AttributeError, TypeError, LookupError) as error:
        message = f"the answer is not what its API says ({error}): {_said(answer)}"
        raise ModelError(message) from error


def _said(answer: Json) -> str:
    said = (
        answer.to_json(indent=None, warnings=False) if hasattr(answer, "to_json") else str(answer)
    )
    return str(said)[:_MAX_CHARS]


def _is_passing(status: int) -> bool:
    return status in _TRIED_AGAIN or status >= _SERVER_ERROR


def _after(tries: int) -> str:
    return f" after {tries} tries" if tries > 1 else ""
