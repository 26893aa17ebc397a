"""An embedder that makes vectors of the words of a text, and a place of local models."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from zlib import crc32

from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.engine.ports import Embedded, Embedder, TextUse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class FakeEmbedder:
    """Implements `engine.ports.Embedder`.

    Attributes:
        model: Its name.
        most_texts: As in the port.
        asked: The calls: the texts of each, and their use.
        errors: Raised by the next calls, one each; None lets a call through.
        refuses: Tells of a text whether a call with it is refused.
        gate: A call waits until it is set.
        ungated: So many calls, from the first one, do not wait for it.
        was_asked: Set by every call.
    """

    def __init__(self, model: str = "gemini-embedding-001", most_texts: int = 3, size: int = 8) -> None:
        self.model, self.most_texts, self._size = model, most_texts, size
        self.asked: list[tuple[tuple[str, ...], TextUse]] = []
        self.errors: list[Exception | None] = []
        self.refuses: Callable[[str], bool] = lambda _text: False
        self.ungated = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.was_asked = asyncio.Event()

    @property
    def texts(self) -> list[str]:
        """Return all texts of all calls."""
        return [text for texts, _use in self.asked for text in texts]

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        self.asked.append((tuple(texts), use))
        self.was_asked.set()
        if len(self.asked) > self.ungated:
            await self.gate.wait()
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        if any(map(self.refuses, texts)):
            raise ModelRefusedError("refused")
        return Embedded(tuple(map(self._vector, texts)), Usage(7 * len(texts)))

    def _vector(self, text: str) -> tuple[float, ...]:
        values = [0.0] * self._size
        for word in text.casefold().split():
            values[crc32(word.encode()) % self._size] += 1.0
        return tuple(values)


class FakeLocalModels:
    """Implements `engine.ports.LocalModels`; a directory without a model is refused."""

    def __init__(self, **models: Embedder) -> None:
        self.models = {f"/{name}": model for name, model in models.items()}

    async def load(self, directory: str) -> Embedder:
        if directory not in self.models:
            note = Note(EmbedderReason.MODEL_FILE_MISSING, f"{directory}/model.onnx")
            raise ModelRefusedError(note, note)
        return self.models[directory]
