"""The editor of agents and prompts: what is open, what is saved, and what other programs change meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.agent_files.sources import SourceKind
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import AgentChanged, AgentRemoved, FileProblemsChanged
from chimein_gui.domain.text.line_merge import merge_lines
from chimein_gui.viewmodels.core.commands import GuardedJobs
from chimein_gui.viewmodels.sources.autosave import FileAutosave
from chimein_gui.viewmodels.sources.document import SaveState, SourceDocument
from chimein_gui.viewmodels.sources.findings import Surroundings, too_long_line
from chimein_gui.viewmodels.sources.fixed_part import FixedPartModel
from chimein_gui.viewmodels.sources.list import MODEL_PROMPT, SourceListModel, SourceRow
from chimein_gui.viewmodels.sources.management import SourceManagement
from chimein_gui.viewmodels.sources.words import too_long_words

if TYPE_CHECKING:
    from chimein_gui.domain.agent_files.sources import SourceFile
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.engine_api.sources import SaveResultLike, SourcesApi, SourcesService
    from chimein_gui.viewmodels.window import WindowModels

_OF_AGENTS = frozenset({AgentChanged, AgentRemoved, FileProblemsChanged})

translate = QCoreApplication.translate


class _Reading:
    """The file that is being read to be shown: the one that was asked for last. The texts of others come too late."""

    def __init__(self) -> None:
        self._file: tuple[str, int] | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether a file is being read."""
        return self._file is not None

    def begin(self, path: str, line: int) -> bool:
        """Note what was asked for, and the line to show; return whether it has to be read: it is not being read yet."""
        is_read = self._file is not None and self._file[0] == path
        self._file = path, line
        return not is_read

    def end(self, path: str) -> int | None:
        """Return the line to show of a file that was read; None if another one was asked for since."""
        if self._file is None or self._file[0] != path:
            return None
        line, self._file = self._file[1], None
        return line

    def fail(self, path: str) -> None:
        """Note that a file could not be read."""
        self.end(path)

    def stop(self) -> None:
        """Show none of those that are being read."""
        self._file = None


