"""What the world is made of: users, messages and the log of what happened in each account's box."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chimein_gui.sandbox.tl import TLObject


class LogKind(StrEnum):
    """What an entry of the update log is about."""

    MESSAGE = "message"
    EDIT = "edit"
    DELETE = "delete"
    READ_INBOX = "read_inbox"
    READ_OUTBOX = "read_outbox"


@dataclass(frozen=True, slots=True)
class User:
    """A person or an agent's account.

    Attributes:
        user_id: Telegram user id; beyond 32 bit on purpose.
        first_name: Never empty.
        last_name: May be empty.
        phone: Digits only, from the +999 66 test range; empty for none.
        username: Without the at sign; empty for none.
        is_partner: Played by the sandbox, not by an agent of ours.
    """

    user_id: int
    first_name: str
    last_name: str
    phone: str
    username: str
    is_partner: bool

    @property
    def name(self) -> str:
        """First and last name as shown."""
        return f"{self.first_name} {self.last_name}".strip()


@dataclass(slots=True)
class StoredMessage:
    """One copy of a message, in one account's box.

    Attributes:
        owner_id: Whose box.
        message_id: In the owner's own sequence.
        uid: The same for all copies of one message.
        peer_id: The other side as the owner sees it.
        sender_id: Who wrote it.
        sent_at: Whole seconds since the epoch.
        entities: Formatting as the sender gave it, TL objects.
        reply_to_id: In the owner's sequence, 0 for none.
        random_id: What the sending client called it, 0 for none; kept after a delete to know repeats.
        edited_at: Whole seconds since the epoch, 0 if never.
    """

    owner_id: int
    message_id: int
    uid: int
    peer_id: int
    sender_id: int
    sent_at: int
    text: str
    entities: tuple[TLObject, ...] = ()
    reply_to_id: int = 0
    random_id: int = 0
    edited_at: int = 0
    deleted: bool = False

    @property
    def outgoing(self) -> bool:
        """Whether the owner wrote it."""
        return self.sender_id == self.owner_id


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One step of an account's `pts`.

    Attributes:
        pts: Value after the step.
        pts_count: How many steps it is.
        peer_id: Chat it concerns, 0 for a delete (DM deletes name no chat).
        ids: Message ids: the message, those deleted, or the newest one read.
        still_unread: After a READ_INBOX, how many remain.
    """

    pts: int
    pts_count: int
    kind: LogKind
    peer_id: int
    ids: tuple[int, ...]
    still_unread: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """A log entry on its way to the owner's connected sessions."""

    owner_id: int
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class Typing:
    """Somebody types to the owner; in no log, lost on whoever is not connected."""

    owner_id: int
    from_id: int
    action: TLObject


Happening = Change | Typing
Happenings = Sequence[Happening]
