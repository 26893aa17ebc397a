"""The chosen message: in or out and why, what it answers; below, all probabilities and the best messages left out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.chats import PinKind
from chimein_gui.ui.panes.context.histogram import Histogram
from chimein_gui.ui.panes.context.links import LinkDetails
from chimein_gui.ui.requests import ShowDraft
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.context.words import (
    answers_words,
    loser_words,
    percent_words,
    pins_words,
    reason_sentence,
    reason_word,
    state_word,
    text_words,
)

if TYPE_CHECKING:
    from chimein_gui.domain.prompt.considered import ConsideredMessage
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.context import ContextModel

LONGEST = 600
"""Characters of the message that are shown."""

LONGEST_LINE = 60

_PINS = (None, PinKind.IN, PinKind.OUT, PinKind.ONCE)
"""The segments, in order."""


def _short(text: str) -> str:
    return foreign_text.isolate(foreign_text.line(text, LONGEST_LINE))


class _Line(ActionButton):
    """A link as wide as there is room; its text is elided."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "", kind=Kind.LINK)
        context.theme.apply(self, Face.SMALL)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)


class _Loser(QWidget):
    """One of the best messages left out: a link to it, the reason, and a button that takes it into the next plan."""

    def __init__(self, context: PaneContext, model: ContextModel) -> None:
        super().__init__()
        self._pins = model.pins
        self._one: ConsideredMessage | None = None
        self.link = _Line(context)
        self.once = ActionButton(context.theme, self.tr("Include once"), kind=Kind.QUIET)
        context.theme.apply(self.once, Face.SMALL)
        self.reason = ElidedLabel(context.theme, "", Face.SMALL, "text2")
        row = QHBoxLayout()
        set_rtl_margins(row, 11, 0, 0, 0)
        row.addWidget(self.reason, 1)
        row.addWidget(self.once)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.link)
        column.addLayout(row)
        self.once.clicked.connect(lambda _checked=False: self._pin())

    def show_message(self, one: ConsideredMessage, why_not: str) -> None:
        """Show another message, and whether it is taken next time."""
        self._one = one
        words = loser_words(one, _short)
        self.link.set_look(words, kind=Kind.LINK)
        self.link.setToolTip(foreign_text.tool_tip(words))
        self.reason.setText(reason_word(one.reason))
        self.once.set_look(self.tr("Take back") if self._is_once else self.tr("Include once"), kind=Kind.QUIET)
        self.once.setAccessibleName(f"{self.once.text()}: {words}")
        self.once.allow(why_not)

    @property
    def _is_once(self) -> bool:
        return self._one is not None and self._pins.pins.get(self._one.message_id) is PinKind.ONCE

    def _pin(self) -> None:
        if self._one is not None:
            self._pins.pin(self._one.message_id, None if self._is_once else PinKind.ONCE)


