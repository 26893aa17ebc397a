"""The data of one row of a transcript; cards and drafts use it too, so that one painter draws all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Media, Message, MessageKey, TextEntity, utf16_length
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.viewmodels.approvals.card_words import card_text, is_message

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.plans.hidden_steps import HiddenStep
    from chimein_gui.viewmodels.core.clock import ClockFace


class Parent(StrEnum):
    """What is known of the message that a row replies to."""

    NONE = "none"
    """It replies to nothing."""
    FOUND = "found"
    ASKED = "asked"
    """It is outside the window and is being fetched."""
    GONE = "gone"
    """It is not stored."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What the operator has revealed of a message.

    Attributes:
        secrets: Spoilers are shown.
        whole: A long text is shown in full.
    """

    secrets: bool = False
    whole: bool = False


CLOSED = Opened()


@dataclass(frozen=True, slots=True)
class TranscriptRow:
    """What the painter needs to draw one message, or an album as one.

    Attributes:
        message: The snapshot; of an album its first message that is not deleted.
        reply_to: The message it replies to; None where there is none or it is not known.
        day: Heading above it, where a new day begins; else empty.
        clock: Its time of day; may be empty for a planned message.
        read: The partner has read it; only for outgoing messages.
        own_name: The agent's name, for quotes.
        continues: The message above it is by the same author.
        album: All messages of its album, oldest first; empty for a single message.
        parent: What is known of the message it replies to.
        unread: The messages that were unread when the chat was opened begin here.
        opened: What is revealed of it.
        planned: It is not sent: no time of sending, no check marks.
        date: Its day in words, for screen readers, who come from no heading; empty for today's but the first.
    """

    message: Message
    reply_to: Message | None
    day: str
    clock: str
    read: bool
    own_name: str
    continues: bool = False
    album: tuple[Message, ...] = ()
    parent: Parent = Parent.NONE
    unread: bool = False
    opened: Opened = CLOSED
    planned: bool = False
    date: str = ""

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages that it shows."""
        return self.album or (self.message,)


@dataclass(frozen=True, slots=True)
class StepRow:
    """An invisible step of a plan, between two messages.

    Attributes:
        step: The snapshot.
        clock: Its time of day.
    """

    step: HiddenStep
    clock: str


AnyRow = TranscriptRow | StepRow


def planned_row(approval: Approval, reply_to: Message | None, clock: ClockFace) -> TranscriptRow:
    """Return a row that shows a planned send exactly as it will look once it is sent.

    Args:
        approval: The planned send; its Markdown is formatted as for sending.
        reply_to: The message it replies to; None if there is none or it is not known.
        clock: Formats the time at which it is sent, if that is known.
    """
    leaves_at: datetime | None = approval.due_at
    message = planned_message(approval)
    parent = Parent.FOUND if reply_to is not None else Parent.ASKED if approval.reply_to_id is not None else Parent.NONE
    return TranscriptRow(
        message,
        reply_to,
        "",
        clock.clock(leaves_at) if leaves_at is not None else "",
        False,
        approval.agent_name,
        parent=parent,
        planned=True,
    )


def planned_message(approval: Approval) -> Message:
    """Return the message that a planned send would be; an action without a message becomes a service message."""
    from chimein_gui.engine.text.markdown import formatted  # imported late: needed only for a planned message

    key = MessageKey(approval.account_id, approval.peer_id, MessageId(0))
    sent_at = approval.due_at or approval.created_at
    if not is_message(approval):
        words = card_text(approval)
        return Message(key, None, approval.agent_name, True, sent_at, words, is_service=True)
    if approval.kind is TaskKind.STICKER and approval.sticker is not None:
        sticker = approval.sticker
        media = Media(sticker.document_id, sticker.mime_type, emoji=sticker.emoji, set_name=sticker.set_name)
        return Message(
            key,
            None,
            approval.agent_name,
            True,
            sent_at,
            "",
            reply_to_id=approval.reply_to_id,
            media_kind="sticker",
            media=media,
            document_id=sticker.document_id,
        )
    text, entities = _without_blanks(*formatted(approval.text))
    plain = Message(key, None, approval.agent_name, True, sent_at, text, entities, reply_to_id=approval.reply_to_id)
    file = approval.file
    if file is None:
        return plain
    media = Media(None, file.mime_type, file.size, file.width, file.height, file_name=file.file_name)
    return replace(plain, media_kind=file.media_kind, media=media)


def _without_blanks(text: str, entities: tuple[TextEntity, ...]) -> tuple[str, tuple[TextEntity, ...]]:
    """Strip the blanks at both ends of a text, as Telegram does, and move the entities."""
    lead = utf16_length(text) - utf16_length(text.lstrip())
    moved = tuple(replace(one, offset=one.offset - lead) for one in entities) if lead else entities
    return text.strip(), moved
