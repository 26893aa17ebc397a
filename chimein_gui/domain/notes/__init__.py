"""What happened to a planned send or a step, and why a plan could not be made: enums with parameters.

Nothing here is a sentence; the view models make the operator's words. The database keeps the values, so they must never
be changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from chimein_gui.domain.notes.reasons import AnyReason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.replies.problems import ReplyProblem
from chimein_gui.domain.tasks import CancelReason


class NoteKind(StrEnum):
    """Kind of a note; where a kind uses the note's `words` and `number`, it says so."""

    OTHER = "other"
    """`words` is a sentence that an earlier version stored, or that another provider of models says."""

    # What delays an approved send, or returned it to review.
    HELD = "held"
    """`words` is the reason of the hold, if one was given."""
    TAKEN_OVER = "taken over"
    """The operator wrote in this chat in another app."""
    TOOK_OVER = "took over"
    """The operator took the chat over."""
    SWITCHED = "switched"
    """The chat was set to the trust level `words`."""
    RULE_GONE = "rule gone"
    CHANGED_AFTER_APPROVAL = "changed after approval"
    WENT_ON = "went on"
    """The conversation changed after the approval."""
    OLD = "old"
    """Older than 12 hours."""
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
    """`number` seconds, 0 if the time is shown elsewhere."""
    ANOTHER_SEND = "another send"
    PREDECESSOR = "predecessor"
    QUIET_HOURS = "quiet hours"
    OPEN_EDITOR = "open editor"
    NOT_DUE = "not due"
    POSTPONED = "postponed"
    BEGAN_ANEW = "began anew"
    """Its countdown ran out while nobody could stop it, so it starts again.

    `number` is the first due time in whole seconds since the epoch, or 0 if an earlier version wrote the note.
    """

    # Holds.
    APPROVED_HELD = "approved, held"
    WAS_HELD = "was held"
    APPROVED_UNDER_HOLD = "approved under hold"
    """It is ticked in the backlog review."""

    # While it is being sent.
    UNANSWERED = "unanswered"
    WAITS_FOR_TELEGRAM = "waits for telegram"
    NEXT_PART = "next part"
    REFUSED = "refused"
    """`words` is Telegram's name of the refusal; `number` is the part, from 2 on, where the parts before it were sent.
    The cause, where there is one, has what an earlier version wrote in its own words."""
    LIMITED = "limited"
    """The account is not allowed to: it is limited or frozen. Parameters as for REFUSED."""
    REPEAT_REFUSED = "repeat refused"
    """The repeated send was refused. Parameters as for REFUSED."""
    SENT_AGAIN = "sent again"
    """Sent again with the same random_id, because no answer came and it was not found in the chat."""
    AFTER_RETRY = "after retry"
    DELIVERED_AFTER_ALL = "delivered after all"
    EARLIER_CAME = "earlier came"
    """Its earlier text, which was given up as lost, has arrived."""
    NOT_FOUND = "not found"
    """Not found in the chat; the cause says why it is not sent again."""
    CANNOT_LOOK = "cannot look"
    BECAME_SUPERGROUP = "became supergroup"
    HELD_MEANWHILE = "held meanwhile"
    WENT_ON_MEANWHILE = "went on meanwhile"
    PART_SENT = "part sent"
    """A part of it was sent before; the cause says why the rest is not."""
    WENT_ON_BETWEEN = "went on between"
    """The conversation changed between its parts."""
    DELETED = "deleted"
    """Deleted for everyone; the partner may have seen it."""
    UNCHECKABLE = "uncheckable"
    """Another account is logged in."""
    STAYS_LOGGED_OUT = "stays logged out"

    # Decisions.
    REJECTED = "rejected"
    """`words` are the operator's, or empty."""
    EARLIER_REJECTED = "earlier rejected"
    EARLIER_EDITED = "earlier edited"
    EARLIER_SKIPPED = "earlier skipped"
    PLAN_CHANGED = "plan changed"
    RESENT = "taken up"  # the stored word
    OBSERVED = "observed"
    SKIPPED_BY_OPERATOR = "skipped by operator"
    CANCELLED_BY_OPERATOR = "cancelled by operator"
    LONG_WAIT = "long wait"
    """The plan contains a wait of `number` hours."""

    # Planning.
    REWRITTEN = "rewritten"
    """A message in the prompt was edited while the model was answering."""
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
    """Whether the chat is muted is still being looked up."""
    BEFORE_LOG_IN = "before log-in"
    KEY_CHANGED = "key changed"
    CLOSED = "closed"
    CRASHED = "crashed"
    """The program ended three times during it."""
    PROGRAM_ENDED = "program ended"
    CUT_OFF_BETWEEN_PARTS = "cut off between parts"
    DONE_AFTER_RETRY = "done after retry"
    """Attempt `number` succeeded."""
    MODEL_FAILED = "model failed"
    """The cause is the fault; without one `words` has what is known.

    `number` is the count of attempts if it was given up after them.
    """
    NO_KEY = "no key"
    """The cause is what is wrong with the key; an earlier version wrote it in `words`."""
    WAITS_FOR_CAP = "waits for cap"
    """The cause names the cap, or the model without a price."""
    CAP_RAISED = "cap raised"


