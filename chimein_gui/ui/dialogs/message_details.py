"""Shows the details of one message, which can be copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.verb_button import VerbButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.numbers import day_words
from chimein_gui.viewmodels.transcript.message_words import length_words, media_words, size_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from chimein_gui.domain.messages import Media
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

_WIDTH = 420


class MessageDetails(QDialog):
    """Plain facts; every value can be selected."""

    def __init__(self, theme: Theme, clock: ClockFace, row: TranscriptRow, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Message details"))
        self.setAccessibleName(self.windowTitle())
        self.setMinimumWidth(_WIDTH)
        self._clock = clock
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for line, (word, value) in enumerate(self._facts(row)):
            name, told = PlainLabel(theme, word, Face.SMALL, "text2"), PlainLabel(theme, value, Face.BODY)
            told.setWordWrap(True)
            told.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            told.setAccessibleName(f"{word}: {value}")
            grid.addWidget(name, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(told, line, 1)
        close = VerbButton(theme, self.tr("Close"))
        close.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(16)
        column.addLayout(grid)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignTrailing)

    def _facts(self, row: TranscriptRow) -> Iterator[tuple[str, str]]:
        message = row.message
        yield self.tr("From"), foreign_text.name(row.own_name if message.out else message.sender_name)
        yield self.tr("Sent"), self._when(message.sent_at)
        if message.edited_at is not None:
            yield self.tr("Edited"), self._when(message.edited_at)
        if message.deleted:
            yield self.tr("State"), self.tr("Deleted in Telegram, kept here")
        elif message.out:
            yield self.tr("State"), self.tr("Read") if row.read else self.tr("Sent, not read yet")
        if message.forward is not None:
            who = foreign_text.name(message.forward.sender_name) or self.tr("Somebody who hides it")
            when = self._when(message.forward.sent_at)
            yield self.tr("Forwarded from"), self.tr("{who}, written {when}").format(who=who, when=when)
        if message.media_kind:
            yield self.tr("Contains"), media_words(message.media_kind)
        if message.media is not None:
            yield from ((word, value) for word, value in self._file(message.media) if value)
        yield self.tr("Number"), str(message.key.message_id)

    def _file(self, media: Media) -> Iterator[tuple[str, str]]:
        yield self.tr("File"), foreign_text.line(media.file_name)
        yield self.tr("Size"), size_words(media.size) if media.size else ""
        yield self.tr("Picture"), f"{media.width} × {media.height}" if media.width else ""
        yield self.tr("Length"), length_words(media.duration_s) if media.duration_s else ""
        yield self.tr("Sticker set"), foreign_text.name(media.set_name) if media.set_name else ""

    def _when(self, when: datetime) -> str:
        local = when.astimezone()
        day = day_words(local, with_year=True)
        return self.tr("{day}, {time}").format(day=day, time=f"{local:%H:%M:%S}")
