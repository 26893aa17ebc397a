"""The loop breaker: our own agents answer each other three times in a row, then a person has to speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.ids import AccountId, MessageId

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Transaction

MOST_TURNS = 3
"""Agent-to-agent turns in a row."""

_LOOKS_BACK = 200
"""Messages looked through for the last person; agents that write more than this without one have had their turns."""


def is_own_agent(tx: Transaction, chat: Chat, message: Message) -> bool:
    """Tell whether another agent of ours wrote a message."""
    sender = message.sender_id
    if message.out or sender is None or int(sender) == int(chat.info.account_id):
        return False
    return tx.agents.owner_of(AccountId(sender)) is not None


def may_answer_agent(tx: Transaction, chat: Chat, message: Message) -> bool:
    """Tell whether the agent may still answer this message of another agent of ours."""
    return turns_up_to(tx, chat, message.key.message_id) < MOST_TURNS


def turns_up_to(tx: Transaction, chat: Chat, message_id: MessageId) -> int:
    """Count the agent-to-agent turns in a row up to a message, itself included, since a person wrote.

    A turn is what one agent writes before another does; the first one answers the person, or opens the conversation.
    It is counted from what is stored, so that a restart forgets nothing. Bots, channel posts and anonymous admins
    neither count nor reset.
    """
    account, peer = chat.info.account_id, chat.info.peer_id
    recent = tx.messages.before(account, peer, before_id=MessageId(message_id + 1), limit=_LOOKS_BACK)
    agents: dict[int, bool] = {int(account): True}
    runs, last = 0, 0
    for message in reversed(recent):
        sender = int(account) if message.out else message.sender_id
        if message.is_service or sender is None:
            continue
        if sender not in agents:
            agents[sender] = tx.agents.owner_of(AccountId(sender)) is not None
        if not agents[sender]:
            if message.is_bot:
                continue
            return max(0, runs - 1)
        runs += sender != last
        last = sender
    return max(0, runs - 1)


def note_turns(tx: Transaction, chat: Chat, message: Message) -> None:
    """Keep what the chat shows of it (`Chat.agent_turns`) in step with a message that came."""
    if chat.agent_turns == 0 and not is_own_agent(tx, chat, message):
        return
    turns = turns_up_to(tx, chat, message.key.message_id)
    if turns != chat.agent_turns:
        tx.chats.set_agent_turns(chat.chat_id, turns)
