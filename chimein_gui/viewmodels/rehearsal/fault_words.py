"""Faults in plain words: their groups, what can be chosen about them, and a rule as one sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.sandbox_api import DuplicateMode, FaultKind

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import FaultRule


class FaultGroup(StrEnum):
    """Where a fault stands in the catalogue, in this order."""

    CALLS = "calls"
    CONNECTION = "connection"
    UPDATES = "updates"
    MODEL = "model"


_GROUPS = {
    FaultKind.DROP_BEFORE: FaultGroup.CONNECTION,
    FaultKind.DROP_AFTER: FaultGroup.CONNECTION,
    FaultKind.KICK: FaultGroup.CONNECTION,
    FaultKind.FORGET_KEY: FaultGroup.CONNECTION,
    FaultKind.REVOKE: FaultGroup.CONNECTION,
    FaultKind.RESTART: FaultGroup.CONNECTION,
    FaultKind.LOSE_UPDATES: FaultGroup.UPDATES,
    FaultKind.DUPLICATE_UPDATES: FaultGroup.UPDATES,
    FaultKind.REORDER_UPDATES: FaultGroup.UPDATES,
    FaultKind.DIFFERENCE_TOO_LONG: FaultGroup.UPDATES,
    FaultKind.SHORT_UPDATES: FaultGroup.UPDATES,
    FaultKind.BARE_UPDATES: FaultGroup.UPDATES,
    FaultKind.UNMARKED_MENTIONS: FaultGroup.UPDATES,
    FaultKind.COLLECTIBLE_NAMES: FaultGroup.CONNECTION,
    FaultKind.LATER_LAYER: FaultGroup.UPDATES,
    FaultKind.SHORT_HISTORY: FaultGroup.UPDATES,
}

AT_ONCE = frozenset(
    {
        FaultKind.KICK,
        FaultKind.FORGET_KEY,
        FaultKind.REVOKE,
        FaultKind.RESTART,
        FaultKind.COLLECTIBLE_NAMES,
        FaultKind.LATER_LAYER,
    }
)
"""They happen the moment they are asked for: nothing to repeat, nothing to take back."""

ONCE = AT_ONCE | {FaultKind.DIFFERENCE_TOO_LONG}
"""It makes no sense to ask how often."""

_CUTS = frozenset({FaultKind.DROP_BEFORE, FaultKind.DROP_AFTER})
WITH_SECONDS = frozenset(
    {FaultKind.FLOOD_WAIT, FaultKind.SLOW, FaultKind.RESTART, FaultKind.MODEL_SLOW, FaultKind.MODEL_ERROR}
)
WITH_ERROR = frozenset({FaultKind.RPC_ERROR, FaultKind.MODEL_ERROR})

TELEGRAM_METHODS = (
    "messages.sendMessage",
    "messages.sendMedia",
    "messages.readHistory",
    "messages.setTyping",
    "messages.getHistory",
    "messages.getDialogs",
    "updates.getDifference",
    "updates.getState",
    "upload.getFile",
)
MODEL_METHODS = ("generateContent", "streamGenerateContent", "embedContent", "countTokens")


def _tr(text: str) -> str:
    return QCoreApplication.translate("FaultWords", text)


def group_of(kind: FaultKind) -> FaultGroup:
    """Return the group a kind of fault belongs to."""
    if kind.value.startswith("model_"):
        return FaultGroup.MODEL
    return _GROUPS.get(kind, FaultGroup.CALLS)


def group_words(group: FaultGroup) -> str:
    """Return a group's heading."""
    return {
        FaultGroup.CALLS: _tr("Telegram calls"),
        FaultGroup.CONNECTION: _tr("Connection and account"),
        FaultGroup.UPDATES: _tr("Updates from Telegram"),
        FaultGroup.MODEL: _tr("Model"),
    }[group]


def knows_account(kind: FaultKind) -> bool:
    """Tell whether a kind of fault can be narrowed to an account: the model and the server know none."""
    return group_of(kind) is not FaultGroup.MODEL and kind is not FaultKind.RESTART


def methods_of(kind: FaultKind) -> tuple[str, ...]:
    """Return methods worth offering for a kind of fault; none where a fault strikes no call."""
    if group_of(kind) is FaultGroup.MODEL:
        return MODEL_METHODS
    return TELEGRAM_METHODS if group_of(kind) is FaultGroup.CALLS or kind in _CUTS else ()


