"""Callouts: messages of a group that speak to the agent.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.messages import MessageKey

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AccountId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Transaction

MENTION_NAME = "mention_name"
"""Kind of the entity that mentions somebody without a user name; its argument is the user id."""

_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0x20000, 0x3FFFF))
_KATAKANA = ((0x30A0, 0x30FF),)
_UNSPACED = (
    *_HAN,
    *_KATAKANA,
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x309F),  # Hiragana
)
"""Scripts that put no blanks between words: there a word may end anywhere, with the exceptions of `_is_edge`."""


@dataclass(frozen=True, slots=True)
class CallNames:
    """The names that address an agent.

    Attributes:
        account_id: Its account.
        usernames: User names of the account, without the ``@``.
        aliases: As written in the agent's file.
    """

    account_id: AccountId
    usernames: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


def names_of(tx: Transaction, chat: Chat) -> CallNames:
    """Return the names that address the agent of a chat."""
    account_id = chat.info.account_id
    agent = tx.agents.owner_of(account_id)
    aliases = agent.spec.aliases if agent is not None else ()
    return CallNames(account_id, tx.accounts.usernames(account_id), aliases)


def is_callout(tx: Transaction, chat: Chat, message: Message, names: CallNames | None = None) -> bool:
    """Tell whether a message of a group speaks to the agent: by mention, by alias, or as a reply.

    Args:
        tx: A transaction, reading or writing.
        chat: The conversation.
        message: Incoming.
        names: The names of the agent, if they were looked up already.
    """
    return is_called(message, names or names_of(tx, chat)) or is_reply_to_agent(tx, chat, message.reply_to_id)


def is_called(message: Message, names: CallNames) -> bool:
    """Tell whether a message names the agent, or Telegram marks it as speaking to this account."""
    if message.mentioned or any(
        entity.kind == MENTION_NAME and entity.argument == str(names.account_id) for entity in message.entities
    ):
        return True
    text = folded(message.text)
    usernames = [folded(name) for name in names.usernames]
    if _addressed_by_command(text) in usernames or any(has_word(text, f"@{name}") for name in usernames):
        return True
    return any(has_word(text, folded(alias)) for alias in names.aliases)


def _addressed_by_command(text: str) -> str | None:
    """Return the user name in a command such as `/remember@name` at the start of a text, or None."""
    first = text.partition(" ")[0]
    return first.partition("@")[2] or None if first.startswith("/") else None


def is_reply_to_agent(tx: Transaction, chat: Chat, reply_to_id: MessageId | None) -> bool:
    """Tell whether the answered message was written by this account."""
    if reply_to_id is None:
        return False
    parent = tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, reply_to_id))
    return parent is not None and parent.out


def folded(text: str) -> str:
    """Return a text in the form in which names are compared: NFKC, casefolded, with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def has_word(text: str, word: str) -> bool:
    """Tell whether a word, or several words, occurs in a text as a whole; both are folded."""
    if not word:
        return False
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        before, after = text[at - 1 : at] if at else "", text[end : end + 1]
        if _is_edge(before, word[0], word) and _is_edge(after, word[-1], word):
            return True
        at = text.find(word, at + 1)
    return False


def _is_edge(neighbour: str, mine: str, word: str) -> bool:
    """Tell whether a word ends between its own first or last character and its neighbour.

    Without blanks that is a guess: a name of one Han character within others is part of another word (空 in 空港), and
    so is one in katakana within more katakana.
    """
    if not neighbour:
        return True
    if _is_in(mine, _KATAKANA) or (len(word) == 1 and _is_in(mine, _HAN)):
        return not _is_in(neighbour, _KATAKANA if _is_in(mine, _KATAKANA) else _HAN)
    if _is_in(mine, _UNSPACED) or _is_in(neighbour, _UNSPACED):
        return True
    return neighbour != "_" and unicodedata.category(neighbour)[0] not in "LNM"


def _is_in(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= ord(character) <= high for low, high in ranges)
