"""Queries: requests without side effects, for dialogs, history, and peers."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from telethon import errors

from chimein_gui.adapters.telegram.failures import is_stale_address
from chimein_gui.adapters.telegram.mapping.messages import message_of
from chimein_gui.adapters.telegram.mapping.peers import (
    PeerBook,
    PeerCard,
    channel_peer_id,
    input_peer,
    is_channel,
    peer_id_of,
)
from chimein_gui.adapters.telegram.mapping.requests import about_groups, input_channel
from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.accounts.group_moves import is_basic_group
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import Message
from chimein_gui.engine.ports import DialogInfo

_log = logging.getLogger(__name__)

_PAGE = 100
"""Most entries that Telegram returns at once."""
_FROZEN_SINCE = "freeze_since_date"
"""Key of the time since which an account is frozen, in seconds since the epoch; missing or 0 if it is not."""
_LOOK_UP_TIMEOUT_S = 5.0
_AGAIN_S = 30.0
"""Pause in seconds before the same peer is looked up again."""
_MOST_ASKED = 1_000
_ANSWER_TIMEOUT_S = 30.0
"""Telethon waits for ever; a query without an answer counts as a lost connection."""


_ADDRESSES = ("peer", "channel", "id")
"""Fields of requests that contain the chat's address."""
_HASHED = (types.InputPeerUser, types.InputPeerChannel, types.InputUser, types.InputChannel)