class SourceEditorModel(QObject):
    """Reads files only while it is watched; unsaved changes are kept in any case.

    Attributes:
        opened: Another file is shown, or none.
        went_to: A line of the shown file is to be shown; carries its number from 1.
        changed: State of the shown file, or a problem, has changed.
        files: The list.
        manage: Creates, renames, copies and archives files.
        fixed: What the open agent adds to every prompt.
        document: The shown file; None while there is none.
        problem: Why the last call failed, in words; or empty.
    """

    opened = Signal()
    went_to = Signal(int)
    changed = Signal()

    def __init__(self, models: WindowModels, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._models = models
        self._api: SourcesService | None = None
        self._jobs = GuardedJobs(models.bridge, self._fail)
        self._call = self._jobs.run
        self._documents: dict[str, SourceDocument] = {}
        self._watched = self._is_listing = self._list_again = False
        self._wanted: tuple[str, int] | None = None
        """A file that is not listed yet, and the line to show."""
        self._reading = _Reading()
        self._journal = FileAutosave(models.bridge, self._call, self)
        self._journal.loaded.connect(self._show_rows)
        self.files = SourceListModel(self)
        self.manage = SourceManagement(models.bridge, self._call, self)
        self.manage.done.connect(self._was_moved)
        self.fixed = FixedPartModel(models.bridge, self._call, lambda: self.prompts, self)
        self.document: SourceDocument | None = None
        self.problem = ""
        models.bridge.batch_ready.connect(self._receive)
        agents = models.agents
        for signal in (agents.problems_changed, agents.summary_changed, agents.dataChanged, agents.rowsInserted):
            signal.connect(self._show_rows_in_sight)

    # --- the engine -----------------------------------------------------------------------------------------------

    def attach(self, api: SourcesApi, spawn: Spawn) -> None:
        """Read the drafts that an earlier run left."""
        self._api, self._jobs.spawn = api.sources, spawn
        self._journal.attach(api.sources)
        self.manage.attach(api.sources)
        self.fixed.attach(api.sources)

    def detach(self) -> None:
        """Keep what is not kept yet, before the engine is closed."""
        self._journal.detach()
        self.manage.attach(None)
        self.fixed.attach(None)
        self._api = self._jobs.spawn = None
        self._reading.stop()

    def watch(self, *, watched: bool) -> None:
        """Follow the disk, or no longer: the pane came into sight, or left it."""
        self._watched = watched
        if watched:
            self.refresh()

    def refresh(self) -> None:
        """Look at the files again, and at the open one for changes by other programs."""
        if self._api is None or not self._watched:
            return
        if self._is_listing:
            self._list_again = True
            return
        self._is_listing = True
        self._call(self._list(self._api), "list files of agents")

    # --- opening --------------------------------------------------------------------------------------------------

    def open(self, path: str, line: int = 0) -> None:
        """Show a file, at a line if one is given; a file that is not listed yet is shown once it is.

        Reading takes a moment; of several files the one is shown that was asked for last.
        """
        known = self._documents.get(path)
        row = self.files.find(path)
        if known is not None:
            self._reading.stop()
            self._show(known, line)
        elif row is None:
            self._wanted = (path, line)
            self.refresh()
        elif self._api is not None and self._reading.begin(path, line):
            self._call(self._read(self._api, row.file), f"read {path}")

    def _show(self, document: SourceDocument | None, line: int = 0) -> None:
        if document is not self.document:
            before, self.document = self.document, document
            if before is not None and not before.is_edited:
                self._documents.pop(before.file.path, None)
                before.deleteLater()
            self.problem = ""
            self.fixed.show_document(document)
            self.opened.emit()
            self.changed.emit()
        if line and document is not None:
            self.went_to.emit(line)

    @property
    def prompts(self) -> dict[str, SourceFile]:
        """The prompts that the shown agent can use, by name; its own come before shared ones."""
        agent = self.document.value("Agent Name").strip() if self.document is not None else ""
        files = [row.file for row in self.files.items() if row.file.kind is SourceKind.PROMPT]
        usable = [one for one in files if one.agent in ("", agent) and not one.is_archived and one.name != MODEL_PROMPT]
        return {one.name: one for one in sorted(usable, key=lambda one: (one.name, bool(one.agent)))}

    # --- saving ---------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the shown file."""
        document = self.document
        if document is None or self._api is None or not document.is_edited or self.why_not_save():
            return
        document.is_saving = True
        document.state_changed.emit()
        self._call(self._save(self._api, document), f"save {document.file.path}")

    def why_not_save(self) -> str:
        """Return why the shown file can't be saved now, in words; empty if it can."""
        document = self.document
        if document is None or not document.is_edited:
            return translate("SourceEditor", "Nothing to save")
        if document.state is SaveState.CONFLICT:
            return translate("SourceEditor", "First choose which version to keep")
        if document.breaks_the_file:
            return translate("SourceEditor", "Fix the problems first; your changes are kept meanwhile")
        return translate("SourceEditor", "It is being saved") if document.is_saving else ""

    def why_not_move(self, path: str) -> str:
        """Return why a file can't be renamed or archived now, in words; empty if it can."""
        row, document = self.files.find(path), self._documents.get(path)
        if row is None or row.file.is_fixed:
            return translate("SourceEditor", "It comes with Chimein")
        if document is not None and document.is_edited:
            return translate("SourceEditor", "Save or discard its changes first")
        return ""

    def _was_moved(self, path: str) -> None:
        self._wanted, self.problem = (path, 0), ""
        self.refresh()

    # --- jobs of the engine's loop --------------------------------------------------------------------------------

    def _fail(self, words: str) -> None:
        self.problem, self._is_listing = words, False
        for document in self._documents.values():
            if document.is_saving:
                document.is_saving, document.problem = False, words
                document.state_changed.emit()
        self.changed.emit()

    async def _list(self, api: SourcesService) -> None:
        files = await api.files()
        users = {one.path: api.used_by(one.path) for one in files if one.kind is SourceKind.PROMPT}
        texts: dict[str, str] = {}
        for path in tuple(self._documents):
            try:
                text = await api.read(path)
            except ChimeinError:
                continue  # it is gone or unreadable; what is open stays open, and saving says why it can't be written
            if not too_long_line(text):
                texts[path] = text
        self._models.bridge.deliver(lambda: self._take_files(files, users, texts))

    async def _read(self, api: SourcesService, file: SourceFile) -> None:
        try:
            text = await api.read(file.path)
        except BaseException:
            self._models.bridge.deliver(lambda: self._reading.fail(file.path))
            raise
        self._models.bridge.deliver(lambda: self._take_text(file, text))

    async def _save(self, api: SourcesService, document: SourceDocument) -> None:
        sent = document.text
        result = await api.save(document.file.path, document.base, sent)
        self._models.bridge.deliver(lambda: self._take_saved(document, sent, result))

    # --- answers, in Qt's loop ------------------------------------------------------------------------------------

    def _take_files(
        self, files: tuple[SourceFile, ...], users: dict[str, tuple[str, ...]], texts: dict[str, str]
    ) -> None:
        self._is_listing = False
        self.files.fill(SourceRow(one, used_by=users.get(one.path, ())) for one in files)
        for path, theirs in texts.items():
            document = self._documents.get(path)
            if document is not None and not document.is_saving:
                document.take_disk(theirs, merge_lines(document.base, document.text, theirs))
        self._show_rows()
        self.fixed.read_again()
        if self._wanted is not None and self.files.find(self._wanted[0]) is not None:
            wanted, self._wanted = self._wanted, None
            self.open(*wanted)
        elif self.document is not None and self.files.find(self.document.file.path) is None:
            if not self.document.is_edited:
                self._show(None)
        elif self.document is None and self.files.rowCount() and not (self._wanted or self._reading.is_under_way):
            first = self.files.item_at(0)
            if first is not None:
                self.open(first.file.path)
        if self._list_again:
            self._list_again = False
            self.refresh()

    def _take_text(self, file: SourceFile, text: str) -> None:
        line = self._reading.end(file.path)
        if line is None:
            return
        number = too_long_line(text)
        if number:
            self._show(None)
            self._fail(too_long_words(number))
            return
        document = SourceDocument(file, text, self)
        self._documents[file.path] = document
        document.see(self._surroundings())
        document.changed.connect(lambda _splice: self._journal.note(document))
        document.state_changed.connect(lambda: self._state_changed(document))
        draft = self._journal.kept.get(file.path)
        if draft is not None and not file.is_archived:
            document.base = draft.base
            document.edit(draft.text)
            document.take_disk(text, merge_lines(draft.base, draft.text, text))
        self._show(document, line)

    def _take_saved(self, document: SourceDocument, sent: str, result: SaveResultLike) -> None:
        document.is_saving = False
        self.problem = ""
        if result.is_conflict:
            document.take_disk(result.text, None)
        else:
            document.saved(result.text, sent, self._models.clock.now())
            self._journal.note(document)
            self._journal.keep()
        self.refresh()

    # --- rows -----------------------------------------------------------------------------------------------------

    def _surroundings(self) -> Surroundings:
        files = [row.file for row in self.files.items() if not row.file.is_archived]
        prompts = frozenset((one.agent, one.name) for one in files if one.kind is SourceKind.PROMPT)
        specs = [agent.spec for agent in self._models.agents.items()]
        return Surroundings(prompts, tuple((spec.name, spec.phone, spec.source) for spec in specs))

    def _show_rows_in_sight(self) -> None:
        if self._watched:
            self._show_rows()

    def _show_rows(self) -> None:
        """Bring problems and marks of unsaved changes into the list."""
        counted: dict[str, int] = {}
        for one in self._models.agents.problems:
            counted[one.path] = counted.get(one.path, 0) + 1
        around = self._surroundings()
        healths = {agent.spec.source: agent.health for agent in self._models.agents.items()}
        for row in self.files.items():
            path = row.file.path
            document = self._documents.get(path)
            if document is not None:
                document.see(around)
            is_edited = document.is_edited if document is not None else path in self._journal.kept
            problems = len(document.rows) if document is not None else counted.get(path, 0)
            self.files.upsert(SourceRow(row.file, problems, is_edited, row.used_by, healths.get(path)))

    def _state_changed(self, document: SourceDocument) -> None:
        row = self.files.find(document.file.path)
        if row is not None:
            self.files.upsert(replace(row, problems=len(document.rows), is_edited=document.is_edited))
        if document is self.document:
            self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if not _OF_AGENTS.isdisjoint(map(type, events)):
            self.refresh()
