"""The Costs pane: the question of a cap, five figures, bars a day, and a table."""

from __future__ import annotations

import calendar
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.spending.caps import EVERYTHING
from chimein_gui.domain.spending.sums import Grouping, total_of
from chimein_gui.ui.pane import ALSO, Pane, PaneContext
from chimein_gui.ui.panes.costs.banner import CapQuestion
from chimein_gui.ui.panes.costs.cap_editor import CapEditor
from chimein_gui.ui.panes.costs.chart import CostChart
from chimein_gui.ui.panes.costs.figures import Figure, FigureRow
from chimein_gui.ui.panes.costs.keys import CostKeys
from chimein_gui.ui.panes.costs.news import CostNews
from chimein_gui.ui.panes.costs.prices import PricePage
from chimein_gui.ui.panes.costs.table import CostTable
from chimein_gui.ui.requests import ClosePane, OpenFolder, ShowAgent, ShowChat, ShowCosts, ShowTrace
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.menus import open_menu
from chimein_gui.ui.widgets.surfaces.surface import Footer, Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.bilingual import search_words, translate
from chimein_gui.viewmodels.core.numbers import count_words, limit_words
from chimein_gui.viewmodels.costs.pane import Period, make_costs_pane
from chimein_gui.viewmodels.costs.words import edit_words, money, percent_words, price_words
from chimein_gui.viewmodels.problems.sources import cap_bar_key

if TYPE_CHECKING:
    from datetime import date

    from PySide6.QtCore import QPoint

    from chimein_gui.domain.spending.caps import CapKey
    from chimein_gui.domain.spending.sums import PlanCosts
    from chimein_gui.viewmodels.costs.cap_edits import CapEdit
    from chimein_gui.viewmodels.costs.pane import CostLine, CostsPaneModel

PERIODS = tuple(Period)
GROUPINGS = tuple(Grouping)


def _dearest(costs: CostsPaneModel, day: date) -> str:
    """Return the chat that cost the most on a day, with its calls; empty without one."""
    found = costs.dearest_chat(day)
    if found is None:
        return ""
    count = found.calls
    calls = QCoreApplication.translate("CostsPane", "%n call(s)", "", count)
    return f"{foreign_text.isolate(foreign_text.line(found.name, 60))}, {calls}"


def turn_to(stack: QStackedWidget, part: QWidget) -> bool:
    """Show a part of a stack; returns whether the focus was in the one before, so that it can go along."""
    now, focus = stack.currentWidget(), QApplication.focusWidget()
    had_focus = now is not None and focus is not None and (focus is now or now.isAncestorOf(focus))
    stack.setCurrentWidget(part)
    return had_focus and part is not now


def _plans_words(plans: PlanCosts | None) -> str:
    """Return how many plans said nothing, or if none did, how many there were; empty for none."""
    if plans is None or not plans.plans:
        return ""
    silent, count = plans.silent, plans.plans
    if silent:
        return QCoreApplication.translate("CostsPane", "%n plan(s) said nothing", "", silent)
    return QCoreApplication.translate("CostsPane", "%n plan(s)", "", count)


def _of_one_plan(plans: PlanCosts | None) -> Figure:
    title = QCoreApplication.translate("CostsPane", "For one plan")
    if plans is None:
        return Figure(title, "…", QCoreApplication.translate("CostsPane", "being read"))
    if plans.median_usd is None:
        return Figure(title, "–", QCoreApplication.translate("CostsPane", "no plan with a price"))
    high = QCoreApplication.translate("CostsPane", "median; 95 % at most {usd}").format(
        usd=money(plans.high_usd or 0.0)
    )
    return Figure(title, money(plans.median_usd), high)


