"""The Memory pane: people at the left, the operator's notes and the agent's memories side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.ui.pane import InSight, Pane, PaneContext
from chimein_gui.ui.panes.memory.entries import EntrySide
from chimein_gui.ui.panes.memory.index_status import IndexStatus
from chimein_gui.ui.panes.memory.people import PeopleList
from chimein_gui.ui.panes.memory.review.page import ReviewPage
from chimein_gui.ui.panes.memory.tabs import Tabs
from chimein_gui.ui.requests import ClosePane, ShowPerson
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.memory.model import make_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

    from chimein_gui.domain.memory.edits import FileEntry


class MemoryPane(Pane):
    """Files are the truth: what another program writes shows within two seconds, and is never overwritten."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self.model = context.own(make_memory)
        self.people = PeopleList(theme, self.model.people)
        self.curated = EntrySide(theme, self.model.curated, self.tr("Curated by you"), self.tr("Move to remembered"))
        self.remembered = EntrySide(theme, self.model.remembered, self.tr("Remembered"), self.tr("Move to curated"))
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self.files, self.review = QWidget(), ReviewPage(context)
        pages = ((self.tr("Files"), self.files), (self.tr("Review"), self.review))
        self.tabs = Tabs(theme, self.tr("Memory"), pages)
        self.tabs.head.addWidget(IndexStatus(context))
        self._build()
        self._wire()
        self._show()

    def _build(self) -> None:
        sides = QSplitter()
        for part in (self.people, self.curated, self.remembered):
            sides.addWidget(part)
        sides.setChildrenCollapsible(False)
        sides.setSizes([236, 520, 520])
        for place, stretch in enumerate((0, 1, 1)):
            sides.setStretchFactor(place, stretch)
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        entries = (
            (("J", "K"), self.tr("Entry")),
            (("Tab",), self.tr("Other side")),
            (("N",), self.tr("New")),
            (("E",), self.tr("Edit")),
            (("U",), self.tr("Other side gets it")),
            (("Del",), self.tr("Delete")),
        )
        row.addWidget(KeyLegend(self._context.theme, entries, self), 1)
        column = QVBoxLayout(self.files)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message)
        column.addWidget(sides, 1)
        column.addWidget(foot)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self.tabs)

    def _count_review(self, count: int) -> None:
        word = self.tr("Review")
        self.tabs.segments.set_word(1, f"{word} {count}" if count else word)

    def _wire(self) -> None:
        self.review.counted.connect(self._count_review)
        self._count_review(self.review.model.count)
        self.people.wanted.connect(lambda row: self._context.requests.send(ShowPerson(row.peer, row.title)))
        self.model.changed.connect(self._show)
        self.model.done.connect(self._say_done)
        self.people.selectionModel().currentChanged.connect(
            lambda _now, _before: self.model.choose(self.people.current)
        )
        for side, keep in ((self.curated, self._keep_curated), (self.remembered, self._keep_remembered)):
            side.saved.connect(keep)
            keys: dict[str, Callable[[], None]] = {
                "J": partial(side.list.step, 1),
                "K": partial(side.list.step, -1),
                "N": side.begin_new,
                "E": side.begin_edit,
                "U": side.give,
            }
            SingleKeyShortcuts(keys, side, self._context.models.single_keys).watch(side.list)
        self.curated.moved.connect(self._move_to_remembered)
        self.remembered.moved.connect(self._move_to_curated)

    # --- the pane -------------------------------------------------------------------------------------------------

    def focus_widget(self) -> QWidget:
        return self.people if self.tabs.place == 0 else self.review.focus_widget()

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

    # --- contents -------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        chosen, problem = self.model.chosen, foreign_text.line(self.model.problem, 400)
        self.message.say(IconLabel("alert", problem, "danger") if problem else None)
        if chosen is not None:
            self.people.select(chosen)
        is_about_all = chosen is not None and chosen.peer is None
        self.curated.setVisible(not is_about_all)
        self.remembered.give_over.setEnabled(not is_about_all and self.remembered.list.current is not None)
        self.curated.say_empty(self.tr("No notes on this chat. What you add stands in every prompt of the chat."))
        self.remembered.say_empty(
            self.tr("Nothing is remembered for all chats yet.")
            if is_about_all
            else self.tr("The agent remembers nothing that is for this chat alone.")
        )

    def _kind(self) -> MemoryKind:
        chosen = self.model.chosen
        return MemoryKind.REMEMBERED if chosen is not None and chosen.peer is None else MemoryKind.ABOUT_PARTNER

    def _keep_curated(self, entry: FileEntry | None, text: str) -> None:
        self._keep(MemoryKind.CURATED, entry, text)

    def _keep_remembered(self, entry: FileEntry | None, text: str) -> None:
        self._keep(self._kind(), entry, text)

    def _keep(self, kind: MemoryKind, entry: FileEntry | None, text: str) -> None:
        file = self.model.file_of(kind)
        if file is None:
            return
        if entry is None:
            self.model.add(file, text)
        else:
            self.model.edit(file, entry, text)

    def _move_to_remembered(self, entry: FileEntry) -> None:
        self._move(MemoryKind.CURATED, entry, MemoryKind.ABOUT_PARTNER)

    def _move_to_curated(self, entry: FileEntry) -> None:
        self._move(MemoryKind.ABOUT_PARTNER, entry, MemoryKind.CURATED)

    def _move(self, kind: MemoryKind, entry: FileEntry, to: MemoryKind) -> None:
        file, other = self.model.file_of(kind), self.model.file_of(to)
        if file is not None and other is not None:
            self.model.move(file, entry, other)

    def _say_done(self, words: str, undo: Callable[[], object]) -> None:
        self._context.models.toasts.show(words, self.tr("Undo"), undo, icon="memory")
