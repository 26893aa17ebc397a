"""What the engine needs of Telegram: one account's client, and where it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from chimein_gui.domain.accounts.group_moves import GroupMove, KnownGroups
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import ChatInfo
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, RandomId
from chimein_gui.domain.messages import Media, Message, MessageKey, Reaction, TextEntity
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.engine.ports.media import FileWanted, FoundFile


@dataclass(frozen=True, slots=True)
class AccountIdentity:
    """Who a session belongs to; of several user names the first is the main one."""

    account_id: AccountId
    name: str
    usernames: tuple[str, ...]
    phone: str


@dataclass(frozen=True, slots=True)
class DialogInfo:
    """A conversation as Telegram lists it.

    Attributes:
        chat: Peer, kind, title.
        newest_id: Id of its newest message, 0 when empty.
        read_up_to: Newest incoming id that is marked as read.
        partner_read_up_to: Newest outgoing id the partner has read.
    """

    chat: ChatInfo
    newest_id: MessageId
    read_up_to: MessageId
    partner_read_up_to: MessageId


@dataclass(frozen=True, slots=True)
class SendRequest:
    """One message about to leave.

    Attributes:
        peer_id: Recipient.
        text: Exactly what is to arrive.
        reply_to_id: The message it answers, or None.
        random_id: The number committed with the decision.
        entities: Formatting of `text`; kinds that only Telegram itself makes are left out.
    """

    peer_id: PeerId
    text: str
    reply_to_id: MessageId | None
    random_id: RandomId
    entities: tuple[TextEntity, ...] = ()


@dataclass(frozen=True, slots=True)
class StickerRequest:
    """One sticker about to leave.

    Attributes:
        peer_id: Recipient.
        sticker: Which.
        reply_to_id: The message it answers, or None.
        random_id: The number committed with the decision.
    """

    peer_id: PeerId
    sticker: StickerRef
    reply_to_id: MessageId | None
    random_id: RandomId


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that Telegram has, and that no message carries yet; good for this account, for a while.

    Attributes:
        handle: What the adapter calls it.
    """

    handle: object


@dataclass(frozen=True, slots=True)
class FileRequest:
    """One photo or file about to leave.

    Attributes:
        peer_id: Recipient.
        file: What it is.
        uploaded: Its bytes.
        caption: The text below it; may be empty.
        reply_to_id: The message it answers, or None.
        random_id: The number committed with the decision.
        entities: Formatting of `caption`.
    """

    peer_id: PeerId
    file: OutgoingFile
    uploaded: UploadedFile
    caption: str
    reply_to_id: MessageId | None
    random_id: RandomId
    entities: tuple[TextEntity, ...] = ()


@dataclass(frozen=True, slots=True)
class SentReceipt:
    """Telegram's answer to a send.

    Attributes:
        message_id: Id of the new message; None when Telegram only said that this random_id was delivered before.
        sent_at: Server time, aware UTC; None in that case too.
        media: What the message carries, where the answer tells it.
    """

    message_id: MessageId | None
    sent_at: datetime | None
    media: Media | None = None