class CostsPane(Pane):
    """Its contents are updated while it is visible."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self.costs = context.own(make_costs_pane)
        theme = context.theme
        self._names = (self.tr("Agent"), self.tr("Chat"), self.tr("Purpose"), self.tr("Model"))
        periods = self.tr("30 days"), self.tr("This month"), self.tr("7 days"), self.tr("Today")
        self.period = Segments(theme, periods, self.tr("Period"))
        self.grouping = Segments(theme, self._names, self.tr("By"))
        self.measure = Segments(theme, (self.tr("Cost"), self.tr("Tokens")), self.tr("Measure"))
        self.export = ActionButton(theme, self.tr("CSV"), icon="download", kind=Kind.QUIET)
        self.export.setAccessibleName(self.tr("Export the costs as CSV"))
        self.cap = ActionButton(theme, self.tr("Daily cap…"))
        self.prices = ActionButton(theme, self.tr("Prices…"), kind=Kind.QUIET)
        self.page: PricePage | None = None
        self.question = CapQuestion(theme)
        self.editor = CapEditor(theme)
        self.news = CostNews(theme)
        self.figures = FigureRow(theme)
        self.chart = CostChart(theme, lambda day: _dearest(self.costs, day))
        self.table = CostTable(theme, context.models.single_keys)
        self._empty = EmptyState(theme, "coins")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._prices_of = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._stack = QStackedWidget()
        self.chooser: QFileDialog | None = None
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        head = self._head = Surface(self._context.theme, "card", bottom_line="line")
        row = QHBoxLayout(head)
        set_rtl_margins(row, 14, 8, 12, 8)
        row.setSpacing(8)
        for part in (self.period, self.grouping, self.measure):
            row.addWidget(part)
        row.addStretch(1)
        for button in (self.prices, self.export, self.cap):
            row.addWidget(button)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(12, 10, 12, 12)
        inner.setSpacing(10)
        inner.addWidget(self.figures)
        inner.addWidget(self.chart, 4)
        inner.addWidget(self.table, 5)
        self._body = body
        self._stack.addWidget(self._empty)
        self._stack.addWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (head, self.editor, self.question, self.news):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)
        column.addWidget(self._foot())

    def _foot(self) -> Footer:
        theme = self._context.theme
        foot = Footer(theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 0, 0, 14, 0)
        self._keys = CostKeys(theme, self.costs, self._context.models.single_keys, self)
        row.addWidget(self._keys, 1)
        self._prices_of.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._prices_of, 1)
        return foot

    def _wire(self) -> None:
        costs = self.costs
        self.period.chosen.connect(lambda place: costs.choose(period=PERIODS[place]))
        self.grouping.chosen.connect(lambda place: costs.choose(grouping=GROUPINGS[place]))
        self.measure.chosen.connect(lambda place: costs.choose(is_tokens=place == 1))
        self.chart.stepped.connect(costs.step)
        self.chart.chosen.connect(costs.choose_day)
        self.chart.left.connect(lambda: costs.choose_day(None))
        self.chart.entered.connect(self.table.list.setFocus)
        self.table.entered.connect(self._show)
        self.table.capped.connect(self._edit_line)
        self.table.traced.connect(self._show_traces)
        self.table.menu_asked.connect(self._open_menu)
        self._keys.watch(self.chart, self.table, self.editor)
        self.question.answered.connect(costs.today.release)
        self.question.priced.connect(self.show_prices)
        bars = self._context.models.bars
        self.question.in_sight.connect(lambda key: bars.leave_to_pane("" if key is None else cap_bar_key(key)))
        self.editor.changed.connect(costs.caps.set_cap)
        self.editor.closed.connect(self.table.list.setFocus)
        self.cap.clicked.connect(lambda _checked=False: self.edit_cap(EVERYTHING))
        self.prices.clicked.connect(lambda _checked=False: self.show_prices())
        self.export.clicked.connect(lambda _checked=False: self.ask_for_file())
        self.news.folder_wanted.connect(lambda path: self._context.requests.send(OpenFolder(path)))
        self.news.undo_it.clicked.connect(lambda _checked=False: costs.caps.undo())
        costs.changed.connect(self.refresh)
        costs.caps.done.connect(self._tell_capped)
        costs.saved.connect(self._tell_saved)
        for source in (costs, costs.caps, costs.today):
            source.failed.connect(self._fail)
        undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self)
        undo.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        undo.activated.connect(costs.caps.undo)

    # --- the pane -----------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if isinstance(request, ShowCosts) and request.cap is not None:
            self.edit_cap(request.cap)

    def focus_widget(self) -> QWidget:
        if self.page is not None and self._stack.currentWidget() is self.page:
            return self.page.list
        if self._stack.currentWidget() is self._empty:
            return self._empty
        return self.table.list

    def offers(self) -> QMenu | None:
        if not self.isVisible():
            return None
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Costs"))
        for words, also, do in (
            (
                translate("CostsPane", "Set the daily cap…"),
                translate("CostsPane", "limit money spend"),
                lambda: self.edit_cap(EVERYTHING),
            ),
            (
                translate("CostsPane", "Export costs as CSV…"),
                translate("CostsPane", "save spreadsheet table"),
                self.ask_for_file,
            ),
        ):
            action = menu.addAction(words, do)
            action.setProperty(ALSO, search_words(words, also))
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        else:
            self._context.requests.send(ClosePane("costs"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.costs.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.costs.watch(watched=False)

    # --- contents -----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Update everything."""
        costs = self.costs
        asking = costs.asking()
        self.question.ask(asking, costs.name_of(asking[0].key) if asking else "")
        self._prices_of.setText(price_words(self._context.models.preferences.prices))
        if self.page is not None and self._stack.currentWidget() is self.page:
            return
        for segments, place in (
            (self.period, PERIODS.index(costs.period)),
            (self.grouping, GROUPINGS.index(costs.grouping)),
            (self.measure, int(costs.is_tokens)),
        ):
            segments.choose(place)
        if not costs.rows:
            self._say_why_empty()
            if turn_to(self._stack, self._empty):
                self._empty.setFocus()
            self._keys.look()
            return
        titles = {
            Grouping.AGENT: self.tr("By day and agent"),
            Grouping.CHAT: self.tr("By day and chat"),
            Grouping.PURPOSE: self.tr("By day and purpose"),
            Grouping.MODEL: self.tr("By day and model"),
        }
        legend, values = costs.stacks()
        cap = costs.today.cap(EVERYTHING)
        self.chart.show_days(
            costs.days(),
            legend,
            values,
            caps=(cap.usd, cap.limit_usd) if cap is not None else (None, None),
            day=costs.day,
            is_tokens=costs.is_tokens,
            title=titles[costs.grouping],
        )
        self.table.show_lines(self._names[GROUPINGS.index(costs.grouping)], costs.lines())
        self.figures.show_figures(self._figures())
        if turn_to(self._stack, self._body):
            self.table.list.setFocus()
        self._keys.look()

    def _say_why_empty(self) -> None:
        if self.costs.is_read:
            self._empty.say(
                self.tr("No model calls yet"),
                self.tr("Here you see what plans, descriptions and dry runs cost, day by day."),
                ((self.tr("Set the daily cap…"), lambda: self.edit_cap(EVERYTHING)),),
            )
        else:
            self._empty.say(self.tr("Reading the costs…"), "", ())

    def _figures(self) -> tuple[Figure, ...]:
        costs = self.costs
        cap = costs.today.cap(EVERYTHING)
        of_cap = self.tr("no daily cap")
        if cap is not None:
            share = percent_words(cap.share)
            limit = cap.limit_usd
            if limit is None:
                of_cap = self.tr("no cap until midnight")
            else:
                words = self.tr("{share} of the {limit} cap")
                if cap.added_usd:
                    words = self.tr("{share} of {limit}, today only")
                of_cap = words.format(share=share, limit=limit_words(limit))
        month, last = total_of(costs.month()), costs.last_day()
        projected = month.usd / last.day * calendar.monthrange(last.year, last.month)[1]
        # Of the same reading as the month, though `costs.today` is ahead of both.
        of_today = [row for row in costs.month() if row.day == last]
        shown = costs.total()
        count = shown.estimated
        of_calls = [
            _plans_words(costs.plans),
            QCoreApplication.translate("CostsPane", "tokens of %n estimated", "", count) if count else "",
        ]
        return (
            Figure(
                self.tr("Today"),
                money(total_of(of_today).usd),
                of_cap,
                is_marked=cap is not None and cap.is_marked,
            ),
            Figure(self.tr("This month"), money(month.usd), self.tr("projected {usd}").format(usd=money(projected))),
            _of_one_plan(costs.plans),
            Figure(self.tr("Calls"), count_words(shown.calls), " · ".join(part for part in of_calls if part)),
            Figure(
                self.tr("Cached tokens"),
                percent_words(shown.cached_share),
                self.tr("{share} of the output is thinking").format(share=percent_words(shown.thinking_share)),
            ),
        )

    def show_prices(self, model: str = "") -> None:
        """Show the price list instead of the costs, at a model's row if one is named."""
        if self.page is None:
            self.page = PricePage(self._context)
            self.page.left.connect(self._leave_prices)
            self._stack.addWidget(self.page)
            self._keys.watch_prices(self.page)
        self._stack.setCurrentWidget(self.page)
        self._show_choices(shown=False)
        self.page.enter(model)

    def _show_choices(self, *, shown: bool) -> None:
        """Show what belongs to the costs alone: the price list has no days and no groups, and its own way back."""
        self._head.setVisible(shown)
        self._keys.look()

    def _leave_prices(self) -> None:
        self._show_choices(shown=True)
        self._stack.setCurrentIndex(0)
        self.refresh()
        self.focus_widget().setFocus()

    # --- what is done -------------------------------------------------------------------------------------------------

    def edit_cap(self, key: CapKey) -> None:
        """Edit a cap in place."""
        cap = self.costs.today.cap(key)
        self.editor.edit(key, self.costs.name_of(key), None if cap is None else cap.usd)

    def _edit_line(self, line: CostLine) -> None:
        if line.cap_key is not None:
            self.edit_cap(line.cap_key)
        else:
            self.news.offer()
            self.news.say(IconLabel("info", self.tr("Only an agent, a chat or everything can have a cap."), "info"))

    def _show(self, line: CostLine) -> None:
        if line.chat_id is not None:
            self._context.requests.send(ShowChat(line.chat_id))
        elif line.agent_id is not None:
            self._context.requests.send(ShowAgent(line.agent_id))

    def _show_traces(self, line: CostLine) -> None:
        wanted = self.costs.traces_of(line)
        if wanted is not None:
            self._context.requests.send(ShowTrace(wanted=wanted))

    def _open_menu(self, line: CostLine, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        traces = menu.addAction(self.tr("Show traces"), lambda: self._show_traces(line))
        traces.setEnabled(self.costs.traces_of(line) is not None)
        if line.chat_id is not None:
            menu.addAction(self.tr("Open chat"), lambda: self._show(line))
        elif line.agent_id is not None:
            menu.addAction(self.tr("Open agent"), lambda: self._show(line))
        if line.cap_key is not None:
            menu.addAction(self.tr("Daily cap…"), lambda: self._edit_line(line))
        open_menu(menu, place, foreign_text.name(line.name))

    def ask_for_file(self) -> None:
        """Ask for a file name, and write the rows of the period to it."""
        chooser = self.chooser = QFileDialog(self, self.tr("Export costs"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter(self.tr("Tables (*.csv)"))
        chooser.setDefaultSuffix("csv")
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        chooser.selectFile("chimein-costs.csv")
        chooser.fileSelected.connect(lambda path: self.costs.save(Path(path)))
        chooser.finished.connect(lambda _result: setattr(self, "chooser", None))
        chooser.open()

    def _tell_capped(self, edit: CapEdit) -> None:
        self.news.offer(self.tr("Undo") if self.costs.caps.can_undo else "")
        name = self.costs.name_of(edit.key)
        words = edit_words(edit, foreign_text.isolate(foreign_text.line(name, 80)) if name else "")
        self.news.say(IconLabel("check", words, "ok"))

    def _tell_saved(self, path: Path) -> None:
        self.news.offer(self.tr("Undo the cap") if self.costs.caps.can_undo else "", str(path))
        name = foreign_text.isolate(foreign_text.line(path.name, 80))
        self.news.say(IconLabel("check", self.tr("Costs exported to {name}").format(name=name), "ok"))

    def _fail(self, words: str) -> None:
        self.news.offer()
        self.news.say(IconLabel("alert", foreign_text.line(words, 300), "danger"))
