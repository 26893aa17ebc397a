"""What struck in the sandbox, as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.sandbox_api import FaultKind
from chimein_gui.viewmodels.core.numbers import short_words
from chimein_gui.viewmodels.rehearsal.fault_words import FaultGroup, group_of

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import FaultRule, Incident

_WORDS: dict[FaultKind, object] = {
    FaultKind.FLOOD_WAIT: QT_TRANSLATE_NOOP("Incidents", "{what} got FLOOD_WAIT_{seconds}"),
    FaultKind.RPC_ERROR: QT_TRANSLATE_NOOP("Incidents", "{what} got {message}"),
    FaultKind.FROZEN: QT_TRANSLATE_NOOP("Incidents", "{what} was refused: the account is frozen"),
    FaultKind.SLOW: QT_TRANSLATE_NOOP("Incidents", "{what} is answered {seconds} s late"),
    FaultKind.NO_ANSWER: QT_TRANSLATE_NOOP("Incidents", "{what} was executed and is never answered"),
    FaultKind.DROP_BEFORE: QT_TRANSLATE_NOOP("Incidents", "{what} was not executed: the connection was cut before it"),
    FaultKind.DROP_AFTER: QT_TRANSLATE_NOOP(
        "Incidents", "{what} was executed, then the connection was cut without an answer"
    ),
    FaultKind.LOSE_UPDATES: QT_TRANSLATE_NOOP("Incidents", "{what} was lost"),
    FaultKind.DUPLICATE_UPDATES: QT_TRANSLATE_NOOP("Incidents", "{what} was sent twice"),
    FaultKind.REORDER_UPDATES: QT_TRANSLATE_NOOP("Incidents", "{what} waits for the one that follows it"),
    FaultKind.SHORT_UPDATES: QT_TRANSLATE_NOOP("Incidents", "{what} came in the short form"),
    FaultKind.BARE_UPDATES: QT_TRANSLATE_NOOP("Incidents", "{what} came without names"),
    FaultKind.UNMARKED_MENTIONS: QT_TRANSLATE_NOOP("Incidents", "{what} came without marks of mentions"),
    FaultKind.KICK: QT_TRANSLATE_NOOP("Incidents", "{what} lost its connections"),
    FaultKind.FORGET_KEY: QT_TRANSLATE_NOOP("Incidents", "{what}: its keys are unknown now"),
    FaultKind.REVOKE: QT_TRANSLATE_NOOP("Incidents", "{what} was logged out everywhere"),
    FaultKind.RESTART: QT_TRANSLATE_NOOP("Incidents", "{what} went away for {seconds} s"),
    FaultKind.DIFFERENCE_TOO_LONG: QT_TRANSLATE_NOOP("Incidents", "{what} was told that it missed too much"),
    FaultKind.LATER_LAYER: QT_TRANSLATE_NOOP(
        "Incidents", "{what}: the next message is from a newer version of Telegram"
    ),
    FaultKind.COLLECTIBLE_NAMES: QT_TRANSLATE_NOOP("Incidents", "{what} has two collectible usernames now"),
    FaultKind.SHORT_HISTORY: QT_TRANSLATE_NOOP("Incidents", "{what} got the newest messages of a chat only"),
    FaultKind.MODEL_ERROR: QT_TRANSLATE_NOOP("Incidents", "{what} got HTTP {code}"),
    FaultKind.MODEL_SLOW: QT_TRANSLATE_NOOP("Incidents", "{what} is answered {seconds} s late"),
    FaultKind.MODEL_HANG: QT_TRANSLATE_NOOP("Incidents", "{what} is never answered"),
    FaultKind.MODEL_DROP: QT_TRANSLATE_NOOP("Incidents", "{what} was cut off in the middle of the answer"),
    FaultKind.MODEL_BAD_JSON: QT_TRANSLATE_NOOP("Incidents", "{what} got broken JSON"),
    FaultKind.MODEL_BLOCKED: QT_TRANSLATE_NOOP("Incidents", "{what} was refused: the prompt is blocked"),
    FaultKind.MODEL_EMPTY: QT_TRANSLATE_NOOP("Incidents", "{what} got an empty answer"),
    FaultKind.MODEL_SAFETY: QT_TRANSLATE_NOOP("Incidents", "{what} got no text, for reasons of safety"),
    FaultKind.MODEL_MAX_TOKENS: QT_TRANSLATE_NOOP("Incidents", "{what} got no text: it ran out of tokens"),
    FaultKind.MODEL_ODD_END: QT_TRANSLATE_NOOP("Incidents", "{what} got no text and the finish reason {message}"),
    FaultKind.MODEL_NO_CANDIDATES: QT_TRANSLATE_NOOP("Incidents", "{what} got no candidates"),
    FaultKind.MODEL_THOUGHTS: QT_TRANSLATE_NOOP("Incidents", "{what} got thoughts and no text"),
    FaultKind.MODEL_CUT_OFF: QT_TRANSLATE_NOOP("Incidents", "{what} got a text that is cut off"),
}
"""Marked for translation here and translated when they are shown."""

translate = QCoreApplication.translate


def incident_words(incident: Incident) -> str:
    """Return what struck, such as "messages.sendMessage of Nora Vale got FLOOD_WAIT_30"."""
    rule = incident.rule
    if rule is None:
        words = translate(
            "Incidents", "The sandbox starts over. The chats of its people, from another version, are kept in {file}."
        )
        return words.format(file=incident.set_aside)
    return translate("Incidents", str(_WORDS[rule.kind])).format(
        what=_what(incident, rule), seconds=short_words(rule.seconds), message=rule.message, code=rule.code
    )


def _what(incident: Incident, rule: FaultRule) -> str:
    """Return whom or what it hit."""
    if incident.is_push:
        return translate("Incidents", "An update to {account}").format(account=incident.account)
    if not incident.method:
        return incident.account or "Telegram"
    if group_of(rule.kind) is FaultGroup.MODEL:
        return incident.method
    if not incident.account:
        return translate("Incidents", "{method} of somebody not logged in").format(method=incident.method)
    return translate("Incidents", "{method} of {account}").format(method=incident.method, account=incident.account)
