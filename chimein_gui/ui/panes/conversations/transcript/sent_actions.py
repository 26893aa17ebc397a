"""Editing a sent message within 48 hours, or deleting it for everyone.

The question says what the partner may have seen.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.chats import ChatKind
from chimein_gui.ui.requests import DeleteSent, EditSent
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.core.quotes import quoted
from chimein_gui.viewmodels.decisions.of_message import make_message_decisions

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.approvals import RevokedRule
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.pane import PaneContext

EDITABLE = timedelta(hours=48)
"""How long Telegram allows edits of a message."""

translate = QCoreApplication.translate


class SentActions(QObject):
    """Handles the requests about sent messages of the open chat.

    Attributes:
        editing: The composer contains the text of a sent message now.
    """

    editing = Signal()

    def __init__(self, context: PaneContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._models, self._pane = context, context.models, parent
        context.requests.on(EditSent, lambda request: self._edit(request.message))
        context.requests.on(DeleteSent, lambda request: self._ask_to_delete(request.message))
        composer = self._models.composer
        composer.edited.connect(lambda _chat_id: self._tell(self.tr("Changed for everyone"), "check"))
        rules = context.own(make_message_decisions).rules
        rules.revoked.connect(self._tell_revoked)
        rules.restored.connect(self._tell_restored)
        rules.failed.connect(self._tell_failed)
        composer.deleted.connect(lambda _chat_id: self._tell(self.tr("Deleted for everyone"), "trash"))

    def _edit(self, message: Message) -> None:
        chat = self._models.transcript.chat
        if chat is None:
            return
        if self._models.clock.now() - message.sent_at >= EDITABLE:
            self._tell(self.tr("Messages can be edited for 48 hours. This one is older"), "info")
            return
        self._models.composer.begin_edit(chat.chat_id, message)
        self.editing.emit()

    def _ask_to_delete(self, message: Message) -> None:
        from chimein_gui.ui.dialogs.question import QuestionDialog

        chat = self._models.transcript.chat
        if chat is None:
            return
        title, action = self.tr("Delete this message for everyone?"), self.tr("Delete for everyone")
        words = _seen_words(chat, message)
        text = foreign_text.line(message.text, 120)
        whole = f"{words}\n\n{quoted(foreign_text.isolated(text))}" if text else words
        window = self._pane.window()
        dialog = QuestionDialog(self._context.theme, title, whole, action, window, icon="trash")
        dialog.agreed.connect(lambda: self._models.composer.delete(chat.chat_id, message))
        dialog.open()

    def _tell_revoked(self, revoked: RevokedRule) -> None:
        restore = partial(self._context.own(make_message_decisions).rules.restore, revoked)
        self._models.toasts.show(self.tr("Rule revoked"), self.tr("Undo"), restore, icon="hand")

    def _tell_restored(self) -> None:
        self._tell(self.tr("Rule restored"), "bolt")

    def _tell_failed(self, why: str) -> None:
        self._tell(why, "alert")

    def _tell(self, words: str, icon: str) -> None:
        self._models.toasts.show(words, icon=icon)


def _seen_words(chat: Chat, message: Message) -> str:
    """Return in words whether the partner may have seen a sent message, and for whom it is deleted."""
    who = foreign_text.isolated(chat.info.title)
    if chat.info.kind is not ChatKind.DM:
        words = translate("SentActions", "It is deleted for all members of {who}. They may have seen it.")
    elif chat.partner_read_up_to >= message.key.message_id:
        words = translate("SentActions", "{who} has read it already. It is deleted on both sides.")
    else:
        words = translate(
            "SentActions", "{who} may have seen it, perhaps in a notification. It is deleted on both sides."
        )
    return words.format(who=who)
