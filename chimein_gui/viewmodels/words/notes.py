"""Notes and planning problems in words; no other module has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem, is_of
from chimein_gui.domain.notes.reasons import AnyReason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.viewmodels.words.model import model_fault_words
from chimein_gui.viewmodels.words.reasons import reason_words
from chimein_gui.viewmodels.words.refusals import refusal_words
from chimein_gui.viewmodels.words.replies import reply_problem_words
from chimein_gui.viewmodels.words.trust import trust_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.agents import FileProblem
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.holds import Hold

_GO_ON = frozenset({PlanningKind.NO_KEY, PlanningKind.CAP})
"""Problems whose words are followed by what lets planning go on."""

_MARKS = (".", "?", "!", "…", "。")
"""Final punctuation marks."""


_PLAIN: dict[NoteKind | CancelReason, object] = {
    NoteKind.TAKEN_OVER: QT_TRANSLATE_NOOP("Notes", "You wrote in this chat yourself"),
    NoteKind.TOOK_OVER: QT_TRANSLATE_NOOP("Notes", "You took over"),
    NoteKind.RULE_GONE: QT_TRANSLATE_NOOP("Notes", "The rule that approved it is no longer active"),
    NoteKind.CHANGED_AFTER_APPROVAL: QT_TRANSLATE_NOOP("Notes", "Changed after approval"),
    NoteKind.WENT_ON: QT_TRANSLATE_NOOP("Notes", "The conversation moved on after it was approved"),
    NoteKind.OLD: QT_TRANSLATE_NOOP("Notes", "More than 12 hours old"),
    NoteKind.OFFLINE: QT_TRANSLATE_NOOP("Notes", "Sent when the account is online"),
    NoteKind.ANOTHER_SEND: QT_TRANSLATE_NOOP("Notes", "Another message in this chat is being sent"),
    NoteKind.PREDECESSOR: QT_TRANSLATE_NOOP("Notes", "The step before it is not done"),
    NoteKind.QUIET_HOURS: QT_TRANSLATE_NOOP("Notes", "Sent after the quiet hours"),
    NoteKind.OPEN_EDITOR: QT_TRANSLATE_NOOP("Notes", "A draft of this chat is being edited"),
    NoteKind.NOT_DUE: QT_TRANSLATE_NOOP("Notes", "Not due yet"),
    NoteKind.POSTPONED: QT_TRANSLATE_NOOP("Notes", "Postponed"),
    NoteKind.BEGAN_ANEW: QT_TRANSLATE_NOOP(
        "Notes", "Its time ran out while Chimein was closed or the computer was asleep, so it starts again."
    ),
    NoteKind.APPROVED_HELD: QT_TRANSLATE_NOOP("Notes", "Approved, held"),
    NoteKind.WAS_HELD: QT_TRANSLATE_NOOP("Notes", "Was held"),
    NoteKind.APPROVED_UNDER_HOLD: QT_TRANSLATE_NOOP("Notes", "You approved it while it was held"),
    NoteKind.UNANSWERED: QT_TRANSLATE_NOOP("Notes", "No answer from Telegram"),
    NoteKind.WAITS_FOR_TELEGRAM: QT_TRANSLATE_NOOP("Notes", "Waits for Telegram"),
    NoteKind.UPLOADING: QT_TRANSLATE_NOOP("Notes", "The file is being uploaded"),
    NoteKind.FILE_GONE: QT_TRANSLATE_NOOP("Notes", "The copy of the file is gone; reject this and send it again"),
    NoteKind.NEXT_PART: QT_TRANSLATE_NOOP("Notes", "The next part follows"),
    NoteKind.SENT_AGAIN: QT_TRANSLATE_NOOP("Notes", "Sent again: there was no answer, and it was not in the chat"),
    NoteKind.AFTER_RETRY: QT_TRANSLATE_NOOP("Notes", "Done after retry"),
    NoteKind.DELIVERED_AFTER_ALL: QT_TRANSLATE_NOOP("Notes", "Delivered after all"),
    NoteKind.EARLIER_CAME: QT_TRANSLATE_NOOP("Notes", "The earlier text arrived after all"),
    NoteKind.CANNOT_LOOK: QT_TRANSLATE_NOOP("Notes", "Can't be checked on Telegram"),
    NoteKind.BECAME_SUPERGROUP: QT_TRANSLATE_NOOP("Notes", "The group became a supergroup meanwhile"),
    NoteKind.HELD_MEANWHILE: QT_TRANSLATE_NOOP("Notes", "Held meanwhile"),
    NoteKind.WENT_ON_MEANWHILE: QT_TRANSLATE_NOOP("Notes", "The conversation has moved on"),
    NoteKind.WENT_ON_BETWEEN: QT_TRANSLATE_NOOP("Notes", "The conversation moved on between its parts"),
    NoteKind.DELETED: QT_TRANSLATE_NOOP("Notes", "Deleted for everyone; the partner may have seen it"),
    NoteKind.UNCHECKABLE: QT_TRANSLATE_NOOP("Notes", "Can't be checked: another account is logged in"),
    NoteKind.STAYS_LOGGED_OUT: QT_TRANSLATE_NOOP("Notes", "The account is logged out: it is sent after the next login"),
    NoteKind.EARLIER_REJECTED: QT_TRANSLATE_NOOP("Notes", "An earlier step was rejected"),
    NoteKind.EARLIER_EDITED: QT_TRANSLATE_NOOP("Notes", "An earlier step was edited"),
    NoteKind.PLAN_CHANGED: QT_TRANSLATE_NOOP("Notes", "You changed the plan before it"),
    NoteKind.EARLIER_SKIPPED: QT_TRANSLATE_NOOP("Notes", "An earlier step was skipped"),
    NoteKind.RESENT: QT_TRANSLATE_NOOP("Notes", "Requested again"),
    NoteKind.OBSERVED: QT_TRANSLATE_NOOP("Notes", "Observe only"),
    NoteKind.SKIPPED_BY_OPERATOR: QT_TRANSLATE_NOOP("Notes", "You skipped it"),
    NoteKind.CANCELLED_BY_OPERATOR: QT_TRANSLATE_NOOP("Notes", "You cancelled it"),
    NoteKind.REWRITTEN: QT_TRANSLATE_NOOP("Notes", "A message in the prompt was changed meanwhile"),
    NoteKind.NEWER_CAME: QT_TRANSLATE_NOOP("Notes", "A newer message came"),
    NoteKind.CUT_OFF: QT_TRANSLATE_NOOP("Notes", "A newer message came during planning"),
    NoteKind.SENT_MEANWHILE: QT_TRANSLATE_NOOP("Notes", "Another message was sent meanwhile"),
    NoteKind.IN_DOUBT: QT_TRANSLATE_NOOP("Notes", "Checking first whether a message was delivered"),
    NoteKind.ANSWERED: QT_TRANSLATE_NOOP("Notes", "Answered meanwhile"),
    NoteKind.ANSWERED_BY_OPERATOR: QT_TRANSLATE_NOOP("Notes", "You replied yourself"),
    NoteKind.NOT_HEARD: QT_TRANSLATE_NOOP("Notes", "Nothing in this chat needs an answer any more"),
    NoteKind.MUTE_UNKNOWN: QT_TRANSLATE_NOOP("Notes", "Telegram did not say whether the chat is muted"),
    NoteKind.MUTE_AWAITED: QT_TRANSLATE_NOOP("Notes", "Checking whether the chat is muted"),
    NoteKind.BEFORE_LOG_IN: QT_TRANSLATE_NOOP("Notes", "From before the first login"),
    NoteKind.CAP_RAISED: QT_TRANSLATE_NOOP("Notes", "The cap was raised"),
    NoteKind.KEY_CHANGED: QT_TRANSLATE_NOOP("Notes", "API key changed"),
    NoteKind.CLOSED: QT_TRANSLATE_NOOP("Notes", "Chimein was closed"),
    NoteKind.CRASHED: QT_TRANSLATE_NOOP("Notes", "Chimein closed three times while planning this"),
    NoteKind.PROGRAM_ENDED: QT_TRANSLATE_NOOP("Notes", "Chimein closed during this plan"),
    NoteKind.CUT_OFF_BETWEEN_PARTS: QT_TRANSLATE_NOOP("Notes", "It was cut off between two parts"),
    CancelReason.SUPERSEDED: QT_TRANSLATE_NOOP("Notes", "Replaced by a newer plan"),
    CancelReason.SUPERSEDED_AFTER_APPROVAL: QT_TRANSLATE_NOOP(
        "Notes", "Replaced by a newer plan after you approved it"
    ),
    CancelReason.PLAN_REJECTED: QT_TRANSLATE_NOOP("Notes", "The plan was rejected"),
    CancelReason.PREDECESSOR_FAILED: QT_TRANSLATE_NOOP("Notes", "The step before it failed"),
    CancelReason.VARIANT: QT_TRANSLATE_NOOP("Notes", "Another version was chosen"),
    CancelReason.TAKEN_OUT: QT_TRANSLATE_NOOP("Notes", "You took it out of the plan"),
    CancelReason.MUTED: QT_TRANSLATE_NOOP("Notes", "The chat is muted"),
    CancelReason.FORGOTTEN: QT_TRANSLATE_NOOP("Notes", "This person was forgotten"),
    CancelReason.ACCOUNT_CHANGED: QT_TRANSLATE_NOOP("Notes", "Another account is logged in"),
}
"""Notes without parameters; marked for translation here and translated when they are shown."""

translate = QCoreApplication.translate


def note_words(note: Note | None) -> str:
    """Return a note in words; empty for None. Names and texts in it are foreign and not sanitized."""
    if note is None:
        return ""
    if isinstance(note.kind, ModelFault):
        return model_fault_words(note.kind, note)
    if isinstance(note.kind, AnyReason):
        return reason_words(note, note_sentence(note.cause))
    with_more = _with_more().get(note.kind)
    return with_more(note) if with_more is not None else translate("Notes", str(_PLAIN[note.kind]))


def note_sentence(note: Note | None) -> str:
    """Return a note in words with a final punctuation mark; empty for None."""
    return sentence(note_words(note)) if note is not None else ""


def file_problem_words(problem: FileProblem) -> str:
    """Return why a file, or a part of it, is not used."""
    return note_sentence(problem.note)


def hold_words(hold: Hold) -> str:
    """Return the reason of a hold: the operator's words, and the error if the hold could not be stored."""
    failure = note_sentence(hold.failure)
    return f"{hold.reason} ({failure})" if hold.reason and failure else hold.reason or failure


