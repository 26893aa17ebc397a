"""Texts that explain why a card needs a decision, what the model knew, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.cards import DecisionCounts, TrustSource, Why
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.costs import CallEnd
from chimein_gui.ui.panes.approvals.card.words import reason_label
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.core.numbers import count_words, decimal_words, dollars_words, short_words
from chimein_gui.viewmodels.words.refusals import refusal_words
from chimein_gui.viewmodels.words.replies import reply_problem_words

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.viewmodels.core.clock import ClockFace


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about a card.

    Attributes:
        icon: Name of an icon.
        what: The fact in a few words.
        rest: Details; may be empty.
        token: Colour of the icon.
    """

    icon: str
    what: str
    rest: str = ""
    token: str = "text2"


translate = QCoreApplication.translate


def why_facts(approval: Approval, details: CardDetails | None, clock: ClockFace) -> tuple[Fact, ...]:
    """Return all reasons of a card, and who decides in its chat."""
    facts = [] if details is None else [_rule(details, clock)]
    for reason in approval.shown_reasons:
        label = reason_label(reason, approval)
        if label is not None:
            facts.append(Fact(label.icon, label.word, _explained(reason, details), label.token))
    if approval.newer and AskReason.CHANGED not in approval.reasons:
        count = approval.newer
        facts.append(
            Fact(
                "chats",
                translate("Why", "%n newer message(s)", "", count),
                translate("Why", "not affected"),
            )
        )
    if details is not None:
        facts += _limits(details)
    return tuple(facts)


def _rule(details: CardDetails, clock: ClockFace) -> Fact:
    why = details.why
    words, icon = {
        TrustLevel.OFF: (translate("Why", "Off: nothing is planned"), "stop"),
        TrustLevel.OBSERVE: (translate("Why", "Observe: plans are only shown"), "eye"),
        TrustLevel.REVIEW: (translate("Why", "Review: messages wait for you"), "shield"),
        TrustLevel.COUNTDOWN: (translate("Why", "Countdown {n} s").format(n=short_words(why.countdown_s)), "timer"),
        TrustLevel.AUTO: (translate("Why", "Auto: sends automatically"), "bolt"),
    }[why.trust]
    agent = foreign_text.isolated(details.approval.agent_name)
    source = {
        TrustSource.CHAT: translate("Why", "set by you for this chat"),
        TrustSource.AGENT: translate("Why", "default of the agent {agent}").format(agent=agent),
        TrustSource.DEFAULT: translate("Why", "the default for all chats"),
    }[why.trust_source]
    if why.trust_until is not None and why.trust is TrustLevel.AUTO:
        until = clock.clock(why.trust_until)
        source = translate("Why", "{source}, until {time}").format(source=source, time=until)
    return Fact(icon, words, source, "info" if why.trust in (TrustLevel.COUNTDOWN, TrustLevel.AUTO) else "text2")


def _explained(reason: AskReason, details: CardDetails | None) -> str:
    limited = refusal_words(details.why.limited) if details is not None and details.why.limited else ""
    return {
        AskReason.NOT_DELIVERED: translate("Why", "Telegram did not answer. Check the chat before you send it again"),
        AskReason.CHANGED: translate("Why", "checked again at the moment of sending"),
        AskReason.IRREVERSIBLE: translate("Why", "always asks, one by one"),
        AskReason.FIRST_MESSAGE: translate(
            "Why", "this account has not written here before; approving does not raise the level"
        ),
        AskReason.CUT_OFF: translate("Why", "the model stopped before the end of its reply; check or edit the text"),
        AskReason.EARLIER_STEP: translate("Why", "a step before it was rejected, skipped or edited"),
        AskReason.HELD: translate("Why", "it was held; no rule decides for this plan any more"),
        AskReason.TAKEOVER: translate("Why", "you wrote here yourself; the agent pauses"),
        AskReason.BLOCK_UNKNOWN: translate(
            "Why", "Telegram did not say whom this account has blocked. It may have blocked the sender"
        ),
        AskReason.MUTED: translate("Why", "this account has muted the chat; nothing is sent automatically there"),
        AskReason.MUTE_UNKNOWN: translate("Why", "Telegram did not say whether this account has muted the chat"),
        AskReason.FROZEN: translate(
            "Why", "Telegram has frozen this account: it can read, but not write; appeal through @SpamBot"
        ),
        AskReason.LIMITED: limited or translate("Why", "Telegram limited this account"),
        AskReason.OVERDUE: translate("Why", "it was due more than 15 minutes ago"),
        AskReason.CAP: translate("Why", "the cap of automatic sends is reached"),
        AskReason.SENT_ANYWAY: translate("Why", "a draft set aside; no rule decides for it"),
    }.get(reason, "")


