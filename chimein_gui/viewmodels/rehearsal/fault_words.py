"""Faults in words: their groups, their options, and a rule as one sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.sandbox_api import DuplicateMode, FaultKind
from chimein_gui.viewmodels.core.numbers import short_words

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import FaultRule


class FaultGroup(StrEnum):
    """The groups of the fault catalogue, in their order."""

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
"""Faults that happen at once: they cannot be repeated or removed."""

ONCE = AT_ONCE | {FaultKind.DIFFERENCE_TOO_LONG}
"""Faults that happen once: they have no number of times."""

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
MODEL_METHODS = ("generateContent", "embedContent", "countTokens")

translate = QCoreApplication.translate


def group_of(kind: FaultKind) -> FaultGroup:
    """Return the group of a kind of fault."""
    if kind.value.startswith("model_"):
        return FaultGroup.MODEL
    return _GROUPS.get(kind, FaultGroup.CALLS)


def group_words(group: FaultGroup) -> str:
    """Return a group's heading."""
    return {
        FaultGroup.CALLS: translate("FaultWords", "Telegram calls"),
        FaultGroup.CONNECTION: translate("FaultWords", "Connection and account"),
        FaultGroup.UPDATES: translate("FaultWords", "Updates from Telegram"),
        FaultGroup.MODEL: translate("FaultWords", "Model"),
    }[group]


def knows_account(kind: FaultKind) -> bool:
    """Tell whether a kind of fault can be limited to an account: those of the model and the server cannot."""
    return group_of(kind) is not FaultGroup.MODEL and kind is not FaultKind.RESTART


def methods_of(kind: FaultKind) -> tuple[str, ...]:
    """Return the methods to offer for a kind of fault; empty where it does not apply to calls."""
    if group_of(kind) is FaultGroup.MODEL:
        return MODEL_METHODS
    return TELEGRAM_METHODS if group_of(kind) is FaultGroup.CALLS or kind in _CUTS else ()


def what_words(rule: FaultRule) -> str:
    """Return what a rule does, without where and how often."""
    seconds = short_words(rule.seconds)
    error = f"{rule.code} {rule.message}".strip()
    words = {
        FaultKind.FLOOD_WAIT: translate("FaultWords", "Flood wait of {seconds} s"),
        FaultKind.RPC_ERROR: translate("FaultWords", "Error {error}"),
        FaultKind.FROZEN: translate("FaultWords", "Account frozen: it may only read"),
        FaultKind.SLOW: translate("FaultWords", "Answer after {seconds} s"),
        FaultKind.NO_ANSWER: translate("FaultWords", "Done, but not answered"),
        FaultKind.DROP_BEFORE: translate("FaultWords", "Connection cut before the call"),
        FaultKind.DROP_AFTER: translate("FaultWords", "Connection cut after the call"),
        FaultKind.LOSE_UPDATES: translate("FaultWords", "Updates get lost"),
        FaultKind.DUPLICATE_UPDATES: translate("FaultWords", "Updates come twice"),
        FaultKind.REORDER_UPDATES: translate("FaultWords", "Updates come out of order"),
        FaultKind.KICK: translate("FaultWords", "Connections cut"),
        FaultKind.FORGET_KEY: translate("FaultWords", "Key forgotten"),
        FaultKind.REVOKE: translate("FaultWords", "Logged out"),
        FaultKind.RESTART: translate("FaultWords", "Telegram unavailable for {seconds} s"),
        FaultKind.DIFFERENCE_TOO_LONG: translate("FaultWords", "Too much missed to catch up"),
        FaultKind.SHORT_UPDATES: translate("FaultWords", "Updates come in the short form"),
        FaultKind.BARE_UPDATES: translate("FaultWords", "Updates come without names"),
        FaultKind.UNMARKED_MENTIONS: translate("FaultWords", "Mentions are not marked"),
        FaultKind.LATER_LAYER: translate("FaultWords", "A message that can't be read"),
        FaultKind.COLLECTIBLE_NAMES: translate("FaultWords", "Collectible usernames"),
        FaultKind.SHORT_HISTORY: translate("FaultWords", "History with three messages"),
        FaultKind.MODEL_ERROR: translate("FaultWords", "Model error {error}"),
        FaultKind.MODEL_SLOW: translate("FaultWords", "Model answers after {seconds} s"),
        FaultKind.MODEL_HANG: translate("FaultWords", "Model never answers"),
        FaultKind.MODEL_DROP: translate("FaultWords", "Model breaks off in the answer"),
        FaultKind.MODEL_BAD_JSON: translate("FaultWords", "Model answers with a broken body"),
        FaultKind.MODEL_BLOCKED: translate("FaultWords", "Model blocks the prompt"),
        FaultKind.MODEL_EMPTY: translate("FaultWords", "Model answers nothing"),
        FaultKind.MODEL_SAFETY: translate("FaultWords", "Model stops for safety"),
        FaultKind.MODEL_MAX_TOKENS: translate("FaultWords", "Model runs out of tokens"),
        FaultKind.MODEL_ODD_END: translate("FaultWords", "Model ends with {reason}, without a reply"),
        FaultKind.MODEL_NO_CANDIDATES: translate("FaultWords", "Model's answer holds no reply"),
        FaultKind.MODEL_THOUGHTS: translate("FaultWords", "Model sends thoughts only"),
        FaultKind.MODEL_CUT_OFF: translate("FaultWords", "Model's reply is cut off"),
    }
    return words[rule.kind].format(seconds=seconds, error=error, reason=rule.message)


