"""The Memory pane: its tabs, and what they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from chimein_gui.ui.pane import InSight, Pane, PaneContext
from chimein_gui.ui.panes.memory.conflicts.page import ConflictsPage
from chimein_gui.ui.panes.memory.files.page import FilesPage
from chimein_gui.ui.panes.memory.index_status import IndexStatus
from chimein_gui.ui.panes.memory.review.page import ReviewPage
from chimein_gui.ui.panes.memory.tabs import Tabs
from chimein_gui.ui.requests import ClosePane
from chimein_gui.viewmodels.memory.model import make_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

    from chimein_gui.viewmodels.memory.conflicts import OpenConflict


class MemoryPane(Pane):
    """Reads files only while it is in sight."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self.model = context.own(make_memory)
        self.files, self.review = FilesPage(context, self.model), ReviewPage(context)
        self.people = self.files.people.list
        self.curated, self.remembered = self.files.curated, self.files.remembered
        self.conflicts = ConflictsPage(context, self.model)
        pages = (
            (self.tr("Files"), self.files),
            (self.tr("Review"), self.review),
            (self.tr("Conflicts"), self.conflicts),
        )
        self.tabs = Tabs(theme, self.tr("Memory"), pages)
        self.tabs.head.addWidget(IndexStatus(context))
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self.tabs)
        self.model.changes.done.connect(self._say_done)
        self.model.changes.conflicted.connect(self._show_conflict)
        self.model.changes.conflicts.changed.connect(self._count_conflicts)
        self.conflicts.edit_wanted.connect(self._keep_editing)
        self.review.counted.connect(self._count_review)
        self._count_review(self.review.model.count)

    # --- the pane -------------------------------------------------------------------------------------------------

    def focus_widget(self) -> QWidget:
        if self.tabs.place == self.tabs.place_of(self.review):
            return self.review.focus_widget()
        return self.people if self.tabs.place == self.tabs.place_of(self.files) else self.conflicts.focus_widget()

    def keep_in_sight(self) -> InSight:
        return InSight(tuple(self.findChildren(QAbstractButton)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.model.chosen is None:
            self.model.choose_open_chat()
        self.model.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.watch(watched=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("memory"))
        else:
            super().keyPressEvent(event)

    def _count_review(self, count: int) -> None:
        word = self.tr("Review")
        self.tabs.segments.set_word(self.tabs.place_of(self.review), f"{word} {count}" if count else word)

    def _count_conflicts(self) -> None:
        count = len(self.model.changes.conflicts.all)
        words = self.tr("Conflicts {count}").format(count=count) if count else self.tr("Conflicts")
        self.tabs.segments.set_word(self.tabs.place_of(self.conflicts), words)

    def _show_conflict(self) -> None:
        self.tabs.show_page(self.tabs.place_of(self.conflicts))
        self.conflicts.focus_widget().setFocus()

    def _keep_editing(self, one: OpenConflict) -> None:
        self.tabs.show_page(self.tabs.place_of(self.files))
        self.files.write_on(one.conflict)

    def _say_done(self, words: str, undo: Callable[[], object]) -> None:
        self._context.models.toasts.show(words, self.tr("Undo"), undo, icon="memory")