def _limits(details: CardDetails) -> list[Fact]:
    why: Why = details.why
    facts = []
    if why.chat_cap:
        what = translate("Why", "{n} of {cap} automatic sends this hour").format(n=why.sent_in_chat, cap=why.chat_cap)
        rest = translate("Why", "in this chat")
        if why.account_cap:
            rest = translate("Why", "in this chat; {n} of {cap} of this account").format(
                n=why.sent_of_account, cap=why.account_cap
            )
        facts.append(Fact("timer", what, rest))
    if why.quiet_hours is not None and why.quiet_hours.begins != why.quiet_hours.ends:
        hours = f"{why.quiet_hours.begins:%H:%M} – {why.quiet_hours.ends:%H:%M}"
        facts.append(
            Fact(
                "moon",
                translate("Why", "Quiet hours {hours}").format(hours=hours),
                translate("Why", "nothing is sent automatically"),
            )
        )
    if why.limited and AskReason.LIMITED not in details.approval.reasons:
        facts.append(
            Fact("alert", translate("Why", "Account limited"), foreign_text.line(refusal_words(why.limited)), "danger")
        )
    return facts


def knowledge_facts(details: CardDetails | None, clock: ClockFace) -> tuple[Fact, ...]:
    """Return what is known about the prompt; empty if nothing is."""
    if details is None:
        return ()
    knew, facts = details.knew, []
    if knew.messages:
        since = ""
        if knew.since is not None:
            since = translate("Why", "the oldest: {day}, {time}").format(
                day=clock.day(knew.since), time=clock.clock(knew.since)
            )
        count = knew.messages
        words = translate("Why", "%n message(s)", "", count)
        facts.append(Fact("chats", words, since))
    if knew.note:
        facts.append(Fact("pencil", translate("Why", "Your instruction"), foreign_text.line(knew.note)))
    facts += [
        Fact(
            "warning",
            translate("Why", "Left out of the reply"),
            foreign_text.line(reply_problem_words(one)),
            "attention",
        )
        for one in knew.problems
    ]
    return tuple(facts)


def call_facts(details: CardDetails | None) -> tuple[tuple[str, str], ...]:
    """Return model, tokens, time and cost of the calls for the plan; empty if unknown."""
    if details is None or not details.calls:
        return ()
    calls = details.calls
    usage = [call.usage for call in calls]
    thinking = sum(one.thinking_tokens for one in usage)
    tokens = translate("Why", "{n} in, {m} out, {k} thinking") if thinking else translate("Why", "{n} in, {m} out")
    tokens = tokens.format(
        n=count_words(sum(one.prompt_tokens for one in usage)),
        m=count_words(sum(one.reply_tokens for one in usage)),
        k=count_words(thinking),
    )
    time = translate("Why", "{n} s").format(n=decimal_words(sum(call.latency_s for call in calls), 1))
    if len(calls) > 1:
        cut = sum(call.end is not CallEnd.ANSWERED for call in calls)
        count = len(calls)
        in_calls = translate("Why", "{time} in %n calls", "", count).format(time=time)
        unanswered = translate("Why", "{time}, %n without a reply", "", cut)
        time = unanswered.format(time=in_calls) if cut else in_calls
    known = [call.cost_usd for call in calls if call.cost_usd is not None]
    cost = dollars_words(sum(known), 4) if known else translate("Why", "not known")
    if known and any(call.estimated for call in calls):
        cost = translate("Why", "about {cost}").format(cost=cost)
    return (
        (translate("Why", "Model"), ", ".join(dict.fromkeys(call.model for call in calls))),
        (translate("Why", "Tokens"), tokens),
        (translate("Why", "Time"), time),
        (translate("Why", "Cost"), cost),
    )


def decision_words(counts: DecisionCounts) -> str:
    """Return the operator's earlier decisions in words."""
    if not counts.total:
        return translate("Why", "none yet")
    parts = (
        (translate("Why", "✓ {n} unchanged"), counts.unchanged),
        (translate("Why", "✎ {n} edited"), counts.edited),
        (translate("Why", "✗ {n} rejected"), counts.rejected),
    )
    return "   ".join(words.format(n=count) for words, count in parts if count)
