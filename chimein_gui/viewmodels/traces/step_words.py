"""The steps of a trace in words: names, notes beside the bars, and refused addresses by their rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.costs import CallEnd
from chimein_gui.domain.notes import NoteKind, is_of
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.domain.traces.entries import (
    AttemptEnded,
    Backfilled,
    ContextChosen,
    Debounced,
    Enriched,
    EnrichEnd,
    EnricherName,
    Parsed,
    PromptBuilt,
    RepairAsked,
    ToolUse,
)
from chimein_gui.domain.traces.steps import (
    INSTANTS,
    ApprovalStep,
    CallStep,
    NextTry,
    SendStep,
    StepKind,
    StepState,
    asks_to_wait,
    is_failure,
    is_postponed,
)
from chimein_gui.viewmodels.core.numbers import bytes_words, count_words, decimal_words
from chimein_gui.viewmodels.core.roles import SPOKEN
from chimein_gui.viewmodels.core.sanitize import sanitize
from chimein_gui.viewmodels.traces.call_faults import fault_word
from chimein_gui.viewmodels.traces.words import LEAST_DIGITS, dollars_exact, guessed, left_out_words, seconds_words
from chimein_gui.viewmodels.words.notes import note_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.traces.steps import TraceStep

translate = QCoreApplication.translate

_KINDS: dict[StepKind, object] = {
    StepKind.DEBOUNCE: QT_TRANSLATE_NOOP("TraceSteps", "Debounce"),
    StepKind.BACKFILL: QT_TRANSLATE_NOOP("TraceSteps", "Missing history"),
    StepKind.CONTEXT: QT_TRANSLATE_NOOP("TraceSteps", "Context"),
    StepKind.ENRICHER: QT_TRANSLATE_NOOP("TraceSteps", "Enricher"),
    StepKind.PROMPT: QT_TRANSLATE_NOOP("TraceSteps", "Prompt"),
    StepKind.MODEL_CALL: QT_TRANSLATE_NOOP("TraceSteps", "Model call"),
    StepKind.TOOL: QT_TRANSLATE_NOOP("TraceSteps", "Tool"),
    StepKind.ROUND: QT_TRANSLATE_NOOP("TraceSteps", "Retrieve"),
    StepKind.PAGE: QT_TRANSLATE_NOOP("TraceSteps", "Page"),
    StepKind.PARSE: QT_TRANSLATE_NOOP("TraceSteps", "Parse"),
    StepKind.REPAIR: QT_TRANSLATE_NOOP("TraceSteps", "Repair"),
    StepKind.ATTEMPT: QT_TRANSLATE_NOOP("TraceSteps", "Attempt"),
    StepKind.NEXT_TRY: QT_TRANSLATE_NOOP("TraceSteps", "Wait"),
    StepKind.APPROVAL: QT_TRANSLATE_NOOP("TraceSteps", "Approval"),
    StepKind.TYPING: QT_TRANSLATE_NOOP("TraceSteps", "Typing"),
    StepKind.SEND: QT_TRANSLATE_NOOP("TraceSteps", "Send"),
}

_ENRICHERS: dict[str, object] = {
    EnricherName.MEMORY: QT_TRANSLATE_NOOP("TraceSteps", "Memories"),
    EnricherName.BY_MEANING: QT_TRANSLATE_NOOP("TraceSteps", "Memories by meaning"),
    EnricherName.MEDIA: QT_TRANSLATE_NOOP("TraceSteps", "Media descriptions"),
    EnricherName.RERANK: QT_TRANSLATE_NOOP("TraceSteps", "Second choice of context"),
    EnricherName.ORDERS: QT_TRANSLATE_NOOP("TraceSteps", "Commands"),
}

_RULES: dict[RefusalRule, object] = {
    RefusalRule.UNREADABLE: QT_TRANSLATE_NOOP("TraceSteps", "not readable as an address"),
    RefusalRule.SCHEME: QT_TRANSLATE_NOOP("TraceSteps", "neither http nor https"),
    RefusalRule.USER_INFO: QT_TRANSLATE_NOOP("TraceSteps", "user name before the host"),
    RefusalRule.PORT: QT_TRANSLATE_NOOP("TraceSteps", "port of another service"),
    RefusalRule.NUMBER_FORM: QT_TRANSLATE_NOOP("TraceSteps", "unusual form of a number"),
    RefusalRule.LOCAL_NAME: QT_TRANSLATE_NOOP("TraceSteps", "local name"),
    RefusalRule.UNSPECIFIED: QT_TRANSLATE_NOOP("TraceSteps", "unspecified address"),
    RefusalRule.LOOPBACK: QT_TRANSLATE_NOOP("TraceSteps", "address of this computer"),
    RefusalRule.PRIVATE: QT_TRANSLATE_NOOP("TraceSteps", "private address"),
    RefusalRule.LINK_LOCAL: QT_TRANSLATE_NOOP("TraceSteps", "link-local address"),
    RefusalRule.METADATA: QT_TRANSLATE_NOOP("TraceSteps", "metadata service"),
    RefusalRule.CARRIER: QT_TRANSLATE_NOOP("TraceSteps", "shared address of a carrier"),
    RefusalRule.MULTICAST: QT_TRANSLATE_NOOP("TraceSteps", "multicast address"),
    RefusalRule.RESERVED: QT_TRANSLATE_NOOP("TraceSteps", "reserved address"),
    RefusalRule.MAPPED: QT_TRANSLATE_NOOP("TraceSteps", "IPv4 address inside IPv6"),
    RefusalRule.SIX_TO_FOUR: QT_TRANSLATE_NOOP("TraceSteps", "6to4 address"),
    RefusalRule.NAT64: QT_TRANSLATE_NOOP("TraceSteps", "NAT64 address"),
    RefusalRule.TEREDO: QT_TRANSLATE_NOOP("TraceSteps", "Teredo address"),
    RefusalRule.DENIED: QT_TRANSLATE_NOOP("TraceSteps", "denied in the agent's file"),
    RefusalRule.NOT_ALLOWED: QT_TRANSLATE_NOOP("TraceSteps", "not allowed in the agent's file"),
    RefusalRule.ROBOTS: QT_TRANSLATE_NOOP("TraceSteps", "robots.txt of the host"),
    RefusalRule.TO_HTTP: QT_TRANSLATE_NOOP("TraceSteps", "redirect from https to http"),
    RefusalRule.REDIRECTS: QT_TRANSLATE_NOOP("TraceSteps", "too many redirects"),
    RefusalRule.TOO_MANY: QT_TRANSLATE_NOOP("TraceSteps", "too many addresses at once"),
}

_FAULTS: dict[FetchFault, object] = {
    FetchFault.NO_SUCH_HOST: QT_TRANSLATE_NOOP("TraceSteps", "no such host"),
    FetchFault.NOT_REACHED: QT_TRANSLATE_NOOP("TraceSteps", "host not reached"),
    FetchFault.TLS: QT_TRANSLATE_NOOP("TraceSteps", "certificate not valid"),
    FetchFault.TIMED_OUT: QT_TRANSLATE_NOOP("TraceSteps", "no answer in time"),
    FetchFault.BROKEN: QT_TRANSLATE_NOOP("TraceSteps", "broken answer"),
    FetchFault.STATUS: QT_TRANSLATE_NOOP("TraceSteps", "error of the host"),
    FetchFault.NOT_HTML: QT_TRANSLATE_NOOP("TraceSteps", "not a web page"),
    FetchFault.BUSY: QT_TRANSLATE_NOOP("TraceSteps", "host asked too often"),
    FetchFault.NO_TEXT: QT_TRANSLATE_NOOP("TraceSteps", "no text on the page"),
    FetchFault.UNREADABLE: QT_TRANSLATE_NOOP("TraceSteps", "text not readable"),
}


_WAITS = (NoteKind.SERVER_WAIT, NoteKind.OFFLINE, NoteKind.STAYS_LOGGED_OUT)


def rule_words(rule: RefusalRule) -> str:
    """Return the rule that refused an address."""
    return translate("TraceSteps", str(_RULES[rule]))


def fault_words(fault: FetchFault) -> str:
    """Return why a permitted address brought no page."""
    return translate("TraceSteps", str(_FAULTS[fault]))


def step_name(step: TraceStep) -> str:
    """Return the name of a step; of a page its address, foreign."""
    match step.detail:
        case CallStep(number=0):
            words = translate("TraceSteps", "Embedding")
        case CallStep() as call:
            words = translate("TraceSteps", "LLM call {n}").format(n=call.number)
        case RetrievalRound() as found:
            words = translate("TraceSteps", "Retrieve · round {n}").format(n=found.number)
        case PageFetched() as page:
            words = short_address(page.requested)
        case ToolUse() as tool:
            words = translate("TraceSteps", "Tool · {name}").format(name=sanitize(tool.name, keep_breaks=False))
        case Enriched() as enriched if enriched.name in _ENRICHERS:
            words = translate("TraceSteps", str(_ENRICHERS[enriched.name]))
        case ApprovalStep() | SendStep() as one if one.number:
            approval, send = translate("TraceSteps", "Approval {n}"), translate("TraceSteps", "Send {n}")
            words = (approval if isinstance(one, ApprovalStep) else send).format(n=one.number)
        case AttemptEnded() as ended if asks_to_wait(ended):
            words = translate("TraceSteps", "Asked to wait")
        case AttemptEnded() as ended:
            words = translate("TraceSteps", "Attempt {n}").format(n=ended.attempt)
        case _:
            words = translate("TraceSteps", str(_KINDS[step.kind]))
    return words


def short_address(address: str) -> str:
    """Return an address without its scheme, foreign."""
    head, found, rest = sanitize(address[:400], keep_breaks=False).partition("://")
    return rest if found else head


def size_words(page: PageFetched) -> str:
    """Return how much of a page was read, and that it is larger if reading stopped at the limit."""
    size = bytes_words(page.size)
    return translate("TraceSteps", "over {size}").format(size=size) if page.is_part else size


def page_words(page: PageFetched) -> str:
    """Return what became of an address."""
    if page.refusal is not None:
        return translate("TraceSteps", "refused: {rule}").format(rule=rule_words(page.refusal))
    if page.error is not None:
        status = f"{page.status} · " if page.status is not None else ""
        return f"{status}{fault_words(page.error)}"
    parts = [str(page.status or ""), size_words(page)]
    if page.is_cut:
        parts.append(translate("TraceSteps", "cut at {n}").format(n=count_words(page.used_chars)))
    if page.from_cache:
        parts.append(translate("TraceSteps", "from the cache"))
    return " · ".join(part for part in parts if part)


def _call_note(one: CallStep) -> str:
    if one.call.end is CallEnd.FAILED:
        word = fault_word(one.call.fault) if one.call.fault is not None else ""
        failed = translate("TraceSteps", "failed")
        return translate("TraceSteps", "failed: {why}").format(why=word) if word else failed
    if one.call.end is CallEnd.CANCELLED:
        return translate("TraceSteps", "interrupted")
    if one.tools:
        tools = ", ".join(sanitize(tool, keep_breaks=False) for tool in one.tools)
        return translate("TraceSteps", "asks for {tools}").format(tools=tools)
    if one.is_cut_off:
        return translate("TraceSteps", "cut off: {reason}").format(reason=one.finish_reason)
    if not one.reply:
        return sanitize(one.finish_reason, keep_breaks=False)
    blocks = sum(line.startswith("# ") for line in one.reply.splitlines())
    return translate("TraceSteps", "%n block(s)", "", blocks)


def _undecided_note(card: Approval) -> str:
    if card.state is ApprovalState.REJECTED:  # with its plan: such a decision is not one about this card
        return translate("TraceSteps", "rejected by you")
    if card.task_status is TaskStatus.SKIPPED:
        return note_words(card.note) or translate("TraceSteps", "rejected with its plan")
    if card.task_status is TaskStatus.CANCELLED:
        return note_words(card.note) or translate("TraceSteps", "cancelled with its plan")
    return translate("TraceSteps", "waiting for you")


def _approval_note(one: ApprovalStep) -> str:
    if one.decision is None:
        return _undecided_note(one.approval)
    match one.decision.kind:
        case DecisionKind.BY_RULE:
            return translate("TraceSteps", "passed by a rule")
        case DecisionKind.EDITED:
            return translate("TraceSteps", "approved with an edit by you")
        case DecisionKind.APPROVED | DecisionKind.SENT_ANYWAY:
            return translate("TraceSteps", "approved by you")
        case DecisionKind.REJECTED | DecisionKind.PLAN_REJECTED:
            return translate("TraceSteps", "rejected by you")
        case _:
            from chimein_gui.viewmodels.decisions.words import kind_words

            return kind_words(one.decision.kind)


def send_wait(one: SendStep) -> str:
    """Return what a send waits for: Telegram's leave or answer, or its account; empty if for none of them."""
    card = one.approval
    if card.task_status is TaskStatus.UNKNOWN:
        return translate("TraceSteps", "not known whether it arrived")
    if card.task_status is not TaskStatus.APPROVED:
        return ""
    if not is_of(card.note, *_WAITS):
        return translate("TraceSteps", "waits for the account") if one.is_offline else ""
    if card.note is not None and card.note.kind is NoteKind.SERVER_WAIT and card.note.number:
        time = seconds_words(card.note.number)
        return translate("TraceSteps", "Telegram asks to wait {time}").format(time=time)
    return note_words(card.note)


