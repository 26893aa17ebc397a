"""Shows a photo or sticker with zoom; the arrow keys go through the pictures of its chat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, QStandardPaths, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.messages import Message
from chimein_gui.ui.messages.pictures import placeholder_words
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.media.pictures import Pictures
from chimein_gui.viewmodels.transcript.message_words import media_words

_SHARE = 0.86
"""Share of the parent window's size."""

_STEPS = 160
"""Sizes are requested in multiples of this, in px, because each size is decoded separately."""

_LARGEST = 4096
"""Largest side in px that is decoded; beyond it the picture is scaled up."""

_MARGIN = 16
_STEP, _CLOSEST, _MOST_BY_ITSELF = 1.25, 8.0, 2.0
_CAPTION_LINES = 3
_A_CLICK = 4
_GROUND, _INK, _BACKDROP = QColor("#0E1116"), QColor("#E6E9EE"), QColor(14, 17, 22, 190)


class PictureViewer(QDialog):
    """Shows one picture; Left and Right go through the others, + and - zoom, Escape and a click close it.

    Attributes:
        save_wanted: The operator saves the picture; carries its message and the path of the new file.
    """

    save_wanted = Signal(object, object)

    def __init__(
        self, theme: Theme, pictures: Pictures, others: Sequence[Message], first: Message, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme, self._pictures, self._others = theme, pictures, list(others)
        keys = [one.key for one in self._others]
        self._at = keys.index(first.key) if first.key in keys else 0
        self._complete = False
        self._zoom: float | None = None
        self._shift = QPointF()
        self._pressed: QPointF | None = None
        self._moved = 0.0
        self._last: tuple[Message, QImage] | None = None
        self.chooser: QFileDialog | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("picture-viewer")
        self._build()
        pictures.changed.connect(self.update)
        self.resize(parent.window().size() * _SHARE)
        self._name_it()

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.back = ActionButton(self._theme, "", icon="caret-left")
        self.ahead = ActionButton(self._theme, "", icon="caret-right")
        self.back.setAccessibleName(self.tr("Previous picture"))
        self.ahead.setAccessibleName(self.tr("Next picture"))
        self.back.clicked.connect(lambda: self.go(-1))
        self.ahead.clicked.connect(lambda: self.go(1))
        self.fit = ActionButton(self._theme, self.tr("Fit"))
        self.fit.clicked.connect(lambda: self.zoom_to(None))
        self.whole = ActionButton(self._theme, self.tr("100 %"))
        self.whole.clicked.connect(lambda: self.zoom_to(1.0))
        self.save = ActionButton(self._theme, self.tr("Save as…"), icon="download")
        self.save.clicked.connect(self._choose)
        row.addWidget(self.back)
        row.addWidget(self.ahead)
        row.addStretch(1)
        for button in (self.fit, self.whole, self.save):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, 8)
        column.addStretch(1)
        column.addLayout(row)
        for button in self.findChildren(ActionButton):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFocus()

    @property
    def message(self) -> Message:
        """The message whose picture is shown."""
        return self._others[self._at]

    @property
    def is_complete(self) -> bool:
        """Tell whether the last paint had the picture in the needed size."""
        return self._complete

    @property
    def scale(self) -> float:
        """Logical pixels of the screen per pixel of the picture."""
        return self._fitting() if self._zoom is None else self._zoom

    def go(self, step: int) -> None:
        """Show the picture `step` places later, or earlier if it is negative."""
        at = max(0, min(len(self._others) - 1, self._at + step))
        if at != self._at:
            self._at, self._last = at, None
            self.zoom_to(None)
            self._name_it()

    def zoom_to(self, scale: float | None, about: QPointF | None = None) -> None:
        """Show the picture at a scale; None fits it into the window.

        Args:
            scale: Pixels of the screen per pixel of the picture.
            about: The point that stays in place; None for the centre.
        """
        before, self._zoom = self.scale, None if scale is None else max(0.05, min(scale, _CLOSEST))
        if self._zoom is None:
            self._shift = QPointF()
        else:
            away = (about or self._room().center()) - self._room().center()
            self._shift = away + (self._shift - away) * (self.scale / before)
            self._hold_fast()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hold_fast()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        ahead = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(key, 0)
        if ahead:
            self.go(-ahead if self.isRightToLeft() else ahead)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_to(self.scale * _STEP)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom_to(self.scale / _STEP)
        elif key == Qt.Key.Key_0:
            self.zoom_to(None)
        elif key == Qt.Key.Key_1:
            self.zoom_to(1.0)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turns = event.angleDelta().y() / 120
        if turns:
            self.zoom_to(self.scale * _STEP**turns, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._moved = event.position(), 0.0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        way = event.position() - self._pressed
        self._pressed = event.position()
        self._moved += abs(way.x()) + abs(way.y())
        self._shift += way
        self._hold_fast()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None and self._moved < _A_CLICK:
            self.close()

    def _choose(self) -> None:
        """Ask where to save the picture; the file is written in the background."""
        message = self.message
        chooser = self.chooser = QFileDialog(self, self.tr("Save the picture"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        pictures = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
        chooser.setDirectory(pictures)
        suffix = "webp" if message.media_kind == "sticker" else "jpg"
        chooser.setDefaultSuffix(suffix)
        chooser.selectFile(f"{message.sent_at:%Y-%m-%d %H.%M.%S}.{suffix}")
        chooser.fileSelected.connect(lambda path: self.save_wanted.emit(message, Path(path)))
        chooser.open()

    def _name_it(self) -> None:
        kind = media_words(self.message.media_kind)
        who = foreign_text.isolated(self.message.sender_name)
        title = self.tr("{kind} from {who}").format(kind=kind, who=who)
        if len(self._others) > 1:
            title = self.tr("{title}, {n} of {all}").format(title=title, n=self._at + 1, all=len(self._others))
        self.setWindowTitle(title)
        caption = foreign_text.line(self.message.text, 300)
        self.setAccessibleName(spoken(f"{title}: {caption}" if caption else title))
        self.back.allow("" if self._at else self.tr("This is the first picture"))
        last = self._at == len(self._others) - 1
        self.ahead.allow(self.tr("This is the last picture") if last else "")

    # --- geometry -----------------------------------------------------------------------------------------------------

    def _room(self) -> QRectF:
        foot = self._theme.metrics(Face.SMALL).height() + 2 * _MARGIN + self.save.sizeHint().height()
        return QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -foot)

    def _sides(self) -> QSizeF:
        """Return the size of the picture; a square while it is unknown."""
        media = self.message.media
        if media is not None and media.width and media.height:
            return QSizeF(media.width, media.height)
        return QSizeF(self._last[1].size()) if self._last is not None else QSizeF(512, 512)

    def _fitting(self) -> float:
        sides, room = self._sides(), self._room()
        return max(0.01, min(room.width() / sides.width(), room.height() / sides.height(), _MOST_BY_ITSELF))

    def _hold_fast(self) -> None:
        """Limit the offset so that the picture, if it is larger than the viewport, still covers it."""
        sides, room = self._sides() * self.scale, self._room()
        wide, high = (max(0.0, sides.width() - room.width()) / 2, max(0.0, sides.height() - room.height()) / 2)
        self._shift = QPointF(max(-wide, min(wide, self._shift.x())), max(-high, min(high, self._shift.y())))

    # --- painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), _GROUND)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setFont(self._theme.font(Face.SMALL))
        painter.setPen(_INK)
        room, image = self._room(), self._image()
        if image is None:
            words = placeholder_words(self.message, self._pictures.state(self.message))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), words)
        else:
            sides = self._sides() * self.scale
            place = QRectF(QPointF(), QSizeF(image.size().scaled(sides.toSize(), Qt.AspectRatioMode.KeepAspectRatio)))
            place.moveCenter(room.center() + self._shift)
            painter.setClipRect(room)
            painter.drawImage(place, image, QRectF(image.rect()))
            painter.setClipping(False)
        self._paint_words(painter, room)
        painter.end()

    def _image(self) -> QImage | None:
        """Return the picture in the needed size; while that is being decoded the last one, or None without any."""
        ratio, sides = self.devicePixelRatioF(), self._sides() * self.scale
        steps = [
            min(_LARGEST, max(1, -(-int(side * ratio) // _STEPS)) * _STEPS) for side in (sides.width(), sides.height())
        ]
        image = self._pictures.still(self.message, QSize(*steps))
        self._complete = image is not None
        if image is not None:
            self._last = (self.message, image)
        return self._last[1] if self._last is not None else None

    def _paint_words(self, painter: QPainter, room: QRectF) -> None:
        metrics = self._theme.metrics(Face.SMALL)
        below = QRectF(room.left(), room.bottom() + 4, room.width(), metrics.height() + 4)
        shown = metrics.elidedText(self.windowTitle(), Qt.TextElideMode.ElideRight, int(below.width()))
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), shown)
        caption = foreign_text.line(self.message.text, 1024)
        if not caption:
            return
        high = metrics.height() * _CAPTION_LINES
        flags = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter)
        need = metrics.boundingRect(QRectF(0, 0, room.width() - 24, high), flags, caption)
        band = QRectF(
            room.left(), room.bottom() - min(need.height(), high) - 12, room.width(), min(need.height(), high) + 12
        )
        painter.fillRect(band, _BACKDROP)
        option = QTextOption(Qt.AlignmentFlag.AlignCenter)
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        painter.setClipRect(band)
        painter.drawText(band.adjusted(12, 6, -12, -6), caption, option)
        painter.setClipping(False)
