"""An entry of what happens next as it is shown: what it is, its state, and when it continues."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.notes import Note, NoteKind, is_of
from chimein_gui.domain.notes.upcoming import UpcomingReason
from chimein_gui.domain.plans.upcoming import Course, UpcomingGroup
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.approvals.card_words import reason_words as ask_words
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.plans.step_view import ICONS
from chimein_gui.viewmodels.words.notes import note_words, problem_sentence

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.domain.plans.upcoming import UpcomingEntry
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate

_USUAL = (NoteKind.NOT_DUE, NoteKind.PREDECESSOR)
"""Notes that say nothing beside the time."""

_NO_COUNTDOWN = timedelta(hours=1)
"""What is farther away is shown as a time of day, not as a countdown."""

_SIGNS = {
    Course.RUNS: ("spinner", "accent_text"),
    Course.BY_ITSELF: ("bolt", "info"),
    Course.TELEGRAM: ("hourglass", "info"),
    Course.IF_DECIDED: ("hourglass", "text2"),
    Course.STOPPED: ("pause-circle", "text2"),
}


@dataclass(frozen=True, slots=True)
class UpcomingView:
    """One entry.

    Attributes:
        entry: The entry.
        what: The kind of step in one word; empty if the chat has no step.
        text: What it says; foreign, not sanitized; may be empty.
        state: Its state, or why it has not happened yet, in words.
    """

    entry: UpcomingEntry
    what: str
    text: str
    state: str

    @property
    def key(self) -> tuple[ChatId, TaskId | None]:
        """Return what identifies the entry."""
        return self.entry.chat_id, self.entry.task_id

    @property
    def icon(self) -> str:
        """Return the icon of its kind."""
        return ICONS[self.entry.kind] if self.entry.kind is not None else "chats"

    @property
    def state_icon(self) -> tuple[str, str]:
        """Return the icon and the colour token of its state."""
        if self.entry.asks:
            return "hand", "attention"
        if self.entry.counts_down and self.entry.course is not Course.STOPPED:
            return "timer", "attention"
        return ("x-circle", "danger") if self.is_broken else _SIGNS[self.entry.course]

    @property
    def is_broken(self) -> bool:
        """Return whether something went wrong, in contrast to what a setting or the operator has stopped."""
        entry = self.entry
        failed = entry.reason is not None and entry.reason.kind is UpcomingReason.LAST_PLAN_OVER
        return entry.course is Course.STOPPED and (failed or (entry.problem is not None and entry.problem.is_given_up))

    def when(self, clock: ClockFace) -> str:
        """Return when it continues: a countdown or a time of day; empty if unknown."""
        now = clock.now()
        due = self.entry.continues_at(now)
        if due is None:
            return ""
        return clock.left(due) if due - now < _NO_COUNTDOWN else clock.clock_ahead(due)

    def time(self, clock: ClockFace) -> str:
        """Return when it continues, or for how long it has asked, so that the two are not taken for each other."""
        due, card = self.entry.continues_at(clock.now()), self.entry.approval
        if due is not None:
            is_near = due - clock.now() < _NO_COUNTDOWN
            return translate("Upcoming", "in {time}").format(time=self.when(clock)) if is_near else self.when(clock)
        if self.entry.asks and card is not None:
            return translate("Upcoming", "waiting {age}").format(age=clock.age(card.created_at))
        return ""

    def sentence(self, clock: ClockFace) -> str:
        """Return all of it in one line, for screen readers."""
        names = translate("Upcoming", "{chat}, {agent}").format(
            chat=spoken(self.entry.chat_title), agent=spoken(self.entry.agent_name)
        )
        parts = [names, self.what, spoken(self.text), self.state, self.time(clock)]
        return ", ".join(part for part in parts if part)


def upcoming_view(entry: UpcomingEntry, clock: ClockFace) -> UpcomingView:
    """Return an entry in words."""
    return UpcomingView(entry, _what(entry), card_text(entry.approval) if entry.approval else "", _state(entry, clock))


def group_words(group: UpcomingGroup) -> str:
    """Return the heading of a group."""
    return {
        UpcomingGroup.NEEDS_YOU: translate("Upcoming", "Needs you"),
        UpcomingGroup.NOW: translate("Upcoming", "Now"),
        UpcomingGroup.SOON: translate("Upcoming", "Next minutes"),
        UpcomingGroup.LATER: translate("Upcoming", "Later"),
        UpcomingGroup.HELD: translate("Upcoming", "Held by you"),
        UpcomingGroup.STOPPED: translate("Upcoming", "Stopped"),
    }[group]


def _what(entry: UpcomingEntry) -> str:
    if entry.kind is None:
        return ""
    return {
        TaskKind.RECEIVED: translate("Upcoming", "plan"),
        TaskKind.SEND: translate("Upcoming", "message"),
        TaskKind.STICKER: translate("Upcoming", "sticker"),
        TaskKind.FILE: translate("Upcoming", "file"),
        TaskKind.WAIT: translate("Upcoming", "wait"),
        TaskKind.BLOCK: translate("Upcoming", "block"),
        TaskKind.UNBLOCK: translate("Upcoming", "unblock"),
        TaskKind.CLEAR_CONVERSATION: translate("Upcoming", "clear"),
        TaskKind.SHUTDOWN: translate("Upcoming", "stop"),
    }[entry.kind]


def _state(entry: UpcomingEntry, clock: ClockFace) -> str:
    if entry.problem is not None:
        return problem_sentence(entry.problem)
    if entry.asks:
        return _asks(entry)
    note = entry.reason
    if note is not None and note.kind is UpcomingReason.TAKEN_OVER and entry.until is not None:
        words = translate("Upcoming", "You took over; the agent waits until {time}.")
        return words.format(time=clock.clock(entry.until))
    if note is not None and not is_of(note, *_USUAL):
        return _with_time(note, entry, clock)
    return _course(entry)


def _asks(entry: UpcomingEntry) -> str:
    card = entry.approval
    reasons = [one for one in card.shown_reasons if one is not AskReason.REVIEW] if card is not None else []
    if entry.reason is not None:
        return note_words(entry.reason)
    if card is not None and reasons:
        return ask_words(reasons[0], card, spoken)
    return translate("Upcoming", "Asks you")


def _with_time(note: Note, entry: UpcomingEntry, clock: ClockFace) -> str:
    """Return the words of a note, with the end of quiet hours, which is often far away."""
    if is_of(note, NoteKind.QUIET_HOURS) and entry.until is not None:
        return quiet_hours_words(entry.until, clock)
    return note_words(note)


def quiet_hours_words(until: datetime, clock: ClockFace) -> str:
    """Return the words for a send that waits for the end of quiet hours."""
    return translate("Upcoming", "Quiet hours until {time}").format(time=clock.clock(until))


def _course(entry: UpcomingEntry) -> str:
    card = entry.approval
    if card is not None and card.task_status is TaskStatus.SENDING:
        return translate("Upcoming", "Being sent")
    if is_of(entry.reason, NoteKind.PREDECESSOR):
        return translate("Upcoming", "After the step before it")
    if entry.kind is TaskKind.WAIT:
        return translate("Upcoming", "Running")
    if entry.counts_down and entry.course is Course.BY_ITSELF:
        return translate("Upcoming", "Sends unless you stop it")
    return {
        Course.RUNS: translate("Upcoming", "Running"),
        Course.BY_ITSELF: translate("Upcoming", "Sends automatically"),
        Course.TELEGRAM: translate("Upcoming", "Telegram asks for a wait"),
        Course.IF_DECIDED: translate("Upcoming", "After your decision"),
        Course.STOPPED: translate("Upcoming", "Stopped"),
    }[entry.course]
