"""The transcript with its actions: copies selected messages, opens clicked media and links, by mouse and keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QToolTip

from chimein_gui.domain.ids import MessageId
from chimein_gui.ui.messages.parts import Hit, HitKind
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.conversations.transcript.actions import MessageActions
from chimein_gui.ui.panes.conversations.transcript.menu import open_details, open_message_menu, trace_of
from chimein_gui.ui.panes.conversations.transcript.scroll import TranscriptScroll
from chimein_gui.ui.widgets.rows.opaque_ground import fill, make_opaque
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.text import external_links, foreign_text
from chimein_gui.viewmodels.decisions.of_message import make_message_decisions
from chimein_gui.viewmodels.decisions.words import sent_by_rule_words
from chimein_gui.viewmodels.media.opening import make_media_opening
from chimein_gui.viewmodels.panes.conversations import make_conversations
from chimein_gui.viewmodels.traces.words import TRACE_KEY
from chimein_gui.viewmodels.transcript.rows import TranscriptRow

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message
    from chimein_gui.viewmodels.transcript.transcript import TranscriptModel


_READ = frozenset(
    QKeyCombination(Qt.KeyboardModifier.AltModifier | more, key)
    for key, more in (
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier),
    )
)


class TranscriptView(TranscriptScroll):
    """Handles mouse and keyboard on the rows of a transcript."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._pressed: tuple[int, Hit] | None = None
        self._actions = MessageActions(context, self)
        self.setAccessibleName(self.tr("Messages"))
        self.setObjectName("transcript")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.viewport().setMouseTracking(True)
        models = context.models
        models.pictures.changed.connect(self._picture_changed)
        context.own(make_media_opening).changed.connect(self._picture_changed)
        models.own(make_conversations).search.changed.connect(self._mark_words)
        context.theme.changed.connect(self.viewport().update)
        context.own(make_message_decisions).loaded.connect(self._show_sender_tip)
        self._wanted: tuple[object, object] | None = None
        self._transcript.opened.connect(self._show_wanted)
        make_opaque(self)
        SingleKeyShortcuts({TRACE_KEY: self._show_trace}, self, models.single_keys).watch(self)

    @property
    def transcript(self) -> TranscriptModel:
        """The model with the rows."""
        return self._transcript

    def open_media(self, message: Message) -> None:
        """Show a picture, or download a file and ask whether to open it."""
        self._actions.open_media(message)

    @property
    def is_complete(self) -> bool:
        """Whether the last paint had all pictures, and nothing is being animated."""
        return not self._delegate.something_waits and not self.arrivals.is_moving

    def await_message(self, chat_id: object, message_id: object) -> None:
        """Show a message as soon as its chat is open."""
        self._wanted = (chat_id, message_id)
        chat = self._transcript.chat
        if chat is not None and self._transcript.rows.rowCount():
            self._show_wanted(chat.chat_id)

    def _show_wanted(self, chat_id: object) -> None:
        wanted = self._wanted
        if wanted is not None and wanted[0] == chat_id and isinstance(wanted[1], int):
            self._wanted = None
            self._transcript.jump_to(MessageId(wanted[1]))

    # --- appearance -----------------------------------------------------------------------------------------------

    def _picture_changed(self, key: object) -> None:
        message_id = getattr(key, "message_id", None)
        row = self._transcript.rows.row_of(message_id) if message_id is not None else -1
        found = self._transcript.rows.message(message_id) if row >= 0 else None
        if found is not None and found.key == key:
            self._delegate.forget_picture(found.key)
            self.update(self._transcript.rows.index(row, 0))

    def _mark_words(self) -> None:
        self._delegate.words = self._context.own(make_conversations).search.words
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._theme, "chat")
        self._delegate.something_moves = self._delegate.something_waits = False
        super().paintEvent(event)
        if self._delegate.something_moves:
            self.motion.begin()

    def hideEvent(self, event: QHideEvent) -> None:
        self.motion.stop()
        super().hideEvent(event)

    # --- mouse and keyboard ---------------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copy the selected messages to the clipboard."""
        self._actions.copy(index.row() for index in self.selectedIndexes())

    def _hit(self, at: QPoint) -> tuple[int, Hit] | None:
        index = self.indexAt(at)
        if not index.isValid():
            return None
        hit = self._delegate.hit(QRectF(self.visualRect(index)), index.row(), QPointF(at))
        return (index.row(), hit) if hit is not None else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() is Qt.MouseButton.LeftButton
        self._pressed = self._hit(event.position().toPoint()) if left else None
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed, self._pressed = self._pressed, None
        plain = event.modifiers() is Qt.KeyboardModifier.NoModifier
        if pressed is not None and plain and pressed == self._hit(event.position().toPoint()):
            self._actions.do(pressed[1], pressed[0])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() is Qt.MouseButton.NoButton:
            over = self._hit(event.position().toPoint()) is not None
            shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            found = self._hit(event.pos())
            words = self._tip(found[1]) if found is not None else ""
            words = words or self._sender_tip(event.pos())
            if words:
                QToolTip.showText(event.globalPos(), foreign_text.tool_tip(words), self.viewport())
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def _sender_tip(self, at: QPoint) -> str:
        """Return which rule sent the message at a point; empty if none did, or while that is unknown."""
        row, chat = self._transcript.rows.row_at(self.indexAt(at).row()), self._transcript.chat
        if not isinstance(row, TranscriptRow) or not row.message.out or chat is None:
            return ""
        one = self._context.own(make_message_decisions).of(chat.chat_id, row.message.key.message_id)
        return "" if one is None or one.rule is None else sent_by_rule_words(one.rule.name)

    def _show_sender_tip(self) -> None:
        """Show the tool tip, now that the rule is known, if the pointer is still on the message."""
        place = QCursor.pos()
        at = self.viewport().mapFromGlobal(place)
        words = self._sender_tip(at) if self.viewport().rect().contains(at) and self.isVisible() else ""
        if words and self._hit(at) is None:
            QToolTip.showText(place, foreign_text.tool_tip(words), self.viewport())

    def _tip(self, hit: Hit) -> str:
        """Return the real target of a link, or that it is not opened; empty for other hits."""
        if hit.kind is not HitKind.LINK:
            return ""
        return (
            hit.target if external_links.may_open(hit.target) else self.tr("Not opened: {link}").format(link=hit.target)
        )

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            rect = self.visualRect(self.currentIndex())
            place = self.viewport().mapToGlobal(
                QPoint(rect.center().x(), max(8, min(rect.bottom(), self.height() - 8)))
            )
        else:
            index = self.indexAt(event.pos())
            if index.isValid() and not self.selectionModel().isSelected(index):
                self.setCurrentIndex(index)
        selected = [index.row() for index in self.selectedIndexes()]
        open_message_menu(self._context, self, self._actions, selected, place)

    def _show_trace(self) -> None:
        """Show the trace of the plan that brought about the current row, if one did."""
        current = self.currentIndex()
        trace = trace_of(self._context, self._transcript.rows.row_at(current.row())) if current.isValid() else None
        if trace is not None:
            self._context.requests.send(trace)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.keyCombination() in _READ:
            open_details(self._context, self._transcript.rows.row_at(self.currentIndex().row()), self)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            number = self.currentIndex().row()
            hit = self._actions.first_of(number)
            if hit is not None:
                self._actions.do(hit, number)
        elif event.key() == Qt.Key.Key_End and event.modifiers() is Qt.KeyboardModifier.NoModifier:
            self.go_to_foot()
            self.setCurrentIndex(self.model().index(self.model().rowCount() - 1, 0))
        else:
            super().keyPressEvent(event)
