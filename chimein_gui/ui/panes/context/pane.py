"""The Context pane: every message that a plan of the chat in sight considered, and why it was taken or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.context.columns import heads_of
from chimein_gui.ui.panes.context.details import ContextDetails
from chimein_gui.ui.panes.context.head import ContextHead
from chimein_gui.ui.panes.context.legend import LineLegend
from chimein_gui.ui.panes.context.list import ContextList
from chimein_gui.ui.requests import ShowContext, ShowMessage, ShowTrace
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.column_heads import ColumnHeads
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.context import NOW, make_context
from chimein_gui.viewmodels.context.words import fixed_words
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.prompt.considered import ConsideredMessage

STACKED_BELOW = 860
"""Width in px below which the details are below the list."""


class ContextPane(Pane):
    """Follows the chat in sight; it reads only while it is visible."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        theme = context.theme
        self.model = context.own(make_context)
        self.head = ContextHead(context, self.model, self.choose)
        self.list = ContextList(context, self.model)
        self._heads = ColumnHeads(theme, lambda: heads_of(theme, self.list.columns))
        self.details = ContextDetails(context, self.model)
        self.message = InlineMessage(theme)
        self._empty = EmptyState(theme, "context")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._split = QSplitter()
        self._stack = QStackedWidget()
        self._shown: object = None
        self._build()
        self.model.changed.connect(self.refresh)
        self.list.picked.connect(self._show_message)
        self.list.entered.connect(self._open_message)
        self.list.trace_wanted.connect(self.open_trace)
        self.head.trace.clicked.connect(lambda _checked=False: self.open_trace())
        self.details.asked.connect(self.choose)
        self.details.opened.connect(lambda: self._open_message(self.list.current))
        self.refresh()

    def _build(self) -> None:
        theme = self._context.theme
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._heads)
        column.addWidget(self.list, 1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(rows)
        self._split.addWidget(self.details)
        self._split.setStretchFactor(0, 4)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([900, 324])
        foot = Footer(theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        legend = (
            (("J", "K"), self.tr("message")),
            (("↵",), self.tr("open in chat")),
            (("←",), self.tr("what it answers")),
            (("P",), self.tr("pin in")),
            (("O",), self.tr("pin out")),
            (("I",), self.tr("include once")),
            (("U",), self.tr("automatic")),
            ((TRACE_KEY,), self.tr("trace")),
        )
        row.setSpacing(0)
        row.addWidget(KeyLegend(theme, legend, self), 2)
        row.addWidget(LineLegend(theme), 3)
        page = QWidget()
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self._split, 1)
        inside.addWidget(foot)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for part in (self.head, self.message):
            whole.addWidget(part)
        whole.addWidget(self._stack, 1)

    # --- the pane -------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if isinstance(request, ShowContext):
            self.model.open(request.chat_id, request.graph_id)

    def focus_widget(self) -> QWidget:
        return self.list if self._stack.currentIndex() else self._empty

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.watch(watched=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stacked = self.width() < STACKED_BELOW * self._context.theme.percent / 100
        self._split.setOrientation(Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal)
        self.head.fit()

    # --- contents -------------------------------------------------------------------------------------------------

    def choose(self, message_id: MessageId) -> None:
        """Choose a message and bring it into view."""
        self.list.choose(message_id)

    def open_trace(self) -> None:
        """Show the trace of the plan; what would be taken now has none."""
        selection = self.model.selection
        if selection is not None and selection.graph_id is not None:
            self._context.requests.send(ShowTrace(selection.graph_id))

    def refresh(self) -> None:
        """Show the present selection, or say why there is none."""
        model, selection = self.model, self.model.selection
        chat = self._context.models.chats.chat(model.chat_id) if model.chat_id is not None else None
        self.subtitle_changed.emit(foreign_text.name(chat.info.title) if chat is not None else "")
        self.head.setVisible(selection is not None)
        self.head.refresh()
        self._say_note()
        had_focus = self._empty.hasFocus() or self.list.hasFocus()
        shows = selection is not None and bool(selection.messages)
        self._stack.setCurrentIndex(1 if shows else 0)
        if not shows:
            self._say_why_empty()
        self.details.show_selection()
        same = (model.chat_id, model.shown) == self._shown
        kept = self.list.current
        self._shown = (model.chat_id, model.shown)
        if shows and (kept is None or not same):
            self._begin()
        self._show_message(self.list.current)
        if had_focus:
            self.focus_widget().setFocus()

    def _begin(self) -> None:
        """Choose the trigger, and scroll to the end, where it is."""
        trigger = self.model.trigger
        if trigger is not None:
            self.list.choose(trigger.message_id)
            self.list.scroll_to_trigger()

    def _say_note(self) -> None:
        selection = self.model.selection
        label = None
        if selection is not None and selection.history is not None and selection.messages:
            is_now = self.model.shown == NOW
            label = IconLabel("info", fixed_words(selection.history, is_now=is_now), "info")
        elif selection is not None and not selection.is_stored:
            words = self.tr("The choices of this plan are no longer kept. Choose what would be taken now.")
            label = IconLabel("info", words, "info")
        self.message.say(label)
        self.message.setVisible(label is not None)

    def _say_why_empty(self) -> None:
        model = self.model
        if model.problem:
            words = self.tr("The context can't be loaded.")
            self._empty.say(words, model.problem, ((self.tr("Try again"), model.read_again),))
        elif model.chat_id is None:
            self._empty.say(
                self.tr("No chat is open"), self.tr("Open a chat to see which of its messages the agent takes.")
            )
        elif model.selection is None:
            self._empty.say(self.tr("Loading the context…"), "")
        else:
            self._empty.say(
                self.tr("Nothing to answer here"),
                self.tr("When somebody writes, the messages that the agent would take are shown here."),
            )

    def _show_message(self, one: ConsideredMessage | None) -> None:
        self.details.show_message(one)

    def _open_message(self, one: ConsideredMessage | None) -> None:
        if one is not None and self.model.chat_id is not None:
            self._context.requests.send(ShowMessage(self.model.chat_id, one.message_id))