def note_beside_status(approval: Approval, *, held: bool) -> str:
    """Return a card's note for a place beside its status, which already mentions a hold.

    Args:
        approval: The card.
        held: A hold covers its chat.
    """
    return "" if held and is_of(approval.note, NoteKind.APPROVED_HELD) else note_words(approval.note)


def problem_words(problem: PlanningProblem | None) -> str:
    """Return the planning problem of a chat, for a place that names its subject itself; empty for None."""
    if problem is None:
        return ""
    detail = _why(problem)
    if problem.kind is PlanningKind.CAP and problem.fault is not None and problem.fault.kind is ModelFault.NO_PRICE:
        words = translate("Notes", "{why} Planning continues when it gets a price, or is permitted for today.")
        return words.format(why=sentence(detail))
    if problem.kind is PlanningKind.FAILED:
        return _attempts(detail, problem.attempt)
    words = {
        PlanningKind.OTHER: "{why}",
        PlanningKind.SILENT: translate("Notes", "The model decided not to answer."),
        PlanningKind.ONLY_WAITS: _because(
            translate("Notes", "The model only wants to wait; there is nothing to send"), problem
        ),
        PlanningKind.NOTHING_USABLE: _because(translate("Notes", "The reply could not be used"), problem),
        PlanningKind.PARTLY_USED: translate("Notes", "Part of the reply was left out or changed: {why}"),
        PlanningKind.RETRYING: translate("Notes", "{why} Retrying (attempt {n} of {of})."),
        PlanningKind.ASKED_TO_WAIT: translate("Notes", "{why} Rate limit: retrying in {s} s."),
        PlanningKind.NO_KEY: translate("Notes", "{why} Planning continues when you change the key."),
        PlanningKind.CAP: translate("Notes", "{why} Planning continues when you add to it, or after midnight."),
        PlanningKind.CRASHED: translate("Notes", "Chimein closed three times while planning this."),
    }[problem.kind]
    why = sentence(detail) if problem.is_retried or problem.kind in _GO_ON else detail
    return words.format(why=why, n=problem.attempt, of=problem.of, s=problem.wait_s)


