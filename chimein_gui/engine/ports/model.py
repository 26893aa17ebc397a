"""Ports for language models, and for the choice of the model in the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.prompt.sent import RequestText
    from chimein_gui.domain.settings.answering import Answering


class LanguageModel(Protocol):
    """A language model."""

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call of at most 60 s; cancelling takes effect at once.

        If the prompt declares tools, the reply may call them. They are not run here: the caller adds the model's turn
        and the tools' answers to the prompt as its next round, and calls again.

        Raises:
            ModelTransientError: Network, overload, time-out, 429.
            ModelRefusedError: Bad request or blocked prompt.
            ModelKeyError: The key does not work.
        """
        ...

    def request_of(self, prompt: Prompt) -> bytes:
        """Return the body of the request that `generate` would send, without the model's thoughts; on any thread."""
        ...

    def read_request(self, body: bytes) -> RequestText:
        """Read the bytes of `request_of`, perhaps of an earlier version; on any thread.

        Raises:
            ValueError: They are none.
        """
        ...

    def counting_steps(self, body: bytes) -> tuple[bytes, ...]:
        """Return requests of which each has one part more than the one before; on any thread.

        The first has no part, the last is `body` itself. `TokenCounts` names the order of the parts.

        Raises:
            ValueError: `body` is no request.
        """
        ...

    async def count(self, model: str, body: bytes) -> int:
        """Return the number of tokens of a request, in one call that costs nothing; cancelling takes effect at once.

        Raises:
            ModelError: As `generate`.
        """
        ...

    async def generate_again(self, model: str, body: bytes) -> ModelReply:
        """Make one call with the bytes of `request_of`, perhaps of an earlier version; otherwise as `generate`.

        What stands in them for the model's thoughts, between rounds of tools, is left out: no service would take it.

        Raises:
            ValueError: They are none.
            ModelError: As `generate`.
        """
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


MAIN_PROVIDER = "main"
"""Name of the provider of all models that no other provider claims."""


@dataclass(frozen=True, slots=True)
class ModelProvider:
    """A further provider of language models.

    Attributes:
        name: Its name; a bad key stops only the calls of this provider.
        model: Makes its calls.
        prefixes: Prefixes of the names of its models.
        key: Name of the secret with its key.
    """

    name: str
    model: LanguageModel
    prefixes: tuple[str, ...]
    key: str


class Embedded(NamedTuple):
    """The answer of an embedder.

    Attributes:
        vectors: One for each text, all of the same length.
        usage: Tokens of the call; zero if the service does not report them.
    """

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage = Usage()


class TextUse(StrEnum):
    """What the vector of a text is compared with; many models embed questions and what answers them differently."""

    ALIKE = "alike"
    """With vectors of the same use."""
    STORED = "stored"
    """With those of queries."""
    QUERY = "query"
    """With those of stored texts."""


class Embedder(Protocol):
    """Turns texts into vectors; texts with similar meaning get near vectors."""

    @property
    def model(self) -> str:
        """Return the name of the model, as in the price list."""
        ...

    @property
    def most_texts(self) -> int:
        """Return the maximum number of texts in one call."""
        ...

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        """Make one call for up to `most_texts` texts; cancelling takes effect at once.

        Raises:
            ModelError: As `LanguageModel.generate`.
        """
        ...


class LocalModels(Protocol):
    """Loads embedding models from directories of this computer; nothing is downloaded."""

    async def load(self, directory: str) -> Embedder:
        """Return the model of a directory. Its name tells it from every other model, also from the next one in there.

        Raises:
            ModelRefusedError: It can't be used; the note says why, and what to do.
        """
        ...


@dataclass(frozen=True, slots=True)
class KeyVerdict:
    """Result of trying a key.

    Attributes:
        ok: The key works.
        note: The result for the operator: what is wrong, and what to do.
        models: Number of models it may use; 0 unless it works.
        names: Their names, as used in Preferences.
    """

    ok: bool
    note: Note
    models: int = 0
    names: frozenset[str] = frozenset()


class KeyChecker(Protocol):
    """Tests a key of the language model."""

    async def check(self, key: str) -> KeyVerdict:
        """Make one free call with this key, bounded in time; a bad key is a result, not an exception."""
        ...


class ModelChoice(Protocol):
    """Lets the operator choose the answering model. A choice ends with the program, because Gemini costs money."""

    @property
    def answering(self) -> Answering:
        """Return which model answers now."""
        ...

    def has_key(self) -> bool:
        """Return whether there is a key for Gemini, valid or not."""
        ...

    def choose(self, answering: Answering) -> None:
        """Let another model answer from now on; plans that waited for a key are made."""
        ...

    def listen(self, changed: Callable[[], None]) -> None:
        """Call a function after each change."""
        ...