def _send_note(one: SendStep) -> str:
    wait = send_wait(one)
    if wait:
        return wait
    confirmed = sum(part.message_id is not None for part in one.parts)
    parts, status = len(one.parts), one.approval.task_status
    why = note_words(one.approval.note) if status is TaskStatus.FAILED else ""
    if status is TaskStatus.APPROVED and not confirmed:
        return translate("TraceSteps", "not sent yet")
    if not parts or (why and not confirmed):
        return (
            translate("TraceSteps", "not sent: {why}").format(why=why) if why else translate("TraceSteps", "not sent")
        )
    words = translate("TraceSteps", "{done} of %n sent", "", parts).format(done=confirmed)
    return f"{words} · {why or f'random_id …{str(one.parts[-1].random_id)[-4:]}'}"


def _attempt_note(one: AttemptEnded) -> str:
    if one.reason is None:
        return translate("TraceSteps", "brought no plan")
    cause = one.reason.cause if is_of(one.reason, NoteKind.MODEL_FAILED, NoteKind.NO_KEY) else None
    return (fault_word(cause) if cause is not None else "") or note_words(one.reason)


def _next_try_note(one: NextTry) -> str:
    ended, reason = one.ended, one.ended.reason
    if is_of(reason, NoteKind.NO_KEY):
        return translate("TraceSteps", "for a key that works")
    if is_of(reason, NoteKind.WAITS_FOR_CAP):
        return translate("TraceSteps", "for the cap on costs")
    if asks_to_wait(ended):
        return translate("TraceSteps", "asked for by the model's service")
    return translate("TraceSteps", "for attempt {n}").format(n=ended.attempt + 1)