class Questions:
    """Sends queries, and adds the people in every answer to the peer book. Raises Telethon's errors."""

    def __init__(self, client: AccountClient, account_id: AccountId, peers: PeerBook) -> None:
        self._client = client
        self._account_id = account_id
        self._peers = peers
        self._asked: dict[PeerId, float] = {}

    async def ask(self, request: TLObject) -> TLObject:
        """Send a request and return its answer; repeat it once if the access hash was outdated."""
        try:
            answer = await self._answer(request)
        except errors.RPCError as error:
            if not await self.readdressed(request, error):
                raise
            answer = await self._answer(request)
        self.learn(getattr(answer, "users", None) or (), getattr(answer, "chats", None) or ())
        return answer

    async def _answer(self, request: TLObject) -> TLObject:
        async with asyncio.timeout(_ANSWER_TIMEOUT_S):
            return await self._client.submit(request)

    async def readdressed(self, request: TLObject, error: errors.RPCError) -> bool:
        """After a refusal, return whether the request now has another address than the refused one.

        An access hash can become invalid while the account is connected; the list of chats contains the current one.
        """
        if not is_stale_address(error):
            return False
        named = [getattr(request, name, None) for name in _ADDRESSES]
        peers = [one.peer if isinstance(one, types.InputNotifyPeer) else one for one in named]
        addressed = [peer for peer in peers if isinstance(peer, _HASHED)]
        if not addressed or isinstance(request, functions.messages.GetDialogsRequest):
            return False
        try:
            await self.dialogs(_PAGE)
        except (errors.RPCError, OSError, TimeoutError) as trouble:
            _log.info("Could not find out how a chat is addressed: %s", type(trouble).__name__)
            return False
        is_other = False
        for peer in addressed:
            access_hash = self._address_of(peer)
            if access_hash and access_hash != peer.access_hash:
                peer.access_hash, is_other = access_hash, True
        return is_other

    def _address_of(self, peer: TLObject) -> int:
        is_user = isinstance(peer, types.InputPeerUser | types.InputUser)
        card = self._peers.card(PeerId(peer.user_id) if is_user else channel_peer_id(peer.channel_id))
        return 0 if card is None else card.access_hash

    def learn(self, users: Iterable[Any], chats: Iterable[Any]) -> None:
        """Add people to the peer book; new ones are also stored in the session file, if it can be written."""
        new_users, new_chats = self._peers.learn(users, chats)
        if new_users or new_chats:
            try:
                self._client.remember(new_users, new_chats)
            except sqlite3.Error as error:
                _log.warning("The session file does not take new people: %s", error)

    async def dialogs(self, limit: int) -> tuple[DialogInfo, ...]:
        """List conversations, newest first."""
        found: list[Any] = []
        offset: tuple[Any, int, Any] = (None, 0, types.InputPeerEmpty())
        while len(found) < limit:
            try:
                page = await self.ask(_dialogs_request(offset, min(_PAGE, limit - len(found))))
            except errors.TypeNotFoundError:
                self._client.tell_left_out(())
                break  # the chats before it come up all the same
            dialogs = [dialog for dialog in page.dialogs if isinstance(dialog, types.Dialog)]
            found.extend(dialogs)
            following = self._offset_after(page, dialogs)
            if following is None or following == offset:
                break
            offset = following
        await self._ask_of_unlisted({peer_id_of(dialog.peer) for dialog in found})
        return self._dialogs_of(found)

    async def _ask_of_unlisted(self, listed: set[PeerId]) -> None:
        """Query basic groups that are not in the list, if one of them may have become a listed supergroup."""
        moves = self._peers.moves
        unlisted = sorted(moves.not_moved() - listed)[:_PAGE]
        if unlisted and any(moves.is_new(peer_id) for peer_id in listed):
            try:
                await self.ask(about_groups(unlisted))
            except errors.RPCError as error:
                _log.info("Could not find out what became of groups: %s", type(error).__name__)

    async def history(
        self, peer: TLObject, *, limit: int, above_id: MessageId, below_id: MessageId
    ) -> tuple[Message, ...]:
        """Fetch messages of one of Telegram's peers with above_id < id < below_id, its own ids; oldest first."""
        newest_first: list[Message] = []
        offset_id: int = below_id
        most = _PAGE
        while len(newest_first) < limit:
            size = min(most, limit - len(newest_first))
            try:
                page = await self.ask(_history_request(peer, offset_id, above_id, size))
            except errors.TypeNotFoundError:
                self._client.tell_left_out(())
                if most == 1:
                    break
                most = 1  # what stands before it is had one by one
                continue
            mapped = (message_of(raw, self._account_id, self._peers) for raw in page.messages)
            newest_first.extend(message for message in mapped if message is not None)
            if len(page.messages) < size:
                break
            offset_id = page.messages[-1].id
        return tuple(reversed(newest_first))

    async def blocked(self) -> frozenset[PeerId]:
        """Return the peers that the account has blocked."""
        found: set[PeerId] = set()
        seen = 0
        while True:
            page = await self.ask(functions.contacts.GetBlockedRequest(offset=seen, limit=_PAGE))
            found.update(peer_id_of(one.peer_id) for one in page.blocked)
            seen += len(page.blocked)
            if not page.blocked or isinstance(page, types.contacts.Blocked):
                return frozenset(found)

    async def muted_until(self, peer: TLObject) -> datetime | None:
        """Return the mute time set for a chat itself, aware UTC; None if it has none."""
        wanted = types.InputNotifyPeer(peer)
        settings = await self.ask(functions.account.GetNotifySettingsRequest(wanted))
        until: datetime | None = settings.mute_until
        return until

    async def is_frozen(self) -> bool:
        """Return whether the account is frozen, from Telegram's client configuration."""
        config = (await self.ask(functions.help.GetAppConfigRequest(hash=0))).config
        values = {entry.key: getattr(entry.value, "value", None) for entry in getattr(config, "value", ())}
        return bool(values.get(_FROZEN_SINCE))

    async def identify(self, unknown: Mapping[PeerId, TLObject]) -> None:
        """Look up names of peers; those that can't be found stay without a name, and are looked up again later.

        Args:
            unknown: Each with a message that mentions it. A peer known only from a short update is named by Telegram
                with
                the message; its access hash is then unknown.
        """
        now = asyncio.get_running_loop().time()
        new = {peer_id: raw for peer_id, raw in unknown.items() if self._asked.get(peer_id, 0.0) <= now}
        for peer_id in new:
            self._asked.pop(peer_id, None)
            self._asked[peer_id] = now + _AGAIN_S
        while len(self._asked) > _MOST_ASKED:
            del self._asked[next(iter(self._asked))]
        try:
            async with asyncio.timeout(_LOOK_UP_TIMEOUT_S):
                for request in self._who_they_are(new):
                    await self._ask_people(request)
        except (errors.RPCError, OSError, TimeoutError) as error:
            _log.info("Could not find out who somebody is: %s", type(error).__name__)

    def _who_they_are(self, new: Mapping[PeerId, TLObject]) -> list[TLObject]:
        """Name peers from the session file, and return the requests for the others."""
        users, messages = [], dict[PeerId, list[Any]]()
        for peer_id, raw in new.items():
            known = self._hash_of(peer_id)
            if peer_id > 0 and known:
                users.append(types.InputUser(peer_id, known))
            elif known is None:
                chat = peer_id_of(raw.peer_id)
                messages.setdefault(chat if is_channel(chat) else PeerId(0), []).append(types.InputMessageID(raw.id))
        requests = [functions.users.GetUsersRequest(users)] if users else []
        for peer_id, ids in messages.items():
            channel = self._peers.input_peer(peer_id) if peer_id else None
            if channel is not None:
                requests.append(functions.channels.GetMessagesRequest(input_channel(channel), ids))
            elif not peer_id:
                requests.append(functions.messages.GetMessagesRequest(ids))
        return requests

    def _hash_of(self, peer_id: PeerId) -> int | None:
        """Return the access hash of a peer, or None; a peer known only from the session file gets a card."""
        card = self._peers.card(peer_id)
        if card is not None:
            return card.access_hash or None
        row = self._client.session.known_peer(peer_id)
        if row is None:
            return None
        access_hash, name, username = row
        kind = ChatKind.DM if peer_id > 0 else ChatKind.GROUP
        self._peers.put(peer_id, PeerCard(kind, name, username, access_hash=access_hash))
        return int(access_hash)

    async def _ask_people(self, request: TLObject) -> None:
        """Request people, or messages that come with their people."""
        answer = await self._client.submit(request)
        if isinstance(request, functions.users.GetUsersRequest):
            self.learn(answer, ())
        else:
            self.learn(answer.users, answer.chats)

    def known_address(self, peer_id: PeerId) -> TLObject | None:
        """Return the InputPeer of a peer of which this connection has heard, or None."""
        return self._peers.input_peer(peer_id)

    async def address(self, peer_id: PeerId) -> TLObject | None:
        """Return the InputPeer of a peer, if necessary from the session file or the list of dialogs."""
        known = self.known_address(peer_id)
        if known is not None:
            return known
        row = self._client.session.known_peer(peer_id)
        if row is not None or is_basic_group(peer_id):
            return input_peer(peer_id, 0 if row is None else row[0])
        await self.dialogs(_PAGE)
        return self._peers.input_peer(peer_id)

    async def where_from(self, supergroup_ids: Iterable[PeerId]) -> None:
        """Find out which basic groups supergroups were; a supergroup without one counts as a chat of its own.

        Without an answer nothing changes. The supergroup's own information decides: a group that this account was never
        in can't be read, and has no chat here.
        """
        for peer_id in supergroup_ids:
            peer = self._peers.input_peer(peer_id)
            try:
                async with asyncio.timeout(_LOOK_UP_TIMEOUT_S):
                    if peer is not None:
                        await self._where_from(peer_id, peer)
            except (errors.FloodError, OSError, TimeoutError) as error:
                _log.info("Nobody said where a supergroup came from: %s", type(error).__name__)
                return
            except errors.RPCError as error:
                _log.info("Could not find out where a supergroup came from: %s", type(error).__name__)
            self._peers.moves.stands_alone(peer_id)

    async def _where_from(self, supergroup_id: PeerId, peer: TLObject) -> None:
        answer = await self.ask(functions.channels.GetFullChannelRequest(input_channel(peer)))
        group_id = answer.full_chat.migrated_from_chat_id
        if group_id and self._peers.moves.is_new(supergroup_id):
            await self.ask(about_groups([PeerId(-group_id)]))

    def _dialogs_of(self, listed: Iterable[Any]) -> tuple[DialogInfo, ...]:
        """Return one entry per chat; Telegram lists a moved group beside its supergroup."""
        found: dict[PeerId, DialogInfo] = {}
        for dialog in listed:
            one = self._dialog(dialog)
            other = found.get(one.chat.peer_id, one)
            found[one.chat.peer_id] = DialogInfo(
                chat=one.chat,
                newest_id=max(one.newest_id, other.newest_id),
                read_up_to=max(one.read_up_to, other.read_up_to),
                partner_read_up_to=max(one.partner_read_up_to, other.partner_read_up_to),
            )
        return tuple(found.values())

    def _dialog(self, dialog: TLObject) -> DialogInfo:
        peer_id, moves = peer_id_of(dialog.peer), self._peers.moves
        moves.stands_alone(peer_id)
        return DialogInfo(
            chat=self._peers.chat_info(moves.chat_of(peer_id)),
            newest_id=moves.raised(peer_id, dialog.top_message),
            read_up_to=moves.raised(peer_id, dialog.read_inbox_max_id),
            partner_read_up_to=moves.raised(peer_id, dialog.read_outbox_max_id),
        )

    def _offset_after(self, page: TLObject, dialogs: list[Any]) -> tuple[Any, int, Any] | None:
        """Return the offset of the next page, or None if this was the last."""
        if isinstance(page, types.messages.Dialogs) or len(dialogs) < _PAGE:
            return None
        last = dialogs[-1]
        dates = {(peer_id_of(raw.peer_id), raw.id): raw.date for raw in page.messages if raw.peer_id is not None}
        peer_id = peer_id_of(last.peer)
        peer = self._peers.input_peer(peer_id) or types.InputPeerEmpty()
        return dates.get((peer_id, last.top_message)), last.top_message, peer


def _dialogs_request(offset: tuple[Any, int, Any], limit: int) -> TLObject:
    date, message_id, peer = offset
    return functions.messages.GetDialogsRequest(
        offset_date=date, offset_id=message_id, offset_peer=peer, limit=limit, hash=0
    )


def _history_request(peer: TLObject, offset_id: int, above_id: int, limit: int) -> TLObject:
    return functions.messages.GetHistoryRequest(
        peer=peer,
        offset_id=offset_id,
        offset_date=None,
        add_offset=0,
        limit=limit,
        max_id=0,
        min_id=above_id,
        hash=0,
    )