def where_words(rule: FaultRule, account: str) -> str:
    """Return the calls and the account that a rule applies to.

    Args:
        rule: The rule.
        account: Name of the rule's account; ignored if it has none.
    """
    calls = translate("FaultWords", "any call") if methods_of(rule.kind) else ""
    if group_of(rule.kind) is FaultGroup.UPDATES and rule.kind not in ONCE:
        calls = translate("FaultWords", "any update")
    whose = account if rule.account_id else translate("FaultWords", "all accounts")
    if not knows_account(rule.kind):
        whose = ""
    return ", ".join(part for part in (rule.method or calls, whose) if part)


def often_words(rule: FaultRule, hits: int = 0) -> str:
    """Return how often a rule still applies after so many hits."""
    if rule.kind in ONCE:
        return translate("FaultWords", "once")
    chance = ""
    if rule.probability < 1:
        chance = translate("FaultWords", "{percent} % of calls").format(percent=short_words(rule.probability * 100))
    if not rule.times:
        return chance or translate("FaultWords", "until removed")
    left = max(1, rule.times - hits)
    times = translate("FaultWords", "next %n call(s)", "", left)
    return f"{times}, {chance}" if chance else times


def hits_words(hits: int) -> str:
    """Return how often a rule was triggered."""
    if not hits:
        return translate("FaultWords", "not triggered yet")
    return translate("FaultWords", "triggered %n time(s)", "", hits)


def duplicate_words(mode: DuplicateMode) -> tuple[str, str]:
    """Return the label of a mode, and a line that explains it."""
    return {
        DuplicateMode.ERROR: (
            translate("FaultWords", "Duplicate refused"),
            translate("FaultWords", "As on live Telegram: the second attempt gets an error, the first message stands."),
        ),
        DuplicateMode.SAME: (
            translate("FaultWords", "Answered with the first result"),
            translate("FaultWords", "The second attempt gets the id of the first message. Nothing is sent again."),
        ),
        DuplicateMode.FORGOTTEN: (
            translate("FaultWords", "Duplicate delivered"),
            translate("FaultWords", "The worst case: the partner gets the message twice."),
        ),
        DuplicateMode.FORGOTTEN_LATER: (
            translate("FaultWords", "Forgotten after ten minutes"),
            translate("FaultWords", "A second attempt within ten minutes is refused; a later one is sent again."),
        ),
    }[mode]
