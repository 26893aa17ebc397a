"""The language model, as the engine sees it, and who answers in the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.settings.answering import Answering


class LanguageModel(Protocol):
    """Answers prompts."""

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call, bounded to 60 s; cancelling it is prompt.

        Where the prompt declares tools, the reply may ask for them: they are not run here. The caller asks again with
        what the model said and what the tools brought as the prompt's next round.

        Raises:
            ModelTransientError: Network, overload, time-out, 429.
            ModelRefusedError: Bad request or blocked prompt.
            ModelKeyError: The key does not work.
        """
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


MAIN_PROVIDER = "main"
"""Name of the provider of all models that belong to no other."""


@dataclass(frozen=True, slots=True)
class ModelProvider:
    """Somebody who runs language models, beside the main one.

    Attributes:
        name: Its name; a bad key stops the calls of this provider alone.
        model: Makes its calls.
        prefixes: What the names of its models begin with.
        key: Name of the secret that holds its key.
    """

    name: str
    model: LanguageModel
    prefixes: tuple[str, ...]
    key: str


class Embedded(NamedTuple):
    """What an embedder answered.

    Attributes:
        vectors: One for each text, all of one length.
        usage: Tokens of the call; zero where the service does not tell.
    """

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage = Usage()


class Embedder(Protocol):
    """Turns texts into vectors that lie near each other where the texts mean the same."""

    @property
    def model(self) -> str:
        """Name of the model, as the price list knows it."""
        ...

    @property
    def most_texts(self) -> int:
        """How many texts one call takes."""
        ...

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Make one call for up to `most_texts` texts; cancelling it is prompt.

        Raises:
            ModelError: As `LanguageModel.generate`.
        """
        ...


@dataclass(frozen=True, slots=True)
class KeyVerdict:
    """What trying a key has shown.

    Attributes:
        ok: It works.
        words: The same for the operator: what is wrong, and what to do.
        models: How many models it may use; 0 unless it works.
        names: Which they are, as they stand in Preferences.
    """

    ok: bool
    words: str
    models: int = 0
    names: frozenset[str] = frozenset()


class KeyChecker(Protocol):
    """Tries a key of the language model."""

    async def check(self, key: str) -> KeyVerdict:
        """Make one call that costs nothing with this key, bounded in time; never raises for what is wrong with it."""
        ...


class ModelChoice(Protocol):
    """Lets the operator choose while the program runs. A choice holds until the program ends: Gemini costs money."""

    @property
    def answering(self) -> Answering:
        """Return which model answers now."""
        ...

    def has_key(self) -> bool:
        """Tell whether there is a key for Gemini, whether it works or not."""
        ...

    def choose(self, answering: Answering) -> None:
        """Let another model answer from now on; plans that had waited for a key are made."""
        ...

    def listen(self, changed: Callable[[], None]) -> None:
        """Call somebody after each change."""
        ...
