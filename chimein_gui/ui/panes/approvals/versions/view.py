"""The versions of a plan in two or three columns, from which one can be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.approvals.versions.column import Version, VersionColumn
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.card_words import card_text

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import Variant
    from chimein_gui.ui.pane import PaneContext

COLUMNS = 3
COLUMN_LEAST = 210
"""Minimum width of each of three columns, px; below it there are two."""

MOST_WORDS = 40


class VersionsView(QWidget):
    """Replaces the card's body while the operator compares the versions.

    Attributes:
        left: The view was closed.
        chosen: Replace the plan by this `Variant`; None keeps the draft.
    """

    left = Signal()
    chosen = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._variants: tuple[Variant, ...] = ()
        self._drafts: tuple[Approval, ...] = ()
        self._first = self._last = 0
        self.columns = [VersionColumn(context) for _ in range(COLUMNS)]
        self._title = PlainLabel(self._theme, self.tr("Versions side by side"), Face.STRONG)
        self._hint = ElidedLabel(self._theme, "", Face.SMALL, "text3")
        self.before = ActionButton(self._theme, "", icon="caret-left", kind=Kind.QUIET)
        self.behind = ActionButton(self._theme, "", icon="caret-right", kind=Kind.QUIET)
        self.back = ActionButton(self._theme, self.tr("Back"), key="Esc", kind=Kind.QUIET)
        self.notice = InlineMessage(self._theme, is_alert=True)
        self._arrows = [self._shortcut("Left", -1), self._shortcut("Right", 1)]
        self._build()
        self.hide()

    def open(self, variants: tuple[Variant, ...], drafts: tuple[Approval, ...], looked_at: Variant | None) -> None:
        """Show versions beside the draft.

        Args:
            variants: The other versions, oldest first.
            drafts: The unsent drafts of the current plan, in order.
            looked_at: This version is shown in any case; None for no preference.
        """
        self._last = variants.index(looked_at) if looked_at in variants else 0
        self.notice.say(None)
        self.refresh(variants, drafts)
        self.show()
        self._focus_last()

    def refresh(self, variants: tuple[Variant, ...], drafts: tuple[Approval, ...]) -> None:
        """Update the versions; close the view if there is no other version."""
        if not variants:
            self.left.emit()
            return
        self._variants, self._drafts = variants, drafts
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = event.text() if event.text().isdecimal() and len(event.text()) == 1 else ""
        column = self._column_of(digit)
        mine = column is not None and self._context.models.single_keys.enabled
        if column is None or not mine or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            column.choose()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._variants:
            self._show()

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        head, columns = QHBoxLayout(), QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addStretch(1)
        for button in (self.before, self.behind, self.back):
            head.addWidget(button)
        columns.setSpacing(12)
        for column in self.columns:
            columns.addWidget(column, 1)
            column.chosen.connect(self._choose)
            column.refused.connect(self._refuse)
        whole = QVBoxLayout(self)
        set_rtl_margins(whole, 22, 12, 20, 13)
        whole.setSpacing(9)
        whole.addLayout(head)
        whole.addWidget(self._hint)
        whole.addLayout(columns, 1)
        whole.addWidget(self.notice)
        self.before.setAccessibleName(self.tr("Show the previous version"))
        self.behind.setAccessibleName(self.tr("Show the next version"))
        self.before.clicked.connect(lambda: self._step(-1))
        self.behind.clicked.connect(lambda: self._step(1))
        self.back.clicked.connect(self.left)
        escape = QShortcut(QKeySequence("Esc"), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.left)
        speak_as_place(self)
        self.setAccessibleName(self.tr("Versions side by side"))

    def _shortcut(self, key: str, by: int) -> QShortcut:
        made = QShortcut(QKeySequence(key), self)
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        made.activated.connect(lambda: self._step(-by if self.isRightToLeft() else by))
        return made

    # --- contents -------------------------------------------------------------------------------------------------

    def _room(self) -> int:
        """Return how many versions fit beside the draft."""
        letters = self._theme.metrics(Face.BODY).height() / 18
        return COLUMNS - 1 if self.width() >= COLUMNS * COLUMN_LEAST * max(1.0, letters) else COLUMNS - 2

    def _step(self, by: int) -> None:
        self._last = self._first + by + self._room() - 1
        self._show()

    def _show(self) -> None:
        room = self._room()
        last = max(0, len(self._variants) - room)
        self._first = min(max(0, self._last - room + 1), last)
        shown = self._variants[self._first : self._first + room]
        draft = Version(1, self._draft_words(), _text_of(self._drafts), is_draft=True, read_as=None)
        others = [
            Version(
                number,
                foreign_text.line(one.instruction, MOST_WORDS) or self.tr("another version"),
                _text_of(one.drafts),
                is_draft=False,
                read_as=one.graph_id,
            )
            for number, one in enumerate(shown, self._first + 2)
        ]
        count = len(self._variants) + 1
        self.columns[0].show_version(draft, count, [one.text for one in others])
        for column, one in zip(self.columns[1:], others, strict=False):
            column.show_version(one, count, [draft.text])
        gone = [column for column in self.columns[len(others) + 1 :] if column.isAncestorOf(self._focus() or self)]
        for place, column in enumerate(self.columns):
            column.setVisible(place <= len(others))
        if gone:
            self._focus_last()
        pages = last > 0
        for button, usable in ((self.before, self._first > 0), (self.behind, self._first < last)):
            button.setVisible(pages)
            button.setEnabled(usable)
        for arrow in self._arrows:
            arrow.setEnabled(pages)
        self._hint.setText(self.tr("Different words are marked. Press a number to use that version."))

    def _focus(self) -> QWidget | None:
        return self.window().focusWidget()

    def _focus_last(self) -> None:
        [column for column in self.columns if not column.isHidden()][-1].use.setFocus()

    def _draft_words(self) -> str:
        edited = any(one.is_edited for one in self._drafts)
        return self.tr("draft, edited by you") if edited else self.tr("draft")

    def _column_of(self, digit: str) -> VersionColumn | None:
        shown = (one for one in self.columns if not one.isHidden() and one.version is not None)
        return next((one for one in shown if one.version is not None and str(one.version.number) == digit), None)

    def _choose(self, version: Version) -> None:
        self.chosen.emit(None if version.is_draft else self._variants[version.number - 2])

    def _refuse(self) -> None:
        words = self.tr("It was not fully in view. Read it to the end, then choose it again.")
        self.notice.say(IconLabel("eye", words, "attention"))


def _text_of(drafts: tuple[Approval, ...]) -> str:
    return "\n\n".join(card_text(one, foreign_text.name) for one in drafts)
