"""The outcome of a planned step, as a whole phrase for each kind: many languages inflect the words in it."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.plans.hidden_steps import HiddenKind
from chimein_gui.domain.tasks import TaskStatus

_STATUSES = (TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.SKIPPED, TaskStatus.CANCELLED, TaskStatus.OBSERVED)

_ENDS: dict[HiddenKind, tuple[object, ...]] = {
    HiddenKind.SEND: (
        QT_TRANSLATE_NOOP("TranscriptWords", "sent a message"),
        QT_TRANSLATE_NOOP("TranscriptWords", "could not send a message"),
        QT_TRANSLATE_NOOP("TranscriptWords", "rejected a message"),
        QT_TRANSLATE_NOOP("TranscriptWords", "dropped a message"),
        QT_TRANSLATE_NOOP("TranscriptWords", "only observed a message"),
        QT_TRANSLATE_NOOP("TranscriptWords", "planned a message"),
    ),
    HiddenKind.STICKER: (
        QT_TRANSLATE_NOOP("TranscriptWords", "sent a sticker"),
        QT_TRANSLATE_NOOP("TranscriptWords", "could not send a sticker"),
        QT_TRANSLATE_NOOP("TranscriptWords", "rejected a sticker"),
        QT_TRANSLATE_NOOP("TranscriptWords", "dropped a sticker"),
        QT_TRANSLATE_NOOP("TranscriptWords", "only observed a sticker"),
        QT_TRANSLATE_NOOP("TranscriptWords", "planned a sticker"),
    ),
    HiddenKind.BLOCK: (
        QT_TRANSLATE_NOOP("TranscriptWords", "blocked"),
        QT_TRANSLATE_NOOP("TranscriptWords", "could not block"),
        QT_TRANSLATE_NOOP("TranscriptWords", "rejected a block"),
        QT_TRANSLATE_NOOP("TranscriptWords", "dropped a block"),
        QT_TRANSLATE_NOOP("TranscriptWords", "only observed a block"),
        QT_TRANSLATE_NOOP("TranscriptWords", "planned a block"),
    ),
    HiddenKind.UNBLOCK: (
        QT_TRANSLATE_NOOP("TranscriptWords", "unblocked"),
        QT_TRANSLATE_NOOP("TranscriptWords", "could not unblock"),
        QT_TRANSLATE_NOOP("TranscriptWords", "rejected an unblock"),
        QT_TRANSLATE_NOOP("TranscriptWords", "dropped an unblock"),
        QT_TRANSLATE_NOOP("TranscriptWords", "only observed an unblock"),
        QT_TRANSLATE_NOOP("TranscriptWords", "planned an unblock"),
    ),
    HiddenKind.CLEAR_CONVERSATION: (
        QT_TRANSLATE_NOOP("TranscriptWords", "cleared the conversation"),
        QT_TRANSLATE_NOOP("TranscriptWords", "could not clear the conversation"),
        QT_TRANSLATE_NOOP("TranscriptWords", "rejected clearing the conversation"),
        QT_TRANSLATE_NOOP("TranscriptWords", "dropped clearing the conversation"),
        QT_TRANSLATE_NOOP("TranscriptWords", "only observed clearing the conversation"),
        QT_TRANSLATE_NOOP("TranscriptWords", "planned clearing the conversation"),
    ),
    HiddenKind.SHUTDOWN: (
        QT_TRANSLATE_NOOP("TranscriptWords", "stopped the agent"),
        QT_TRANSLATE_NOOP("TranscriptWords", "could not stop the agent"),
        QT_TRANSLATE_NOOP("TranscriptWords", "rejected stopping the agent"),
        QT_TRANSLATE_NOOP("TranscriptWords", "dropped stopping the agent"),
        QT_TRANSLATE_NOOP("TranscriptWords", "only observed stopping the agent"),
        QT_TRANSLATE_NOOP("TranscriptWords", "planned stopping the agent"),
    ),
}
_STEP: tuple[object, ...] = (
    QT_TRANSLATE_NOOP("TranscriptWords", "completed a step"),
    QT_TRANSLATE_NOOP("TranscriptWords", "could not complete a step"),
    QT_TRANSLATE_NOOP("TranscriptWords", "rejected a step"),
    QT_TRANSLATE_NOOP("TranscriptWords", "dropped a step"),
    QT_TRANSLATE_NOOP("TranscriptWords", "only observed a step"),
    QT_TRANSLATE_NOOP("TranscriptWords", "planned a step"),
)
"""In the order of `_STATUSES`; the last one is for any other status: a step that is still planned."""

translate = QCoreApplication.translate


def end_words(kind: HiddenKind, status: TaskStatus) -> str:
    """Return the outcome of a step in words."""
    place = _STATUSES.index(status) if status in _STATUSES else len(_STATUSES)
    return translate("TranscriptWords", str(_ENDS.get(kind, _STEP)[place]))
