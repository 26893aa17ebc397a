"""What the world is made of: users, messages, groups and the log of what happened in each account's box."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.peers import channel_peer_id


class LogKind(StrEnum):
    """What an entry of the update log is about."""

    MESSAGE = "message"
    EDIT = "edit"
    DELETE = "delete"
    READ_INBOX = "read_inbox"
    READ_OUTBOX = "read_outbox"


SERVICE_ID = 777_000
"""The account by which Telegram itself writes; it belongs neither to the agents nor to the partners."""


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
        about: What they say of themselves; may be empty.
        is_deleted: The account is gone: no names, no answers.
        bought: User names they have bought; with these, live Telegram lists all of them and no longer tells just one.
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
        """All user names, the one they chose themselves first."""
        return tuple(filter(None, (self.username, *self.bought)))

    @property
    def name(self) -> str:
        """First and last name as shown."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def is_account(self) -> bool:
        """Whether the product logs in as them."""
        return not self.is_partner and self.user_id != SERVICE_ID


@dataclass(frozen=True, slots=True)
class Draft:
    """A message about to be sent.

    Attributes:
        text: Or the caption; may be empty with media or an action.
        reply_to_id: In the sender's sequence; an unknown or deleted one is dropped, as Telegram does.
        reply_to_peer_id: The basic group that the answered message is in, marked, for a message to the supergroup that
            came of it; 0 for the chat it is sent to.
        random_id: The client's name for it; 0 for none.
        grouped_id: The same for all parts of an album; 0 for none.
        forward: MessageFwdHeader: where it came from.
        action: MessageAction of a service message; then there is no text.
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
    """One copy of a message, in one account's box; of a supergroup's message there is only the one in its own box.

    Attributes:
        owner_id: Whose box; of a supergroup its marked id.
        message_id: In the owner's own sequence.
        uid: The same for all copies of one message.
        peer_id: The chat as the owner sees it, marked.
        sender_id: Who wrote it.
        sent_at: Whole seconds since the epoch.
        entities: Formatting as the sender gave it, TL objects.
        reply_to_id: In the owner's sequence, 0 for none.
        random_id: What the sending client called it, 0 for none; kept after a delete to know repeats.
        edited_at: Whole seconds since the epoch, 0 if never.
        forward: MessageFwdHeader, None if not forwarded.
        action: MessageAction if this is a service message.
        mentioned: It names the owner or answers them, in a group.
        mentions: In a supergroup, whom it names or answers.
        reply_to_uid: In a supergroup, the message of the basic group before it that is answered; 0 for none. Everybody
            knows that one under another id.
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
    """How somebody stands in a group."""

    MEMBER = 0
    ADMIN = 1
    LEFT = 2
    KICKED = 3


@dataclass(slots=True)
class Member:
    """Somebody who is or was in a group.

    Attributes:
        joined_at: Whole seconds since the epoch.
        last_sent_at: Of their newest message there, for the slow mode; 0 for none.
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
    """A basic group, or a supergroup that one has become.

    Attributes:
        group_id: The bare chat id or channel id, positive.
        created_at: Whole seconds since the epoch.
        version: Rises with every change of members or rights, as Telegram's does.
        slow_mode_s: Least seconds between two messages of a member; 0 for none. Telegram has it in supergroups only;
            here it serves to rehearse the refusal.
        people: Everybody who is or was in it, by user id, in the order they came.
        revision: Rises with everything that changes how the group looks; not stored.
        migrated_to: Of a basic group that has ended, the marked id of the supergroup it has become; 0 for none.
        migrated_from: Of a supergroup, the marked id of the basic group it was; 0 says that this is a basic group.
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
        """The marked id."""
        return channel_peer_id(self.group_id) if self.migrated_from else -self.group_id

    @property
    def member_ids(self) -> tuple[int, ...]:
        """Who is in it now."""
        return tuple(user_id for user_id, member in self.people.items() if member.is_in)

    def has(self, user_id: int) -> bool:
        """Whether somebody is in it now."""
        member = self.people.get(user_id)
        return member is not None and member.is_in

    def is_admin(self, user_id: int) -> bool:
        """Whether somebody may do everything: the creator and the admins."""
        member = self.people.get(user_id)
        return member is not None and member.is_in and (user_id == self.creator_id or member.state is MemberState.ADMIN)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One step of an account's `pts`.

    Attributes:
        pts: Value after the step.
        pts_count: How many steps it is.
        peer_id: Chat it concerns, marked; 0 for a delete, which names no chat. In the log of a supergroup it is always
            that.
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
    """A log entry on its way to the owner's connected sessions; a supergroup's to those of all its members."""

    owner_id: int
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class Typing:
    """Somebody types to the owner; in no log, lost on whoever is not connected.

    Attributes:
        peer_id: The group it happens in, marked; 0 in a DM.
    """

    owner_id: int
    from_id: int
    action: TLObject
    peer_id: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """An update without `pts`, told to the owner's connected sessions only, as on live Telegram.

    Attributes:
        update: The TL update as the owner sees it.
        peer_ids: Users and groups it speaks of, marked; they are sent along.
    """

    owner_id: int
    update: TLObject
    peer_ids: tuple[int, ...] = ()


Happening = Change | Typing | Notice
Happenings = Sequence[Happening]
