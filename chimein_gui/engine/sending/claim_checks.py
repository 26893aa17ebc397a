"""The gates of a claim, in the order of docs/behaviour.md, "What a claim checks".

The first gate that hinders a send gives the displayed reason. A BACK gate returns the card to review; a STAY gate
leaves it approved until an event or a time. Sends by the operator (origin OPERATOR) pass the gates that apply only to
the agent's drafts: takeover, trust, rule, stale, caps. The hold, the misfire and every STAY gate apply to all.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import MuteState
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import CancelReason, LedgerState, Origin, TaskKind
from chimein_gui.engine.approvals.apply_decision import OLD_AFTER
from chimein_gui.engine.policy.timing import earliest_departure, typing_s
from chimein_gui.engine.policy.trust import SILENT
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.sending.claim_view import ClaimView, view_of

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction


class GateKind(StrEnum):
    """What happens to a send that a gate hinders."""

    BACK = "back to review"
    STAY = "stays approved"


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why a send may not start now.

    Attributes:
        note: The hindrance.
        reason: For a BACK gate: the reason for review; None if the card's existing reasons are enough.
        look_again_at: For a STAY gate: when to check again, aware UTC; None = an event wakes the chat.
        leaves_at: For a STAY gate: the new time of the send, aware UTC; None = unchanged.
        is_noted: For a STAY gate: store the note on the card.
    """

    note: Note
    reason: AskReason | None = None
    look_again_at: datetime | None = None
    leaves_at: datetime | None = None
    is_noted: bool = False


Test = Callable[[ClaimView], Hindrance | None]


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate.

    Attributes:
        name: For people; no code depends on it.
        kind: What happens to hindered sends.
        test: Returns the hindrance, or None.
    """

    name: str
    kind: GateKind
    test: Test


def held(view: ClaimView) -> Hindrance | None:
    """Hinder while the chat, its account or everything is held, or the disk takes no writes."""
    return Hindrance(view.hold, AskReason.HELD) if view.hold else None


def taken_over(view: ClaimView) -> Hindrance | None:
    """Hinder during a takeover, except what the operator approved after their own message."""
    until = view.chat.takeover_until
    if until is None or view.now >= until or view.approval.origin is Origin.OPERATOR:
        return None
    began = until - timedelta(seconds=view.preferences.takeover_s)
    decided_at = view.approval.decided_at
    if not view.approval.by_rule and decided_at is not None and decided_at >= began:
        return None
    return Hindrance(Note(NoteKind.TAKEN_OVER), AskReason.TAKEOVER)


def switched_off(view: ClaimView) -> Hindrance | None:
    """Hinder sends of plans at `off` and `observe`, but not what the operator requested separately."""
    if view.trust not in SILENT:
        return None
    if view.approval.origin is Origin.OPERATOR or view.graph.standing is GraphStanding.BESIDE:
        return None
    return Hindrance(Note(NoteKind.SWITCHED, view.trust.value), AskReason.REVIEW)


def rule_gone(view: ClaimView) -> Hindrance | None:
    """Hinder if the rule that approved it would not approve it now."""
    if not view.broken_rule:
        return None
    return Hindrance(Note(NoteKind.RULE_GONE), view.broken_rule[0])


def muted(view: ClaimView) -> Hindrance | None:
    """Hinder automatic sends in a DM that the account has muted."""
    return Hindrance(Note(CancelReason.MUTED), AskReason.MUTED) if view.mute is MuteState.MUTED else None


def mute_untold(view: ClaimView) -> Hindrance | None:
    """Hinder automatic sends if Telegram did not say whether the DM is muted."""
    if view.mute is not MuteState.UNTOLD:
        return None
    return Hindrance(Note(NoteKind.MUTE_UNKNOWN), AskReason.MUTE_UNKNOWN)


def mute_awaited(view: ClaimView) -> Hindrance | None:
    """Hinder automatic sends while the DM's mute is looked up; the answer wakes the chat."""
    return Hindrance(Note(NoteKind.MUTE_AWAITED)) if view.mute is MuteState.AWAITED else None


def other_version(view: ClaimView) -> Hindrance | None:
    """Hinder if the prepared requests are of another version of the card."""
    prepared = {row.version for row in view.requests if row.state is LedgerState.PREPARED}
    if view.requests and prepared <= {view.approval.version}:
        return None
    return Hindrance(Note(NoteKind.CHANGED_AFTER_APPROVAL))


