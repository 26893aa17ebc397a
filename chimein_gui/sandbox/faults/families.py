"""The places that each kind of fault can hit."""

from enum import Enum, auto

from chimein_gui.sandbox_api import FaultKind


class Family(Enum):
    """The place that asks the board for a kind of fault."""

    CALL = auto()
    """A call of a Telegram client."""

    PUSH = auto()
    """A push of updates to an account."""

    DIFFERENCE = auto()
    """A client's getDifference."""

    HISTORY = auto()
    """A client's request for a chat's history."""

    AT_ONCE = auto()
    """No place asks: it happens when it is injected."""

    MODEL = auto()
    """A call of the model."""


FAMILIES: dict[FaultKind, Family] = {
    FaultKind.FLOOD_WAIT: Family.CALL,
    FaultKind.RPC_ERROR: Family.CALL,
    FaultKind.SLOW: Family.CALL,
    FaultKind.FROZEN: Family.CALL,
    FaultKind.NO_ANSWER: Family.CALL,
    FaultKind.DROP_BEFORE: Family.CALL,
    FaultKind.DROP_AFTER: Family.CALL,
    FaultKind.LOSE_UPDATES: Family.PUSH,
    FaultKind.DUPLICATE_UPDATES: Family.PUSH,
    FaultKind.REORDER_UPDATES: Family.PUSH,
    FaultKind.SHORT_UPDATES: Family.PUSH,
    FaultKind.BARE_UPDATES: Family.PUSH,
    FaultKind.UNMARKED_MENTIONS: Family.PUSH,
    FaultKind.KICK: Family.AT_ONCE,
    FaultKind.FORGET_KEY: Family.AT_ONCE,
    FaultKind.REVOKE: Family.AT_ONCE,
    FaultKind.RESTART: Family.AT_ONCE,
    FaultKind.DIFFERENCE_TOO_LONG: Family.DIFFERENCE,
    FaultKind.COLLECTIBLE_NAMES: Family.AT_ONCE,
    FaultKind.LATER_LAYER: Family.AT_ONCE,
    FaultKind.SHORT_HISTORY: Family.HISTORY,
    FaultKind.MODEL_ERROR: Family.MODEL,
    FaultKind.MODEL_SLOW: Family.MODEL,
    FaultKind.MODEL_HANG: Family.MODEL,
    FaultKind.MODEL_DROP: Family.MODEL,
    FaultKind.MODEL_BAD_JSON: Family.MODEL,
    FaultKind.MODEL_BLOCKED: Family.MODEL,
    FaultKind.MODEL_EMPTY: Family.MODEL,
    FaultKind.MODEL_SAFETY: Family.MODEL,
    FaultKind.MODEL_MAX_TOKENS: Family.MODEL,
    FaultKind.MODEL_ODD_END: Family.MODEL,
    FaultKind.MODEL_NO_CANDIDATES: Family.MODEL,
    FaultKind.MODEL_THOUGHTS: Family.MODEL,
    FaultKind.MODEL_CUT_OFF: Family.MODEL,
}

NEED_ACCOUNT = frozenset(
    {
        FaultKind.KICK,
        FaultKind.FORGET_KEY,
        FaultKind.REVOKE,
        FaultKind.DIFFERENCE_TOO_LONG,
        FaultKind.COLLECTIBLE_NAMES,
        FaultKind.LATER_LAYER,
    }
)
"""Kinds that need an account."""
