"""Is this DM muted? One answer for the gate, the claim, the typing and the read mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind, MuteState

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.engine.core.environment import TransactionEnvironment


def mute_of(environment: TransactionEnvironment, chat: Chat) -> MuteState:
    """Return what is known of a chat's mute; a group's callouts are heard whatever is set there."""
    if chat.info.kind is not ChatKind.DM:
        return MuteState.HEARD
    return environment.mute_of(chat.info.account_id, chat.info.peer_id)
