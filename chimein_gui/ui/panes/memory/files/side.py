"""One side of the tab Files: the entries of a file as cards, and the field in which one is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.memory.files.list import EntryList
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.surfaces.padded import Padded
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.memory.cards import Card, EntriesModel

MOST_TYPED = 8_000

_PARTS = 4
"""Parts of a path that are shown, from its end."""


class EntrySide(QWidget):
    """Head with path and *Add*, the cards, and the field: in place of a card, or below them for a new one.

    Attributes:
        file: The file that the text in the field goes to; None while nothing is written.
        saved: A text was written; carries the card that it replaces, or None for a new one, the text, and what the
            file held when it was begun.
        typed: A text is being written; carries the same.
        cancelled: The field was closed without saving; carries the card, or None.
        merged: Two cards shall become one; carries both and the text.
        moved: A card shall go to the other side; carries it.
    """

    saved = Signal(object, str, str)
    typed = Signal(object, str, str)
    cancelled = Signal(object)
    merged = Signal(object, object, str)
    moved = Signal(object)

    def __init__(self, theme: Theme, rows: EntriesModel, title: str, words: tuple[str, str]) -> None:
        """Create a side.

        Args:
            theme: Colours and fonts.
            rows: The cards.
            title: Its title.
            words: What the button that moves a card to the other side says, short and whole.
        """
        super().__init__()
        self._theme = theme
        self.file: MemoryFile | None = None
        self._can_give = True
        self._written: Card | None = None
        self._other: Card | None = None
        self._is_in_place = False
        self._begun_with = ""
        self._base = ""
        """What the file held when the text was begun."""
        self.list = EntryList(theme, rows, title)
        self._count = PlainLabel(theme, "", Face.SMALL, "text2")
        self._path = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.new = ActionButton(theme, self.tr("Add"), icon="plus", key="N", kind=Kind.QUIET)
        self.edit = ActionButton(theme, self.tr("Edit"), key="E")
        self.give_over = ActionButton(theme, words[0], key="U")
        self.give_over.setAccessibleName(words[1])
        self.give_over.setToolTip(words[1])
        self.join = IconButton(theme, "layers", self.tr("Merge with the next one"))
        self.delete = IconButton(theme, "trash", self.tr("Delete"))
        self.field = MessageEditor(theme, lines=(2, 8), most=MOST_TYPED)
        self.field.field.setAccessibleName(self.tr("Text of the memory"))
        self.save = ActionButton(theme, self.tr("Save"), key="Ctrl+Enter", kind=Kind.PRIMARY)
        self.cancel = ActionButton(theme, self.tr("Cancel"))
        self._what = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.empty = PlainLabel(theme, "", Face.BODY, "text2")
        self.empty.setWordWrap(True)
        self._writing = Surface(theme, "card", frame="accent", radius=8)
        self._column = QVBoxLayout(self)
        self._build(title)
        self._wire()
        self.show_state()

    def _build(self, title: str) -> None:
        head = QHBoxLayout()
        set_rtl_margins(head, 12, 8, 8, 0)
        head.setSpacing(8)
        head.addWidget(PlainLabel(self._theme, title, Face.STRONG))
        head.addWidget(self._count)
        head.addStretch(1)
        head.addWidget(self.new)
        path = QHBoxLayout()
        set_rtl_margins(path, 12, 0, 12, 4)
        path.addWidget(self._path)
        actions = QHBoxLayout()
        set_rtl_margins(actions, 12, 4, 12, 8)
        actions.setSpacing(8)
        for button in self.buttons:
            actions.addWidget(button)
        actions.addStretch(1)
        below = QVBoxLayout(self._writing)
        below.setContentsMargins(8, 8, 8, 8)
        below.setSpacing(6)
        below.addWidget(self.field)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.save)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self._what, 1)
        below.addLayout(buttons)
        column = self._column
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(path)
        column.addWidget(Padded(self.empty, 12, 12))
        column.addWidget(self.list, 1)
        column.addStretch(0)
        column.addWidget(self._writing)
        column.addLayout(actions)
        self._writing.hide()

    def _wire(self) -> None:
        self.new.clicked.connect(self.begin_new)
        self.edit.clicked.connect(self.begin_edit)
        self.delete.clicked.connect(self.remove)
        self.give_over.clicked.connect(self.give)
        self.join.clicked.connect(self.begin_merge)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.give_up)
        self.field.submitted.connect(self._save)
        self.field.cancelled.connect(self.give_up)
        self.field.changed.connect(self._follow)
        self.field.changed.connect(self._note)
        self.list.pressed_key.connect(self._press)
        self.list.place_changed.connect(self._follow)
        self.list.doubleClicked.connect(lambda _index: self.begin_edit())
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self.show_state())
        self.list.rows.modelReset.connect(self.show_state)

    @property
    def buttons(self) -> tuple[QWidget, ...]:
        """The buttons that act on the current entry."""
        return (self.edit, self.give_over, self.join, self.delete)

    @property
    def is_writing(self) -> bool:
        """Whether something is being written."""
        return not self._writing.isHidden()

    def say_empty(self, words: str) -> None:
        """Say what stands here when there is nothing."""
        self.empty.setText(words)
        self.show_state()

    def show_state(self) -> None:
        """Show how many entries there are, and what can be done."""
        page, count = self.list.rows.page, self.list.rows.rowCount()
        self._count.setText(str(count) if count else "")
        path = page.path if page is not None else ""
        self._path.setText(foreign_text.line("/".join(Path(path).parts[-_PARTS:]), 400))
        self._path.setToolTip(foreign_text.tool_tip(path))
        self.empty.setVisible(not count)
        self.list.setVisible(bool(count))
        for button in self.buttons:
            button.setVisible(bool(count) and not self.is_writing)
            button.setEnabled(self.list.current is not None)
        self.join.setEnabled(self.list.next_card is not None)
        self.give_over.setEnabled(self._can_give and self.list.current is not None)
        self._follow()

    def allow_giving(self, *, allowed: bool) -> None:
        """Say whether there is another side that entries can be moved to."""
        self._can_give = allowed
        self.show_state()

    # --- actions ----------------------------------------------------------------------------------------------------

    def begin_new(self) -> None:
        """Write a new entry."""
        self._begin(None, "")

    def begin_edit(self) -> None:
        """Change the current entry in its place."""
        card = self.list.current
        if card is not None:
            self._begin(card, card.text)

    def begin_merge(self) -> None:
        """Write one entry in place of the current one and the next."""
        card, other = self.list.current, self.list.next_card
        if card is not None and other is not None and not self._has_unsaved:
            whole, part = sorted((card.text, other.text), key=len, reverse=True)
            self._begin(card, whole if part.casefold() in whole.casefold() else f"{card.text}\n{other.text}")
            self._other = other
            self._what.setText(self.tr("One entry in place of two"))

    def remove(self) -> None:
        """Delete the current entry."""
        card = self.list.current
        if card is not None:
            self.saved.emit(card, "", self.list.rows.contents.get(card.file, ""))

    def give(self) -> None:
        """Move the current entry to the other side."""
        card = self.list.current
        if card is not None and not self.give_over.isHidden() and self.give_over.isEnabled():
            self.moved.emit(card)

    # --- the field ------------------------------------------------------------------------------------------------

    def resume(self, file: MemoryFile, card: Card | None, text: str, base: str) -> None:
        """Write on: what was typed before a crash, or what is in a conflict."""
        if self._begin(card, text):
            self.file, self._base = file, base

    def put_aside(self) -> tuple[Card | None, str, str]:
        """Close the field, and return what it held, as `saved` carries it."""
        held = self._written, self.field.text(), self._base
        self.leave_field()
        return held

    @property
    def _has_unsaved(self) -> bool:
        text = self.field.text().strip()
        return self.is_writing and bool(text) and text != self._begun_with

    def give_up(self) -> None:
        """Close the field without saving."""
        self.cancelled.emit(self._written)
        self.leave_field()

    def _note(self) -> None:
        if self.is_writing and self._other is None:
            self.typed.emit(self._written, self.field.text(), self._base)

    def leave_field(self) -> None:
        """Close the field."""
        self.file = None
        self._writing.hide()
        self.list.write_in(None)
        self.show_state()
        (self.list if self.list.isVisible() else self.new).setFocus()

    def _begin(self, card: Card | None, text: str) -> bool:
        """Open the field; returns False if it holds a text that is not saved, which stays."""
        if self._has_unsaved:
            self.field.field.setFocus()
            return False
        self._written, self._other = card, None
        self._begun_with = card.text.strip() if card is not None else ""
        page, contents = self.list.rows.page, self.list.rows.contents
        file = card.file if card is not None else page.file if page is not None else None
        self.file, self._base = file, contents.get(file, "") if file is not None else ""
        self._what.setText("")
        self.field.set_text(text)
        if card is None:
            self._column.insertWidget(self._column.count() - 1, self._writing)
        else:
            self._column.removeWidget(self._writing)
            self._writing.setParent(self)  # not the list: screen readers see only rows in it
        self._is_in_place = card is not None
        self._writing.show()
        self._writing.raise_()
        self.show_state()
        self.field.field.setFocus()
        return True

    def _follow(self) -> None:
        """Keep the field over its card, as high as its text needs; where the card is gone it goes below the list."""
        card = self._written
        if not self.is_writing or card is None or not self._is_in_place:
            return
        layout = self._writing.layout()
        height = max(96, layout.sizeHint().height() if layout is not None else 0)
        if self.list.field_height(card) != height + 4:
            self.list.write_in(card, height + 4)
        if not self.list.place_field(self._writing, card):
            had_focus, self._is_in_place = self.field.field.hasFocus(), False
            self._column.insertWidget(self._column.count() - 1, self._writing)
            self._writing.show()
            if had_focus:
                self.field.field.setFocus()

    def _save(self) -> None:
        text, card, other, base = self.field.text(), self._written, self._other, self._base
        if not text.strip():
            self.give_up()
            return
        if card is not None and other is not None:
            self.merged.emit(card, other, text)
        else:
            self.saved.emit(card, text, base)
        self.leave_field()

    def _press(self, wanted: str) -> None:
        if wanted == "delete":
            self.remove()
        else:
            self.begin_edit()
