"""Why Telegram permanently refused something, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

_FROZEN = QT_TRANSLATE_NOOP(
    "Refusals",
    "Telegram has frozen this account: it can read, but not write. To appeal, write to @SpamBot in Telegram.",
)

_WORDS: dict[str, object] = {
    "ALLOW_PAYMENT_REQUIRED": QT_TRANSLATE_NOOP(
        "Refusals", "The partner takes messages from strangers only for payment."
    ),
    "CHANNEL_INVALID": QT_TRANSLATE_NOOP("Refusals", "Telegram doesn't allow this account to write in that chat."),
    "CHANNEL_PRIVATE": QT_TRANSLATE_NOOP("Refusals", "This account is no longer in that chat."),
    "CHAT_ADMIN_REQUIRED": QT_TRANSLATE_NOOP("Refusals", "Only administrators may write in this chat."),
    "CHAT_NEVER_MET": QT_TRANSLATE_NOOP("Refusals", "This account doesn't know that chat, so it can't write there."),
    "CHAT_RESTRICTED": QT_TRANSLATE_NOOP("Refusals", "Telegram has restricted this chat."),
    "CHAT_SEND_PLAIN_FORBIDDEN": QT_TRANSLATE_NOOP("Refusals", "This account may not write texts in this group."),
    "CHAT_SEND_STICKERS_FORBIDDEN": QT_TRANSLATE_NOOP("Refusals", "This account may not send stickers in this group."),
    "CHAT_WRITE_FORBIDDEN": QT_TRANSLATE_NOOP("Refusals", "This account may not write in this chat."),
    "INPUT_USER_DEACTIVATED": QT_TRANSLATE_NOOP("Refusals", "The partner has deleted the account."),
    "MESSAGE_AUTHOR_REQUIRED": QT_TRANSLATE_NOOP("Refusals", "Only the author can edit this message."),
    "MESSAGE_DELETE_FORBIDDEN": QT_TRANSLATE_NOOP("Refusals", "This account may not delete that message for everyone."),
    "MESSAGE_EDIT_TIME_EXPIRED": QT_TRANSLATE_NOOP("Refusals", "The message is too old to be changed."),
    "MESSAGE_EMPTY": QT_TRANSLATE_NOOP("Refusals", "Telegram considers this message empty."),
    "MESSAGE_ID_INVALID": QT_TRANSLATE_NOOP("Refusals", "The message no longer exists."),
    "MESSAGE_TOO_LONG": QT_TRANSLATE_NOOP("Refusals", "The message is longer than Telegram allows; shorten it."),
    "NOT_ENCODABLE": QT_TRANSLATE_NOOP("Refusals", "This text can't be sent through Telegram."),
    "ONE_PERSON_ONLY": QT_TRANSLATE_NOOP("Refusals", "This can be done in a chat with one person only."),
    "PEER_FLOOD": QT_TRANSLATE_NOOP("Refusals", "Telegram limits this account for now: it can't write to strangers."),
    "PEER_ID_INVALID": QT_TRANSLATE_NOOP("Refusals", "Telegram doesn't allow this account to write in that chat."),
    "PREMIUM_ACCOUNT_REQUIRED": QT_TRANSLATE_NOOP("Refusals", "Only Premium accounts may send this."),
    "PRIVACY_PREMIUM_REQUIRED": QT_TRANSLATE_NOOP(
        "Refusals", "The partner takes messages only from contacts and Premium accounts."
    ),
    "REPLY_MESSAGE_ID_INVALID": QT_TRANSLATE_NOOP("Refusals", "The message it replies to no longer exists."),
    "STICKER_ID_INVALID": QT_TRANSLATE_NOOP("Refusals", "Telegram no longer has this sticker."),
    "USER_BANNED_IN_CHANNEL": QT_TRANSLATE_NOOP("Refusals", "This account is banned from writing in this group."),
    "USER_ID_INVALID": QT_TRANSLATE_NOOP("Refusals", "Telegram doesn't allow this account to write in that chat."),
    "USER_IS_BLOCKED": QT_TRANSLATE_NOOP("Refusals", "The partner has blocked this account."),
    "YOU_BLOCKED_USER": QT_TRANSLATE_NOOP("Refusals", "This account has blocked the partner; unblock first."),
    "FROZEN_METHOD_INVALID": _FROZEN,
    "FROZEN_PARTICIPANT_MISSING": _FROZEN,
}
"""By Telegram's error names, and the gateway's own for what it refuses itself."""


def refusal_words(code: str) -> str:
    """Return a refusal in words; an unknown one by its name."""
    if not code:
        return QCoreApplication.translate("Refusals", "Telegram refused it.")
    words = _WORDS.get(code)
    if words is not None:
        return QCoreApplication.translate("Refusals", str(words))
    return QCoreApplication.translate("Refusals", "Telegram refused: {code}.").format(code=code)
