"""The memories of one chat, and the operator's changes of them."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from chimein_gui.domain.events import Remembered
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.viewmodels.memory.cards import EntriesModel, MemoryAudience
from chimein_gui.viewmodels.memory.changes import MemoryChanges
from chimein_gui.viewmodels.memory.chats_by_peer import ChatsByPeer
from chimein_gui.viewmodels.memory.history import HistoryModel
from chimein_gui.viewmodels.memory.jobs import MemoryJobs
from chimein_gui.viewmodels.memory.people import KnownMemories, PeopleModel, PersonRow, rows_of
from chimein_gui.viewmodels.memory.recall_test import RecallTest
from chimein_gui.viewmodels.memory.typed import TypedMemories
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.edits import MemoryPage
    from chimein_gui.domain.memory.provenance import FileCount
    from chimein_gui.domain.memory.versions import MemoryVersion
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.engine_api.memory import MemoriesApi, MemoriesService
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate

SHOWN_PARTS = 3
"""Parts of a path that name a file in a sentence, from its end."""

MOST_CHATS = 5
"""Chats whose next prompts are measured."""

LOOK_MS = 2_000
"""Time between two looks at the files while the pane is in sight."""


class MemoryModel(QObject):
    """Reads files only while it is watched.

    Attributes:
        changed: Other people, other entries, or a problem.
        compared: A version was read; carries it, the content before it, and its own.
        changes: Makes the operator's changes.
        typed: Keeps what is being typed.
        people: Of whom there are memories.
        curated: The operator's notes on the chosen chat.
        remembered: What the agent remembers about it, and for all chats.
        recall_test: What a text would bring up.
        history: The versions of the file that was chosen with `show_history`.
        next_prompts: Tokens of memories in the next prompts of some chats, by their names.
        chosen: The chosen row, or None.
        problem: Why something failed, in words; or empty.
    """

    changed = Signal()
    compared = Signal(object, str, str)

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models)
        self._models = models
        self._jobs = MemoryJobs(models.bridge, self)
        self.changes, self.typed = MemoryChanges(self._jobs), TypedMemories(self._jobs)
        self.people = PeopleModel(self)
        self.curated, self.remembered = EntriesModel(models.clock, self), EntriesModel(models.clock, self)
        self.history = HistoryModel(models.clock, self)
        self.recall_test = RecallTest(self._jobs, self)
        self.recall_test.answered.connect(self._mark_recalled)
        self.chosen: PersonRow | None = None
        self.problem = ""
        self._known = KnownMemories({}, {}, {})
        self._searched = ""
        self.next_prompts: dict[str, int] = {}
        self._history_of: MemoryFile | None = None
        self._shown: object = None
        self._unreadable = ""
        self._is_filling = False
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self.refresh)
        self._watched = self._is_reading = False
        self._chats = ChatsByPeer(models)
        models.bridge.batch_ready.connect(self._receive)
        self._jobs.failed.connect(self._fail)
        self.changes.made.connect(self._take_change)
        self.changes.refused.connect(self.typed.put_aside)

    # --- the engine -----------------------------------------------------------------------------------------------

    def attach(self, api: MemoriesApi, spawn: Spawn) -> None:
        """Read what is looked at."""
        self._jobs.attach(api.memory_editor, spawn)
        self.typed.load()
        self.recall_test.attach(api.memory_recall)
        self.refresh()

    def detach(self) -> None:
        """Stop reading."""
        self.typed.keep_now()
        self._look.stop()
        self._jobs.attach(None, None)
        self.recall_test.attach(None)

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
        if self._jobs.api is not None and self._watched and not self._is_reading:
            self._is_reading = True
            self._jobs.run(self._read(self._jobs.api, self.chosen, self._history_of), "read memories")

    def search_people(self, words: str) -> None:
        """Show only the rows with these words."""
        self._searched = words
        self._fill_people()
        self.changed.emit()

    def choose(self, row: PersonRow | None) -> None:
        """Show the memories of another row; while rows come and go, the chosen one stays."""
        if self._is_filling:
            return
        if row is not None and not row.is_heading and (self.chosen is None or row.key != self.chosen.key):
            self.chosen, self.problem = row, ""
            self._shown = None
            self.curated.show(None)
            self.remembered.show(None)
            kinds = (MemoryKind.REMEMBERED, MemoryKind.ABOUT_PARTNER, MemoryKind.CURATED)
            self._history_of = next(filter(None, map(self.file_of, kinds)), None)
            self.history.show(self._history_of, ())
            self._is_reading = False
            self._choose_recalled()
            self.refresh()
            self.changed.emit()

    def choose_file(self, file: MemoryFile) -> None:
        """Show the memories that a file belongs to."""
        title = "" if file.peer is None else self._known.titles.get((file.agent_name, file.peer), "")
        self.choose(PersonRow(file.agent_name, file.peer, title))

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
        """Return a file of the chosen row; None without a row, or where there is none of the kind.

        A group is nobody, so there are no entries about it.
        """
        if self.chosen is None or (self.chosen.peer is None) is not (kind is MemoryKind.REMEMBERED):
            return None
        if kind is MemoryKind.ABOUT_PARTNER and int(self.chosen.peer or 0) < 0:
            return None
        return MemoryFile(kind, self.chosen.agent_name, self.chosen.peer)

    # --- versions -------------------------------------------------------------------------------------------------

    def show_history(self, file: MemoryFile) -> None:
        """Show the versions of another file."""
        if file != self._history_of:
            self._history_of = file
            self.history.show(file, ())
            self._again()

    def compare(self, version: MemoryVersion) -> None:
        """Read a version and the one before it."""
        api, file, versions = self._jobs.api, self.history.file, self.history.versions
        if api is None or file is None or version not in versions:
            return
        older = versions[versions.index(version) + 1 :][:1]

        async def compare() -> None:
            after = await api.version_text(file, version)
            before = await api.version_text(file, older[0]) if older else ""
            self._jobs.deliver(lambda: self.compared.emit(version, before, after))

        self._jobs.run(compare(), "compare versions of a memory file")

    def _take_change(self) -> None:
        self.problem = ""
        self.recall_test.again()
        self._again()

    def _again(self) -> None:
        self._is_reading = False
        self.refresh()

    # --- jobs -----------------------------------------------------------------------------------------------------

    def _fail(self, words: str) -> None:
        self.problem, self._is_reading = words, False
        self.refresh()
        self.changed.emit()

    async def _read(self, api: MemoriesService, chosen: PersonRow | None, history_of: MemoryFile | None) -> None:
        counts = await api.counts()
        pages = await api.pages(chosen.agent_name, chosen.peer) if chosen is not None else ()
        versions = await api.versions(history_of) if history_of is not None else ()
        chats = self._next_chats(chosen)
        tokens = await api.prompt_tokens(chosen.agent_name, chats) if chosen is not None else {}
        self._jobs.deliver(lambda: self._take(counts, pages, chosen))
        next_prompts = {chats[peer]: count for peer, count in tokens.items()}
        self._jobs.deliver(lambda: self._take_inspected(chosen, next_prompts, history_of, versions))

    def _next_chats(self, chosen: PersonRow | None) -> dict[PeerId, str]:
        """Return the chats whose next prompts hold what is shown: the chosen one, or the latest of the agent."""
        if chosen is None:
            return {}
        if chosen.peer is not None:
            return {chosen.peer: self._known.titles.get((chosen.agent_name, chosen.peer)) or chosen.title}
        names = {one.agent_id: one.spec.name for one in self._models.agents.items()}
        found = [chat for chat in self._models.chats.all_chats() if names.get(chat.agent_id) == chosen.agent_name]
        return {chat.info.peer_id: chat.info.title for chat in found[:MOST_CHATS]}

    def _take_inspected(
        self,
        chosen: PersonRow | None,
        tokens: dict[str, int],
        file: MemoryFile | None,
        versions: tuple[MemoryVersion, ...],
    ) -> None:
        if chosen is self.chosen and tokens != self.next_prompts:
            self.next_prompts = tokens
            self.changed.emit()
        if file == self._history_of:
            self.history.show(file, versions)

    def _take(
        self, counts: Mapping[MemoryFile, FileCount], pages: tuple[MemoryPage, ...], chosen: PersonRow | None
    ) -> None:
        if chosen is not self.chosen:
            return
        self._is_reading = False
        titles = self._chats.titles()
        scopes = {one.spec.name: one.spec.memory_scope for one in self._models.agents.items()}
        conflicts = self.changes.conflicts
        for page in pages:
            if page.problem is None:
                conflicts.see(page.file, page.content)
        self._choose_recalled()
        self._known = KnownMemories(scopes, counts, titles, conflicts.files)
        self.recall_test.know_agents(scopes)
        self._fill_people()
        self._show_pages(pages)
        unreadable = next((_unreadable_words(page) for page in pages if page.problem is not None), "")
        if unreadable or self.problem == self._unreadable:
            self.problem = unreadable
        self._unreadable = unreadable
        self.changed.emit()
        if self.chosen is None and self.people.rowCount():
            self.choose(next((row for row in self.people.items() if not row.is_heading), None))

    def _fill_people(self) -> None:
        self._is_filling = True
        self.people.fill(rows_of(self._known, self.chosen if not self._searched else None, self._searched))
        self._is_filling = False

    def _show_pages(self, pages: tuple[MemoryPage, ...]) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        titles, chat = self._known.titles, self.chat_of(chosen.peer)
        place = MemoryAudience(
            chosen.peer,
            titles.get((chosen.agent_name, chosen.peer), chosen.title) if chosen.peer is not None else "",
            lambda peer: titles.get((chosen.agent_name, peer), ""),
            chat.info.members if chat is not None else 0,
        )
        shown = place, titles, tuple((page.file, page.path, page.content, page.problem) for page in pages)
        if shown == self._shown:  # thousands of cards are not made anew every two seconds
            return
        self._shown = shown
        curated = [page for page in pages if page.file.kind is MemoryKind.CURATED]
        self.curated.show_pages(curated, place)
        learned = [page for page in pages if page.file.kind is not MemoryKind.CURATED]
        self.remembered.show_pages(learned, place, [card.text for card in self.curated.cards])

        self._mark_recalled()

    def _mark_recalled(self) -> None:
        ranks = self.recall_test.ranks()
        for side in (self.curated, self.remembered):
            side.mark_recalled(ranks)

    def _choose_recalled(self) -> None:
        if self.chosen is not None:
            chat = self.chat_of(self.chosen.peer)
            said = chat.last_text if chat is not None and not chat.last_out else ""
            self.recall_test.choose(self.chosen.agent_name, self.chosen.peer, said)

    def chat_of(self, peer: PeerId | None, agent_name: str = "") -> Chat | None:
        """Return a chat of an agent, of the chosen one if none is named; None if it is not known."""
        name = agent_name or (self.chosen.agent_name if self.chosen is not None else "")
        if peer is None or not name:
            return None
        return self._chats.find(name, peer)

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if Remembered in map(type, events):
            self.refresh()


def _unreadable_words(page: MemoryPage) -> str:
    """Return which file can't be read, and why."""
    name = "/".join(PurePath(page.path).parts[-SHOWN_PARTS:])
    why = note_sentence(page.problem) if page.problem is not None else ""
    words = translate("MemoryPane", "{file} can’t be read. Nothing is written to it until that is mended. {why}")
    return words.format(file=name, why=why)


def make_memory(models: WindowModels) -> MemoryModel:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    return models.register(MemoryModel(models))
