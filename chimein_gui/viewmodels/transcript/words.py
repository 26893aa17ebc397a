"""A row of the transcript as one sentence, for a screen reader: everything that is drawn, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.plans.hidden_steps import HiddenKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.core.quotes import quoted
from chimein_gui.viewmodels.core.sanitize import sanitize, spoken
from chimein_gui.viewmodels.transcript.message_words import length_words, message_words, size_words
from chimein_gui.viewmodels.transcript.rows import Parent, StepRow
from chimein_gui.viewmodels.transcript.step_ends import end_words
from chimein_gui.viewmodels.words.notes import note_words
from chimein_gui.viewmodels.words.replies import reply_problems_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.hidden_steps import HiddenStep
    from chimein_gui.viewmodels.transcript.rows import AnyRow, TranscriptRow

_QUOTED = 80
_MOST_REACTIONS = 6
_LONG = 80
_LINKS = frozenset({"url", "text_url"})
_NAMED = frozenset({"document", "audio", "contact", "poll", "location", "checklist", "game", "invoice"})

translate = QCoreApplication.translate


def row_sentence(row: AnyRow) -> str:
    """Return a row as one sentence."""
    return sanitize(_sentence(row), keep_breaks=True)


def _sentence(row: AnyRow) -> str:
    if isinstance(row, StepRow):
        verb, thing = step_words(row.step)
        return ", ".join(filter(None, (f"{verb} {thing}".strip(), row.clock)))
    message = row.message
    if message.is_service:
        return ", ".join(filter(None, (message_words(message), row.date, row.clock, _unread(row))))
    who = spoken(row.own_name if message.out else message.sender_name) or translate("TranscriptWords", "Someone")
    return ", ".join((f"{who}: {_said(row)}", *filter(None, _facts(row))))


def _said(row: TranscriptRow) -> str:
    message = row.message
    if len(row.album) > 1:
        text = next((one.text for one in row.album if one.text), "")
        album = translate("TranscriptWords", "Album of {n}").format(n=len(row.album))
        return f"{album}: {text}" if text else album
    if message.deleted:
        gone = message_words(message)
        return f"{gone}: {message.text}" if message.text else gone
    words = _spoken_text(row)
    facts = " ".join(filter(None, _media_facts(message)))
    return f"{words} ({facts})" if facts else words


def _spoken_text(row: TranscriptRow) -> str:
    """Return the text without the spoilers that are hidden on the screen."""
    message = row.message
    words = message_words(message)
    if row.opened.secrets or not any(one.kind == "spoiler" for one in message.entities):
        return words
    units = message.text.encode("utf-16-le", "surrogatepass")
    hidden = translate("TranscriptWords", "(hidden)")
    parts, at = [], 0
    for one in sorted(message.entities, key=lambda entity: entity.offset):
        if one.kind == "spoiler" and one.offset * 2 >= at:
            parts += [units[at : one.offset * 2].decode("utf-16-le", "replace"), hidden]
            at = (one.offset + one.length) * 2
    parts.append(units[at:].decode("utf-16-le", "replace"))
    return words.replace(message.text, "".join(parts))


def _media_facts(message: Message) -> Iterator[str]:
    media = message.media
    if media is None:
        return
    if message.media_kind == "sticker":
        yield media.emoji[:8]
        return
    if message.media_kind in _NAMED:
        yield spoken(media.title or media.file_name)
    if media.duration_s:
        yield length_words(media.duration_s)
    if media.size and message.media_kind in {"document", "audio"}:
        yield size_words(media.size)


def _facts(row: TranscriptRow) -> Iterator[str]:
    message = row.message
    yield row.date
    yield row.clock
    if message.forward is not None:
        name = spoken(message.forward.sender_name)
        yield (
            translate("TranscriptWords", "forwarded from {who}").format(who=name)
            if name
            else translate("TranscriptWords", "forwarded")
        )
    if row.reply_to is not None:
        yield translate("TranscriptWords", "in reply to {text}").format(text=message_words(row.reply_to)[:_QUOTED])
    elif row.parent is Parent.GONE:
        yield translate("TranscriptWords", "in reply to a deleted message")
    if message.edited_at is not None:
        yield translate("TranscriptWords", "edited")
    given = next((one.reactions for one in row.messages if one.reactions), ())
    if given:
        each = " ".join(f"{one.emoji[:8] or '★'} {one.count}" for one in given[:_MOST_REACTIONS])
        yield translate("TranscriptWords", "reactions {each}").format(each=each)
    yield _unread(row)
    if row.planned:
        yield translate("TranscriptWords", "planned, not sent")
    elif message.out:
        yield translate("TranscriptWords", "read") if row.read else translate("TranscriptWords", "sent")


def _unread(row: TranscriptRow) -> str:
    return translate("TranscriptWords", "unread from here on") if row.unread else ""


def key_sentence(row: AnyRow) -> str:
    """Return how to read a row by word; empty for one that has little to read, so that lists stay quick to hear."""
    if isinstance(row, StepRow) or row.message.is_service:
        return ""
    has_links = any(one.kind in _LINKS for message in row.messages for one in message.entities)
    is_long = sum(len(message.text) for message in row.messages) > _LONG
    return translate("TranscriptWords", "Alt and Return: read word by word") if has_links or is_long else ""


def step_words(step: HiddenStep) -> tuple[str, str]:
    """Return what a hidden step did: a phrase with the verb, and its object or reason; the second may be empty."""
    text = step.text or reply_problems_words(step.problems)
    thing = quoted(text) if text else ""
    verb = {
        HiddenKind.REMEMBERED: translate("TranscriptWords", "remembered"),
        HiddenKind.WAIT: translate("TranscriptWords", "waited"),
        HiddenKind.PLAN: translate("TranscriptWords", "planned"),
    }.get(step.kind, "")
    if step.kind is HiddenKind.WAIT:
        return _wait_words(step)
    if step.kind is HiddenKind.PLAN:
        plan = {
            TaskStatus.FAILED: translate("TranscriptWords", "stopped planning"),
            TaskStatus.CANCELLED: translate("TranscriptWords", "dropped the plan"),
        }
        verb = plan.get(
            step.status,
            translate("TranscriptWords", "planned nothing to send")
            if not text
            else translate("TranscriptWords", "planned"),
        )
    elif not verb:
        verb = end_words(step.kind, step.status)
    why = note_words(step.reason)
    return verb, " ".join(filter(None, (thing, f"({why})" if why else "")))


def _wait_words(step: HiddenStep) -> tuple[str, str]:
    length = length_words(step.wait_s) if step.wait_s else ""
    if step.status is TaskStatus.WAITING:
        return translate("TranscriptWords", "waits"), length
    ended = {
        TaskStatus.SKIPPED: translate("TranscriptWords", "did not wait"),
        TaskStatus.CANCELLED: translate("TranscriptWords", "stopped waiting"),
    }
    return ended.get(step.status, translate("TranscriptWords", "waited")), length


def step_icon(step: HiddenStep) -> str:
    """Return the icon of a hidden step: that of its outcome if it was not done, else that of its kind."""
    if step.status is TaskStatus.FAILED:
        return "warning"
    if step.kind not in _NOT_FOR_OTHERS and step.status in _NOT_DONE:
        return _NOT_DONE[step.status]
    return {
        HiddenKind.REMEMBERED: "memory",
        HiddenKind.WAIT: "hourglass",
        HiddenKind.PLAN: "planned",
        HiddenKind.SEND: "send",
        HiddenKind.STICKER: "sticker",
        HiddenKind.BLOCK: "hand",
    }.get(step.kind, "planned")


_NOT_FOR_OTHERS = frozenset({HiddenKind.REMEMBERED, HiddenKind.WAIT, HiddenKind.PLAN})
_NOT_DONE = {TaskStatus.SKIPPED: "x-circle", TaskStatus.CANCELLED: "x-circle", TaskStatus.OBSERVED: "eye"}
