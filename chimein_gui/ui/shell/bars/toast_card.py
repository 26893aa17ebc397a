"""The toast at the bottom of the window: what happened, and one action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_alert
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme, blend
from chimein_gui.viewmodels.problems.toasts import Toast, Toasts

WIDTH, HEIGHT, GAP = 420, 52, 12


class ToastCard(QFrame):
    """Shown over the panes. Its timer pauses while the pointer or the focus is in it; Esc dismisses it."""

    def __init__(self, theme: Theme, toasts: Toasts, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._toasts, self._window = theme, toasts, window
        self._number = 0
        self._hovered = False
        self._left = self._bottom = GAP
        self._clear_of: Callable[[QRect, int], QRect] | None = None
        self._soon = QTimer(self)
        """Fires when what came with the focus, such as an editor, has its place."""
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.make_way)
        speak_as_alert(self)
        self._text = ElidedLabel(theme, "", Face.STRONG)
        self._detail = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.button = ActionButton(theme, "", kind=Kind.QUIET)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addStretch(1)
        words.addWidget(self._text)
        words.addWidget(self._detail)
        words.addStretch(1)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 42, 4, 6, 4)
        row.setSpacing(8)
        row.addLayout(words, 1)
        row.addWidget(self.button)
        self.button.clicked.connect(toasts.act)
        toasts.changed.connect(self.refresh)
        toasts.rewritten.connect(self._show_words)
        theme.changed.connect(self.update)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self.hide()

    def refresh(self) -> None:
        """Show the current toast; hide the card if there is none."""
        toast = self._toasts.current
        if toast is None:
            self._number = 0
            self.hide()
            return
        self._number = toast.number
        self._show_words()
        self.button.setText(toast.action_text)
        self.button.setVisible(bool(toast.action_text))
        self.button.updateGeometry()
        self.place(self._left, self._bottom)
        self.show()
        self.raise_()
        announce(self, self._sentence(toast))
        if self._hovered:
            self._toasts.pause()

    def _sentence(self, toast: Toast) -> str:
        """Return what is announced of a toast when it comes; its countdown is not announced again each second."""
        words = self.accessibleName()
        if not toast.action_text:
            return words
        return self.tr("{words}. Possible now: {action}").format(words=words, action=toast.action_text)

    def _show_words(self) -> None:
        toast = self._toasts.current
        if toast is not None:
            text, detail = foreign_text.line(toast.text), foreign_text.line(toast.detail)
            self._text.setText(text)
            self._detail.setText(detail)
            self._detail.setVisible(bool(detail))
            self.setAccessibleName(f"{text}. {detail}" if detail else text)
            give_tip(self, f"{toast.text} {toast.detail}".strip())

    def keep_clear_of(self, clear_of: Callable[[QRect, int], QRect]) -> None:
        """Set a function that returns where the toast covers nothing in use, from its place and least width, px."""
        self._clear_of = clear_of

    def make_way(self) -> None:
        """Move off what has come below it, unless the pointer is on it."""
        if self.isVisible() and not self._hovered:
            self.place(self._left, self._bottom)

    def place(self, left: int, bottom: int) -> None:
        """Move above the lower leading corner of the panes; logical pixels in the window."""
        self._left, self._bottom = left, bottom
        window = self._window
        lines = self._text.fontMetrics().height() + (self._detail.sizeHint().height() if self._detail.text() else 0)
        height = max(HEIGHT, lines + 18)
        width = min(WIDTH, window.width() - left - 2 * GAP)
        place = QRect(left + GAP, window.height() - bottom - GAP - height, width, height)
        if self._clear_of is not None:
            place = self._clear_of(place, min(self._least(), width))
        elif self.isRightToLeft():
            place.moveRight(window.width() - left - GAP - 1)
        self.setGeometry(place)

    def _least(self) -> int:
        """Return the width that the words and the button need, px."""
        margins, row = self.contentsMargins(), self.layout()
        assert row is not None
        row.activate()
        words = max(
            label.sizeHint().width() for label in (self._text, self._detail) if label.text() or label is self._text
        )
        button = self.button.sizeHint().width() + row.spacing() if not self.button.isHidden() else 0
        inside = row.contentsMargins()
        return words + button + inside.left() + inside.right() + margins.left() + margins.right()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self._toasts.pause()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self._run()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._toasts.dismiss(self._number)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        toast, color = self._toasts.current, self._theme.color
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(blend(color("line_strong"), color("text3"), 0.35), 1))
        painter.setBrush(color("card"))
        painter.drawRoundedRect(frame, 10, 10)
        if toast is not None:
            left = 15.0 if not self.isRightToLeft() else self.width() - 33.0
            icons.draw(painter, toast.icon, color(toast.token), QRectF(left, self.height() / 2 - 9, 18, 18))
        painter.setPen(QPen(color("line"), 1))
        painter.drawLine(QPointF(10, self.height() - 0.5), QPointF(self.width() - 10, self.height() - 0.5))
        painter.end()

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and self.isAncestorOf(new):
            self._toasts.pause()
        else:
            self._run()
            if self.isVisible():
                self._soon.start()

    def _run(self) -> None:
        focus = QApplication.focusWidget()
        if not self._hovered and not (focus is not None and self.isAncestorOf(focus)):
            self._toasts.go_on()