def problem_cause(problem: PlanningProblem) -> str:
    """Return the cause of a planning problem without the time of the next attempt, so that chats can share it."""
    if problem.is_retried:
        return _why(problem)
    return problem_words(problem)


def problem_sentence(problem: PlanningProblem | None) -> str:
    """Return the planning problem of a chat, for a place that does not name its subject."""
    words = problem_words(problem)
    return (
        translate("Notes", "No plan: {why}").format(why=words) if problem is not None and problem.is_given_up else words
    )


def sentence(words: str) -> str:
    """Return words with a final punctuation mark; foreign words may already have one."""
    words = words.strip()
    return words if words.endswith(_MARKS) else f"{words}."


def _why(problem: PlanningProblem) -> str:
    """Return the problem of the reply, or of the model call."""
    of_reply = reply_problem_words(problem.cause) if problem.cause is not None else ""
    return of_reply or note_words(problem.fault) or problem.detail or translate("Notes", "The model did not answer")


def _because(words: str, problem: PlanningProblem) -> str:
    return f"{words} ({{why}})." if problem.cause is not None else f"{words}."


def _attempts(words: str, attempts: int) -> str:
    return translate("Notes", "{why} (%n attempt(s))", "", attempts).format(why=words) if attempts else words


def _with_more() -> dict[NoteKind | CancelReason, Callable[[Note], str]]:
    return {
        NoteKind.OTHER: lambda note: note.words,
        NoteKind.HELD: _held,
        NoteKind.SWITCHED: lambda note: _switched(note.words),
        NoteKind.CAP_OF_CHAT: lambda note: _cap_of_chat(note.number),
        NoteKind.CAP_OF_ACCOUNT: lambda note: _cap_of_account(note.number),
        NoteKind.OVERDUE: lambda note: _overdue(note.number),
        NoteKind.SERVER_WAIT: _server_wait,
        NoteKind.REFUSED: _refused,
        NoteKind.LIMITED: _refusal,
        NoteKind.REPEAT_REFUSED: lambda note: translate("Notes", "Sending it again was refused: {words}").format(
            words=_refusal(note)
        ),
        NoteKind.NOT_FOUND: _not_found,
        NoteKind.PART_SENT: _part_sent,
        NoteKind.REJECTED: lambda note: note.words or translate("Notes", "You rejected it"),
        NoteKind.LONG_WAIT: lambda note: translate("Notes", "The plan wants to wait {n} h").format(n=note.number),
        NoteKind.DONE_AFTER_RETRY: lambda note: translate("Notes", "Done after retry (attempt {n})").format(
            n=note.number
        ),
        NoteKind.MODEL_FAILED: lambda note: _attempts(
            note_words(note.cause) or note.words or translate("Notes", "The model did not answer"), note.number
        ),
        NoteKind.NO_KEY: lambda note: note_words(note.cause) or note.words,
        NoteKind.WAITS_FOR_CAP: lambda note: note_words(note.cause) or translate("Notes", "A cap on costs is reached"),
    }


