"""A photo or sticker, as large as the window allows; its album by the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QWidget

from chimein_gui.domain.messages import Message
from chimein_gui.ui.messages.pictures import placeholder_words
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.media.pictures import Pictures
from chimein_gui.viewmodels.transcript.message_words import media_words

_SHARE = 0.86
"""Of the window above which it stands."""

_STEPS = 160
"""Sizes are asked for in such steps: each size is decoded by itself."""

_MARGIN = 16
_GROUND, _INK = QColor("#0E1116"), QColor("#E6E9EE")


class PictureViewer(QDialog):
    """Shows one picture; Left and Right go through its album, Escape and a click close it."""

    def __init__(
        self, theme: Theme, pictures: Pictures, album: Sequence[Message], first: Message, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme, self._pictures, self._album = theme, pictures, list(album)
        self._at = self._album.index(first) if first in self._album else 0
        self._complete = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("picture-viewer")
        pictures.changed.connect(self.update)
        self.resize(parent.window().size() * _SHARE)
        self._name_it()

    @property
    def message(self) -> Message:
        """The message whose picture is shown."""
        return self._album[self._at]

    @property
    def is_complete(self) -> bool:
        """Tell whether its picture was there when it was painted last."""
        return self._complete

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ahead = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()), 0)
        if ahead:
            self._at = max(0, min(len(self._album) - 1, self._at + (-ahead if self.isRightToLeft() else ahead)))
            self._name_it()
            self.update()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.close()

    def _name_it(self) -> None:
        kind = media_words(self.message.media_kind)
        who = foreign_text.isolated(self.message.sender_name)
        title = self.tr("{kind} from {who}").format(kind=kind, who=who)
        if len(self._album) > 1:
            title = self.tr("{title}, {n} of {all}").format(title=title, n=self._at + 1, all=len(self._album))
        self.setWindowTitle(title)
        caption = foreign_text.line(self.message.text, 300)
        self.setAccessibleName(f"{title}: {caption}" if caption else title)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), _GROUND)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        metrics = self._theme.metrics(Face.SMALL)
        foot = metrics.height() + 2 * _MARGIN
        room = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -foot)
        ratio = self.devicePixelRatioF()
        steps = [max(1, -(-int(side * ratio) // _STEPS)) * _STEPS for side in (room.width(), room.height())]
        image = self._pictures.still(self.message, QSize(*steps))
        self._complete = image is not None
        painter.setPen(_INK)
        painter.setFont(self._theme.font(Face.SMALL))
        if image is None:
            words = placeholder_words(self.message, self._pictures.state(self.message))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), words)
        else:
            share = min(room.width() / image.width(), room.height() / image.height(), 2.0)
            wide, high = image.width() * share, image.height() * share
            place = QRectF(room.center().x() - wide / 2, room.center().y() - high / 2, wide, high)
            painter.drawImage(place, image, QRectF(image.rect()))
        below = QRectF(_MARGIN, self.height() - foot, self.width() - 2 * _MARGIN, foot)
        shown = metrics.elidedText(self.windowTitle(), Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), shown)
        painter.end()
