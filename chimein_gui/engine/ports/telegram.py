"""Ports for Telegram: the client of one account, and the listener it reports to."""

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
from chimein_gui.domain.plans.stickers import StickerRef, StickerSetNumber
from chimein_gui.engine.ports.media import FileWanted, FoundFile


@dataclass(frozen=True, slots=True)
class AccountIdentity:
    """The owner of a session; the first of several user names is the main one."""

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
    """A text message to send.

    Attributes:
        peer_id: Recipient.
        text: The exact text.
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
    """A sticker to send.

    Attributes:
        peer_id: Recipient.
        sticker: The sticker.
        reply_to_id: The message it answers, or None.
        random_id: The number committed with the decision.
    """

    peer_id: PeerId
    sticker: StickerRef
    reply_to_id: MessageId | None
    random_id: RandomId


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that was uploaded but not sent; valid for this account and a limited time.

    Attributes:
        handle: The adapter's reference to it.
    """

    handle: object


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A photo or file to send.

    Attributes:
        peer_id: Recipient.
        file: Its description.
        uploaded: The uploaded content.
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
        message_id: Id of the new message; None if Telegram only said that this random_id was delivered before.
        sent_at: Server time, aware UTC; also None in that case.
        media: Media of the message, if the answer contains it.
    """

    message_id: MessageId | None
    sent_at: datetime | None
    media: Media | None = None


class GatewayListener(Protocol):
    """Receives the reports of a gateway; methods only store and enqueue, and never wait."""

    def message_arrived(self, chat: ChatInfo, message: Message) -> None:
        """Report a message, in or out, that is new to this client."""
        ...

    def message_edited(self, chat: ChatInfo, message: Message) -> None:
        """Report a message with a new text."""
        ...

    def reactions_changed(self, key: MessageKey, reactions: tuple[Reaction, ...], *, tells_mine: bool) -> None:
        """Report the reactions of a message; without `tells_mine` it is unknown which are the account's own."""
        ...

    def messages_deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]) -> None:
        """Report deleted messages; without a peer the ids apply to all non-channel peers of the account."""
        ...

    def incoming_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """Report that this account has read a chat, here or on another device."""
        ...

    def outgoing_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        """Report that the partner has read our messages."""
        ...

    def partner_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        """Report that the partner of a DM is typing."""
        ...

    def peer_blocked(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        """Report that this account has blocked or unblocked somebody, through us or on another device."""
        ...

    def group_moved(self, move: GroupMove) -> None:
        """Report that a basic group became a supergroup; messages of both are reported under the group's peer id."""
        ...

    def mute_changed(self, account_id: AccountId, peer_id: PeerId | None) -> None:
        """Report a changed mute setting, from any device; without a peer it applies to all chats of a kind."""
        ...

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        """Report messages of a later Telegram version by their raw ids; without ids, another unreadable update."""
        ...

    def updates_skipped(self) -> None:
        """Report that updates were lost, edits and deletes included; after the next connect chats may differ."""
        ...


class TelegramGateway(Protocol):
    """Client of one account for one connection: after a loss it is discarded and a new one is made.

    Methods that change something (`send_…`, `block` … `delete_messages`) raise only:

        NotConnectedError: Before the hand-over; nothing was done.
        SlowModeError: The chat has to wait (a RateLimitedError); nothing was done.
        RateLimitedError: The account has to wait with the method in `method`; nothing was done.
        AccountLimitedError: PEER_FLOOD: the account is limited (a SendRefusedError); nothing was done.
        AccountFrozenError: The account may only read (a SendRefusedError); nothing was done.
        SendRefusedError: Telegram refused permanently; nothing was done.
        OutcomeUnknownError: Handed over without an answer (lost connection, 5xx).
        asyncio.CancelledError: After the hand-over the outcome is unknown, too.

    All but the sends are idempotent and may be repeated if their outcome is unknown.
    """

    async def connect(self, listener: GatewayListener, groups: KnownGroups = ...) -> AccountIdentity:
        """Connect within 20 s and start reporting, including what came while offline.

        Args:
            listener: Receives the reports.
            groups: What is known of supergroups; all ids here follow `domain.accounts.group_moves`.

        Raises:
            LoggedOutError: The session is not authorised; RevokedError and BannedError if Telegram says so.
            RateLimitedError: Telegram told us to wait.
            NotConnectedError: The server can't be reached; a ProxyError if the proxy is the cause.
        """
        ...

    async def wait_lost(self) -> None:
        """Wait until the connection is lost, for any reason but one.

        Raises:
            LoggedOutError: The session was ended while it was in use (RevokedError, BannedError).
        """
        ...

    def is_up(self) -> bool:
        """Return whether the transport is connected now."""
        ...

    def clock_ahead_s(self) -> float:
        """Return how far this machine's clock is ahead of Telegram's, in seconds; 0 if unknown."""
        ...

    async def disconnect(self) -> None:
        """Close the connection, so that nothing queued is sent; a second call has no effect."""
        ...

    # --- queries; failures raise GatewayError, and repeating is safe

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        """List the account's conversations, newest first."""
        ...

    async def history(
        self, peer_id: PeerId, *, limit: int, above_id: MessageId = ..., below_id: MessageId = ...
    ) -> tuple[Message, ...]:
        """Fetch up to `limit` newest messages with above_id < id < below_id (0 = open end), oldest first."""
        ...

    async def sticker_set(self, which: str | StickerSetNumber) -> tuple[StickerRef, ...]:
        """Return the stickers of a set, by its short name or number, in its order; empty if there is no such set."""
        ...

    async def find_sticker(self, set_name: str, name: str) -> StickerRef | None:
        """Find a sticker by the short name of its set and its own name (see `StickerRef.name`).

        Found stickers are cached until the program ends, failed look-ups are not.

        Returns:
            The sticker, or None if the set or the sticker does not exist.
        """
        ...

    async def find_file(self, wanted: FileWanted) -> FoundFile:
        """Find the file of a message or of a sticker, so that it can be fetched.

        Raises:
            MediaUnavailableError: The file does not exist (any more), or has no thumbnail.
        """
        ...

    async def blocked(self) -> frozenset[PeerId]:
        """Return all peers that this account has blocked."""
        ...

    async def is_blocked(self, peer_id: PeerId) -> bool:
        """Return whether this account has blocked a user; resolves an unknown `block` or `unblock`."""
        ...

    async def muted_until(self, peer_id: PeerId) -> datetime | None:
        """Return until when a chat is muted, aware UTC (for ever: 2038); None if it never was. May lie in the past.

        Only the setting of the chat itself counts, not the account's settings for all chats.
        """
        ...

    async def is_frozen(self) -> bool:
        """Return whether Telegram has frozen the account, so that it may only read."""
        ...

    # --- presence; failures raise GatewayError and have no consequences

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        """Mark incoming messages as read; failures raise GatewayError."""
        ...

    async def show_typing(self, peer_id: PeerId) -> None:
        """Show "typing…" to the partner for about 5 s; failures raise GatewayError."""
        ...

    # --- changes

    async def send_text(self, request: SendRequest) -> SentReceipt:
        """Send one message."""
        ...

    async def send_sticker(self, request: StickerRequest) -> SentReceipt:
        """Send one sticker.

        If its set must be fetched, this happens before the hand-over, or after Telegram refused an expired file
        reference; then the same `random_id` is handed over again.
        """
        ...

    async def upload(self, path: Path, file: OutgoingFile, on_progress: Callable[[int], None]) -> UploadedFile:
        """Upload a file; nobody sees it before it is sent, so this may be repeated at any time.

        Args:
            path: Path of the file.
            file: Its description.
            on_progress: Called with the number of bytes that have been uploaded.

        Raises:
            MediaUnavailableError: It cannot be read.
            GatewayError: As a query; SendRefusedError if Telegram does not accept this file.
        """
        ...

    async def send_file(self, request: FileRequest) -> SentReceipt:
        """Send an uploaded file.

        A refusal whose code begins with ``FILE_PART`` means that Telegram no longer has it: upload it again.
        """
        ...

    async def edit_text(
        self, peer_id: PeerId, message_id: MessageId, text: str, entities: tuple[TextEntity, ...] = ()
    ) -> None:
        """Replace the text of a message of ours; the same text is no error."""
        ...

    async def delete_messages(self, peer_id: PeerId, ids: tuple[MessageId, ...], *, for_everyone: bool = True) -> None:
        """Delete messages; those already deleted are no error."""
        ...

    async def clear_conversation(self, peer_id: PeerId, up_to: MessageId) -> None:
        """Delete a DM up to and including a message, for this account only."""
        ...

    async def block(self, peer_id: PeerId) -> None:
        """Block a user."""
        ...

    async def unblock(self, peer_id: PeerId) -> None:
        """Unblock a user."""
        ...


GatewayFactory = Callable[[Agent], TelegramGateway]
"""Makes a new, unconnected gateway for an agent.

Raises:
    LoggedOutError: There is no session to connect with.
"""