class ContextDetails(QWidget):
    """What is known about the chosen message.

    Attributes:
        asked: Another message shall be chosen; carries its id.
        opened: The chosen message shall be shown in its chat.
    """

    asked = Signal(object)
    opened = Signal()

    def __init__(self, context: PaneContext, model: ContextModel) -> None:
        super().__init__()
        self._context, self._model = context, model
        theme = context.theme
        self._name = ElidedLabel(theme, "", Face.STRONG)
        self._time = PlainLabel(theme, "", Face.SMALL, "text2")
        self.chip = StateChip(theme)
        self._text = PlainLabel(theme, "", Face.BODY)
        self.why = PlainLabel(theme, "", Face.BODY, "text2")
        self.answers = _Line(context)
        self.links = LinkDetails(theme, model)
        pins = (self.tr("Automatic"), self.tr("Pin in"), self.tr("Pin out"), self.tr("Once"))
        self.pin = Segments(theme, pins, self.tr("Later plans"))
        self._pins = PlainLabel(theme, "", Face.SMALL, "text2")
        self.undo = ActionButton(theme, self.tr("Undo"), icon="undo", key="Z", kind=Kind.QUIET)
        self.again = ActionButton(theme, self.tr("Plan again"), icon="refresh", kind=Kind.PRIMARY)
        self.open = ActionButton(theme, self.tr("Open in chat"), icon="chats", key="↵")
        self._of_losers = PlainLabel(theme, self.tr("Closest to being taken"), Face.SMALL_STRONG, "text2")
        self.losers: list[_Loser] = []
        self._of_all = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self.histogram = Histogram(theme)
        self._column = QVBoxLayout()
        self._losers = QVBoxLayout()
        self.open.show_key(shown=False)  # the foot of the pane has it
        self._build()
        self.open.clicked.connect(lambda _checked=False: self.opened.emit())
        self.answers.clicked.connect(lambda _checked=False: self._ask_parent())
        self.links.asked.connect(self.asked)
        self.pin.chosen.connect(self._pin)
        self.undo.clicked.connect(lambda _checked=False: model.pins.undo())
        self.again.clicked.connect(lambda _checked=False: self._plan_again())
        model.pins.changed.connect(self.show_pins)
        context.models.regenerations.changed.connect(lambda _chat: self.show_pins())
        context.models.approvals.chats_changed.connect(lambda _chats: self.show_pins())
        self._one: ConsideredMessage | None = None
        speak_as_place(self)
        self.setAccessibleName(self.tr("Why"))

    def _build(self) -> None:
        for label in (self._text, self.why):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name, 1)
        head.addWidget(self._time)
        column.addLayout(head)
        state = QHBoxLayout()
        state.addWidget(self.chip)
        state.addStretch(1)
        state.addWidget(self.open)
        column.addLayout(state)
        for part in (self._text, self.pin, self.why, self.answers, self.links):
            column.addWidget(part)
        column.addSpacing(8)
        column.addWidget(self._of_all)
        column.addWidget(self.histogram)
        column.addSpacing(8)
        column.addWidget(self._of_losers)
        self._losers.setSpacing(2)
        column.addLayout(self._losers)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(ScrollBox(inside), 1)
        foot = Footer(self._context.theme)
        below = QVBoxLayout(foot)
        set_rtl_margins(below, 14, 6, 12, 6)
        below.setSpacing(4)
        self._pins.setWordWrap(True)
        below.addWidget(self._pins)
        row = QHBoxLayout()
        row.setSpacing(8)
        below.addLayout(row)
        row.addStretch(1)
        row.addWidget(self.undo)
        row.addWidget(self.again)
        whole.addWidget(foot)

    def show_selection(self) -> None:
        """Show the figures of another selection."""
        figures = self._model.figures
        while len(self.losers) < len(figures.losers):
            line = _Loser(self._context, self._model)
            line.link.clicked.connect(partial(self._ask_loser, len(self.losers)))
            self.losers.append(line)
            self._losers.addWidget(line)
        self._show_losers()
        self._of_losers.setVisible(bool(figures.losers))
        self._of_all.setText(self.tr("Chances of %n message(s)", "", figures.considered))
        self.histogram.show_figures(figures)
        for part in (self._of_all, self.histogram):
            part.setVisible(bool(figures.bins))

    def _show_losers(self) -> None:
        best = self._model.figures.losers
        for place, line in enumerate(self.losers):
            line.setVisible(place < len(best))
            if place < len(best):
                line.show_message(best[place], self._model.why_no_pins)

    def show_message(self, one: ConsideredMessage | None) -> None:
        """Show another message; None shows only the figures."""
        self._one = one
        self.links.show_message(one)
        self.show_pins()
        for part in (self._name, self._time, self._text, self.why, self.open, self.pin):
            part.setVisible(one is not None)
        parent = self._model.message(one.parent) if one is not None else None
        self.answers.setVisible(parent is not None)
        if one is None:
            self.chip.say(None)
            return
        message = one.message
        self._name.setText(foreign_text.name(message.sender_name))
        self._time.setText(self._context.models.clock.clock(message.sent_at))
        state = state_word(included=one.included)
        word = state if one.percent is None else f"{state} · {percent_words(one.percent)}"
        self.chip.say(IconLabel("check", word, "accent_text") if one.included else IconLabel("x", word, "text2"))
        self._text.setText(foreign_text.body(text_words(message)[:LONGEST]))
        self.why.setText(reason_sentence(one))
        if parent is not None:
            self.answers.set_look(answers_words(parent, is_reply=one.is_reply, shown=_short), "reply", kind=Kind.LINK)

    def show_pins(self) -> None:
        """Show how the chosen message is pinned, and whether the plan can be made again."""
        pins, one = self._model.pins, self._one
        self.pin.choose(_PINS.index(pins.pins.get(one.message_id) if one is not None else None))
        fixed = self.tr("A trigger is always in.") if one is not None and one.reason == "trigger" else ""
        why_not = self._model.why_no_pins or fixed
        self.pin.setEnabled(not why_not)
        self.pin.setToolTip(why_not)
        self.pin.setAccessibleDescription(why_not)
        self._pins.setText(self._model.why_no_pins or pins_words(pins.pins.values()))
        self.undo.setVisible(pins.can_undo)
        self.again.allow(pins.why_not_again(self._model.newest_plan))
        self._show_losers()

    def _pin(self, place: int) -> None:
        if self._one is not None:
            self._model.pins.pin(self._one.message_id, _PINS[place])

    def _plan_again(self) -> None:
        card = self._model.pins.plan_again(self._model.newest_plan)
        if card is not None:
            self._context.requests.send(ShowDraft(card.approval_id))

    def _ask_parent(self) -> None:
        if self._one is not None and self._one.parent is not None:
            self.asked.emit(self._one.parent)

    def _ask_loser(self, place: int, _checked: bool = False) -> None:
        losers = self._model.figures.losers
        if place < len(losers):
            self.asked.emit(losers[place].message_id)