def _enriched_note(one: Enriched) -> str:
    if one.end is EnrichEnd.LATE:
        return translate("TraceSteps", "took too long, left out")
    if one.end is EnrichEnd.FAILED:
        return translate("TraceSteps", "failed: {why}").format(why=sanitize(one.error[:200], keep_breaks=False))
    return ""


def _context_note(one: ContextChosen) -> str:
    considered = one.considered
    return translate("TraceSteps", "{held} of %n message(s)", "", considered).format(held=one.held)


def _tool_note(one: ToolUse) -> str:
    if one.error:
        return sanitize(one.error[:200], keep_breaks=False)
    messages = one.messages
    return translate("TraceSteps", "%n found", "", messages)


def _round_note(one: RetrievalRound) -> str:
    return ", ".join((_brought(one.pages), *left_out_words(one.refused, ())))


def _brought(pages: int) -> str:
    return translate("TraceSteps", "%n page(s) in", "", pages)


def pages_words(steps: Iterable[TraceStep]) -> str:
    """Return what became of all addresses of a round, so that the counts add up."""
    pages = [one.detail for one in steps if isinstance(one.detail, PageFetched)]
    refused = sum(page.refusal is not None for page in pages)
    faults = [page.error for page in pages if page.refusal is None and page.error is not None]
    return ", ".join((_brought(len(pages) - refused - len(faults)), *left_out_words(refused, faults)))


