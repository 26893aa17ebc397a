"""Blocks of a reply in words: what each is, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.traces.words import NOTHING
from chimein_gui.viewmodels.words.notes import note_words

if TYPE_CHECKING:
    from chimein_gui.domain.traces.steps import CallStep, TraceBlock

translate = QCoreApplication.translate

_STATES: dict[TaskStatus, object] = {
    TaskStatus.PENDING: QT_TRANSLATE_NOOP("TraceBlocks", "planned"),
    TaskStatus.READY: QT_TRANSLATE_NOOP("TraceBlocks", "planned"),
    TaskStatus.WAITING: QT_TRANSLATE_NOOP("TraceBlocks", "planned"),
    TaskStatus.RUNNING: QT_TRANSLATE_NOOP("TraceBlocks", "under way"),
    TaskStatus.AWAITING_OPERATOR: QT_TRANSLATE_NOOP("TraceBlocks", "waiting for you"),
    TaskStatus.AWAITING_DECISION: QT_TRANSLATE_NOOP("TraceBlocks", "waiting for you"),
    TaskStatus.OBSERVED: QT_TRANSLATE_NOOP("TraceBlocks", "observed"),
    TaskStatus.PARKED: QT_TRANSLATE_NOOP("TraceBlocks", "set aside"),
    TaskStatus.APPROVED: QT_TRANSLATE_NOOP("TraceBlocks", "approved"),
    TaskStatus.SENDING: QT_TRANSLATE_NOOP("TraceBlocks", "being sent"),
    TaskStatus.UNKNOWN: QT_TRANSLATE_NOOP("TraceBlocks", "outcome unknown"),
    TaskStatus.DONE: QT_TRANSLATE_NOOP("TraceBlocks", "done"),
    TaskStatus.FAILED: QT_TRANSLATE_NOOP("TraceBlocks", "failed"),
    TaskStatus.SKIPPED: QT_TRANSLATE_NOOP("TraceBlocks", "skipped"),
    TaskStatus.CANCELLED: QT_TRANSLATE_NOOP("TraceBlocks", "cancelled"),
}

_SENT = frozenset({BlockKind.SEND, BlockKind.STICKER})


def block_title(block: TraceBlock) -> str:
    """Return the type of a block as the model wrote it, with the message it answers."""
    return f"{block.kind.value} ↩ {block.reply_to}" if block.reply_to is not None else block.kind.value


def block_state(block: TraceBlock, *, edited: bool) -> str:
    """Return what became of a block."""
    if block.kind is BlockKind.THINK:
        return translate("TraceBlocks", "never sent, never stored")
    if block.kind is BlockKind.REMEMBER:
        if block.remembered is None:
            return translate("TraceBlocks", "not remembered")
        return (
            translate("TraceBlocks", "remembered")
            if block.remembered
            else translate("TraceBlocks", "will be remembered")
        )
    return _task_state(block, edited=edited)


def _task_state(block: TraceBlock, *, edited: bool) -> str:
    if block.approval is not None and block.approval.state is ApprovalState.REJECTED:
        return translate("TraceBlocks", "rejected")
    if block.status is None:
        return translate("TraceBlocks", "no task")
    if block.status is TaskStatus.DONE and block.kind in _SENT:
        return translate("TraceBlocks", "sent · edited") if edited else translate("TraceBlocks", "sent")
    return translate("TraceBlocks", str(_STATES[block.status]))


def block_note(block: TraceBlock) -> str:
    """Return why a block is in its state; empty if that is plain. Of a thought nothing but its length is known."""
    if block.kind is BlockKind.THINK:
        return block.body
    return note_words(block.reason) if block.reason is not None else ""


def reply_words(call: CallStep) -> str:
    """Return tokens and end of a reply."""
    usage = call.call.usage
    tokens = usage.reply_tokens + usage.thinking_tokens
    parts = [translate("TraceBlocks", "%Ln token(s)", "", tokens)]
    if not tokens:  # what a call without an answer used, the service does not say
        parts = [translate("TraceBlocks", "{n} tokens").format(n=NOTHING)]
    if usage.thinking_tokens:
        parts.append(translate("TraceBlocks", "{n} of them thinking").format(n=count_words(usage.thinking_tokens)))
    if call.finish_reason:
        parts.append(translate("TraceBlocks", "finish: {reason}").format(reason=call.finish_reason))
    return " · ".join(parts)
