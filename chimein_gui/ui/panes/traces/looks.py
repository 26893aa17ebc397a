"""Icons and colours of traces and their steps."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor

from chimein_gui.domain.traces.entries import EnricherName
from chimein_gui.domain.traces.steps import SendStep, StepKind, is_failure, is_postponed
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import blend, contrast
from chimein_gui.viewmodels.traces.standing import WaitsFor
from chimein_gui.viewmodels.traces.step_words import send_wait
from chimein_gui.viewmodels.traces.words import standing_word, state_word

if TYPE_CHECKING:
    from chimein_gui.domain.traces.steps import TraceStep
    from chimein_gui.domain.traces.summaries import TraceSummary
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.traces.standing import Standing

_STATES = {
    TraceState.RETRYING: ("refresh", "info"),
    TraceState.BEGUN_ANEW: ("refresh", "text2"),
    TraceState.NO_KEY: ("key", "attention"),
    TraceState.CAPPED: ("pause-circle", "attention"),
    TraceState.STOPPED: ("stop", "text2"),
    TraceState.UNNEEDED: ("x", "text2"),
    TraceState.NO_ANSWER: ("chats", "text2"),
    TraceState.OBSERVED: ("eye", "text2"),
    TraceState.WAITING: ("hand", "attention"),
    TraceState.APPROVED: ("check", "info"),
    TraceState.SENDING: ("send", "info"),
    TraceState.UNKNOWN: ("question", "attention"),
    TraceState.SENT: ("ok-circle", "ok"),
    TraceState.REJECTED: ("x", "text2"),
    TraceState.REPLACED: ("refresh", "text2"),
    TraceState.CANCELLED: ("x", "text2"),
    TraceState.FAILED: ("x-circle", "danger"),
    TraceState.REFUSED: ("alert", "danger"),
    TraceState.PARKED: ("layers", "text2"),
    TraceState.ANSWERED: ("flask", "unreal"),
}

_ICONS = {
    StepKind.DEBOUNCE: "timer",
    StepKind.BACKFILL: "clock",
    StepKind.CONTEXT: "context",
    StepKind.ENRICHER: "sticker",
    StepKind.PROMPT: "quotes",
    StepKind.MODEL_CALL: "sparkle",
    StepKind.TOOL: "wrench",
    StepKind.ROUND: "globe",
    StepKind.PAGE: "globe",
    StepKind.PARSE: "braces",
    StepKind.REPAIR: "refresh",
    StepKind.ATTEMPT: "refresh",
    StepKind.NEXT_TRY: "hourglass",
    StepKind.APPROVAL: "hand",
    StepKind.TYPING: "pencil",
    StepKind.SEND: "send",
}

_ENRICHERS: dict[str, str] = {
    EnricherName.MEMORY: "memory",
    EnricherName.BY_MEANING: "memory",
    EnricherName.MEDIA: "image",
    EnricherName.RERANK: "context",
    EnricherName.ORDERS: "bolt",
}

SEEN = 3.0
"""Least contrast of a bar, as WCAG 2 asks it of graphics."""

VIOLET, OCHRE, TEAL = 2, 5, 7
"""Identity colours that calls of a model, the web and tools have here."""


def state_label(row: TraceSummary, standing: Standing | None, clock: ClockFace) -> IconLabel:
    """Return what became of a plan, or what it waits for now, as icon, word and colour."""
    if standing is not None:
        token = "attention" if standing.waits_for is WaitsFor.LOG_IN else "info"
        return IconLabel("hourglass", standing_word(standing, clock), token)
    word = state_word(row)
    if row.kind is TraceKind.DRY_RUN and row.state not in (TraceState.FAILED, TraceState.REFUSED):
        return IconLabel("flask", word, "unreal")
    icon, token = _STATES[row.state]
    return IconLabel(icon, word, token)


def step_icon(step: TraceStep) -> str:
    """Return the icon of a step."""
    return _ENRICHERS.get(step.name, _ICONS[step.kind]) if step.kind is StepKind.ENRICHER else _ICONS[step.kind]


_BARS: dict[StepKind, int | str] = {
    StepKind.MODEL_CALL: VIOLET,
    StepKind.REPAIR: VIOLET,
    StepKind.ROUND: OCHRE,
    StepKind.PAGE: OCHRE,
    StepKind.TOOL: TEAL,
    StepKind.SEND: "ok",
    StepKind.TYPING: "ok",
    StepKind.APPROVAL: "attention",
    StepKind.DEBOUNCE: "text3",
    StepKind.ATTEMPT: "text3",
}
"""Tokens, or identity colours."""


def bar_color(theme: Theme, step: TraceStep) -> QColor:
    """Return the colour of the bar of a step."""
    if is_failure(step):
        return theme.color("danger")
    if is_postponed(step):
        return theme.color("info")
    if isinstance(step.detail, SendStep) and send_wait(step.detail):
        return theme.color("attention")
    look = VIOLET if step.kind is StepKind.ENRICHER and step.usd else _BARS.get(step.kind, "info")
    if not isinstance(look, int):
        return theme.color(look)
    return QColor(_seen_on(theme.identity(look).name(), theme.color("accent_soft").name(), dark=theme.tokens.dark))


@cache
def _seen_on(color: str, ground: str, *, dark: bool) -> str:
    """Return a colour that stands out from the chosen row, which has `ground`."""
    end, share, made = QColor("#FFFFFF" if dark else "#000000"), 0.0, QColor(color)
    while share < 1 and contrast(made.name(), ground) < SEEN:
        share += 0.05
        made = blend(QColor(color), end, share)
    return made.name()