def _prompt_note(one: PromptBuilt) -> str:
    turns = one.turns
    words = translate("TraceSteps", "{sections} sections, %n turn(s)", "", turns).format(sections=one.sections)
    return ", ".join((words, translate("TraceSteps", "without web pages"))) if one.without_pages else words


def _problems_note(one: Parsed | RepairAsked) -> str:
    problems = len(one.problems)
    return translate("TraceSteps", "%n problem(s)", "", problems)


def _debounce_note(one: Debounced) -> str:
    messages = one.triggers
    return translate("TraceSteps", "%n message(s)", "", messages)


def _parsed_note(one: Parsed) -> str:
    problems = _problems_note(one) if one.problems else ""
    kinds = {kind: one.blocks.count(kind) for kind in one.blocks}
    blocks = ", ".join(f"{count} × {kind}" for kind, count in kinds.items())
    return " · ".join(part for part in (blocks, problems) if part)


_NOTES: dict[type, Callable[[Any], str]] = {
    Debounced: _debounce_note,
    Backfilled: lambda one: "" if one.is_complete else translate("TraceSteps", "not complete"),
    ContextChosen: _context_note,
    Enriched: _enriched_note,
    PromptBuilt: _prompt_note,
    CallStep: _call_note,
    ToolUse: _tool_note,
    RetrievalRound: _round_note,
    PageFetched: page_words,
    Parsed: _parsed_note,
    RepairAsked: _problems_note,
    AttemptEnded: _attempt_note,
    NextTry: _next_try_note,
    ApprovalStep: _approval_note,
    SendStep: _send_note,
}


