"""The tab Files: people at the left, notes and memories side by side, and at the right the history of a file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.merging.drafts import MemoryDraft
from chimein_gui.ui.panes.memory.files.history import VersionView
from chimein_gui.ui.panes.memory.files.inspector import Inspector
from chimein_gui.ui.panes.memory.files.people import People
from chimein_gui.ui.panes.memory.files.side import EntrySide
from chimein_gui.ui.requests import ShowMessage, ShowPerson
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.padded import Padded
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.memory.index_status import IndexState, make_index_status
from chimein_gui.viewmodels.memory.typed import card_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.merging.three_way import MemoryConflict
    from chimein_gui.domain.memory.recall import Recalled
    from chimein_gui.domain.memory.versions import MemoryVersion
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.memory.cards import Card
    from chimein_gui.viewmodels.memory.model import MemoryModel


class FilesPage(QWidget):
    """Files are the truth: what another program writes shows within two seconds, and is never overwritten."""

    def __init__(self, context: PaneContext, model: MemoryModel) -> None:
        super().__init__()
        self._context, self.model, theme = context, model, context.theme
        self.people = People(theme, model.people, self._identity)
        over, back = self.tr("Move to remembered"), self.tr("Move to curated")
        self.curated = EntrySide(theme, model.curated, self.tr("Curated by you"), (self.tr("To remembered"), over))
        self.remembered = EntrySide(theme, model.remembered, self.tr("Remembered"), (self.tr("To curated"), back))
        self.inspector = Inspector(context, model)
        self.version = VersionView(theme, model.history)
        self.message, self.index_message = InlineMessage(theme, BOX, is_alert=True), InlineMessage(theme, BOX)
        self._index = context.own(make_index_status)
        self._middle, self._sides = QStackedWidget(), QSplitter()
        self._wanted = ""
        self._build()
        self._wire()
        self._show()
        self._show_index()

    def _build(self) -> None:
        for side in (self.curated, self.remembered):
            self._sides.addWidget(side)
        self._sides.setChildrenCollapsible(False)
        self._sides.setSizes([450, 500])
        self._middle.addWidget(self._sides)
        self._middle.addWidget(self.version)
        parts = QSplitter()
        for part in (self.people, self._middle, self.inspector):
            parts.addWidget(part)
        parts.setChildrenCollapsible(False)
        parts.setSizes([236, 816, 308])
        for place, stretch in enumerate((0, 1, 0)):
            parts.setStretchFactor(place, stretch)
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        entries = (
            (("J", "K"), self.tr("Entry")),
            (("Tab",), self.tr("Other side")),
            (("N",), self.tr("New")),
            (("E",), self.tr("Edit")),
            (("U",), self.tr("Other side gets it")),
            (("M",), self.tr("Merge")),
            (("Del",), self.tr("Delete")),
            (("O",), self.tr("Message")),
            (("/",), self.tr("Recall test")),
            (("H",), self.tr("History")),
        )
        row.addWidget(KeyLegend(self._context.theme, entries, self), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for message in (self.message, self.index_message):
            column.addWidget(Padded(message, 12, 6))
        column.addWidget(parts, 1)
        column.addWidget(foot)

    def _wire(self) -> None:
        model, people = self.model, self.people
        model.changed.connect(self._show)
        self._index.changed.connect(self._show_index)
        model.compared.connect(self._show_version)
        people.box.textChanged.connect(model.search_people)
        people.list.wanted.connect(lambda row: self._context.requests.send(ShowPerson(row.peer, row.title)))
        people.list.selectionModel().currentChanged.connect(lambda _now, _before: model.choose(people.list.current))
        for side, kind in ((self.curated, MemoryKind.CURATED), (self.remembered, MemoryKind.ABOUT_PARTNER)):
            side.saved.connect(partial(self._keep, side))
            side.typed.connect(partial(self._note, side))
            side.cancelled.connect(partial(self._drop, side))
            side.merged.connect(self._merge)
            side.moved.connect(partial(self._move, kind))
            side.list.opened.connect(self.open_message)
            side.list.searched.connect(self.inspector.recall.field.setFocus)
            keys: dict[str, Callable[[], None]] = {
                "J": partial(side.list.step, 1),
                "K": partial(side.list.step, -1),
                "N": side.begin_new,
                "E": side.begin_edit,
                "U": side.give,
                "M": side.begin_merge,
                "O": partial(self._open_current, side),
                "H": partial(self.show_history, side),
            }
            SingleKeyShortcuts(keys, side, self._context.models.single_keys).watch(side.list)
        self.inspector.recall.chosen.connect(self._show_recalled)
        history = self.inspector.history
        history.entered.connect(model.compare)
        history.left.connect(self.leave_version)
        self.version.left.connect(self.leave_version)
        self.version.restored.connect(self._restore)
        for widget in (history, self.version):
            restore: dict[str, Callable[[], None]] = {
                "J": partial(history.step, 1),
                "K": partial(history.step, -1),
                "R": self.version.restore_it,
            }
            SingleKeyShortcuts(restore, self, self._context.models.single_keys).watch(widget)

    def _identity(self, name: str) -> int:
        agents = self._context.models.agents
        return next((agents.identity_of(one.agent_id) for one in agents.items() if one.spec.name == name), 0)

    # --- contents -------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        chosen, problem = self.model.chosen, foreign_text.line(self.model.problem, 400)
        self.message.say(IconLabel("alert", problem, "danger") if problem else None)
        if chosen is not None:
            self.people.list.select(chosen)
        self._resume_drafts()
        self._select_wanted()
        self._put_aside()
        is_about_all = chosen is not None and chosen.peer is None
        self.curated.setVisible(not is_about_all)
        self.remembered.allow_giving(allowed=not is_about_all)
        self.curated.allow_giving(allowed=self.model.file_of(MemoryKind.ABOUT_PARTNER) is not None)
        self.curated.say_empty(self.tr("No notes on this chat. What you add stands in every prompt of the chat."))
        self.remembered.say_empty(
            self.tr("Nothing is remembered for all chats yet.")
            if is_about_all
            else self.tr("The agent remembers nothing that is for this chat alone.")
        )

    def _show_index(self) -> None:
        """Say what is wrong with the index; the head has no room for it."""
        index = self._index
        is_broken = index.status is not None and index.state is IndexState.BROKEN
        words = foreign_text.line(index.details(), 400) if is_broken else ""
        self.index_message.say(IconLabel("alert", words, "danger") if words else None)

    # --- entries --------------------------------------------------------------------------------------------------

    def _keep(self, side: EntrySide, card: Card | None, text: str, base: str) -> None:
        file = _file_of(side, card)
        if file is not None and text:
            self.model.typed.saving(file)
        if card is not None:
            self.model.changes.edit(base, card.file, card.found, text)
        elif file is not None:
            self.model.changes.add(file, text)

    def _note(self, side: EntrySide, card: Card | None, text: str, base: str) -> None:
        file = _file_of(side, card)
        if file is not None:
            self.model.typed.note(MemoryDraft(file, base, card.found.block if card is not None else "", text))

    def _drop(self, side: EntrySide, card: Card | None) -> None:
        file = _file_of(side, card)
        if file is not None:
            self.model.typed.drop(file)

    def _resume_drafts(self) -> None:
        """Open the fields with what an earlier run left."""
        for side in (self.curated, self.remembered):
            for file in side.list.rows.contents if not side.is_writing else ():
                draft = self.model.typed.take(file)
                if draft is not None:
                    side.resume(file, card_of(draft), draft.text, draft.base)
                    break

    def _put_aside(self) -> None:
        """Close the fields whose files belong to another row than the chosen one; it offers their texts again."""
        for side in (self.curated, self.remembered):
            file = side.file
            if file is not None and self.model.chosen is not None and not self.model.chosen.has(file):
                card, text, base = side.put_aside()
                block = card.found.block if card is not None else ""
                self.model.typed.put_aside(MemoryDraft(file, base, block, text))

    def write_on(self, conflict: MemoryConflict) -> None:
        """Open the field with the operator's text of a conflict."""
        file = conflict.file
        side = self.curated if file.kind is MemoryKind.CURATED else self.remembered
        draft = MemoryDraft(file, conflict.base, conflict.block, conflict.text)
        side.resume(file, card_of(draft), draft.text, draft.base)

    def _merge(self, card: Card, other: Card, text: str) -> None:
        self.model.typed.drop(card.file)
        self.model.changes.merge(card.file, card.found, other.found, text)

    def _move(self, kind: MemoryKind, card: Card) -> None:
        to = MemoryKind.ABOUT_PARTNER if kind is MemoryKind.CURATED else MemoryKind.CURATED
        other = self.model.file_of(to)
        if other is not None:
            self.model.changes.move(card.file, card.found, other)

    def open_message(self, card: Card) -> None:
        """Show the message that an entry comes from, if its chat is known."""
        chat = self.model.chat_of(card.origin.chat)
        if chat is not None and card.message is not None:
            self._context.requests.send(ShowMessage(chat.chat_id, card.message))

    def _open_current(self, side: EntrySide) -> None:
        if side.list.current is not None:
            self.open_message(side.list.current)

    def _show_recalled(self, one: Recalled) -> None:
        """Make the card of an entry current; one of another file once that is read."""
        self._wanted = one.entry.id
        if self.model.recall_test.is_search:
            self.model.choose_file(one.entry.file)
        self._select_wanted()

    def _select_wanted(self) -> None:
        for side in (self.curated, self.remembered):
            for row, card in enumerate(side.list.rows.cards if self._wanted else ()):
                if card.entry_id == self._wanted:
                    self._wanted = ""
                    side.list.setCurrentIndex(side.list.rows.index(row, 0))
                    return

    # --- versions -------------------------------------------------------------------------------------------------

    def show_history(self, side: EntrySide) -> None:
        """Show the history of the file of the current card, else of the side."""
        card, page = side.list.current, side.list.rows.page
        file = card.file if card is not None else page.file if page is not None else None
        if file is not None:
            self.model.show_history(file)
            self.inspector.history.setFocus()

    def _show_version(self, version: MemoryVersion, before: str, after: str) -> None:
        self.version.show_version(version, before, after)
        self._middle.setCurrentWidget(self.version)

    def _restore(self, version: MemoryVersion) -> None:
        self.leave_version()
        if self.model.history.file is not None:
            self.model.changes.restore(self.model.history.file, version)

    def leave_version(self) -> None:
        """Show the entries again."""
        was_open = self._middle.currentWidget() is self.version
        self._middle.setCurrentWidget(self._sides)
        side = self.remembered if self.remembered.list.isVisible() else self.curated
        (self.inspector.history if was_open else side.list).setFocus()


def _file_of(side: EntrySide, card: Card | None) -> MemoryFile | None:
    """Return the file that a text goes to."""
    if card is not None:
        return card.file
    return side.file
