"""Why nothing has happened in a chat yet, by name; these notes are never stored."""

from chimein_gui.domain.notes.reasons import AnyReason


class UpcomingReason(AnyReason):
    """Why a plan is not made yet, or a chat with unanswered messages has none."""

    DEBOUNCE = "debounce"
    """More messages may follow."""
    PLANNING = "planning"
    AWAITS_SLOT = "awaits slot"
    TRUST_OFF = "trust off"
    OBSERVE_ONLY = "observe only"
    TAKEN_OVER = "taken over until"
    MAY_NOT_WRITE = "may not write"
    ACCOUNT_AWAY = "account away"
    LAST_PLAN_OVER = "last plan over"
    """Its plan ended without an answer; the cause says why, if that is known."""
    NO_PLAN = "no plan"
