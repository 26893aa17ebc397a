"""The words of each `Reason`; no other module has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.reasons import AnyReason, Reason
from chimein_gui.domain.notes.upcoming import UpcomingReason
from chimein_gui.viewmodels.words.configs import CARDS, CONFIGS
from chimein_gui.viewmodels.words.connections import CONNECTIONS
from chimein_gui.viewmodels.words.faults import FAULTS
from chimein_gui.viewmodels.words.files import FILES
from chimein_gui.viewmodels.words.keys import KEYS
from chimein_gui.viewmodels.words.model import EMBEDDERS
from chimein_gui.viewmodels.words.plural import with_number
from chimein_gui.viewmodels.words.sign_ins import SIGN_IN_TROUBLES, SIGN_INS

if TYPE_CHECKING:
    from chimein_gui.domain.notes import Note

_DECISIONS: dict[AnyReason, object] = {
    Reason.ONE_BY_ONE: QT_TRANSLATE_NOOP("Reasons", "This must be decided on its own card."),
    Reason.FIXED_TEXT: QT_TRANSLATE_NOOP(
        "Reasons",
        "Part of it was already sent, so its text can't be changed. Approve the rest as it is, or reject it.",
    ),
    Reason.NOT_EDITABLE: QT_TRANSLATE_NOOP("Reasons", "Only the text of a message can be edited."),
    Reason.TIME_IS_OVER: QT_TRANSLATE_NOOP("Reasons", "That time has passed. Choose a later one."),
    Reason.OUTDATED: QT_TRANSLATE_NOOP("Reasons", "The draft changed meanwhile; nothing was decided."),
    Reason.LOOK_AGAIN: QT_TRANSLATE_NOOP("Reasons", "The conversation has moved on. Check it, then decide again."),
    Reason.GREW_OLD: QT_TRANSLATE_NOOP("Reasons", "It is more than 12 hours old; look at it again, then decide."),
    Reason.ALREADY_APPROVED: QT_TRANSLATE_NOOP("Reasons", "It is already approved."),
    Reason.BEING_SENT: QT_TRANSLATE_NOOP("Reasons", "It is being sent."),
    Reason.WAS_SENT: QT_TRANSLATE_NOOP("Reasons", "It was sent."),
    Reason.OUTCOME_OPEN: QT_TRANSLATE_NOOP("Reasons", "It was sent, and Chimein is checking whether it arrived."),
    Reason.WAS_REJECTED: QT_TRANSLATE_NOOP("Reasons", "It was rejected."),
    Reason.OTHER_VARIANT: QT_TRANSLATE_NOOP("Reasons", "It belongs to a version that was not chosen."),
    Reason.ONLY_OBSERVED: QT_TRANSLATE_NOOP("Reasons", "This chat is set to observe only."),
    Reason.REPLACED: QT_TRANSLATE_NOOP("Reasons", "It was replaced by a newer draft; nothing was decided."),
    Reason.DECIDED_MEANWHILE: QT_TRANSLATE_NOOP("Reasons", "It was decided meanwhile."),
    Reason.NOTHING_TO_SEND: QT_TRANSLATE_NOOP(
        "Reasons", "There is nothing to send. Write something, or reject the draft."
    ),
    Reason.TEXT_TOO_LONG: QT_TRANSLATE_NOOP(
        "Reasons", "The text has %n character(s), more than can be sent at once. Shorten it."
    ),
    Reason.BAD_CHARACTERS: QT_TRANSLATE_NOOP(
        "Reasons", "The text contains characters that can't be sent. Remove them."
    ),
    Reason.USE_AS_MESSAGE: QT_TRANSLATE_NOOP("Reasons", "{why} You can use your text as a message instead."),
    Reason.CANNOT_RESEND: QT_TRANSLATE_NOOP("Reasons", "It can't be used any more."),
}

_MESSAGES: dict[AnyReason, object] = {
    Reason.NOT_WRITABLE: QT_TRANSLATE_NOOP(
        "Reasons", "Telegram did not let this account write in this chat. Press again to try anyway."
    ),
    Reason.HELD_PRESS_AGAIN: QT_TRANSLATE_NOOP("Reasons", "{why} Press again to keep it until the release."),
    Reason.AFTER_RELEASE: QT_TRANSLATE_NOOP(
        "Reasons",
        "{why} After the release it waits in the review, selected. It is sent when you confirm it there.",
    ),
    Reason.OTHER_PRESS: QT_TRANSLATE_NOOP("Reasons", "This message was not saved. Send it again."),
    Reason.NOT_OURS: QT_TRANSLATE_NOOP("Reasons", "This account has no such message in this chat."),
    Reason.TOO_OLD_TO_EDIT: QT_TRANSLATE_NOOP("Reasons", "Messages can be edited for 48 hours. This one is older."),
    Reason.LONGER_THAN_ONE: QT_TRANSLATE_NOOP(
        "Reasons", "This is longer than one message. Shorten it, or send the rest as a new one."
    ),
    Reason.ONLY_TEXT: QT_TRANSLATE_NOOP("Reasons", "Only text can be edited."),
    Reason.CHANGE_UNANSWERED: QT_TRANSLATE_NOOP(
        "Reasons", "Telegram did not answer. It may have been changed. It is safe to try again."
    ),
    Reason.DELETE_UNANSWERED: QT_TRANSLATE_NOOP(
        "Reasons", "Telegram did not answer. It may have been deleted. It is safe to try again."
    ),
    Reason.NOTHING_CHANGED: QT_TRANSLATE_NOOP("Reasons", "The account is not connected; nothing was changed."),
}

_PLANS: dict[AnyReason, object] = {
    Reason.STEP_IS_OVER: QT_TRANSLATE_NOOP("Reasons", "This step is over."),
    Reason.STEP_IS_PLANNING: QT_TRANSLATE_NOOP(
        "Reasons", "This step makes the plan. Cancel or regenerate the plan instead."
    ),
    Reason.NOT_A_WAIT: QT_TRANSLATE_NOOP("Reasons", "This step is no wait."),
    Reason.WAIT_NOT_BEGUN: QT_TRANSLATE_NOOP("Reasons", "This wait has not begun: an earlier step comes first."),
    Reason.WAIT_HAS_BEGUN: QT_TRANSLATE_NOOP(
        "Reasons", "This step has begun. Shorten it, end it now or skip it instead."
    ),
    Reason.NOTHING_TO_RETRY: QT_TRANSLATE_NOOP("Reasons", "This step does not wait for another try."),
    Reason.TELEGRAM_WAITS: QT_TRANSLATE_NOOP("Reasons", "Telegram has set this wait; it can't be shortened."),
    Reason.TRIED_MEANWHILE: QT_TRANSLATE_NOOP("Reasons", "It was tried again meanwhile; nothing was done."),
    Reason.NOT_REPEATABLE: QT_TRANSLATE_NOOP(
        "Reasons", "What can't be undone is never added to a plan by hand. Use the chat's menu."
    ),
    Reason.PARTS_LEFT: QT_TRANSLATE_NOOP("Reasons", "A part of it was sent or may have been, so it stays where it is."),
    Reason.PLAN_EDITED: QT_TRANSLATE_NOOP(
        "Reasons", "The plan changed meanwhile; nothing was done. Look at it, then try again."
    ),
    Reason.PLAN_IS_OVER: QT_TRANSLATE_NOOP("Reasons", "This plan is over. Write a message of your own instead."),
    Reason.WOULD_WAIT_FOR_ITSELF: QT_TRANSLATE_NOOP("Reasons", "The step would wait for itself. Choose another one."),
    Reason.OTHER_PLAN: QT_TRANSLATE_NOOP("Reasons", "That step belongs to another plan."),
    Reason.BAD_DELAY: QT_TRANSLATE_NOOP("Reasons", "A wait lasts from 0 seconds to 24 hours."),
    Reason.NOTHING_TO_UNDO: QT_TRANSLATE_NOOP("Reasons", "There is nothing to undo in this plan."),
    Reason.UNDO_TOO_LATE: QT_TRANSLATE_NOOP("Reasons", "Too late to undo: a step of it has already run."),
}

_VERSIONS: dict[AnyReason, object] = {
    Reason.VERSION_BUSY: QT_TRANSLATE_NOOP("Reasons", "Another version of this plan is already being written."),
    Reason.VERSION_STOPPED: QT_TRANSLATE_NOOP("Reasons", "Stopped. The draft stays as it is."),
    Reason.INSTRUCTION_KEPT: QT_TRANSLATE_NOOP(
        "Reasons", "A newer message came. Your instruction is used for the plan that answers it."
    ),
    Reason.ORDERED: QT_TRANSLATE_NOOP("Reasons", "The partner asked for it."),
    Reason.ORDER_KNOWN: QT_TRANSLATE_NOOP("Reasons", "It was noted already. {words}"),
    Reason.ORDER_TOO_LONG: QT_TRANSLATE_NOOP("Reasons", "It is too long to remember."),
    Reason.ORDER_UNDONE: QT_TRANSLATE_NOOP("Reasons", "You took it back."),
    Reason.PLAN_REPLACED: QT_TRANSLATE_NOOP("Reasons", "The plan was replaced meanwhile."),
    Reason.NEXT_PLAN: QT_TRANSLATE_NOOP(
        "Reasons", "A newer message is waiting to be planned. Your instruction is used for it."
    ),
    Reason.SEND_IN_DOUBT: QT_TRANSLATE_NOOP(
        "Reasons", "Checking first whether a message was delivered. Try again in a moment."
    ),
    Reason.NOTHING_LEFT: QT_TRANSLATE_NOOP("Reasons", "Nothing is left of this plan to rewrite."),
    Reason.NO_CAP: QT_TRANSLATE_NOOP("Reasons", "A cap is an amount in US dollars, not below 0."),
    Reason.NO_VERSION: QT_TRANSLATE_NOOP("Reasons", "No other version: {why}"),
    Reason.NO_VARIANT: QT_TRANSLATE_NOOP("Reasons", "This version no longer exists."),
    Reason.AGENT_UNUSABLE: QT_TRANSLATE_NOOP("Reasons", "The agent is written to {words}, but can't be used. {why}"),
    Reason.NO_REPLY_TO_SEND: QT_TRANSLATE_NOOP("Reasons", "The model wrote nothing to send."),
}

_UPCOMING: dict[AnyReason, object] = {
    UpcomingReason.DEBOUNCE: QT_TRANSLATE_NOOP("Reasons", "Waits whether more messages follow."),
    UpcomingReason.PLANNING: QT_TRANSLATE_NOOP("Reasons", "The answer is being planned."),
    UpcomingReason.AWAITS_SLOT: QT_TRANSLATE_NOOP("Reasons", "Waits until another plan is finished."),
    UpcomingReason.TRUST_OFF: QT_TRANSLATE_NOOP("Reasons", "Trust is off in this chat."),
    UpcomingReason.OBSERVE_ONLY: QT_TRANSLATE_NOOP("Reasons", "The chat is only observed; nothing is sent."),
    UpcomingReason.TAKEN_OVER: QT_TRANSLATE_NOOP("Reasons", "You took over; the agent waits."),
    UpcomingReason.MAY_NOT_WRITE: QT_TRANSLATE_NOOP("Reasons", "This account may not write here."),
    UpcomingReason.ACCOUNT_AWAY: QT_TRANSLATE_NOOP("Reasons", "The account is not connected."),
    UpcomingReason.LAST_PLAN_OVER: QT_TRANSLATE_NOOP("Reasons", "The last plan is over. {why}"),
    UpcomingReason.NO_PLAN: QT_TRANSLATE_NOOP("Reasons", "No plan has been made yet."),
}

WORDS: dict[AnyReason, object] = {
    **_DECISIONS,
    **_MESSAGES,
    **_PLANS,
    **_VERSIONS,
    **_UPCOMING,
    **CONNECTIONS,
    **CONFIGS,
    **CARDS,
    **EMBEDDERS,
    **FAULTS,
    **FILES,
    **KEYS,
    **SIGN_IN_TROUBLES,
    **SIGN_INS,
}
"""Marked for translation here and translated when they are shown."""


def reason_words(note: Note, why: str) -> str:
    """Return the words of a note with a reason.

    Args:
        note: Its texts are inserted unchanged.
        why: The words of its cause, a sentence; empty without one: then its own texts may tell why.
    """
    assert isinstance(note.kind, AnyReason)
    text = with_number("Reasons", str(WORDS[note.kind]), note.number)
    why = why or ("" if "{words}" in text else note.words)
    return text.format(words=note.words, more=note.more, n=note.number, why=why).strip()
