"""The Decisions pane: filter, list, details of the selected decision, and edit rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionShare, LoggedDecision
from chimein_gui.ui.pane import ALSO, Pane, PaneContext
from chimein_gui.ui.panes.decisions.detail import DecisionDetail
from chimein_gui.ui.panes.decisions.export import DecisionExport
from chimein_gui.ui.panes.decisions.filter_row import DecisionFilterRow
from chimein_gui.ui.panes.decisions.list import DecisionList
from chimein_gui.ui.panes.decisions.rates import RateTable
from chimein_gui.ui.requests import ClosePane, ShowDecisions
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.news import News
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.bilingual import search_words, translate
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.decisions.words import revoked_words, totals_words
from chimein_gui.viewmodels.panes.decisions import make_decisions

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import RevokedRule

STACKED_BELOW = 760
"""Width in px below which the details are below the list."""


class DecisionsPane(Pane):
    """Its contents are updated while it is visible."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        models = context.own(make_decisions)
        self.log, self._rules = models.log, models.rules
        theme = context.theme
        self.filter = DecisionFilterRow(context)
        self.list = DecisionList(context)
        self.list.show_log(self.log)
        self.news = News(theme)
        self.export = DecisionExport(self, models.export, self.news, context.requests)
        self.detail = DecisionDetail(context)
        self.rates = RateTable(context)
        self._empty = EmptyState(theme, "ticks")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        self._figures = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.save_csv = ActionButton(theme, self.tr("Export CSV…"), icon="download")
        self.save_json = ActionButton(theme, self.tr("Export JSON…"), icon="download")
        self._split = QSplitter()
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.list)
        side = QSplitter(Qt.Orientation.Vertical)
        side.setChildrenCollapsible(False)
        side.addWidget(self.detail)
        side.addWidget(self.rates)
        side.setSizes([360, 260])
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._stack)
        self._split.addWidget(side)
        self._split.setSizes([760, 440])
        self._split.setStretchFactor(0, 5)
        self._split.setStretchFactor(1, 3)
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 14, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self._figures, 1)
        row.addWidget(self.save_csv)
        row.addWidget(self.save_json)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.filter, self.news):
            column.addWidget(part)
        column.addWidget(self._split, 1)
        column.addWidget(foot)

    def _wire(self) -> None:
        self.filter.chosen.connect(self.log.choose)
        self.filter.left.connect(self.focus_list)
        self.list.searched.connect(self.filter.words.setFocus)
        self.list.entered.connect(self.detail.enter)
        self.list.trace_wanted.connect(self.detail.show_trace)
        self.list.selectionModel().currentChanged.connect(self._show_current)
        self.log.dataChanged.connect(self._show_current)
        self.log.changed.connect(self.refresh)
        self.rates.chosen.connect(self._show_share)
        self.detail.revoke_pressed.connect(self._rules.revoke)
        self._rules.revoked.connect(self._tell_revoked)
        self._rules.restored.connect(self._tell_restored)
        self._rules.failed.connect(self.news.fail)
        self.save_csv.clicked.connect(lambda _checked=False: self.export.ask(self.log.wanted, "csv"))
        self.save_json.clicked.connect(lambda _checked=False: self.export.ask(self.log.wanted, "json"))
        for keys, do in (
            (QKeySequence(QKeySequence.StandardKey.Find), self.filter.words.setFocus),
            (QKeySequence(QKeySequence.StandardKey.Undo), self.news.act),
        ):
            shortcut = QShortcut(keys, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(do)

    # --- the pane -------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if isinstance(request, ShowDecisions):
            self.filter.choose(DecisionFilter(chat_id=request.chat_id))
            self.focus_list()

    def focus_widget(self) -> QWidget:
        return self.list if self._stack.currentWidget() is self.list else self.filter.words

    def focus_list(self) -> None:
        """Focus the list, or the widget that replaces it."""
        (self.list if self._stack.currentWidget() is self.list else self._empty).setFocus()

    def offers(self) -> QMenu | None:
        if not self.isVisible():
            return None
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Decisions"))
        for words, also, do in (
            (
                translate("DecisionsPane", "Export decisions as CSV…"),
                translate("DecisionsPane", "save spreadsheet table"),
                lambda: self.export.ask(self.log.wanted, "csv"),
            ),
            (
                translate("DecisionsPane", "Export decisions as JSON…"),
                translate("DecisionsPane", "save data"),
                lambda: self.export.ask(self.log.wanted, "json"),
            ),
            (
                translate("DecisionsPane", "Show all decisions"),
                translate("DecisionsPane", "clear filter"),
                self.show_all,
            ),
        ):
            action = menu.addAction(words, do)
            action.setProperty(ALSO, search_words(words, also))
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.detail.asks:
            self.detail.let_be()
        else:
            self._context.requests.send(ClosePane("decisions"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.log.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.log.watch(watched=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stacked = self.width() < STACKED_BELOW * self._context.theme.percent / 100
        self._split.setOrientation(Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal)

    # --- contents -------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Update the figures, and the list or why it is empty."""
        log = self.log
        self.filter.show_chats(log.shares)
        self.rates.show_shares(log.shares)
        self._figures.setText(totals_words(log.totals))
        count = log.rowCount()
        if count:
            self._stack.setCurrentWidget(self.list)
            if not self.list.currentIndex().isValid():
                self.list.step(0)
            if log.problem:
                self.news.fail(self._problem(), self.tr("Try again"), log.read)
        else:
            had_focus = self.list.hasFocus()
            self._say_why_empty()
            self._stack.setCurrentWidget(self._empty)
            if had_focus:
                self._empty.setFocus()
        for button in (self.save_csv, self.save_json):
            button.allow("" if count else self.tr("Nothing to export"))
        self._show_current()

    def _say_why_empty(self) -> None:
        log = self.log
        if log.problem:
            words = self.tr("Decisions can't be loaded. Nothing is lost.")
            self._empty.say(words, log.problem, ((self.tr("Try again"), log.read),))
        elif not log.is_whole:
            self._empty.say(self.tr("Loading decisions…"), "")
        elif log.is_filtered:
            words = self.tr("Try another agent, chat or kind, or other words.")
            self._empty.say(
                self.tr("No such decisions"),
                words,
                ((self.tr("Show all decisions"), self.show_all),),
            )
        else:
            self._empty.say(
                self.tr("No decisions yet"), self.tr("What you or a rule decide is listed here, with your edits.")
            )

    def _problem(self) -> str:
        return self.tr("Older decisions can't be loaded: {why}").format(why=self.log.problem)

    def show_all(self) -> None:
        """Clear the filter."""
        self.filter.choose(DecisionFilter())

    def _show_current(self) -> None:
        one = self.list.currentIndex().data(ItemRole) if self.list.currentIndex().isValid() else None
        self.detail.show_decision(one if isinstance(one, LoggedDecision) else None)

    def _show_share(self, one: DecisionShare) -> None:
        self.filter.choose(DecisionFilter(one.agent_id, one.chat_id))

    # --- actions --------------------------------------------------------------------------------------------------

    def _tell_revoked(self, revoked: RevokedRule) -> None:
        words = IconLabel("check", revoked_words(revoked), "ok")
        self.news.say(words, self.tr("Undo"), lambda: self._rules.restore(revoked))

    def _tell_restored(self, _revoked: RevokedRule) -> None:
        self.news.say(IconLabel("bolt", self.tr("Rule restored"), "info"))
