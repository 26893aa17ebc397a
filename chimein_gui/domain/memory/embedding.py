"""Which embedder makes the vectors of memories, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.domain.notes import Note


class Embedding(StrEnum):
    """The kinds of embedders."""

    WORDS = "words"
    """None: memories are found by their words alone."""
    GEMINI = "gemini"
    """Google's, with the operator's key; costs money, and memories and queries go to Google."""
    LOCAL = "local"
    """A model in a directory of this computer."""


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """Which embedder is to be used.

    Attributes:
        embedding: Its kind.
        directory: Where a local model is; empty for the others.
    """

    embedding: Embedding = Embedding.WORDS
    directory: str = ""

    @property
    def key(self) -> str:
        """Return the choice as it is stored: the kind, and for a local model its directory behind a colon."""
        return f"{self.embedding.value}:{self.directory}" if self.embedding is Embedding.LOCAL else self.embedding.value


def choice_of(embedding: str, directory: str = "") -> EmbedderChoice:
    """Return a choice; unknown kinds are words alone, and only a local model has a directory."""
    kind = Embedding(embedding) if embedding in set(Embedding) else Embedding.WORDS
    return EmbedderChoice(kind, directory.strip() if kind is Embedding.LOCAL else "")


def choice_of_key(key: str) -> EmbedderChoice:
    """Return the choice of a stored key; an empty one is words alone."""
    embedding, _, directory = key.partition(":")
    return choice_of(embedding, directory)


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """What the database keeps about embedding. Choices are stored by their keys.

    Attributes:
        in_use: The choice whose vectors are used; empty for words alone.
        stopped: The choice whose job the operator has stopped; empty if none is.
    """

    in_use: str = ""
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class EmbeddingStatus:
    """How far the embedding of memories has come.

    Attributes:
        choice: What the operator has chosen.
        model: The chosen model's name; empty for words alone, and until the model is loaded.
        in_use: The model by which memories are found now; empty if they are found by words alone. It differs from
            `model` until every memory has a vector of the new one.
        entries: Memories in the index.
        embedded: How many of them have a vector of `model`.
        is_running: Vectors are being made.
        is_stopped: The operator has stopped the job.
        is_stale: The index does not hold all files yet.
        problem: Why the job can't go on; None if it can.
    """

    choice: EmbedderChoice = field(default_factory=EmbedderChoice)
    model: str = ""
    in_use: str = ""
    entries: int = 0
    embedded: int = 0
    is_running: bool = False
    is_stopped: bool = False
    is_stale: bool = False
    problem: Note | None = None

    @property
    def missing(self) -> int:
        """Return how many memories lack a vector; 0 for words alone, which need none."""
        return 0 if self.choice.embedding is Embedding.WORDS else max(0, self.entries - self.embedded)

    @property
    def is_up_to_date(self) -> bool:
        """Tell whether all that was asked for is there."""
        return not self.is_stale and not self.missing and self.problem is None
