"""The Next pane: its head with the two forms, and the form that is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.plans.upcoming import Course
from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.upcoming.blocks import RANGES_S
from chimein_gui.ui.panes.upcoming.legend import BlockLegend
from chimein_gui.ui.panes.upcoming.list import UpcomingList
from chimein_gui.ui.panes.upcoming.time_line import TimeLine
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.upcoming import make_upcoming
from chimein_gui.viewmodels.plans.lanes import LaneOrder

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

LIST, TIME_LINE = 0, 1


class UpcomingPane(Pane):
    """Reads only while it is shown."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        models = context.own(make_upcoming)
        self._models = models
        theme = context.theme
        self.list = UpcomingList(context, models)
        self.time_line = TimeLine(context, models)
        self.forms = Segments(theme, (self.tr("List"), self.tr("Time line")), self.tr("Form"))
        words = (self.tr("15 min"), self.tr("2 h"), self.tr("Day"))
        self.ranges = Segments(theme, words, self.tr("Time shown"))
        self.orders = Segments(theme, (self.tr("By agent"), self.tr("By chat")), self.tr("Lanes"))
        self.legend = BlockLegend(theme)
        self._summary = ElidedLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._keys = {LIST: self._make_keys(LIST), TIME_LINE: self._make_keys(TIME_LINE)}
        self._empty = EmptyState(theme, "timer")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        self._build()
        self._wire()
        self._show_form(LIST)
        self._show_all()

    def _build(self) -> None:
        head = QWidget()
        row = QHBoxLayout(head)
        set_rtl_margins(row, 12, 8, 12, 8)
        row.setSpacing(10)
        row.addWidget(self.forms)
        row.addWidget(self.legend, 1)
        row.addWidget(self.orders)
        row.addWidget(self.ranges)
        foot = Footer(self._context.theme)
        foot_row = QHBoxLayout(foot)
        set_rtl_margins(foot_row, 0, 0, 12, 0)
        foot_row.setSpacing(12)
        for keys in self._keys.values():
            foot_row.addWidget(keys, 1)
        foot_row.addWidget(self._summary)
        for part in (self._empty, self.list, self.time_line):
            self._stack.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._stack, 1)
        column.addWidget(foot)
        self.forms.choose(LIST)
        self.ranges.choose(0)
        self.orders.choose(0)

    def _make_keys(self, form: int) -> KeyLegend:
        fold = ((("←", "→"), self.tr("Step, or fold")),) if form == TIME_LINE else ()
        entries = (
            (("↑", "↓"), self.tr("Chat")),
            *fold,
            (("↵",), self.tr("Open step")),
            (("A",), self.tr("Decide")),
            (("F8",), self.tr("Hold everything")),
        )
        return KeyLegend(self._context.theme, entries, self)

    def _wire(self) -> None:
        self.forms.chosen.connect(self._show_form)
        self.ranges.chosen.connect(lambda place: self.time_line.show_range(RANGES_S[place]))
        self.orders.chosen.connect(lambda place: self._models.lanes.order_by(LaneOrder(place)))
        self._models.upcoming.changed.connect(self._show_all)

    # --- the pane -------------------------------------------------------------------------------------------------

    def focus_widget(self) -> QWidget:
        if not self._models.upcoming.views:
            return self._empty
        return self.list if self.forms.current() == LIST else self.time_line.lanes

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._models.upcoming.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._models.upcoming.watch(watched=False)

    # --- contents -------------------------------------------------------------------------------------------------

    def _show_form(self, form: int) -> None:
        self._models.lanes.use(used=form == TIME_LINE)
        for part in (self.ranges, self.orders):
            part.setVisible(form == TIME_LINE)
        for one, keys in self._keys.items():
            keys.setVisible(one == form)
        self.legend.show_entries(shown=form == TIME_LINE)
        current = self.list.current if form == TIME_LINE else self.time_line.lanes.current
        if current is not None:
            (self.time_line.lanes if form == TIME_LINE else self.list).choose(current.key)
        self._show_all()

    def _show_all(self) -> None:
        views = self._models.upcoming.views
        shown = self.list if self.forms.current() == LIST else self.time_line
        self._stack.setCurrentWidget(shown if views else self._empty)
        if not views:
            self._empty.say(
                self.tr("Nothing is planned"),
                self.tr("When an agent plans an answer in any chat, its steps are shown here with their times."),
            )
        now = self._models.upcoming.clock.now()
        leaving = [
            view.entry for view in views if view.entry.course in {Course.BY_ITSELF, Course.TELEGRAM, Course.RUNS}
        ]
        # They need the operator, too: now they can be stopped.
        down = sum(entry.counts_down for entry in leaving)
        leave = len(leaving) - down
        asking = [view.entry for view in views if view.entry.asks]
        later = sum(entry.continues_at(now) is not None for entry in asking)
        asks = len(asking) - later
        held = sum(view.entry.is_held for view in views)
        stopped = sum(view.entry.course is Course.STOPPED for view in views) - held
        counts = [
            self.tr("Ask you: {n}").format(n=asks) if asks else "",
            self.tr("Send unless you stop them: {n}").format(n=down) if down else "",
            self.tr("Ask you later: {n}").format(n=later) if later else "",
            self.tr("Continue automatically: {n}").format(n=leave) if leave else "",
            self.tr("Held by you: {n}").format(n=held) if held else "",
            self.tr("Stopped: {n}").format(n=stopped) if stopped else "",
        ]
        self._summary.setText(" · ".join(words for words in counts if words))
        self.subtitle_changed.emit(self.tr("all chats") if views else "")
