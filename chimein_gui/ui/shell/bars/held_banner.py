"""The banner below the top bar while everything is held: since when, why, and the button to release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolBar

from chimein_gui.domain.holds import Hold
from chimein_gui.ui.shell.bars.fault_bar import BarStrip
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_alert
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.quotes import quoted
from chimein_gui.viewmodels.window import WindowModels
from chimein_gui.viewmodels.words.notes import hold_words

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

translate = QCoreApplication.translate

HEIGHT = 40
SHOWN_REASON = 120
MOST_REASON = 400
"""Most characters of the operator's reason."""


class _ReasonField(QLineEdit):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        theme.apply(self, Face.BODY)
        self.setMaxLength(MOST_REASON)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.editingFinished.emit()
            return
        super().keyPressEvent(event)


class HeldBanner(QToolBar):
    """An amber bar across all panes, visible while everything is held."""

    def __init__(self, theme: Theme, models: WindowModels) -> None:
        super().__init__()
        self._models = models
        self.setObjectName("held_banner")
        self.setWindowTitle(self.tr("Held"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.strip = BarStrip(theme, HEIGHT)
        self.strip.look("attention", "hand")
        speak_as_alert(self.strip)
        self._cause = PlainLabel(theme, "", Face.STRONG, "attention")
        self._words = ElidedLabel(theme, "", Face.BODY, "text1")
        self.field = _ReasonField(theme)
        self.reason = ActionButton(theme, self.tr("Give a reason…"), kind=Kind.QUIET)
        self.release = ActionButton(theme, self.tr("Release…"))
        row = QHBoxLayout(self.strip)
        set_rtl_margins(row, 48, 4, 10, 4)
        row.setSpacing(10)
        row.addWidget(self._cause)
        row.addWidget(self._words, 1)
        row.addWidget(self.field, 1)
        row.addWidget(self.reason)
        row.addWidget(self.release)
        self.addWidget(self.strip)
        self.field.hide()
        self.field.setPlaceholderText(self.tr("Why is everything held? Press Return to save"))
        self.field.setAccessibleName(self.tr("Why everything is held"))
        self.field.returnPressed.connect(self._keep)
        self.field.editingFinished.connect(self._close_field)
        self.reason.clicked.connect(self._open_field)
        self.release.clicked.connect(lambda _checked=False: models.holds.release())
        self.release.setAccessibleDescription(self.tr("Opens a review of what waits. Nothing is sent yet"))
        self.release.setToolTip(self.tr("Opens a review of what waits. Nothing is sent yet"))
        models.holds.changed.connect(self.refresh)
        models.approvals.waiting_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show who holds, since when and why; hide the banner while nothing is held."""
        held = self._models.holds.everything()
        self.setVisible(held is not None)
        if held is None:
            self._close_field()
            if self.strip.accessibleDescription():
                self.strip.setAccessibleDescription("")  # the next hold is announced, even one of the same minute
                announce(self.strip, self.tr("Nothing is held any more."), at_once=True)
            return
        cause, words = self._cause_of(held), self._words_of(held)
        self._cause.setText(cause)
        self._words.setText(words)
        give_tip(self._words, f"{hold_words(held)} {words}".strip())
        self.reason.setVisible(held.stored and self.field.isHidden())
        self.reason.setText(self.tr("Change the reason…") if held.reason else self.tr("Give a reason…"))
        self.reason.updateGeometry()
        self.strip.setAccessibleName(f"{cause} {words}")
        if cause != self.strip.accessibleDescription():
            self.strip.setAccessibleDescription(cause)
            announce(self.strip, at_once=True)

    def _cause_of(self, held: Hold) -> str:
        at = self._models.clock.stamp(held.since)
        if held.stored:
            return self.tr("You held everything at {time}.").format(time=at)
        return self.tr("Chimein held everything at {time}.").format(time=at)

    def _words_of(self, held: Hold) -> str:
        number = self._models.approvals.waiting_count
        waits = translate("HeldBanner", "%n planned message(s) wait for you.", "", number)
        count = self._models.approvals.leaving.held_by(self._models.holds)
        approved = translate("HeldBanner", "%n approved message(s) are held.", "", count)
        reason = foreign_text.line(hold_words(held), SHOWN_REASON)
        why = "" if not reason else quoted(reason) if held.stored else f"{reason.rstrip('.')}."
        goes_on = self.tr("Agents keep reading and planning.")
        return " ".join(part for part in (why, approved if count else "", waits if number else "", goes_on) if part)

    def _open_field(self) -> None:
        held = self._models.holds.everything()
        self.field.setText(foreign_text.line(held.reason, MOST_REASON) if held is not None else "")
        self._words.hide()
        self.reason.hide()
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def _keep(self) -> None:
        self._models.holds.hold(self.field.text().strip())
        self._close_field()

    def _close_field(self) -> None:
        if self.field.isHidden():
            return
        self.field.hide()
        self._words.show()
        held = self._models.holds.everything()
        self.reason.setVisible(held is not None and held.stored)
