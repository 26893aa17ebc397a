"""How the database kept refusals of Telegram's as sentences up to its thirteenth migration, and their names.

Used by the fourteenth migration alone, so nothing here follows later names or words.
"""

import json
import re
from typing import Any

_LIMITED = "Telegram limits this account for the time being: it may not write to strangers."
_FROZEN = (
    "Appeal: write to @SpamBot in Telegram. Telegram has frozen this account: until then it can read, but not write."
)
_CODES = {
    "The partner takes messages from strangers only for payment.": "ALLOW_PAYMENT_REQUIRED",
    "This account is not in that chat any more.": "CHANNEL_PRIVATE",
    "Only administrators may write in this chat.": "CHAT_ADMIN_REQUIRED",
    "Telegram has restricted this chat.": "CHAT_RESTRICTED",
    "This account may not write texts in this group.": "CHAT_SEND_PLAIN_FORBIDDEN",
    "This account may not send stickers in this group.": "CHAT_SEND_STICKERS_FORBIDDEN",
    "This account may not write in this chat.": "CHAT_WRITE_FORBIDDEN",
    "The partner has deleted the account.": "INPUT_USER_DEACTIVATED",
    "Only its author may change a message.": "MESSAGE_AUTHOR_REQUIRED",
    "This account may not delete that message for everyone.": "MESSAGE_DELETE_FORBIDDEN",
    "The message is too old to be changed.": "MESSAGE_EDIT_TIME_EXPIRED",
    "Telegram regards this message as empty.": "MESSAGE_EMPTY",
    "The message does not exist any more.": "MESSAGE_ID_INVALID",
    "The message is longer than Telegram allows; shorten it.": "MESSAGE_TOO_LONG",
    _LIMITED: "PEER_FLOOD",
    "Telegram does not let this account address that chat.": "PEER_ID_INVALID",
    "Only Premium accounts may send this.": "PREMIUM_ACCOUNT_REQUIRED",
    "The partner takes messages only from contacts and Premium accounts.": "PRIVACY_PREMIUM_REQUIRED",
    "The message it answers does not exist any more.": "REPLY_MESSAGE_ID_INVALID",
    "This account is banned from writing in this group.": "USER_BANNED_IN_CHANNEL",
    "The partner has blocked this account.": "USER_IS_BLOCKED",
    "This account has blocked the partner; unblock first.": "YOU_BLOCKED_USER",
    "This account has never met that chat, so it can't address it.": "CHAT_NEVER_MET",
    "This can be done in a chat with one person only.": "ONE_PERSON_ONLY",
    "Telegram no longer has this sticker.": "STICKER_ID_INVALID",
    "Telegram has frozen this account.": "FROZEN_METHOD_INVALID",
    _FROZEN: "FROZEN_METHOD_INVALID",
}
"""Of the names that had the same sentence the one that sends get most often."""

_BY_CODE = re.compile(r"Telegram refused: (\S+)\.")
_NOT_ENCODABLE = "This can't be said in Telegram's language: "
_OF_ACCOUNT = frozenset({"PEER_FLOOD", "FROZEN_METHOD_INVALID"})
_WORDS, _CAUSE = 1, 3


def note_of_refusal(stored: str) -> str:
    """Return a note with the name of a refusal in place of its sentence; unknown words stay, as the cause."""
    parts = json.loads(stored)
    changed = _renamed(parts)
    return stored if changed == parts else json.dumps(changed, separators=(",", ":"))


def _renamed(parts: list[Any]) -> list[Any]:
    kind, *rest = parts
    if len(parts) > _CAUSE and parts[_CAUSE] is not None:
        return [kind, *rest[:2], _renamed(parts[_CAUSE])]
    if not rest or not rest[0]:
        return parts
    if kind == "other":  # a sentence that stood alone
        code = _code_of(rest[0])
        return parts if code is None else ["limited" if code in _OF_ACCOUNT else "refused", code]
    if kind not in {"refused", "limited", "repeat refused"}:
        return parts
    code = _code_of(rest[0])
    if code is not None:
        return [kind, code, *rest[1:]]
    return [kind, "", rest[1] if len(rest) > 1 else 0, ["other", rest[0]]]


def _code_of(words: str) -> str | None:
    """Return the name of a refusal, or None where nobody knows the sentence."""
    if words.startswith(_NOT_ENCODABLE):
        return "NOT_ENCODABLE"
    found = _BY_CODE.fullmatch(words)
    return found[1] if found is not None else _CODES.get(words)
