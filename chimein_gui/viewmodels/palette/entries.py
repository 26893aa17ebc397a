"""The entries of the command palette, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.chats import ChatKind, TrustLevel
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import FoundMessage
    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel
    from chimein_gui.viewmodels.core.clock import ClockFace


class Kind(StrEnum):
    """What an entry opens."""

    CHAT = "chat"
    AGENT = "agent"
    APPROVAL = "approval"
    COMMAND = "command"
    MESSAGE = "message"


class Scope(StrEnum):
    """What is searched; the value is the prefix that selects it."""

    EVERYTHING = ""
    CHATS = "@"
    COMMANDS = ">"
    MESSAGES = "/"
    AGENTS = "#"


HOLD = "command:hold"
"""Always in the list."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to open or to run.

    Attributes:
        kind: What it opens.
        key: The id of what it opens, or the command's id.
        title: Its name, foreign text; the matched letters are marked in it.
        detail: Secondary text, foreign.
        icon: Name of an icon, where no avatar is drawn.
        face: Name of the person or group whose avatar is drawn; empty for none.
        is_group: The avatar is that of a group.
        agent: Name and identity colour of the agent whose square is drawn; None for none.
        mark: Icon, word and colour at the right; None for none.
        shortcut: The keyboard shortcut; may be empty.
        destructive: Never the first in the list.
        also: Other search words, separated by blanks.
        by_word: Matched by the beginnings of words only, not by scattered letters: it changes something at once.
        at_hand: Offered for the open chat before anything is typed.
    """

    kind: Kind
    key: object
    title: str
    detail: str = ""
    icon: str = ""
    face: str = ""
    is_group: bool = False
    agent: tuple[str, int] | None = None
    mark: tuple[str, str, str] | None = None
    shortcut: str = ""
    destructive: bool = False
    also: str = ""
    by_word: bool = False
    at_hand: bool = False

    @property
    def entry_id(self) -> str:
        """Stable between runs, as long as the entry exists."""
        return f"{self.kind}:{self.key}"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: an entry with its matched letters, or a heading.

    Attributes:
        entry: The entry; None for a heading.
        words: The text of a heading.
        spans: Matched letters of the title, as (from, to).
    """

    entry: Entry | None
    words: str = ""
    spans: tuple[tuple[int, int], ...] = ()


translate = QCoreApplication.translate


_TRUST_LOOKS = {
    TrustLevel.OFF: ("x-circle", "text2"),
    TrustLevel.OBSERVE: ("info", "text2"),
    TrustLevel.REVIEW: ("shield", "text2"),
    TrustLevel.COUNTDOWN: ("clock", "info"),
    TrustLevel.AUTO: ("bolt", "info"),
}


def chat_entry(chat: Chat, chats: ChatTreeModel, approvals: ApprovalStore, clock: ClockFace) -> Entry:
    """Return a chat as an entry."""
    agent = chats.agent(chat.agent_id)
    open_drafts = [one for one in approvals.of_chat(chat.chat_id) if waits_for_operator(one)]
    draft = open_drafts[-1] if open_drafts else None
    name = agent.spec.name if agent is not None else ""
    if draft is not None:
        detail = translate("Palette", "{agent}, planned message waits").format(agent=name)
        mark = ("planned", approvals.status_words_of(draft), "attention")
    else:
        level = trust_now(chat, clock.now())
        icon, token = _TRUST_LOOKS[level]
        detail, mark = name, (icon, trust_word(level), token)
    return Entry(
        Kind.CHAT,
        chat.chat_id,
        chat.info.title,
        detail,
        face=chat.info.title,
        is_group=chat.info.kind is not ChatKind.DM,
        agent=(name, agent.identity) if agent is not None else None,
        mark=mark,
    )


def agent_entry(agent: Agent, chats: int) -> Entry:
    """Return an agent as an entry."""
    many = translate("Palette", "%n chat(s)", "", chats)
    return Entry(Kind.AGENT, agent.agent_id, agent.spec.name, many, agent=(agent.spec.name, agent.identity))


def approval_entry(item: Approval, agents: AgentListModel, clock: ClockFace) -> Entry:
    """Return a planned send that waits as an entry."""
    title = translate("Palette", "{agent} to {who}").format(agent=item.agent_name, who=item.chat_title)
    agent = (item.agent_name, agents.identity_of(item.agent_id))
    mark = ("clock", clock.age(item.created_at), "text2")
    return Entry(Kind.APPROVAL, item.approval_id, title, card_text(item), agent=agent, mark=mark)


def message_entry(found: FoundMessage, chats: ChatTreeModel, clock: ClockFace) -> Entry:
    """Return a message as an entry."""
    message, chat = found.message, chats.chat(found.chat_id)
    mark = ("clock", clock.stamp(message.sent_at), "text2")
    key = (found.chat_id, message.key.message_id)
    where = chat.info.title if chat is not None else ""
    who = message.sender_name if chat is None or chat.info.kind is not ChatKind.DM or message.out else ""
    detail = translate("Palette", "{who} in {chat}").format(who=who, chat=where) if who and where else who or where
    return Entry(Kind.MESSAGE, key, message.text, detail, icon="quotes", mark=mark)
