"""What happened to a planned send or a step, and why a plan could not be made: by name, with what belongs to it.

Nothing here is a sentence: what the operator reads is made of it in the view models, and only there. The values are
what the database keeps, so none of them is ever changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.replies.problems import ReplyProblem
from chimein_gui.domain.tasks import CancelReason


class NoteKind(StrEnum):
    """What a note says; `words` and `number` of the note are named where a kind has them."""

    OTHER = "other"
    """What an earlier version wrote in its own words: `words`."""

    # What keeps an approved send from leaving, or brought it back.
    HELD = "held"
    """`words`: whoever held it may have said why."""
    TAKEN_OVER = "taken over"
    """The operator wrote in this chat himself."""
    TOOK_OVER = "took over"
    """The operator took the chat over."""
    SWITCHED = "switched"
    """The chat was set to the trust level `words`."""
    RULE_GONE = "rule gone"
    CHANGED_AFTER_APPROVAL = "changed after approval"
    WENT_ON = "went on"
    """The conversation went on after it was approved."""
    OLD = "old"
    """More than 12 hours."""
    CAP_OF_CHAT = "cap of chat"
    """`number` automatic sends within an hour."""
    CAP_OF_ACCOUNT = "cap of account"
    """`number` automatic sends within an hour."""
    OVERDUE = "overdue"
    """By more than `number` minutes."""
    OFFLINE = "offline"
    UPLOADING = "uploading"
    """Its file is on its way to Telegram."""
    FILE_GONE = "file gone"
    """There is no copy of its file any more."""
    SERVER_WAIT = "server wait"
    """`number` seconds, 0 where the time is shown elsewhere."""
    ANOTHER_SEND = "another send"
    PREDECESSOR = "predecessor"
    QUIET_HOURS = "quiet hours"
    OPEN_EDITOR = "open editor"
    NOT_DUE = "not due"
    POSTPONED = "postponed"
    BEGAN_ANEW = "began anew"
    """Its time to be stopped ran out while nobody could stop it, so it starts again; `number` is when it was due
    first, in whole seconds since the epoch, or 0 where an earlier version wrote it."""

    # Holds.
    APPROVED_HELD = "approved, held"
    WAS_HELD = "was held"
    APPROVED_UNDER_HOLD = "approved under hold"
    """It is ticked in the review of the backlog."""

    # On its way.
    UNANSWERED = "unanswered"
    WAITS_FOR_TELEGRAM = "waits for telegram"
    NEXT_PART = "next part"
    REFUSED = "refused"
    """`words` is Telegram's name of the refusal; `number` is the part, from 2 on, where the parts before it were sent.
    The cause, where there is one, has what an earlier version wrote in its own words."""
    LIMITED = "limited"
    """The account may not: it is limited, or frozen. As REFUSED."""
    REPEAT_REFUSED = "repeat refused"
    """Sending it again was. As REFUSED."""
    SENT_AGAIN = "sent again"
    """Under the same number: no answer came, and there was no trace of it."""
    AFTER_RETRY = "after retry"
    DELIVERED_AFTER_ALL = "delivered after all"
    EARLIER_CAME = "earlier came"
    """Its earlier text, given up as lost, has arrived after all."""
    NOT_FOUND = "not found"
    """No trace of it in the chat; what speaks against sending it again is the cause."""
    CANNOT_LOOK = "cannot look"
    BECAME_SUPERGROUP = "became supergroup"
    HELD_MEANWHILE = "held meanwhile"
    WENT_ON_MEANWHILE = "went on meanwhile"
    PART_SENT = "part sent"
    """A part of it was sent before; why the rest does not follow is the cause."""
    WENT_ON_BETWEEN = "went on between"
    """Between its parts."""
    DELETED = "deleted"
    """For everyone; the partner may have seen it."""
    UNCHECKABLE = "uncheckable"
    """Another account is logged in."""
    STAYS_LOGGED_OUT = "stays logged out"

    # Decisions.
    REJECTED = "rejected"
    """With the operator's `words`, if he wrote any."""
    EARLIER_REJECTED = "earlier rejected"
    EARLIER_EDITED = "earlier edited"
    EARLIER_SKIPPED = "earlier skipped"
    TAKEN_UP = "taken up"
    OBSERVED = "observed"
    SKIPPED_BY_OPERATOR = "skipped by operator"
    CANCELLED_BY_OPERATOR = "cancelled by operator"
    LONG_WAIT = "long wait"
    """The plan wants to wait `number` hours."""

    # The making of a plan.
    REWRITTEN = "rewritten"
    """A message in the prompt was changed while the model was thinking."""
    NEWER_CAME = "newer came"
    CUT_OFF = "cut off"
    """A newer message came while a variant was made; its instruction is kept."""
    SENT_MEANWHILE = "sent meanwhile"
    IN_DOUBT = "in doubt"
    ANSWERED = "answered"
    ANSWERED_BY_OPERATOR = "answered by operator"
    NOT_HEARD = "not heard"
    MUTE_UNKNOWN = "mute unknown"
    """Telegram did not say whether the chat is muted."""
    MUTE_AWAITED = "mute awaited"
    """Whether the chat is muted is being looked up."""
    BEFORE_LOG_IN = "before log-in"
    KEY_CHANGED = "key changed"
    CLOSED = "closed"
    CRASHED = "crashed"
    """The program ended three times in the middle of it."""
    PROGRAM_ENDED = "program ended"
    CUT_OFF_BETWEEN_PARTS = "cut off between parts"
    DONE_AFTER_RETRY = "done after retry"
    """At the attempt `number`."""
    MODEL_FAILED = "model failed"
    """With the fault as the cause, or what is known of it in `words`; `number` attempts were made, where it is given up
    after them."""
    NO_KEY = "no key"
    """With what is wrong with the key in `words`."""