@dataclass(frozen=True, slots=True)
class Note:
    """What happened, by name.

    Attributes:
        kind: Kind of the note.
        words: Words by others (Telegram, the model's service, the operator), or empty; never a sentence of ours.
        number: Number that the kind uses, or 0.
        cause: The note of the cause, or None.
        more: Further words by others, if the kind has them.
    """

    kind: NoteKind | CancelReason | ModelFault | AnyReason
    words: str = ""
    number: int = 0
    cause: Note | None = None
    more: str = ""

    def __str__(self) -> str:
        """Return the note for the log; it is never shown."""
        parts = (
            self.kind.value,
            self.words,
            self.more,
            str(self.number or ""),
            f"({self.cause})" if self.cause else "",
        )
        return " ".join(filter(None, parts))


def is_of(note: Note | None, *kinds: NoteKind | CancelReason) -> bool:
    """Return whether there is a note of one of these kinds."""
    return note is not None and note.kind in kinds


class PlanningKind(StrEnum):
    """Why the last plan of a chat could not be made, or a remark on it."""

    OTHER = "other"
    """A sentence that an earlier version stored."""
    SILENT = "silent"
    """The model decided not to answer; this is no fault."""
    ONLY_WAITS = "only waits"
    NOTHING_USABLE = "nothing usable"
    PARTLY_USED = "partly used"
    RETRYING = "retrying"
    ASKED_TO_WAIT = "asked to wait"
    NO_KEY = "no key"
    CAP = "cap"
    """A cap on costs is reached, or can't hold because the model has no price."""
    FAILED = "failed"
    CRASHED = "crashed"
    """The program ended three times while making it."""


@dataclass(frozen=True, slots=True)
class PlanningProblem:
    """Why the last plan of a chat could not be made, or a remark on it.

    Attributes:
        kind: Kind of the problem.
        detail: Words of the model's service; may be empty.
        wait_s: Seconds that the service asks to wait.
        attempt: Number of the attempt that failed.
        of: Number of attempts after which it is given up.
        cause: What was wrong with the reply, or None.
        fault: Why the model's call failed, or None; if it is set, `detail` is empty.
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
        """Return whether the next attempt starts automatically."""
        return self.kind in {PlanningKind.RETRYING, PlanningKind.ASKED_TO_WAIT}

    @property
    def is_given_up(self) -> bool:
        """Return whether there is no plan and no automatic attempt follows."""
        return self.kind in {PlanningKind.NO_KEY, PlanningKind.CAP, PlanningKind.FAILED, PlanningKind.CRASHED}
