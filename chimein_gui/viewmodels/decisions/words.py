"""The decision log in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from chimein_gui.domain.approvals import RejectionCause, Rule
from chimein_gui.domain.cards import TrustSource
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.viewmodels.approvals.card_words import action_words
from chimein_gui.viewmodels.core.sanitize import sanitize, spoken
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import RevokedRule
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.plans.decision_log import DecisionTotals, LoggedDecision, RuleInForce
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate

_LEVELS = {Rule.AUTO_TRUST: TrustLevel.AUTO, Rule.COUNTDOWN_TRUST: TrustLevel.COUNTDOWN}


def cause_words(cause: RejectionCause) -> str:
    """Return the label of a reason for a rejection."""
    return {
        RejectionCause.WRONG_FACTS: translate("Decisions", "Wrong facts"),
        RejectionCause.WRONG_TONE: translate("Decisions", "Wrong tone"),
        RejectionCause.TOO_LONG: translate("Decisions", "Too long"),
        RejectionCause.NOT_NOW: translate("Decisions", "Not now"),
        RejectionCause.WRONG_PERSON: translate("Decisions", "Wrong person"),
        RejectionCause.OTHER: translate("Decisions", "Other"),
    }[cause]


def kind_words(kind: DecisionKind) -> str:
    """Return the label of a kind of decision."""
    return {
        DecisionKind.APPROVED: translate("Decisions", "Approved"),
        DecisionKind.EDITED: translate("Decisions", "Edited and approved"),
        DecisionKind.REJECTED: translate("Decisions", "Rejected"),
        DecisionKind.PLAN_REJECTED: translate("Decisions", "Plan rejected"),
        DecisionKind.POSTPONED: translate("Decisions", "Postponed"),
        DecisionKind.UNDONE: translate("Decisions", "Undone"),
        DecisionKind.BY_RULE: translate("Decisions", "Approved by a rule"),
        DecisionKind.WRITTEN: translate("Decisions", "Written by you"),
        DecisionKind.SENT_ANYWAY: translate("Decisions", "Sent anyway"),
        DecisionKind.REGENERATED: translate("Decisions", "Regenerated"),
    }[kind]


def rule_name(name: str) -> str:
    """Return the label of a rule, such as “Rule: trust level Auto”."""
    level = _level_of(name)
    if level is None:
        return translate("Decisions", "A rule")
    return translate("Decisions", "Rule: trust level {level}").format(level=trust_word(level))


def by_rule_words(name: str) -> str:
    """Return which rule decided, such as “by rule Auto”."""
    level = _level_of(name)
    if level is None:
        return translate("Decisions", "by a rule")
    return translate("Decisions", "by rule {level}").format(level=trust_word(level))


def sent_by_rule_words(name: str) -> str:
    """Return which rule sent something, such as “Sent by rule Auto”."""
    level = _level_of(name)
    if level is None:
        return translate("Decisions", "Sent by a rule")
    return translate("Decisions", "Sent by rule {level}").format(level=trust_word(level))


def _level_of(name: str) -> TrustLevel | None:
    return _LEVELS[Rule(name)] if name in set(Rule) else None


def by_words(one: LoggedDecision) -> str:
    """Return who decided: the operator, or the name of the rule."""
    return translate("Decisions", "You") if one.rule is None else rule_name(one.rule.name)


def origin_words(rule: RuleInForce, clock: ClockFace) -> str:
    """Return who had set a rule, when, and when it was to end."""
    if rule.source is TrustSource.CHAT and rule.since is not None:
        set_by = translate("Decisions", "You set it for this chat, {time}.").format(time=clock.stamp(rule.since))
    elif rule.source is TrustSource.CHAT:
        set_by = translate("Decisions", "You set it for this chat.")
    else:
        set_by = translate("Decisions", "The agent's file asked for it, and you confirmed it.")
    end = translate("Decisions", "It had no end.")
    if rule.until is not None:
        end = translate("Decisions", "It was set to end {time}.").format(time=clock.stamp(rule.until))
    return f"{set_by} {end}"


def sender_words(one: LoggedDecision) -> str:
    """Return whose decision sent a message, in a few words."""
    if one.rule is not None:
        return rule_name(one.rule.name)
    return translate("Decisions", "You, with your own text") if one.is_edited else translate("Decisions", "You")


def revoke_words(chat: Chat, agent_name: str, shown: Callable[[str], str]) -> str:
    """Return the effect of revoking the rule that decides in a chat now.

    Args:
        chat: The chat.
        agent_name: The name of its agent, whose level may apply.
        shown: Makes a foreign name safe to show.
    """
    if chat.settings.trust is None:
        words = translate(
            "Decisions",
            "Nothing is sent automatically any more in the chats of {agent} that have no level of their own.",
        )
        return words.format(agent=shown(agent_name))
    words = translate("Decisions", "Nothing is sent to {chat} automatically any more. Planned messages wait for you.")
    return words.format(chat=shown(chat.info.title))


def revoked_words(revoked: RevokedRule) -> str:
    """Return that a rule was revoked, and for which chats."""
    if revoked.for_chat:
        return translate("Decisions", "Rule revoked. Planned messages in this chat wait for you")
    return translate("Decisions", "Rule revoked. Planned messages of this agent wait for you")


def standing_words(chat: Chat | None, level: TrustLevel, clock: ClockFace) -> str:
    """Return which rule decides in a chat now; `level` is its active level."""
    if chat is None:
        return translate("Decisions", "This chat does not exist any more.")
    if level not in _LEVELS.values():
        return translate("Decisions", "No rule decides in this chat now.")
    word = trust_word(level)
    if chat.settings.trust is None:
        return translate(
            "Decisions", "{level} is active for all chats of the agent that have no level of their own."
        ).format(level=word)
    until = chat.settings.trust_until
    if until is None:
        return translate("Decisions", "{level} is active in this chat.").format(level=word)
    time = clock.stamp(until)
    return translate("Decisions", "{level} is active in this chat until {time}.").format(level=word, time=time)


def reason_words(one: LoggedDecision) -> str:
    """Return the reason of a rejection, or the instruction of a regeneration; may be empty."""
    named = "" if one.cause is None else cause_words(one.cause)
    return ": ".join(part for part in (named, sanitize(one.words, keep_breaks=True)) if part)


def text_words(one: LoggedDecision, shown: Callable[[str], str] = str) -> str:
    """Return the text that was decided on; for an action that is no message, what it does.

    Args:
        one: A line of the log.
        shown: Makes foreign names safe to show.
    """
    return one.text or action_words(one.what, shown(one.chat_title), shown(one.agent_name))


def line_sentence(one: LoggedDecision, clock: ClockFace) -> str:
    """Return a line of the log as one sentence, for a screen reader."""
    agent, chat, text = map(spoken, (one.agent_name, one.chat_title, text_words(one)))
    return translate("Decisions", "{time}: {kind}, {agent} to {chat}, by {by}: {text}").format(
        time=clock.stamp(one.at), kind=kind_words(one.kind), agent=agent, chat=chat, by=by_words(one), text=text
    )


def rate_words(totals: DecisionTotals) -> str:
    """Return the edit rate in percent, or a dash before the first approval."""
    rate = totals.edit_rate
    if rate is None:
        return "–"
    return translate("Decisions", "{percent} %").format(percent=QLocale().toString(round(100 * rate)))


def totals_words(totals: DecisionTotals) -> str:
    """Return the figures of a filter in one line."""
    locale = QLocale()
    return translate(
        "Decisions",
        "{approved} approved · {edited} edited · {rejected} rejected · {by_rule} by rule · edit rate {rate}",
    ).format(
        approved=locale.toString(totals.approved),
        edited=locale.toString(totals.edited),
        rejected=locale.toString(totals.rejected),
        by_rule=locale.toString(totals.by_rule),
        rate=rate_words(totals),
    )
