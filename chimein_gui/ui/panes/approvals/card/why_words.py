"""Why a card asks, what the model knew and what it cost, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.cards import DecisionCounts, TrustSource, Why
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.costs import CallEnd
from chimein_gui.ui.panes.approvals.card.words import reason_sign
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.words.refusals import refusal_words
from chimein_gui.viewmodels.words.replies import reply_problem_words

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.window import WindowModels


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known.

    Attributes:
        icon: Name of an icon.
        what: In a few words.
        rest: What else there is to say; may be empty.
        token: Colour of the icon.
    """

    icon: str
    what: str
    rest: str = ""
    token: str = "text2"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Why", text)


def why_facts(approval: Approval, details: CardDetails | None, models: WindowModels) -> tuple[Fact, ...]:
    """Return all reasons of a card, and who decides in its chat."""
    facts = [] if details is None else [_rule(details, models)]
    for reason in approval.shown_reasons:
        sign = reason_sign(reason, approval)
        if sign is not None:
            facts.append(Fact(sign.icon, sign.word, _explained(reason, details), sign.token))
    if approval.newer and AskReason.CHANGED not in approval.reasons:
        facts.append(Fact("chats", _tr("{n} newer messages").format(n=approval.newer), _tr("they do not concern it")))
    if details is not None:
        facts += _limits(details)
    return tuple(facts)


def _rule(details: CardDetails, models: WindowModels) -> Fact:
    why = details.why
    words, icon = {
        TrustLevel.OFF: (_tr("Off: nothing is planned"), "stop"),
        TrustLevel.OBSERVE: (_tr("Observe: plans are only shown"), "eye"),
        TrustLevel.REVIEW: (_tr("Review: everything waits for you"), "shield"),
        TrustLevel.COUNTDOWN: (_tr("Countdown {n} s").format(n=f"{why.countdown_s:g}"), "timer"),
        TrustLevel.AUTO: (_tr("Auto: sends automatically"), "bolt"),
    }[why.trust]
    agent = foreign_text.isolated(details.approval.agent_name)
    source = {
        TrustSource.CHAT: _tr("set by you for this chat"),
        TrustSource.AGENT: _tr("default of the agent {agent}").format(agent=agent),
        TrustSource.DEFAULT: _tr("the level of every chat that has no other"),
    }[why.trust_source]
    if why.trust_until is not None and why.trust is TrustLevel.AUTO:
        source += _tr(", until {time}").format(time=models.clock.clock(why.trust_until))
    return Fact(icon, words, source, "info" if why.trust in (TrustLevel.COUNTDOWN, TrustLevel.AUTO) else "text2")


def _explained(reason: AskReason, details: CardDetails | None) -> str:
    limited = refusal_words(details.why.limited) if details is not None and details.why.limited else ""
    return {
        AskReason.NOT_DELIVERED: _tr("Telegram gave no answer; look in the chat before you send it again"),
        AskReason.CHANGED: _tr("checked again at the moment of sending"),
        AskReason.IRREVERSIBLE: _tr("asks on any trust level, one by one"),
        AskReason.FIRST_MESSAGE: _tr("this account has not written here before; approving does not raise the level"),
        AskReason.CUT_OFF: _tr("the model stopped before the end of its reply; check the text, or edit it"),
        AskReason.EARLIER_STEP: _tr("a step before it was rejected, skipped or edited"),
        AskReason.HELD: _tr("it lived through a hold; no rule decides for this plan any more"),
        AskReason.TAKEOVER: _tr("you wrote here yourself; the agent pauses"),
        AskReason.BLOCK_UNKNOWN: _tr(
            "Telegram did not tell whom this account has blocked; perhaps it has blocked whoever wrote"
        ),
        AskReason.MUTED: _tr("this account has muted the chat; nothing is sent automatically there"),
        AskReason.MUTE_UNKNOWN: _tr("Telegram did not say whether this account has muted the chat"),
        AskReason.FROZEN: _tr("Telegram has frozen this account: it can read, but not write; appeal through @SpamBot"),
        AskReason.LIMITED: limited or _tr("Telegram limited this account"),
        AskReason.OVERDUE: _tr("it should have left more than 15 minutes ago"),
        AskReason.CAP: _tr("the cap of automatic sends is reached"),
        AskReason.SENT_ANYWAY: _tr("a draft that was laid aside; no rule decides for it"),
    }.get(reason, "")


