"""The memories of one chat, and the operator's changes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import Remembered
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.files import shown
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.memory.people import PeopleModel, PersonRow, rows_of
from chimein_gui.viewmodels.words.errors import error_words
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.edits import FileEntry, MemoryChange, MemoryPage
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.memory import MemoriesApi, MemoriesConsole
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate

LOOK_MS = 2_000
"""Time between two looks at the files while the pane is in sight."""


class EntriesModel(QAbstractListModel):
    """The entries of one file.

    Attributes:
        page: The file; None while it is not read.
    """

    def __init__(self, clock: ClockFace, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = clock
        self.page: MemoryPage | None = None

    def show(self, page: MemoryPage | None) -> None:
        """Show another file, or the same one with other entries."""
        if page != self.page:
            self.beginResetModel()
            self.page = page
            self.endResetModel()

    def entry_at(self, row: int) -> FileEntry | None:
        """Return an entry."""
        entries = self.page.entries if self.page is not None else ()
        return entries[row] if 0 <= row < len(entries) else None

    def day_of(self, entry: FileEntry) -> str:
        """Return when an entry was written; empty if unknown."""
        at = entry.entry.at
        return "" if at is None else f"{self._clock.day(at)}, {self._clock.clock(at)}"

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() or self.page is None else len(self.page.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry_at(index.row()) if index.isValid() else None
        if entry is None:
            return None
        if role == ItemRole:
            return entry
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return ". ".join(filter(None, (self.day_of(entry), spoken(shown(entry.entry.text)))))
        return None


class MemoryModel(QObject):
    """Reads files only while it is watched.

    Attributes:
        changed: Other people, other entries, or a problem.
        done: A change was made; carries a sentence that says so, and what undoes it.
        people: Of whom there are memories.
        curated: The operator's notes on the chosen chat.
        remembered: What the agent remembers about it, or for all chats.
        chosen: The chosen row, or None.
        problem: Why something failed, in words; or empty.
    """

    changed = Signal()
    done = Signal(str, object)

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models)
        self._models = models
        self._console: MemoriesConsole | None = None
        self._spawn: Spawn | None = None
        self.people = PeopleModel(self)
        self.curated, self.remembered = EntriesModel(models.clock, self), EntriesModel(models.clock, self)
        self.chosen: PersonRow | None = None
        self.problem = ""
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self.refresh)
        self._watched = self._is_reading = False
        models.bridge.batch_ready.connect(self._receive)

    # --- the engine -----------------------------------------------------------------------------------------------

    def attach(self, api: MemoriesApi, spawn: Spawn) -> None:
        """Read what is looked at."""
        self._console, self._spawn = api.memory_editor, spawn
        self.refresh()

    def detach(self) -> None:
        """Stop reading."""
        self._look.stop()
        self._console = self._spawn = None

    def watch(self, *, watched: bool) -> None:
        """Follow the files, or no longer: the pane came into sight, or left it."""
        self._watched = watched
        if watched:
            self._look.start()
            self.refresh()
        else:
            self._look.stop()

    def refresh(self) -> None:
        """Read again."""
        if self._console is not None and self._watched and not self._is_reading:
            self._is_reading = True
            self._run(self._read(self._console, self.chosen), "read memories")

    def choose(self, row: PersonRow | None) -> None:
        """Show the memories of another row."""
        if row is not None and (self.chosen is None or row.key != self.chosen.key):
            self.chosen, self.problem = row, ""
            self.curated.show(None)
            self.remembered.show(None)
            self._is_reading = False
            self.refresh()
            self.changed.emit()

    def choose_open_chat(self) -> None:
        """Show the memories of the chat that the Conversations pane shows."""
        chat = self._models.transcript.chat
        name = next(
            (one.spec.name for one in self._models.agents.items() if chat and one.agent_id == chat.agent_id), ""
        )
        if chat is not None and name:
            self.choose(PersonRow(name, chat.info.peer_id, chat.info.title))

    # --- changes --------------------------------------------------------------------------------------------------

    def file_of(self, kind: MemoryKind) -> MemoryFile | None:
        """Return a file of the chosen row; None without a row, or where there is none of the kind."""
        if self.chosen is None or (self.chosen.peer is None) is not (kind is MemoryKind.REMEMBERED):
            return None
        return MemoryFile(kind, self.chosen.agent_name, self.chosen.peer)

    def add(self, file: MemoryFile, text: str) -> None:
        """Write a new entry."""
        if self._console is not None and text.strip():
            self._change(self._console.add(file, text), translate("MemoryPane", "Added to memory"))

    def edit(self, file: MemoryFile, entry: FileEntry, text: str) -> None:
        """Give an entry another text; an empty one removes it."""
        if self._console is not None and text != entry.entry.text:
            words = (
                translate("MemoryPane", "Memory changed") if text.strip() else translate("MemoryPane", "Memory deleted")
            )
            self._change(self._console.edit(file, entry, text), words)

    def move(self, file: MemoryFile, entry: FileEntry, to: MemoryFile) -> None:
        """Move an entry to another file."""
        if self._console is not None:
            words = translate("MemoryPane", "Moved to the other side")
            self._run(self._moved(self._console, file, entry, to, words), "move a memory")

    def _change(self, call: Coroutine[Any, Any, MemoryChange], words: str) -> None:
        async def make() -> None:
            change = await call
            self._models.bridge.deliver(lambda: self._take_change(words, (change,)))

        self._run(make(), "change a memory")

    async def _moved(
        self, console: MemoriesConsole, file: MemoryFile, entry: FileEntry, to: MemoryFile, words: str
    ) -> None:
        changes = await console.move(file, entry, to)
        self._models.bridge.deliver(lambda: self._take_change(words, changes))

    def _take_change(self, words: str, changes: tuple[MemoryChange, ...]) -> None:
        self.problem = ""
        self._is_reading = False
        self.refresh()
        self.done.emit(words, lambda: self._undo(changes))

    def _undo(self, changes: tuple[MemoryChange, ...]) -> None:
        console = self._console
        if console is None:
            return

        async def undo() -> None:
            for change in reversed(changes):
                await console.undo(change)
            self._models.bridge.deliver(self._again)

        self._run(undo(), "undo a change of a memory")

    def _again(self) -> None:
        self._is_reading = False
        self.refresh()

    # --- jobs -----------------------------------------------------------------------------------------------------

    def _run(self, job: Coroutine[Any, Any, None], name: str) -> None:
        async def guarded() -> None:
            try:
                await job
            except ChimeinError as error:
                words = error_words(error)
                self._models.bridge.deliver(lambda: self._fail(words))

        if self._spawn is None:
            job.close()
        else:
            self._spawn(guarded(), name=name)

    def _fail(self, words: str) -> None:
        self.problem, self._is_reading = words, False
        self.refresh()
        self.changed.emit()

    async def _read(self, console: MemoriesConsole, chosen: PersonRow | None) -> None:
        files = await console.files()
        pages = await console.pages(chosen.agent_name, chosen.peer) if chosen is not None else ()
        self._models.bridge.deliver(lambda: self._take(files, pages, chosen))

    def _take(self, files: tuple[MemoryFile, ...], pages: tuple[MemoryPage, ...], chosen: PersonRow | None) -> None:
        if chosen is not self.chosen:
            return
        self._is_reading = False
        names = {one.agent_id: one.spec.name for one in self._models.agents.items()}
        titles: dict[tuple[str, PeerId], str] = {
            (names[chat.agent_id], chat.info.peer_id): chat.info.title
            for chat in self._models.chats.all_chats()
            if chat.agent_id in names
        }
        self.people.fill(rows_of(names.values(), files, titles, chosen))
        by_kind = {page.file.kind: page for page in pages}
        self.curated.show(by_kind.get(MemoryKind.CURATED))
        self.remembered.show(by_kind.get(MemoryKind.ABOUT_PARTNER) or by_kind.get(MemoryKind.REMEMBERED))
        broken = next((note_sentence(page.problem) for page in pages if page.problem is not None), "")
        self.problem = broken or self.problem
        self.changed.emit()
        if self.chosen is None and self.people.rowCount():
            self.choose(self.people.item_at(0))

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if any(isinstance(event, Remembered) for event in events):
            self.refresh()


def make_memory(models: WindowModels) -> MemoryModel:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    return models.register(MemoryModel(models))
