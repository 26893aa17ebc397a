"""Dispatches Telegram's updates to the listener, by a table of their types."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from chimein_gui.adapters.telegram.mapping.attachments import reactions_of
from chimein_gui.adapters.telegram.mapping.messages import message_of, short_message_of
from chimein_gui.adapters.telegram.mapping.peers import PeerBook, channel_peer_id, peer_id_of
from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.engine.ports import GatewayListener

_log = logging.getLogger(__name__)

_NEW = (types.UpdateNewMessage, types.UpdateNewChannelMessage)
_SHORT = (types.UpdateShortMessage, types.UpdateShortChatMessage)
_IN_CHANNELS = (types.UpdateNewChannelMessage, types.UpdateEditChannelMessage)
_EDITED = (types.UpdateEditMessage, types.UpdateEditChannelMessage)


class UpdateReader:
    """Reports an account's updates to a listener. It neither waits nor raises."""

    def __init__(self, account_id: AccountId, peers: PeerBook, listener: GatewayListener) -> None:
        self._account_id = account_id
        self._peers = peers
        self._listener = listener
        self._readers: dict[type[Any], Callable[[Any], None]] = {
            **dict.fromkeys(_NEW, self._new),
            **dict.fromkeys(_SHORT, self._short),
            **dict.fromkeys(_EDITED, self._edited),
            types.UpdateDeleteMessages: self._deleted,
            types.UpdateDeleteChannelMessages: self._deleted_in_channel,
            types.UpdateReadHistoryInbox: self._read,
            types.UpdateReadChannelInbox: self._channel_read,
            types.UpdateReadHistoryOutbox: self._read_by_partner,
            types.UpdateReadChannelOutbox: self._channel_read_by_partner,
            types.UpdateUserTyping: self._typing,
            types.UpdateMessageReactions: self._reacted,
            types.UpdatePeerBlocked: self._blocked,
            types.UpdateNotifySettings: self._notifies_otherwise,
        }

    def read(self, update: TLObject) -> None:
        """Report one update; types without a use are ignored."""
        reader = self._readers.get(type(update))
        if reader is None:
            return
        try:
            reader(update)
        except Exception:  # noqa: BLE001 - reported; the other updates still count
            _log.exception("Could not take in a %s", type(update).__name__)

    def skipped(self) -> None:
        """Report that updates are missing and will not be repeated."""
        self._listener.updates_skipped()

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Report unreadable messages; without ids, another unreadable update."""
        self._listener.left_out(ids)

    def blocked(self, peer_id: PeerId, *, is_blocked: bool) -> None:
        """Report our own block or unblock, which Telegram does not report to this connection."""
        self._listener.peer_blocked(self._account_id, peer_id, is_blocked=is_blocked)

    def unknown_peers(self, updates: Iterable[Any]) -> dict[PeerId, TLObject]:
        """Return the chats and senders without a current card, each with one of their messages."""
        unknown: dict[PeerId, TLObject] = {}
        for update in updates:
            message = self._message_in(update)
            for peer in () if message is None else (message.peer_id, getattr(message, "from_id", None)):
                if peer is not None and not self._peers.is_current(peer_id_of(peer)):
                    unknown[peer_id_of(peer)] = message
        return unknown

    def _message_in(self, update: TLObject) -> TLObject | None:
        if isinstance(update, (*_NEW, *_EDITED)):
            return update.message
        return short_message_of(update, self._account_id) if isinstance(update, _SHORT) else None

    def new_supergroups(self, updates: Iterable[Any]) -> set[PeerId]:
        """Return unknown supergroups, each of which may be a group that moved while we were away."""
        touched = {peer_id for update in updates if (peer_id := self.supergroup_of(update)) is not None}
        return {peer_id for peer_id in touched if self._peers.moves.is_new(peer_id) and self._is_group(peer_id)}

    @staticmethod
    def supergroup_of(update: TLObject) -> PeerId | None:
        """Return the channel or supergroup of an update's message, or None."""
        return peer_id_of(update.message.peer_id) if isinstance(update, _IN_CHANNELS) else None

    def _is_group(self, peer_id: PeerId) -> bool:
        return self._peers.chat_info(peer_id).kind is ChatKind.GROUP

    def _new(self, update: TLObject) -> None:
        self._arrived(update.message)

    def _short(self, update: TLObject) -> None:
        self._arrived(short_message_of(update, self._account_id))

    def _arrived(self, raw: TLObject) -> None:
        message = message_of(raw, self._account_id, self._peers)
        if message is not None:
            self._listener.message_arrived(self._peers.chat_info(message.key.peer_id), message)

    def _edited(self, update: TLObject) -> None:
        message = message_of(update.message, self._account_id, self._peers)
        if message is not None:
            self._listener.message_edited(self._peers.chat_info(message.key.peer_id), message)

    def _deleted(self, update: TLObject) -> None:
        self._listener.messages_deleted(self._account_id, None, _ids(update.messages))

    def _deleted_in_channel(self, update: TLObject) -> None:
        peer_id = channel_peer_id(update.channel_id)
        ids = tuple(self._place(peer_id, raw_id)[1] for raw_id in update.messages)
        self._listener.messages_deleted(self._account_id, self._peers.moves.chat_of(peer_id), ids)

    def _reacted(self, update: TLObject) -> None:
        key = MessageKey(self._account_id, *self._place(peer_id_of(update.peer), update.msg_id))
        reactions = reactions_of(update.reactions)
        self._listener.reactions_changed(key, reactions, tells_mine=not update.reactions.min)

    def _notifies_otherwise(self, update: TLObject) -> None:
        """Report a changed mute; a forum topic counts as its chat, default settings apply to all chats."""
        about = getattr(update.peer, "peer", None)
        chat = None if about is None else self._peers.moves.chat_of(peer_id_of(about))
        self._listener.mute_changed(self._account_id, chat)

    def _read(self, update: TLObject) -> None:
        self._listener.incoming_read(self._account_id, peer_id_of(update.peer), MessageId(update.max_id))

    def _channel_read(self, update: TLObject) -> None:
        place = self._place(channel_peer_id(update.channel_id), update.max_id)
        self._listener.incoming_read(self._account_id, *place)

    def _read_by_partner(self, update: TLObject) -> None:
        self._listener.outgoing_read(self._account_id, peer_id_of(update.peer), MessageId(update.max_id))

    def _channel_read_by_partner(self, update: TLObject) -> None:
        place = self._place(channel_peer_id(update.channel_id), update.max_id)
        self._listener.outgoing_read(self._account_id, *place)

    def _place(self, peer_id: PeerId, message_id: int) -> tuple[PeerId, MessageId]:
        """Return the chat and our id of a raw peer's message."""
        return self._peers.moves.chat_of(peer_id), self._peers.moves.raised(peer_id, message_id)

    def _blocked(self, update: TLObject) -> None:
        self.blocked(peer_id_of(update.peer_id), is_blocked=bool(update.blocked))

    def _typing(self, update: TLObject) -> None:
        if not isinstance(update.action, types.SendMessageCancelAction):
            self._listener.partner_typing(self._account_id, PeerId(update.user_id))


def _ids(raw_ids: list[int]) -> tuple[MessageId, ...]:
    return tuple(MessageId(raw_id) for raw_id in raw_ids)