def what_words(rule: FaultRule) -> str:
    """Return what a rule does, without where and how often."""
    seconds = f"{rule.seconds:g}"
    error = f"{rule.code} {rule.message}".strip()
    words = {
        FaultKind.FLOOD_WAIT: _tr("Flood wait of {seconds} s"),
        FaultKind.RPC_ERROR: _tr("Error {error}"),
        FaultKind.FROZEN: _tr("Account frozen: it may only read"),
        FaultKind.SLOW: _tr("Answer after {seconds} s"),
        FaultKind.NO_ANSWER: _tr("Done, but never answered"),
        FaultKind.DROP_BEFORE: _tr("Connection cut before the call"),
        FaultKind.DROP_AFTER: _tr("Connection cut after the call"),
        FaultKind.LOSE_UPDATES: _tr("Updates get lost"),
        FaultKind.DUPLICATE_UPDATES: _tr("Updates come twice"),
        FaultKind.REORDER_UPDATES: _tr("Updates come out of order"),
        FaultKind.KICK: _tr("Connections cut"),
        FaultKind.FORGET_KEY: _tr("Key forgotten"),
        FaultKind.REVOKE: _tr("Logged out"),
        FaultKind.RESTART: _tr("Telegram away for {seconds} s"),
        FaultKind.DIFFERENCE_TOO_LONG: _tr("Missed too much to catch up"),
        FaultKind.SHORT_UPDATES: _tr("Updates come in the short form"),
        FaultKind.BARE_UPDATES: _tr("Updates come without names"),
        FaultKind.UNMARKED_MENTIONS: _tr("Mentions are not marked"),
        FaultKind.LATER_LAYER: _tr("A message that can't be read"),
        FaultKind.COLLECTIBLE_NAMES: _tr("Bought user names"),
        FaultKind.SHORT_HISTORY: _tr("History with three messages"),
        FaultKind.MODEL_ERROR: _tr("Model error {error}"),
        FaultKind.MODEL_SLOW: _tr("Model answers after {seconds} s"),
        FaultKind.MODEL_HANG: _tr("Model never answers"),
        FaultKind.MODEL_DROP: _tr("Model breaks off in the answer"),
        FaultKind.MODEL_BAD_JSON: _tr("Model answers with a broken body"),
        FaultKind.MODEL_BLOCKED: _tr("Model blocks the prompt"),
        FaultKind.MODEL_EMPTY: _tr("Model answers nothing"),
        FaultKind.MODEL_SAFETY: _tr("Model stops for safety"),
        FaultKind.MODEL_MAX_TOKENS: _tr("Model runs out of tokens"),
        FaultKind.MODEL_ODD_END: _tr("Model ends with {reason}, without a reply"),
        FaultKind.MODEL_NO_CANDIDATES: _tr("Model's answer holds no reply"),
        FaultKind.MODEL_THOUGHTS: _tr("Model sends thoughts only"),
        FaultKind.MODEL_CUT_OFF: _tr("Model's reply is cut off"),
    }
    return words[rule.kind].format(seconds=seconds, error=error, reason=rule.message)


def where_words(rule: FaultRule, account: str) -> str:
    """Return which calls and whose; `account` is the name of the rule's account, if it has one."""
    calls = _tr("any call") if methods_of(rule.kind) else ""
    if group_of(rule.kind) is FaultGroup.UPDATES and rule.kind not in ONCE:
        calls = _tr("any update")
    whose = account if rule.account_id else _tr("all accounts")
    if not knows_account(rule.kind):
        whose = ""
    return ", ".join(part for part in (rule.method or calls, whose) if part)


def often_words(rule: FaultRule, hits: int = 0) -> str:
    """Return how often it still strikes."""
    if rule.kind in ONCE:
        return _tr("once")
    chance = ""
    if rule.probability < 1:
        chance = _tr("{percent} % of calls").format(percent=f"{rule.probability * 100:g}")
    if not rule.times:
        return chance or _tr("until you take it back")
    left = max(1, rule.times - hits)
    times = _tr("next call") if left == 1 else _tr("next {n} calls").format(n=left)
    return f"{times}, {chance}" if chance else times


def hits_words(hits: int) -> str:
    """Return how often it has struck."""
    if not hits:
        return _tr("not struck yet")
    return _tr("struck once") if hits == 1 else _tr("struck {n} times").format(n=hits)


def duplicate_words(mode: DuplicateMode) -> tuple[str, str]:
    """Return a name for the mode, and a line that explains it."""
    return {
        DuplicateMode.ERROR: (
            _tr("Refused as a duplicate"),
            _tr("As on live Telegram: the second attempt gets an error, the first message stands."),
        ),
        DuplicateMode.SAME: (
            _tr("Answered with the first result"),
            _tr("The second attempt learns the id of the first message; nothing is sent again."),
        ),
        DuplicateMode.FORGOTTEN: (
            _tr("Forgotten and sent again"),
            _tr("The worst case: the partner gets the message twice."),
        ),
        DuplicateMode.FORGOTTEN_LATER: (
            _tr("Forgotten after ten minutes"),
            _tr("A second attempt within ten minutes is refused; a later one is sent again."),
        ),
    }[mode]
