"""The attached files and the running uploads, above the field."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.transcript.message_words import size_words

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.viewmodels.composer.attachments import Attachment

PICTURE = 34


class FileRow(QWidget):
    """A picture or an icon, a name with a line below it, and buttons at the end."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._title, self._line = theme, "", ""
        self._image: QImage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.buttons = QHBoxLayout(self)
        self.buttons.setContentsMargins(0, 0, 0, 0)
        self.buttons.addStretch(1)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, max(PICTURE + 6, round(self._theme.metrics(Face.SMALL).height() * 2 + 8)))

    def show_words(self, title: str, line: str, image: QImage | None = None) -> None:
        """Show a file's name, a line below it, and a picture; None shows an icon."""
        self._title, self._line, self._image = title, line, image
        self.setAccessibleName(f"{title}: {line}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        follow_layout(painter, self)
        line = theme.metrics(Face.SMALL).height()
        place = QRectF(1, (self.height() - PICTURE) / 2, PICTURE, PICTURE)
        if self._image is None:
            icons.draw(painter, "file", theme.color("text2"), place.adjusted(8, 8, -8, -8))
        else:
            shown = self._image.size().scaled(PICTURE, PICTURE, Qt.AspectRatioMode.KeepAspectRatio)
            rect = QRectF(0, 0, shown.width(), shown.height())
            rect.moveCenter(place.center())
            painter.drawImage(rect, self._image)
        first = min((child.x() for child in self.findChildren(QWidget) if child.isVisible()), default=self.width())
        room = (self.width() if self.isRightToLeft() else first) - PICTURE - 20
        top = (self.height() - 2 * line) / 2 + line / 2
        ink = theme.color("text1")
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), ink, QPointF(PICTURE + 10, top), self._title, room)
        ink = theme.color("text2")
        marks.draw_line(painter, theme.font(Face.SMALL), ink, QPointF(PICTURE + 10, top + line), self._line, room)
        painter.end()


class Attachments(QWidget):
    """A row for each attached file.

    Attributes:
        changed: The operator removed or changed one; carries the new attachments.
    """

    changed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._files: tuple[Attachment, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)

    def show_files(self, files: tuple[Attachment, ...]) -> None:
        """Show the attachments; hidden if there are none."""
        if files == self._files:
            return
        self._files = files
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for one in files:
            self._column.addWidget(self._row(one))
        self.setVisible(bool(files))

    def _row(self, attachment: Attachment) -> FileRow:
        row, name = FileRow(self._theme), foreign_text.line(attachment.file.file_name, 120)
        as_photo = attachment.file.as_photo
        kind = self.tr("Photo") if as_photo else self.tr("File")
        row.show_words(name, f"{kind} · {size_words(attachment.size)}", attachment.small)
        if attachment.may_be_photo:
            other = self.tr("Send as file") if as_photo else self.tr("Send as photo")
            switch = ActionButton(self._theme, other, kind=Kind.QUIET)
            switch.clicked.connect(partial(self._replace, attachment, attachment.sent_as(photo=not as_photo)))
            row.buttons.addWidget(switch, 0, Qt.AlignmentFlag.AlignVCenter)
        words = self.tr("Do not send {name}").format(name=foreign_text.isolated(name))
        remove = IconButton(self._theme, "x", words)
        remove.clicked.connect(partial(self._replace, attachment, None))
        row.buttons.addWidget(remove, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _replace(self, old: Attachment, new: Attachment | None) -> None:
        files = tuple(new if one is old else one for one in self._files)
        self.changed.emit(tuple(one for one in files if one is not None))


class Uploading(QWidget):
    """A row for each upload, with its progress.

    Attributes:
        stopped: The operator cancelled an upload; carries the id of its approval.
    """

    stopped = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: dict[ApprovalId, FileRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)

    def show_uploads(self, uploads: dict[ApprovalId, tuple[str, float]]) -> None:
        """Show names and progress from 0 to 1; hidden if there are no uploads."""
        for gone in self._rows.keys() - uploads.keys():
            row = self._rows.pop(gone)
            row.hide()
            row.deleteLater()
        for approval_id, (name, part) in uploads.items():
            known = self._rows.get(approval_id) or self._add(approval_id)
            percent = self.tr("Uploading, {n} %").format(n=round(part * 100))
            known.show_words(foreign_text.line(name, 120), percent)
        self.setVisible(bool(uploads))

    def _add(self, approval_id: ApprovalId) -> FileRow:
        row = self._rows[approval_id] = FileRow(self._theme)
        stop = ActionButton(self._theme, self.tr("Cancel"), kind=Kind.QUIET)
        stop.clicked.connect(partial(self.stopped.emit, approval_id))
        row.buttons.addWidget(stop, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column.addWidget(row)
        return row