def stale(view: ClaimView) -> Hindrance | None:
    """Hinder if the conversation has changed unseen, or the draft has become too old since the decision."""
    approval = view.approval
    if approval.origin is Origin.OPERATOR:
        return None
    if approval.is_stale:
        return Hindrance(Note(NoteKind.WENT_ON), AskReason.CHANGED)
    old_at = approval.created_at + OLD_AFTER
    if view.now >= old_at and (approval.decided_at is None or approval.decided_at < old_at):
        return Hindrance(Note(NoteKind.OLD), AskReason.OLD)
    return None


def capped(view: ClaimView) -> Hindrance | None:
    """Hinder automatic sends above the hourly cap."""
    return Hindrance(view.cap, AskReason.CAP) if view.cap else None


def overdue(view: ClaimView) -> Hindrance | None:
    """Hinder overdue sends, for example after a suspend, an outage, a clock jump, a crash, or a long wait."""
    leaves_at = view.leaves_at
    if leaves_at is None or view.server_wait_until is not None:
        return None
    limit_s = view.preferences.misfire_s
    late = max(view.now - leaves_at, view.awake_since - _first_due(view, leaves_at))
    if late <= timedelta(seconds=limit_s):
        return None
    return Hindrance(Note(NoteKind.OVERDUE, number=round(limit_s / 60)), AskReason.OVERDUE)


def _first_due(view: ClaimView, leaves_at: datetime) -> datetime:
    """Return when a send was due before its countdown restarted; a due time before the last decision does not count."""
    note, decided_at = view.approval.note, view.approval.decided_at
    if note is None or note.kind is not NoteKind.BEGAN_ANEW or not note.number:
        return leaves_at
    first_due = datetime.fromtimestamp(note.number, UTC)
    return leaves_at if decided_at is not None and first_due < decided_at else min(first_due, leaves_at)


def offline(view: ClaimView) -> Hindrance | None:
    """Hinder if the account is not connected or has not caught up; a shutdown needs no connection."""
    if view.can_send or view.approval.kind is TaskKind.SHUTDOWN:
        return None
    return Hindrance(Note(NoteKind.OFFLINE))


def server_wait(view: ClaimView) -> Hindrance | None:
    """Hinder while Telegram has told the account, or this chat, to wait."""
    until = view.server_wait_until
    return Hindrance(Note(NoteKind.SERVER_WAIT), look_again_at=until) if until is not None else None


def another_send(view: ClaimView) -> Hindrance | None:
    """Hinder while another send of the chat is running or its outcome is unknown."""
    return Hindrance(Note(NoteKind.ANOTHER_SEND)) if view.another_on_its_way else None


def predecessor(view: ClaimView) -> Hindrance | None:
    """Hinder until the previous step is done or skipped, so that sends keep the plan's order."""
    return None if view.predecessor_settled else Hindrance(Note(NoteKind.PREDECESSOR))


def quiet(view: ClaimView) -> Hindrance | None:
    """Hinder automatic sends in quiet hours."""
    until = view.quiet_until
    return Hindrance(Note(NoteKind.QUIET_HOURS), look_again_at=until) if until is not None else None


def editor_open(view: ClaimView) -> Hindrance | None:
    """Hinder automatic sends while the operator edits a draft of this chat."""
    return Hindrance(Note(NoteKind.OPEN_EDITOR)) if view.is_editing else None


def unwatched(view: ClaimView) -> Hindrance | None:
    """Restart a countdown that ran out while nobody could stop it, and delay automatic sends after a start.

    A send that has begun continues, because half a message is worse than an unwatched one.
    """
    approval, was_due = view.approval, view.leaves_at
    if was_due is None:
        return None
    decided_before = approval.decided_at is None or approval.decided_at <= view.awake_since
    ran_out = decided_before and was_due <= view.awake_since and not view.has_begun
    leaves_at = was_due
    if ran_out:
        leaves_at = earliest_departure(replace(approval, decided_at=view.now), view.now, view.preferences)
    if approval.by_rule:
        leaves_at = max(leaves_at, view.automatic_from)
    if leaves_at <= view.now or leaves_at == was_due:
        return None
    typed_from = leaves_at - timedelta(seconds=typing_s(approval, view.preferences))
    first_due = math.ceil(_first_due(view, was_due).timestamp())
    note = Note(NoteKind.BEGAN_ANEW, number=first_due)
    return Hindrance(note, look_again_at=typed_from, leaves_at=leaves_at, is_noted=ran_out)