def step_note(step: TraceStep, parts: Sequence[TraceStep] = ()) -> str:
    """Return the note beside the bar of a step; empty if its name says all. Those of a round count its pages."""
    if isinstance(step.detail, RetrievalRound) and parts:
        return pages_words(parts)
    if is_postponed(step):
        return translate("TraceSteps", "postponed by you")
    make = _NOTES.get(type(step.detail))
    return make(step.detail) if make is not None else ""


def tokens_words(step: TraceStep) -> str:
    """Return the tokens of a step: of a call in and out, of others what they added to later prompts."""
    if step.tokens_in is None or not (step.tokens_in or step.tokens_out):
        return ""
    if step.tokens_out is not None:
        tokens = f"{count_words(step.tokens_in)} → {count_words(step.tokens_out)}"
        return guessed(tokens, is_guess=isinstance(step.detail, CallStep) and step.detail.call.estimated)
    return f"+{count_words(step.tokens_in)}"


def cost_words(step: TraceStep, digits: int) -> str:
    """Return what a step cost, without a sign, marked if it is an estimate; empty for nothing."""
    is_guess = isinstance(step.detail, CallStep) and step.detail.call.estimated
    return guessed(decimal_words(step.usd, digits), is_guess=is_guess) if step.usd else ""


_ENDS: dict[StepState, object] = {
    StepState.OPEN: QT_TRANSLATE_NOOP("TraceSteps", "under way"),
    StepState.FAILED: QT_TRANSLATE_NOOP("TraceSteps", "failed"),
    StepState.REFUSED: QT_TRANSLATE_NOOP("TraceSteps", "refused"),
    StepState.LATE: QT_TRANSLATE_NOOP("TraceSteps", "too late"),
    StepState.DISCARDED: QT_TRANSLATE_NOOP("TraceSteps", "discarded"),
}


def call_name(call: TraceStep, chosen: TraceStep) -> str:
    """Return the name of a call that is told of while a step is chosen, and how it stands to that page or round."""
    name = step_name(call)
    if chosen.kind not in (StepKind.PAGE, StepKind.ROUND) or not isinstance(call.detail, CallStep):
        return name
    page = chosen.detail
    if call.step_id < chosen.step_id:
        words = translate("TraceSteps", "{call}, before this look-up")
    elif isinstance(page, PageFetched) and page.refusal is None and page.error is None:
        words = translate("TraceSteps", "{call}, which got this page")
    else:
        words = translate("TraceSteps", "{call}, after this look-up")
    return words.format(call=name)


def ended_words(step: TraceStep) -> str:
    """Return how a step ended, where neither that is plain nor its note says it."""
    is_said = step.state in (StepState.FAILED, StepState.REFUSED) and not is_failure(step)
    word = None if is_said else _ENDS.get(step.state)
    return "" if word is None else translate("TraceSteps", str(word))


def took_words(step: TraceStep) -> str:
    """Return how long a step took; empty for one that is a moment."""
    return "" if step.kind in INSTANTS else seconds_words(step.took_s)


def step_sentence(step: TraceStep, parts: Sequence[TraceStep] = (), digits: int = LEAST_DIGITS) -> str:
    """Return a step as one sentence, for screen readers."""
    tokens = tokens_words(step)
    note, ended = step_note(step, parts)[:SPOKEN], ended_words(step)
    said = (
        step_name(step)[:SPOKEN],
        "" if note == ended else note,
        "" if note.startswith(f"{ended}: ") else ended,
        took_words(step),
        translate("TraceSteps", "tokens {tokens}").format(tokens=tokens) if tokens else "",
        guessed(dollars_exact(step.usd, digits), is_guess=tokens.startswith("≈")) if step.usd else "",
    )
    return ", ".join(part for part in said if part)
