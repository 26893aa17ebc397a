"""The head of the Prompt pane: which call is shown, search and copy, and below them the tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.costs import TOOL_ROUND, CallEnd
from chimein_gui.domain.ids import GraphId
from chimein_gui.ui.panes.prompt.part_list import PartBar
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice, LineField
from chimein_gui.ui.widgets.controls.icon_button import IconButton, MenuButton
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.plans.plan_words import exact_words
from chimein_gui.viewmodels.prompt.cache_lens import lens_words
from chimein_gui.viewmodels.traces.words import trace_action

translate = QCoreApplication.translate

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.domain.prompt.sent import SentCall
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.panes.prompt import PromptModels
    from chimein_gui.viewmodels.prompt.cache_lens import CacheLens, Cut
    from chimein_gui.viewmodels.prompt.sections import PromptParts


_ATTEMPT = "attempt"
"""Marks the entry of an attempt that brought no plan, among the plans."""


class SearchField(LineField):
    """Return goes to the next match, with Shift to the one before; Escape clears the field, or leaves it.

    Attributes:
        moved: The next match is wanted (1), or the one before (-1).
    """

    moved = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.moved.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape and not self.text():
            self.stepped_down.emit()
        else:
            super().keyPressEvent(event)


class PromptHead(Surface):
    """Two rows of controls and figures.

    Attributes:
        mode_chosen: The operator chose a mode; carries its place.
    """

    mode_chosen = Signal(int)

    def __init__(self, context: PaneContext, models: PromptModels) -> None:
        theme = context.theme
        super().__init__(theme, "pane", bottom_line="line")
        self._clock, self._models = context.models.clock, models
        self.plan = Choice(theme, self.tr("Prompt of"))
        self.call = Choice(theme, self.tr("Call of the plan"))
        self.search = SearchField(theme, self.tr("Search the prompt"), hint=self.tr("Search"), icon="search")
        self.found = PlainLabel(theme, "", Face.SMALL, "text2")
        self.copy = MenuButton(theme, self.tr("Copy"), icon="copy")
        self.trace = IconButton(theme, "traces", trace_action())
        self.source = IconButton(theme, "file", self.tr("Open source"))
        self.again = IconButton(theme, "refresh", self.tr("Build it again"))
        self.number = PlainLabel(theme, "", Face.TITLE)
        self._counted = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.chip = StateChip(theme)
        self.count = ActionButton(theme, self.tr("Count exactly"), kind=Kind.QUIET)
        self.stop = ActionButton(theme, self.tr("Stop counting"), icon="x", kind=Kind.QUIET)
        self.bar = PartBar(theme)
        self.lens = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.where = ActionButton(theme, self.tr("Show where"), kind=Kind.LINK)
        self._lens_row = QWidget()
        self._build()
        self.plan.currentIndexChanged.connect(lambda _place: self._choose_plan(self.plan.currentData()))
        self.call.currentIndexChanged.connect(lambda _place: models.prompt.choose_call(self.call.currentData()))
        self.again.clicked.connect(lambda _checked=False: models.prompt.read())
        self.count.clicked.connect(lambda _checked=False: models.prompt.count())
        self.stop.clicked.connect(lambda _checked=False: models.prompt.counter.stop())
        models.plans_changed.connect(self.show_choices)
        self.show_choices()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        set_rtl_margins(column, 12, 8, 12, 6)
        column.setSpacing(6)
        self._row = row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.plan, 3)
        row.addWidget(self.call, 3)
        row.addStretch(1)
        self._modes_place = row.count()
        row.addWidget(self.trace)
        row.addWidget(self.source)
        row.addWidget(self.copy)
        row.addWidget(self.again)
        column.addLayout(row)
        figures = QHBoxLayout()
        figures.setSpacing(8)
        figures.addWidget(self.number)
        figures.addWidget(self.chip)
        figures.addWidget(self._counted, 1)
        figures.addWidget(self.count)
        figures.addWidget(self.stop)
        figures.addWidget(self.found)
        figures.addWidget(self.search, 1)
        figures.addStrut(self.search.sizeHint().height())  # without the field, nothing below moves up
        column.addLayout(figures)
        column.addWidget(self.bar)
        lens = QHBoxLayout(self._lens_row)
        lens.setContentsMargins(0, 0, 0, 0)
        lens.setSpacing(8)
        lens.addWidget(self.lens, 1)
        lens.addWidget(self.where)
        self._lens_row.hide()
        column.addWidget(self._lens_row)

    def offer_modes(self, words: tuple[str, ...]) -> None:
        """Put the switch of modes into the head; one mode alone needs none."""
        self.modes = Segments(self._theme, words, self.tr("Mode"))
        self.modes.choose(0)
        self.modes.chosen.connect(self.mode_chosen)
        self._row.insertWidget(self._modes_place, self.modes)
        self.modes.setVisible(len(words) > 1)  # not before it has its place: it would be a window of its own

    def show_mode(self, place: int) -> None:
        """Show which mode is in sight; only the first can be searched."""
        self.modes.choose(place)
        for part in (self.search, self.found):
            part.setVisible(place == 0)

    def show_choices(self) -> None:
        """Offer what would be sent now, the current plan, and earlier ones; and the calls of the chosen plan."""
        prompt = self._models.prompt
        entries: list[tuple[str, object]] = [(self.tr("What would be sent now"), None)]
        for plan in self._models.plans:
            title = translate("PlanHistory", "Plan from {time}").format(
                time=exact_words(plan.graph.created_at, self._clock)
            )
            entries.append(
                (self.tr("{plan} (current)").format(plan=title) if plan.is_current else title, plan.graph_id)
            )
        if prompt.graph_id is not None and prompt.graph_id not in [value for _words, value in entries]:
            # It is older than the pages that are read, or a trace led to it.
            entries.append((self.tr("Plan {number}").format(number=prompt.graph_id), prompt.graph_id))
        if prompt.is_attempt:
            entries.insert(1, (self.tr("An attempt without a plan"), _ATTEMPT))
        shown_plan = _ATTEMPT if prompt.is_attempt else prompt.graph_id
        self.plan.set_entries(entries, shown_plan)
        if shown_plan is None:
            self.plan.choose(None)
        calls = [(self._call_words(number, one), one.call_id) for number, one in enumerate(prompt.calls, start=1)]
        shown = prompt.view.sent.call_id if prompt.view is not None and prompt.view.sent is not None else None
        self.call.set_entries(calls, shown)
        self.call.setVisible(len(calls) > 1)

    def _choose_plan(self, chosen: object) -> None:
        if chosen is None or isinstance(chosen, int):
            self._models.prompt.choose_plan(None if chosen is None else GraphId(chosen))

    def when(self, one: SentCall) -> str:
        """Return what a call was for, and when it was made."""
        purpose, time = self._purpose(one), exact_words(one.call.began_at, self._clock)
        return self.tr("{purpose}, {time}").format(purpose=purpose, time=time)

    def _call_words(self, number: int, one: SentCall) -> str:
        return self.tr("Call {n}: {call}").format(n=number, call=self.when(one))

    def _purpose(self, one: SentCall) -> str:
        purposes = {
            "plan": self.tr("Plan"),
            TOOL_ROUND: self.tr("Round of tools"),
            "repair": self.tr("Repair"),
            "regenerate": self.tr("Another version"),
        }
        return purposes.get(one.call.purpose, one.call.purpose)

    def show_lens(self, lens: CacheLens | None, cut: Cut | None) -> None:
        """Show what the service could read from its cache, and where the prompt begins to differ."""
        self._lens_row.setVisible(lens is not None)
        if lens is not None:
            self.lens.setText(lens_words(lens, self._since(lens), cut.title if cut is not None else ""))
        self.where.setVisible(cut is not None)

    def _since(self, lens: CacheLens) -> str:
        """Return the call before the shown one: its number in the plan, as calls of one plan may have one second."""
        numbers = {one.call_id: number for number, one in enumerate(self._models.prompt.calls, start=1)}
        number = numbers.get(lens.since.call_id)
        if number is not None:
            return self.tr("call {n}").format(n=number)
        return self.tr("the call of {time}").format(time=exact_words(lens.since.call.began_at, self._clock))

    def show_prompt(self, chosen: str) -> None:
        """Show the figures of the prompt; the part with the title `chosen` is underlined in the bar."""
        prompt = self._models.prompt
        view, parts = prompt.view, prompt.parts.parts
        self.again.setVisible(prompt.graph_id is None and not prompt.is_attempt)
        self.trace.setEnabled(prompt.graph_id is not None)
        self.copy.setEnabled(view is not None)
        self.bar.show_parts(parts, chosen)
        for part in (self.bar, self.number, self._counted):
            part.setVisible(view is not None)
        if view is None:
            self.chip.say(None)
            self.count.setVisible(False)
            self.stop.setVisible(False)
            return
        self.number.setText(self.tr("%Ln token(s) in", "", parts.total))
        model = foreign_text.name(view.model)
        if view.sent is None:
            words = self.tr("for {model}, built just now").format(model=model)
        else:
            time = exact_words(view.sent.call.began_at, self._clock)
            words = self.tr("for {model}, sent {time}").format(model=model, time=time)
            if view.sent.call.end is not CallEnd.ANSWERED:
                words = self.tr("{words}, without an answer").format(words=words)
        self._counted.setText(self._with_progress(words))
        self._say_how_exact(parts)

    def _with_progress(self, words: str) -> str:
        counter = self._models.prompt.counter
        if counter.progress is not None:
            answered, of = counter.progress
            counting = self.tr("counting…") if not of else self.tr("counting: {n} of {of}").format(n=answered, of=of)
            return f"{words} · {counting}"
        if counter.problem:
            return self.tr("{words} · not counted: {problem}").format(words=words, problem=counter.problem)
        return words

    def _say_how_exact(self, parts: PromptParts) -> None:
        if parts.is_counted:
            self.chip.say(IconLabel("check", self.tr("exact"), "ok"))
        elif parts.is_exact:
            self.chip.say(IconLabel("info", self.tr("exact, parts estimated"), "info"))
        else:
            self.chip.say(IconLabel("info", self.tr("estimate"), "info"))
        is_counting = self._models.prompt.counter.progress is not None
        had_focus = self.count.hasFocus() or self.stop.hasFocus()
        self.count.setVisible(not parts.is_counted and not is_counting)
        self.stop.setVisible(is_counting)
        if had_focus and not (self.count.hasFocus() or self.stop.hasFocus()):
            (self.stop if is_counting else self.count if not parts.is_counted else self.copy).setFocus()
