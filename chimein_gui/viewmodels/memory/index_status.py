"""By what memories are found, how far the index is, and what can be done about it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.events import MemoryEmbeddingChanged
from chimein_gui.domain.memory.embedding import Embedding, EmbeddingStatus
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.preferences.catalogue import embedding_price_words
from chimein_gui.viewmodels.preferences.keys import Key, KeyState
from chimein_gui.viewmodels.words.errors import error_words, is_answer
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.engine_api.memory import MemoriesApi, MemoryIndexService
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate


class IndexState(StrEnum):
    """How the index is."""

    UP_TO_DATE = "up to date"
    READING = "reading"
    """Memory files are being read."""
    EMBEDDING = "embedding"
    """Vectors are being made."""
    STOPPED = "stopped"
    """The operator has stopped that."""
    INCOMPLETE = "incomplete"
    """Some memories have no vector, and nothing is being made."""
    BROKEN = "broken"
    """Something is wrong, as the problem says."""


class IndexStatusModel(QObject):
    """Follows the index while there is an engine.

    Attributes:
        changed: Something of it is another.
        status: How far it is; None without an index.
        problem: Why the last command failed, in words; or empty.
    """

    changed = Signal()

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models)
        self._models = models
        self._api: MemoryIndexService | None = None
        self._spawn: Spawn | None = None
        self._is_rebuilding = False
        self.status: EmbeddingStatus | None = None
        self.problem = ""
        models.bridge.batch_ready.connect(self._receive)
        models.preferences_model.changed.connect(self.changed)
        models.keys.changed.connect(self.changed)

    def attach(self, api: MemoriesApi, spawn: Spawn) -> None:
        """Take the state as it is."""
        self._api, self._spawn = api.memory_index, spawn
        self.status = self._api.status() if self._api is not None else None
        self.changed.emit()

    def detach(self) -> None:
        """Forget the engine."""
        self._api = self._spawn = self.status = None
        self._is_rebuilding = False
        self.changed.emit()

    # --- words ----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> IndexState:
        """How the index is; meaningless without a status."""
        status = self.status
        if status is None:
            return IndexState.READING
        if self.problem or status.problem is not None:
            return IndexState.BROKEN
        if status.is_stale or self._is_rebuilding:
            return IndexState.READING
        if not status.missing:
            return IndexState.UP_TO_DATE
        if status.is_running:
            return IndexState.EMBEDDING
        return IndexState.STOPPED if status.is_stopped else IndexState.INCOMPLETE

    def title(self) -> str:
        """Return by what memories are found, what that costs, and how many there are."""
        if self.status is None:
            return ""
        status, entries = self.status, self.status.entries
        number = translate("MemoryPane", "%Ln entry(s)", "", entries)
        by = shown_model(status.in_use) if status.in_use else translate("MemoryPane", "words alone")
        is_in_server = self._models.keys.row(Key.POSTGRES).state is not KeyState.NOT_SET
        index = (
            translate("MemoryPane", "PostgreSQL: {by} · {entries}")
            if is_in_server
            else translate("MemoryPane", "Index: {by} · {entries}")
        ).format(by=by, entries=number)
        if status.choice.embedding is not Embedding.GEMINI:
            return index
        return f"{index} · {embedding_price_words(Embedding.GEMINI.value, self._models.preferences_model.current)}"

    def state_words(self) -> str:
        """Return the state in a few words."""
        status = self.status or EmbeddingStatus()
        missing = status.missing
        match self.state:
            case IndexState.UP_TO_DATE:
                return translate("MemoryPane", "up to date")
            case IndexState.READING:
                return translate("MemoryPane", "reading files…")
            case IndexState.EMBEDDING:
                done, entries = count_words(status.embedded), count_words(status.entries)
                return translate("MemoryPane", "{done} of {entries}…").format(done=done, entries=entries)
            case IndexState.STOPPED:
                return translate("MemoryPane", "stopped, %Ln without a vector", "", missing)
            case IndexState.INCOMPLETE:
                return translate("MemoryPane", "%Ln without a vector", "", missing)
            case _:
                return translate("MemoryPane", "problem")

    def details(self) -> str:
        """Return what the state means, in whole sentences; empty if there is nothing to say."""
        status = self.status
        if status is None:
            return ""
        said = self.problem or ("" if status.problem is None else note_sentence(status.problem))
        if said:
            by_words = self.problem or status.choice.embedding is Embedding.WORDS
            return said if by_words else f"{said} {self._meanwhile(status)}"
        if not status.missing:
            return ""
        if status.model == status.in_use:
            return translate("MemoryPane", "Memories without a vector are found by their words.")
        making = translate("MemoryPane", "Vectors of {model} are being made.").format(model=shown_model(status.model))
        return f"{making} {self._meanwhile(status)}"

    def _meanwhile(self, status: EmbeddingStatus) -> str:
        if status.in_use and status.in_use != status.model:  # else a query gets no vector, either
            by = shown_model(status.in_use)
            return translate("MemoryPane", "Until then memories are found by {model}.").format(model=by)
        return translate("MemoryPane", "Until then memories are found by their words.")

    # --- commands -------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop making vectors."""
        if self._api is not None:
            self._run(self._api.stop(), "stop embedding memories")

    def go_on(self) -> None:
        """Go on making vectors, or try again."""
        if self._api is not None:
            self._run(self._api.go_on(), "embed memories again")

    def rebuild(self) -> None:
        """Index all files anew."""
        if self._api is not None and not self._is_rebuilding:
            self._is_rebuilding = True
            self.changed.emit()
            self._run(self._api.rebuild(), "rebuild the index of memories", self._rebuilt)

    def _rebuilt(self) -> None:
        self._is_rebuilding = False
        self.changed.emit()

    def _run(self, call: Coroutine[Any, Any, None], name: str, ended: Any = None) -> None:  # noqa: ANN401
        async def run() -> None:
            problem = ""
            try:
                await call
            except Exception as error:
                problem = error_words(error)
                if not is_answer(error):
                    raise
            finally:
                self._models.bridge.deliver(lambda: self._ended(problem))
                if ended is not None:
                    self._models.bridge.deliver(ended)

        if self._spawn is None:
            call.close()
        else:
            self._spawn(run(), name=name)

    def _ended(self, problem: str) -> None:
        self.problem = problem
        self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        statuses = [event.status for event in events if isinstance(event, MemoryEmbeddingChanged)]
        if statuses and self._api is not None:
            self.status = statuses[-1]
            self.changed.emit()


def shown_model(name: str) -> str:
    """Return the name of a model without what tells its files apart."""
    return name.partition("@")[0]


def make_index_status(models: WindowModels) -> IndexStatusModel:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    return models.register(IndexStatusModel(models))
