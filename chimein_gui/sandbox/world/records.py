"""The records of the world: users, messages, groups and log entries."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.peers import channel_peer_id


class LogKind(StrEnum):
    """The kinds of entries in the update log."""

    MESSAGE = "message"
    EDIT = "edit"
    DELETE = "delete"
    READ_INBOX = "read_inbox"
    READ_OUTBOX = "read_outbox"


SERVICE_ID = 777_000
"""Telegram's own service account; it is neither an agent's account nor a partner."""


@dataclass(frozen=True, slots=True)
class User:
    """A person, or an agent's account.

    Attributes:
        user_id: Telegram user id; larger than 32 bits on purpose.
        first_name: Never empty.
        last_name: May be empty.
        phone: Digits only, from the +999 66 test range; empty for none.
        username: Without the at sign; empty for none.
        is_partner: Played by the sandbox, not logged in by the product.
        about: Their profile text; may be empty.
        is_deleted: The account has been deleted: it has no names and does not answer.
        bought: User names they have bought; with these, Telegram lists all names and leaves `username` empty.
    """

    user_id: int
    first_name: str
    last_name: str
    phone: str
    username: str
    is_partner: bool
    about: str = ""
    is_bot: bool = False
    is_deleted: bool = False
    bought: tuple[str, ...] = ()

    @property
    def usernames(self) -> tuple[str, ...]:
        """All user names, the one they chose themselves first; empty for none."""
        return tuple(filter(None, (self.username, *self.bought)))

    @property
    def name(self) -> str:
        """First and last name as shown."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def is_account(self) -> bool:
        """Whether the product can log in as them."""
        return not self.is_partner and self.user_id != SERVICE_ID


@dataclass(frozen=True, slots=True)
class Draft:
    """A message to be sent.

    Attributes:
        text: Text or caption; may be empty with media or an action.
        reply_to_id: In the sender's sequence; an unknown or deleted one is ignored, as by Telegram.
        reply_to_peer_id: Marked id of the basic group with the message replied to, if this one goes to its supergroup;
            0 for the same chat.
        random_id: The client's id for it; 0 for none.
        grouped_id: The same for all parts of an album; 0 for none.
        forward: MessageFwdHeader with the origin; None if it is not forwarded.
        action: MessageAction of a service message, which has no text; None for other messages.
    """

    text: str = ""
    entities: tuple[TLObject, ...] = ()
    reply_to_id: int = 0
    random_id: int = 0
    media: MediaRef | None = None
    grouped_id: int = 0
    forward: TLObject | None = None
    action: TLObject | None = None
    silent: bool = False
    reply_to_peer_id: int = 0


@dataclass(slots=True)
class StoredMessage:
    """One copy of a message in one account's box; a supergroup's message has only the copy in the supergroup's box.

    Attributes:
        owner_id: The box's owner; a supergroup's marked id.
        message_id: In the owner's own sequence.
        uid: The same for all copies of one message.
        peer_id: The chat as the owner sees it, marked.
        sender_id: Who wrote it.
        sent_at: Whole seconds since the epoch.
        entities: TL objects: those of the sender and those that the server found.
        reply_to_id: In the owner's sequence, 0 for none.
        random_id: The sending client's id for it, 0 for none; kept after a deletion to recognise repeats.
        edited_at: Whole seconds since the epoch, 0 if never.
        forward: MessageFwdHeader, None if not forwarded.
        action: MessageAction of a service message, None for others.
        mentioned: It is in a group and mentions the owner or replies to them.
        mentions: In a supergroup, the ids of those it mentions or replies to.
        reply_to_uid: In a supergroup, the uid of the basic group's message that it replies to; 0 for none. Each member
            has another id for that message.
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
    media: MediaRef | None = None
    grouped_id: int = 0
    forward: TLObject | None = None
    action: TLObject | None = None
    silent: bool = False
    mentioned: bool = False
    mentions: tuple[int, ...] = ()
    reply_to_uid: int = 0

    @property
    def outgoing(self) -> bool:
        """Whether the owner wrote it."""
        return self.sender_id == self.owner_id


class MemberState(IntEnum):
    """A user's state in a group."""

    MEMBER = 0
    ADMIN = 1
    LEFT = 2
    KICKED = 3