def _limits(details: CardDetails) -> list[Fact]:
    why: Why = details.why
    facts = []
    if why.chat_cap:
        what = _tr("{n} of {cap} automatic sends this hour").format(n=why.sent_in_chat, cap=why.chat_cap)
        rest = _tr("in this chat")
        if why.account_cap:
            account = _tr("{n} of {cap} of this account").format(n=why.sent_of_account, cap=why.account_cap)
            rest = f"{rest}; {account}"
        facts.append(Fact("timer", what, rest))
    if why.quiet_hours is not None and why.quiet_hours.begins != why.quiet_hours.ends:
        hours = f"{why.quiet_hours.begins:%H:%M} – {why.quiet_hours.ends:%H:%M}"
        facts.append(Fact("moon", _tr("Quiet hours {hours}").format(hours=hours), _tr("nothing is sent automatically")))
    if why.limited and AskReason.LIMITED not in details.approval.reasons:
        facts.append(Fact("alert", _tr("Account limited"), foreign_text.line(refusal_words(why.limited)), "danger"))
    return facts


def knowledge_facts(details: CardDetails | None, clock: ClockFace) -> tuple[Fact, ...]:
    """Return what is known of the prompt; empty where nothing is."""
    if details is None:
        return ()
    knew, facts = details.knew, []
    if knew.messages:
        since = ""
        if knew.since is not None:
            since = _tr("the oldest of {day}, {time}").format(day=clock.day(knew.since), time=clock.clock(knew.since))
        words = _tr("1 message") if knew.messages == 1 else _tr("{n} messages").format(n=knew.messages)
        facts.append(Fact("chats", words, since))
    if knew.note:
        facts.append(Fact("pencil", _tr("Your instruction"), foreign_text.line(knew.note)))
    facts += [
        Fact("warning", _tr("Left out of the reply"), foreign_text.line(reply_problem_words(one)), "attention")
        for one in knew.problems
    ]
    return tuple(facts)


def call_facts(details: CardDetails | None) -> tuple[tuple[str, str], ...]:
    """Return model, tokens, time and cost of the calls that made the plan; empty where they are not known."""
    if details is None or not details.calls:
        return ()
    calls = details.calls
    usage = [call.usage for call in calls]
    tokens = _tr("{n} in, {m} out").format(
        n=f"{sum(one.prompt_tokens for one in usage):,}", m=f"{sum(one.reply_tokens for one in usage):,}"
    )
    thinking = sum(one.thinking_tokens for one in usage)
    if thinking:
        tokens += _tr(", {n} thinking").format(n=f"{thinking:,}")
    time = _tr("{n} s").format(n=f"{sum(call.latency_s for call in calls):.1f}")
    if len(calls) > 1:
        cut = sum(call.end is not CallEnd.ANSWERED for call in calls)
        time += _tr(", {n} calls").format(n=len(calls)) + (_tr(", {n} without a reply").format(n=cut) if cut else "")
    known = [call.cost_usd for call in calls if call.cost_usd is not None]
    about = _tr("about ") if any(call.estimated for call in calls) else ""
    cost = f"{about}${sum(known):.4f}" if known else _tr("not known")
    return (
        (_tr("Model"), ", ".join(dict.fromkeys(call.model for call in calls))),
        (_tr("Tokens"), tokens),
        (_tr("Time"), time),
        (_tr("Cost"), cost),
    )


def decision_words(counts: DecisionCounts) -> str:
    """Return how the operator decided, in words."""
    if not counts.total:
        return _tr("none yet")
    parts = (
        (_tr("✓ {n} unchanged"), counts.unchanged),
        (_tr("✎ {n} edited"), counts.edited),
        (_tr("✗ {n} rejected"), counts.rejected),
    )
    return "   ".join(words.format(n=count) for words, count in parts if count)
