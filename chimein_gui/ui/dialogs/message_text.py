"""The whole text of a message, to be read by word and by character; its links are reached by Tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextBrowser, QVBoxLayout, QWidget

from chimein_gui.domain.messages import utf16_length
from chimein_gui.ui.messages.text_runs import Run, RunKind, runs_of
from chimein_gui.ui.widgets.text import external_links
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, state_of
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.transcript.message_words import message_words

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

_LOWEST, _HIGHEST = 64, 260
_MARGIN = 8
_EDGE = 4


class TextFrame(QWidget):
    """The frame of a text: as that of a field, with a ring while the text has the focus."""

    def __init__(self, theme: Theme, text: QTextBrowser) -> None:
        super().__init__()
        self._theme, self._text = theme, text
        column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        column.addWidget(text)
        text.installEventFilter(self)
        theme.changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = colours_of(self._theme, Role.FIELD, state_of(self._text))
        inside = colours.width / 2
        draw_ground(painter, colours, QRectF(self.rect()).adjusted(inside, inside, -inside, -inside), 6)
        painter.end()


class MessageText(QTextBrowser):
    """A read-only text with a caret. It is put together without markup, so nothing in it is interpreted or loaded.

    Attributes:
        link_pressed: A link was activated; its real target.
    """

    link_pressed = Signal(str)

    def __init__(self, theme: Theme, row: TranscriptRow, width: int) -> None:
        """Show the text of a row, without the spoilers that are hidden on the screen.

        Args:
            theme: Colours and fonts.
            row: The row.
            width: In pixels, to choose the height.
        """
        super().__init__()
        self._theme = theme
        self._targets: list[str] = []
        theme.apply(self, Face.BODY)
        self.setAccessibleName(self.tr("Message"))
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.anchorClicked.connect(self._press)
        self.document().setDocumentMargin(_MARGIN)
        cursor = QTextCursor(self.document())
        for message in row.messages:
            runs = runs_of(message.text, message.entities, secrets=row.opened.secrets)
            for run in runs or (Run(RunKind.TEXT, message_words(message), ()),):
                if not self.document().isEmpty():
                    cursor.insertBlock()
                self._insert(cursor, run)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.document().setTextWidth(width)
        height = round(self.document().size().height())
        self.setFixedHeight(min(max(height, _LOWEST), _HIGHEST))

    def _insert(self, cursor: QTextCursor, run: Run) -> None:
        units, at = run.text.encode("utf-16-le", "surrogatepass"), 0
        for one in run.stretches:
            cursor.insertText(_part(units, at, one.start), QTextCharFormat())
            words, at = _part(units, one.start, one.start + one.length), one.start + one.length
            if one.hidden:
                words = QCoreApplication.translate("TranscriptWords", "(hidden)")
            cursor.insertText(
                words, self._link(one.target) if external_links.may_open(one.target) else QTextCharFormat()
            )
        cursor.insertText(_part(units, at, utf16_length(run.text)), QTextCharFormat())

    def _link(self, target: str) -> QTextCharFormat:
        self._targets.append(target)
        look = QTextCharFormat()
        look.setAnchor(True)
        look.setAnchorHref(f"#{len(self._targets) - 1}")  # the target itself would be changed by QUrl
        look.setForeground(self._theme.color("accent_text"))
        look.setFontUnderline(True)
        return look

    def _press(self, url: QUrl) -> None:
        self.link_pressed.emit(self._targets[int(url.fragment())])


def _part(units: bytes, start: int, end: int) -> str:
    return units[2 * start : 2 * end].decode("utf-16-le", "replace")
