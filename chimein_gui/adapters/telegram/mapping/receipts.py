"""Reads the sent message from Telegram's answer."""

from __future__ import annotations

from typing import Any

from chimein_gui.adapters.telegram.mapping.attachments import media_of
from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.ids import MessageId, RandomId
from chimein_gui.engine.ports import SentReceipt

_WITH_MESSAGE = (types.UpdateNewMessage, types.UpdateNewChannelMessage)


def receipt_of(answer: TLObject | None, random_id: RandomId) -> SentReceipt:
    """Map the answer to `messages.sendMessage` or `sendMedia`.

    Args:
        answer: ``UpdateShortSentMessage``, or ``Updates`` in which ``UpdateMessageID`` contains our `random_id`; None
            if
            Telegram only said that this random_id was delivered before.
        random_id: The random_id of the request.

    Returns:
        The receipt; without id if the answer is a success that does not name it.
    """
    if isinstance(answer, types.UpdateShortSentMessage):
        return SentReceipt(MessageId(answer.id), answer.date)
    if not isinstance(answer, types.Updates | types.UpdatesCombined):
        return SentReceipt(None, None)
    message_id = _id_named(answer.updates, random_id)
    if message_id is None:
        return SentReceipt(None, None)
    messages = {update.message.id: update.message for update in answer.updates if isinstance(update, _WITH_MESSAGE)}
    message = messages.get(message_id)
    if message is None:
        return SentReceipt(message_id, answer.date)
    return SentReceipt(message_id, message.date, media_of(getattr(message, "media", None)))


def _id_named(updates: list[Any], random_id: RandomId) -> MessageId | None:
    for update in updates:
        if isinstance(update, types.UpdateMessageID) and update.random_id == random_id:
            return MessageId(update.id)
    return None