@dataclass(slots=True)
class Member:
    """A current or former member of a group.

    Attributes:
        joined_at: Whole seconds since the epoch.
        last_sent_at: Time of their newest message there, whole seconds since the epoch, for the slow mode; 0 for none.
    """

    user_id: int
    inviter_id: int
    joined_at: int
    state: MemberState = MemberState.MEMBER
    last_sent_at: int = 0

    @property
    def is_in(self) -> bool:
        """Whether they are in it now."""
        return self.state <= MemberState.ADMIN


@dataclass(slots=True)
class Group:
    """A basic group, or a supergroup that a basic group has migrated to.

    Attributes:
        group_id: The bare chat id or channel id, positive.
        created_at: Whole seconds since the epoch.
        version: Increases with every change of members or rights, as Telegram's does.
        slow_mode_s: Minimum seconds between two messages of a member; 0 for none. Telegram has it only in supergroups;
            here basic groups have it too, so that the refusal can be rehearsed.
        people: All current and former members, by user id, in the order they joined.
        revision: Increases with every change of how the group appears; not stored.
        migrated_to: Of a migrated basic group, the marked id of its supergroup; 0 for others.
        migrated_from: Of a supergroup, the marked id of its basic group; 0 for a basic group.
    """

    group_id: int
    title: str
    creator_id: int
    created_at: int
    about: str = ""
    version: int = 1
    slow_mode_s: int = 0
    people: dict[int, Member] = field(default_factory=dict)
    revision: int = 0
    migrated_to: int = 0
    migrated_from: int = 0

    @property
    def peer_id(self) -> int:
        """The marked id of the group or supergroup."""
        return channel_peer_id(self.group_id) if self.migrated_from else -self.group_id

    @property
    def member_ids(self) -> tuple[int, ...]:
        """The ids of the current members."""
        return tuple(user_id for user_id, member in self.people.items() if member.is_in)

    def has(self, user_id: int) -> bool:
        """Whether somebody is in it now."""
        member = self.people.get(user_id)
        return member is not None and member.is_in

    def is_admin(self, user_id: int) -> bool:
        """Whether a user has all rights: the creator and the admins have."""
        member = self.people.get(user_id)
        return member is not None and member.is_in and (user_id == self.creator_id or member.state is MemberState.ADMIN)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of an update log, which advances `pts`.

    Attributes:
        pts: Value after the entry.
        pts_count: By how much it advances `pts`.
        peer_id: The chat, marked; 0 for a deletion in a user's log. In a supergroup's log, always the supergroup.
        ids: Message ids: the message, the deleted ones, or the newest one read.
        still_unread: For READ_INBOX, how many messages remain unread.
    """

    pts: int
    pts_count: int
    kind: LogKind
    peer_id: int
    ids: tuple[int, ...]
    still_unread: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """A log entry to be pushed to the owner's connected sessions; a supergroup's, to those of all members."""

    owner_id: int
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class Typing:
    """A typing notice for the owner; it is not logged, so sessions that are not connected never get it.

    Attributes:
        peer_id: The group, marked; 0 in a private chat.
    """

    owner_id: int
    from_id: int
    action: TLObject
    peer_id: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """An update without `pts`, pushed only to the owner's connected sessions, as by live Telegram.

    Attributes:
        update: The TL update as the owner sees it.
        peer_ids: The users and groups in it, marked; they are sent with it.
    """

    owner_id: int
    update: TLObject
    peer_ids: tuple[int, ...] = ()


Happening = Change | Typing | Notice
Happenings = Sequence[Happening]