def _switched(level: str) -> str:
    return translate("Notes", "The chat was set to {level}").format(level=trust_label(level))


def _cap_of_chat(number: int) -> str:
    return translate("Notes", "There were %n automatic send(s) in this chat within an hour", "", number)


def _cap_of_account(number: int) -> str:
    return translate("Notes", "There were %n automatic send(s) of this account within an hour", "", number)


def _overdue(minutes: int) -> str:
    return translate("Notes", "It is more than %n minute(s) overdue", "", minutes)


def _held(note: Note) -> str:
    return (
        translate("Notes", "Held: {why}").format(why=note.words or note_words(note.cause))
        if note.words or note.cause is not None
        else translate("Notes", "You held it")
    )


def _server_wait(note: Note) -> str:
    return (
        translate("Notes", "Telegram rate limit: {n} s").format(n=note.number)
        if note.number
        else translate("Notes", "Telegram rate limit")
    )


def _refused(note: Note) -> str:
    words = translate("Notes", "Part {n} was refused, the parts before it were sent: {words}")
    return words.format(n=note.number, words=_refusal(note)) if note.number else _refusal(note)


def _refusal(note: Note) -> str:
    """Return why Telegram refused; notes of an earlier version carry Telegram's own words."""
    return note_words(note.cause) if note.cause is not None else refusal_words(note.words)


def _not_found(note: Note) -> str:
    if note.cause is None:
        return translate("Notes", "Not found in the chat on Telegram")
    return translate("Notes", "Not found in the chat on Telegram. {why}").format(why=note_words(note.cause))


def _part_sent(note: Note) -> str:
    why = note_words(note.cause)
    if not why:
        return translate("Notes", "part of it was already sent")
    return translate("Notes", "{why}; part of it was already sent").format(why=why)
