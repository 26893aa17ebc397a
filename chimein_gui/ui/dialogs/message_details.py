"""Shows the text and the details of one message, to be read by word and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.chats import AUTOMATIC
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.ui.dialogs.message_text import MessageText, TextFrame
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text import external_links, foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import day_words
from chimein_gui.viewmodels.decisions.of_message import make_message_decisions
from chimein_gui.viewmodels.decisions.words import origin_words, revoke_words, sender_words, standing_words
from chimein_gui.viewmodels.transcript.message_words import length_words, media_words, size_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.messages import Media
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

_WIDTH = 420
_SIDE = 20


class MessageDetails(QDialog):
    """Lists facts with selectable values. The rule that sent the message can be revoked here."""

    def __init__(self, context: PaneContext, chat_id: ChatId | None, row: TranscriptRow, parent: QWidget) -> None:
        """Show the details of a row.

        Args:
            context: Models and colours.
            chat_id: Its chat; None if it belongs to none.
            row: The row.
            parent: The parent widget.
        """
        super().__init__(parent)
        self._context, self._theme, self._chat_id = context, context.theme, chat_id
        self._message_id = row.message.key.message_id
        self._decisions = context.own(make_message_decisions)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Message details"))
        self.setAccessibleName(self.windowTitle())
        self.setMinimumWidth(_WIDTH)
        self.text = MessageText(self._theme, row, _WIDTH - 2 * _SIDE)
        self.text.link_pressed.connect(self._open_link)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        for word, value in self._facts(row):
            self._add(word, value)
        self.revoke = ActionButton(self._theme, self.tr("Revoke this rule…"), icon="hand", kind=Kind.DANGER)
        self.revoke.clicked.connect(self._ask_to_revoke)
        self.revoke.hide()
        close = ActionButton(self._theme, self.tr("Close"))
        close.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 18, _SIDE, 16)
        column.setSpacing(16)
        column.addWidget(TextFrame(self._theme, self.text))
        column.addLayout(self._grid)
        feet = QHBoxLayout()
        feet.addWidget(self.revoke)
        feet.addStretch(1)
        feet.addWidget(close)
        column.addLayout(feet)
        self.text.setFocus()
        if row.message.out and chat_id is not None:
            self._decisions.loaded.connect(self._tell_sender)
            self._tell_sender(chat_id, self._message_id)

    def _open_link(self, target: str) -> None:
        """Open an address in the default browser, or show why it can't be opened."""
        if not external_links.open_link(target):
            self._context.models.toasts.show(self.tr("Only web and Telegram links are opened"))

    def _add(self, word: str, value: str) -> None:
        line = self._grid.rowCount()
        name, shown = PlainLabel(self._theme, word, Face.SMALL, "text2"), PlainLabel(self._theme, value, Face.BODY)
        shown.setWordWrap(True)
        shown.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        shown.setAccessibleName(f"{word}: {value}")
        self._grid.addWidget(name, line, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(shown, line, 1)

    def _tell_sender(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Show who approved the send, as soon as that is known."""
        one = self._decisions.of(chat_id, message_id) if (chat_id, message_id) == self._key else None
        if one is None:
            return
        self._decisions.loaded.disconnect(self._tell_sender)
        self._add(self.tr("Sent by"), sender_words(one))
        models = self._context.models
        chat = models.chats.chat(chat_id)
        if one.rule is not None and chat is not None:
            level = trust_now(chat, models.clock.now())
            self._add(self.tr("Rule"), origin_words(one.rule, models.clock))
            self._add(self.tr("Now"), standing_words(chat, level, models.clock))
            self.revoke.setVisible(level in AUTOMATIC)

    def _ask_to_revoke(self) -> None:
        """Ask for a confirmation, which works even if this dialog is closed meanwhile."""
        models, chat_id = self._context.models, self._chat_id
        one = self._decisions.of(chat_id, self._message_id) if chat_id is not None else None
        chat = models.chats.chat(chat_id) if chat_id is not None else None
        if one is None or chat is None:
            return
        level, words = trust_now(chat, models.clock.now()), revoke_words(chat, one.agent_name, foreign_text.isolated)
        parent, rules = self.parentWidget() or self, self._decisions.rules
        question = QuestionDialog(
            self._theme, self.tr("Revoke this rule?"), words, self.tr("Revoke"), parent.window(), icon="hand"
        )
        question.agreed.connect(lambda: rules.revoke(chat.chat_id, level))
        self.accept()
        question.open()

    @property
    def _key(self) -> tuple[ChatId | None, MessageId]:
        return self._chat_id, self._message_id

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
            who = foreign_text.name(message.forward.sender_name) or self.tr("A hidden sender")
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
