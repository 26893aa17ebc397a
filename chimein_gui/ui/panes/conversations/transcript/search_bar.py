"""The search bar above a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout

from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import PaneContext

SETTLE_MS = 150
"""Time after the last key until messages are searched, ms."""

MOST_CHARS = 200


class TranscriptSearchBar(Surface):
    """Field, "n of m", older, newer, close. Return goes to the next older hit, Shift+Return to the newer one.

    Attributes:
        closed: The search was closed; the messages get the focus.
    """

    closed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "pane", bottom_line="line")
        self._theme, self._search = context.theme, context.own(make_conversations).search
        self.setObjectName("transcript-search")
        words = self.tr("Search in this chat")
        self.field = LineField(self._theme, words, hint=words, icon="search")
        self.field.setMaxLength(MOST_CHARS)
        self.count = PlainLabel(self._theme, "", Face.SMALL, "text2")
        self.older = self._button("caret-up", self.tr("Earlier result"), self._search.go_older)
        self.newer = self._button("caret-down", self.tr("Later result"), self._search.go_newer)
        self.close_button = self._button("x", self.tr("Close search"), self.end)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._ask)
        self.field.textChanged.connect(lambda _text: self._settle.start())
        self.field.installEventFilter(self)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 16, 6, 10, 6)
        row.setSpacing(6)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        for button in (self.older, self.newer, self.close_button):
            row.addWidget(button)
        self._search.changed.connect(self._tell)
        self._tell()
        self.hide()

    def _button(self, icon: str, words: str, do: Callable[[], None]) -> IconButton:
        made = IconButton(self._theme, icon, words)
        made.clicked.connect(do)
        return made

    def begin(self) -> None:
        """Open the bar, and focus its field."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def end(self) -> None:
        """Close the bar, and clear the search."""
        self._settle.stop()
        was_open = self.isVisible()
        self.hide()
        self.field.clear()
        self._settle.stop()
        self._search.end()
        if was_open:
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._key(event)
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.end()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._settle.isActive():
                self._ask()
            elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._search.go_newer()
            else:
                self._search.go_older()
        elif key == Qt.Key.Key_Up:
            self._search.go_older()
        elif key == Qt.Key.Key_Down:
            self._search.go_newer()
        else:
            return False
        return True

    def _ask(self) -> None:
        self._settle.stop()
        self._search.look_for(self.field.text())

    def _tell(self) -> None:
        at, known, more = self._search.position
        words = ""
        if self._search.text and not known:
            words = self.tr("Searching…") if self._search.is_asking else self.tr("Nothing found")
        elif known:
            every = self.tr("{n}+").format(n=known) if more else str(known)
            words = self.tr("{n} of {all}").format(n=at, all=every)
        self.count.setText(words)
        self.count.setAccessibleName(words)
        self.older.allow("" if at < known or more else self.tr("No earlier results"))
        self.newer.allow("" if at > 1 else self.tr("No later results"))
