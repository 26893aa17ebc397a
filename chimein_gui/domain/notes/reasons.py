"""Why something was not done or does not work, by name; a `Note` carries the parameters.

Nothing here is a sentence: `viewmodels/words/` has the words for each. `words` and `number` of a member are those of
its note. They hold only what needs no translation: a path, a name, an error's name in Telegram or the system.
"""

from __future__ import annotations

from enum import StrEnum


class AnyReason(StrEnum):
    """What every enum of reasons is, so that a note can be of each.

    No two members of a note's kinds have the same value: to Python they would be equal, so one would take the place of
    the other in a table, and the database keeps the value alone.
    """


class Reason(AnyReason):
    """Why something was not done or does not work."""

    # Decisions.
    ONE_BY_ONE = "one by one"
    FIXED_TEXT = "fixed text"
    """A part of it was already sent."""
    NOT_EDITABLE = "not editable"
    TIME_IS_OVER = "time is over"
    OUTDATED = "outdated"
    LOOK_AGAIN = "look again"
    """The conversation has changed."""
    GREW_OLD = "grew old"
    """Older than 12 hours."""
    ALREADY_APPROVED = "already approved"
    BEING_SENT = "being sent"
    WAS_SENT = "was sent"
    OUTCOME_OPEN = "outcome open"
    WAS_REJECTED = "was rejected"
    OTHER_VARIANT = "other variant"
    ONLY_OBSERVED = "only observed"
    REPLACED = "replaced"
    DECIDED_MEANWHILE = "decided meanwhile"
    NOTHING_TO_SEND = "nothing to send"
    TEXT_TOO_LONG = "text too long"
    """It has `number` characters."""
    BAD_CHARACTERS = "bad characters"
    USE_AS_MESSAGE = "use as message"
    """The draft was already decided, as the cause says; the operator's text is still there."""

    # What a partner ordered to remember.
    ORDERED = "ordered"
    """The partner asked for it."""
    ORDER_KNOWN = "order known"
    """It was known: the entry is `words`, if it reads otherwise."""
    ORDER_TOO_LONG = "order too long"
    ORDER_UNDONE = "order undone"

    # Messages of the operator's own, and changes of what was sent.
    NOT_WRITABLE = "not writable"
    HELD_PRESS_AGAIN = "held, press again"
    """The cause is the hold."""
    AFTER_RELEASE = "after release"
    """The cause is the hold."""
    OTHER_PRESS = "other press"
    NOT_OURS = "not ours"
    TOO_OLD_TO_EDIT = "too old to edit"
    LONGER_THAN_ONE = "longer than one"
    ONLY_TEXT = "only text"
    CHANGE_UNANSWERED = "change unanswered"
    DELETE_UNANSWERED = "delete unanswered"
    CANNOT_RESEND = "not taken up"
    NOTHING_CHANGED = "nothing changed"
    """The account is not connected."""

    # Versions of a plan.
    VERSION_BUSY = "version busy"
    VERSION_STOPPED = "version stopped"
    INSTRUCTION_KEPT = "instruction kept"
    PLAN_REPLACED = "plan replaced"
    NEXT_PLAN = "next plan"
    SEND_IN_DOUBT = "send in doubt"
    NOTHING_LEFT = "nothing left"
    NO_CAP = "no cap"
    """An amount is below zero, too large or no number."""
    NO_VERSION = "no version"
    """For the cause."""
    NO_VARIANT = "no variant"
    NO_REPLY_TO_SEND = "no reply to send"

    # Edits of a plan.
    STEP_IS_OVER = "step is over"
    STEP_IS_PLANNING = "step is planning"
    """The first step makes the plan, and is not part of what can be edited."""
    NOT_A_WAIT = "not a wait"
    WAIT_NOT_BEGUN = "wait not begun"
    WAIT_HAS_BEGUN = "wait has begun"
    NOTHING_TO_RETRY = "nothing to retry"
    TELEGRAM_WAITS = "telegram waits"
    """Telegram has set the wait, so it can't be shortened."""
    TRIED_MEANWHILE = "tried meanwhile"
    NOT_REPEATABLE = "not repeatable"
    """It can't be undone outside, so it is never copied."""
    PARTS_LEFT = "parts left"
    """Parts of it were sent, or may have been."""
    PLAN_EDITED = "plan edited"
    """By somebody or something else, after the operator looked."""
    PLAN_IS_OVER = "plan is over"
    WOULD_WAIT_FOR_ITSELF = "would wait for itself"
    OTHER_PLAN = "other plan"
    BAD_DELAY = "bad delay"
    """Negative, or longer than 24 hours."""
    NOTHING_TO_UNDO = "nothing to undo"
    UNDO_TOO_LATE = "undo too late"
    """A step of the edit has run."""

    # Agents and their files.
    AGENT_UNUSABLE = "agent unusable"
    """It is written to `words`; the cause is what is wrong with that."""