def not_due(view: ClaimView) -> Hindrance | None:
    """Hinder until the time for undo and typing has passed."""
    due_at = view.approval.due_at
    return Hindrance(Note(NoteKind.NOT_DUE), look_again_at=due_at) if due_at is not None and view.now < due_at else None


def postponed(view: ClaimView) -> Hindrance | None:
    """Hinder until the operator's postponement ends."""
    until = view.approval.postponed_until
    return Hindrance(Note(NoteKind.POSTPONED), look_again_at=until) if until is not None and view.now < until else None


def not_uploaded(view: ClaimView) -> Hindrance | None:
    """Hinder until its file is uploaded; the end of the upload wakes the chat."""
    return Hindrance(Note(NoteKind.UPLOADING)) if view.lacks_file else None


HOLD = Gate("hold", GateKind.BACK, held)

TAKEOVER = Gate("takeover", GateKind.BACK, taken_over)

SWITCHED_OFF = Gate("off/observe", GateKind.BACK, switched_off)

RULE_GONE = Gate("rule no longer holds", GateKind.BACK, rule_gone)

MUTED = Gate("muted", GateKind.BACK, muted)

MUTE_UNTOLD = Gate("mute not told", GateKind.BACK, mute_untold)

VERSION = Gate("version", GateKind.BACK, other_version)

STALE = Gate("stale", GateKind.BACK, stale)

CAPS = Gate("caps", GateKind.BACK, capped)

MISFIRE = Gate("misfire", GateKind.BACK, overdue)

OFFLINE = Gate("offline or catching up", GateKind.STAY, offline)

SERVER_WAIT = Gate("server wait", GateKind.STAY, server_wait)

MUTE_LOOK_UP = Gate("mute look-up", GateKind.STAY, mute_awaited)

ANOTHER_SEND = Gate("another send", GateKind.STAY, another_send)

PREDECESSOR = Gate("predecessor", GateKind.STAY, predecessor)

QUIET_HOURS = Gate("quiet hours", GateKind.STAY, quiet)

OPEN_EDITOR = Gate("open editor", GateKind.STAY, editor_open)

UNWATCHED = Gate("unwatched", GateKind.STAY, unwatched)

DUE_AT = Gate("due_at", GateKind.STAY, not_due)

POSTPONED = Gate("postponed", GateKind.STAY, postponed)

UPLOAD = Gate("upload", GateKind.STAY, not_uploaded)
"""The last gate: a file is uploaded only if nothing else hinders its send."""

GATES = (
    HOLD,
    TAKEOVER,
    SWITCHED_OFF,
    RULE_GONE,
    MUTED,
    MUTE_UNTOLD,
    VERSION,
    STALE,
    CAPS,
    MISFIRE,
    OFFLINE,
    SERVER_WAIT,
    MUTE_LOOK_UP,
    ANOTHER_SEND,
    PREDECESSOR,
    QUIET_HOURS,
    OPEN_EDITOR,
    UNWATCHED,
    DUE_AT,
    POSTPONED,
    UPLOAD,
)
"""All gates in their order."""

REPEAT_GATES = (TAKEOVER, SWITCHED_OFF, RULE_GONE, MUTED, MUTE_UNTOLD, VERSION, STALE)
"""Gates that forbid an automatic repetition, because the operator or the chat has moved on."""

BETWEEN_PARTS_GATES = (HOLD, TAKEOVER, SWITCHED_OFF, RULE_GONE, MUTED)
"""Gates that are checked between the parts of a text: actions of the operator that apply at once."""


def first_hindrance(view: ClaimView, gates: tuple[Gate, ...] = GATES) -> tuple[Gate, Hindrance] | None:
    """Return the first gate that hinders a send with its hindrance; None if there is none."""
    for gate in gates:
        hindrance = gate.test(view)
        if hindrance is not None:
            return gate, hindrance
    return None


DELETED_NOTE = Note(NoteKind.DELETED)

_STOPPED = (CancelReason.PLAN_REJECTED, NoteKind.DELETED)
"""Notes of cards whose remaining parts the operator does not want."""


def against_next_part(tx: Transaction, approval: Approval, environment: TransactionEnvironment) -> Hindrance | None:
    """Return why the remaining parts of a text must not be sent; None if nothing forbids them."""
    hindered = first_hindrance(view_of(tx, approval, environment), BETWEEN_PARTS_GATES)
    if hindered is not None:
        return hindered[1]
    note = approval.note
    return Hindrance(note, AskReason.CHANGED) if note is not None and note.kind in _STOPPED else None