@dataclass(frozen=True, slots=True)
class Note:
    """What happened, by name.

    Attributes:
        kind: What.
        words: What somebody else said of it (Telegram, the model's service, the operator), or empty; never of ours.
        number: What belongs to the kind, or 0.
        cause: What else happened that it comes from, or None.
    """

    kind: NoteKind | CancelReason | ModelFault | Reason
    words: str = ""
    number: int = 0
    cause: Note | None = None

    def __str__(self) -> str:
        """Return it for the log; nobody shows this."""
        parts = (self.kind.value, self.words, str(self.number or ""), f"({self.cause})" if self.cause else "")
        return " ".join(filter(None, parts))


def is_of(note: Note | None, *kinds: NoteKind | CancelReason) -> bool:
    """Tell whether there is a note, and of one of these kinds."""
    return note is not None and note.kind in kinds


class PlanningKind(StrEnum):
    """Why the last plan of a chat could not be made, or what is to be known of it."""

    OTHER = "other"
    """What an earlier version wrote in its own words."""
    SILENT = "silent"
    """The model decided not to answer: no fault."""
    ONLY_WAITS = "only waits"
    NOTHING_USABLE = "nothing usable"
    PARTLY_USED = "partly used"
    RETRYING = "retrying"
    ASKED_TO_WAIT = "asked to wait"
    NO_KEY = "no key"
    FAILED = "failed"
    CRASHED = "crashed"
    """The program ended three times while making it."""


@dataclass(frozen=True, slots=True)
class PlanningProblem:
    """Why the last plan of a chat could not be made, or what is to be known of it.

    Attributes:
        kind: What, by name.
        detail: What the model's service said; may be empty.
        wait_s: How long the service asks to wait.
        attempt: Which attempt failed.
        of: After how many it is given up.
        cause: What was wrong with the reply, or None.
        fault: Why the model's call failed, or None; then `detail` is empty.
    """

    kind: PlanningKind
    detail: str = ""
    wait_s: int = 0
    attempt: int = 0
    of: int = 0
    cause: ReplyProblem | None = None
    fault: Note | None = None

    @property
    def is_retried(self) -> bool:
        """Tell whether the next attempt comes automatically."""
        return self.kind in {PlanningKind.RETRYING, PlanningKind.ASKED_TO_WAIT}

    @property
    def is_given_up(self) -> bool:
        """Tell whether there is no plan, and none comes automatically."""
        return self.kind in {PlanningKind.NO_KEY, PlanningKind.FAILED, PlanningKind.CRASHED}