class GatewayListener(Protocol):
    """Where a gateway reports; every method only stores and enqueues, none waits."""

    def message_arrived(self, chat: ChatInfo, message: Message) -> None:
        """A message, in or out, that is new to this client."""
        ...

    def message_edited(self, chat: ChatInfo, message: Message) -> None:
        """A message has a new text."""
        ...

    def reactions_changed(self, key: MessageKey, reactions: tuple[Reaction, ...], *, tells_mine: bool) -> None:
        """What people think of a message has changed; without `tells_mine` nobody said which are the account's own."""
        ...

    def messages_deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]) -> None:
        """Messages are gone; without a peer the ids count over all non-channel peers of the account."""
        ...

    def incoming_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """This account read a chat, here or on another device."""
        ...

    def outgoing_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """The partner read our messages."""
        ...

    def partner_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        """The partner of a DM is typing."""
        ...

    def peer_blocked(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        """This account has blocked or unblocked somebody, by a call of ours or on another device."""
        ...

    def group_moved(self, move: GroupMove) -> None:
        """A basic group became a supergroup: whatever comes from either is reported under the group's peer id."""
        ...

    def mute_changed(self, account_id: AccountId, peer_id: PeerId | None) -> None:
        """Somebody set how a chat notifies, on whatever device; without a peer it is about all chats of a kind."""
        ...

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Messages of a later version of Telegram can't be read, by their raw ids; without ids it is something else."""
        ...

    def updates_skipped(self) -> None:
        """Telegram did not tell all that happened, edits and deletes included; after the next connect chats differ."""
        ...


class TelegramGateway(Protocol):
    """One account's client, good for one connection: after a loss it is dropped and a new one is made.

    What changes something (`send_…`, `block` … `delete_messages`) raises, if anything:

        NotConnectedError: Before the hand-over; nothing was done.
        SlowModeError: The chat has to wait (a RateLimitedError); nothing was done.
        RateLimitedError: The account has to wait with this verb, named by `method`; nothing was done.
        AccountLimitedError: PEER_FLOOD: the account is limited (a SendRefusedError); nothing was done.
        AccountFrozenError: The account may only read (a SendRefusedError); nothing was done.
        SendRefusedError: Telegram refused for good; nothing was done.
        OutcomeUnknownError: Handed over and no answer (lost connection, 5xx).
        asyncio.CancelledError: After the hand-over this means the outcome is unknown as well.

    All but the sends may simply be repeated when their outcome is unknown: twice is as good as once.
    """

    async def connect(self, listener: GatewayListener, groups: KnownGroups = ...) -> AccountIdentity:
        """Connect, bounded to 20 s, and begin to report; what came while offline is reported too.

        Args:
            listener: Where to report.
            groups: What is known of supergroups; all ids here are as `domain.group_moves` says.

        Raises:
            LoggedOutError: The session is not authorised; RevokedError and BannedError where Telegram says so.
            RateLimitedError: Telegram told us to wait.
            NotConnectedError: No way to the server; a ProxyError if the way ends at the account's proxy.
        """
        ...

    async def wait_lost(self) -> None:
        """Return when the connection is gone, for whatever reason but one.

        Raises:
            LoggedOutError: The session was ended while it was in use (RevokedError, BannedError).
        """
        ...

    def is_up(self) -> bool:
        """Tell whether the transport is connected now."""
        ...

    def clock_ahead_s(self) -> float:
        """Return how far this machine's clock is ahead of Telegram's, in seconds, as far as known (0 = not known)."""
        ...

    async def disconnect(self) -> None:
        """Drop the connection, so that nothing queued leaves; calling it twice is harmless."""
        ...

    # --- questions; failures raise GatewayError, and asking again is harmless

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        """List the account's conversations, newest first."""
        ...

    async def history(
        self, peer_id: PeerId, *, limit: int, above_id: MessageId = ..., below_id: MessageId = ...
    ) -> tuple[Message, ...]:
        """Fetch up to `limit` newest messages with above_id < id < below_id (0 = open end), oldest first."""
        ...

    async def sticker_set(self, set_name: str) -> tuple[StickerRef, ...]:
        """Return the stickers of a set in its order; none if there is no such set."""
        ...

    async def find_sticker(self, set_name: str, name: str) -> StickerRef | None:
        """Look a sticker up by the short name of its set and its own name (see `StickerRef.name`).

        What was found is remembered until the program ends, a failed look-up never.

        Returns:
            The sticker, or None: there is no such set, or no such sticker in it.
        """
        ...

    async def find_file(self, wanted: FileWanted) -> FoundFile:
        """Look up the file of a message, or of a sticker, so that it can be fetched.

        Raises:
            MediaUnavailableError: There is no such file (any more), or no small picture of it.
        """
        ...

    async def blocked(self) -> frozenset[PeerId]:
        """Return whom this account has blocked, however many."""
        ...

    async def is_blocked(self, peer_id: PeerId) -> bool:
        """Tell whether this account has blocked a user: how an unknown `block` or `unblock` is looked up."""
        ...

    async def muted_until(self, peer_id: PeerId) -> datetime | None:
        """Return until when a chat is muted, aware UTC (for ever: 2038); None if it never was. May lie in the past.

        Only what is set for the chat itself counts, not the account's settings for all chats.
        """
        ...

    async def is_frozen(self) -> bool:
        """Tell whether Telegram says that it has frozen the account: it may only read."""
        ...

    # --- small signs; failures raise GatewayError and mean little

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        """Mark incoming messages as read; failures raise GatewayError."""
        ...

    async def show_typing(self, peer_id: PeerId) -> None:
        """Show "typing…" to the partner for about 5 s; failures raise GatewayError."""
        ...

    # --- what changes something

    async def send_text(self, request: SendRequest) -> SentReceipt:
        """Send one message."""
        ...

    async def send_sticker(self, request: StickerRequest) -> SentReceipt:
        """Send one sticker.

        If its set has to be fetched (again), that happens before the hand-over, or after Telegram refused an expired
        file reference; then the same `random_id` is handed over once more.
        """
        ...

    async def upload(self, path: Path, file: OutgoingFile, told: Callable[[int], None]) -> UploadedFile:
        """Bring a file to Telegram; nobody sees it before it is sent, so this may be repeated at any time.

        Args:
            path: Where it lies.
            file: What it is.
            told: Hears how many bytes have arrived.

        Raises:
            MediaUnavailableError: It cannot be read.
            GatewayError: As a question; SendRefusedError says that Telegram does not take this file.
        """
        ...

    async def send_file(self, request: FileRequest) -> SentReceipt:
        """Send what was uploaded.

        A refusal whose code begins with ``FILE_PART`` means that Telegram has it no more: upload it anew.
        """
        ...

    async def edit_text(
        self, peer_id: PeerId, message_id: MessageId, text: str, entities: tuple[TextEntity, ...] = ()
    ) -> None:
        """Give a message of ours another text; the text it has already is no error."""
        ...

    async def delete_messages(self, peer_id: PeerId, ids: tuple[MessageId, ...], *, for_everyone: bool = True) -> None:
        """Delete messages; those that are gone already are no error."""
        ...

    async def clear_conversation(self, peer_id: PeerId, up_to: MessageId) -> None:
        """Delete a DM up to and including a message, for this account alone."""
        ...

    async def block(self, peer_id: PeerId) -> None:
        """Block a user."""
        ...

    async def unblock(self, peer_id: PeerId) -> None:
        """Unblock a user."""
        ...


GatewayFactory = Callable[[Agent], TelegramGateway]
"""Makes a fresh, unconnected gateway for an agent.

Raises:
    LoggedOutError: There is no session to connect with.
"""
