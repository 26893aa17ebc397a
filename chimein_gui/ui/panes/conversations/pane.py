"""The Conversations pane: the tree at the left, the open chat at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.chats import Chat
from chimein_gui.domain.ids import ChatId
from chimein_gui.ui.panes.conversations.chat_tree import ChatTree
from chimein_gui.ui.panes.conversations.draft_strip import DraftStrip
from chimein_gui.ui.panes.conversations.header import ChatHeader
from chimein_gui.ui.panes.conversations.planning_line import PlanningLine
from chimein_gui.ui.panes.conversations.takeover_bar import TakeoverBar
from chimein_gui.ui.panes.conversations.transcript_view import TranscriptView
from chimein_gui.ui.widgets.empty_state import Actions, EmptyState
from chimein_gui.ui.widgets.pane import Pane, PaneContext
from chimein_gui.ui.widgets.pane_title import PaneTitle
from chimein_gui.ui.widgets.verb_button import Kind

if TYPE_CHECKING:
    from chimein_gui.ui.panes.conversations.composer import PartnerComposer

_HIGHER_THAN_SCREENS = 5000
_NO_LIMIT = 16777215  # QWIDGETSIZE_MAX, which PySide does not export


class _Ground(QWidget):
    """The transcript's ground."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = context.theme
        self._theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("chat"))
        painter.end()


def _composer(context: PaneContext) -> PartnerComposer:
    """Make the composer; imported here, because a live run has none and should not wait for it."""
    from chimein_gui.ui.panes.conversations.composer import PartnerComposer

    return PartnerComposer(context)


class ConversationsPane(Pane):
    """Agents, chats, messages and drafts."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._models = context, context.models
        self._wanted: object = None
        self._opens_next = False
        self.tree = ChatTree(context)
        self.transcript = TranscriptView(context)
        self.drafts = DraftStrip(context)
        self.header = ChatHeader(context)
        self.composer = _composer(context) if context.is_sandbox else None
        self._planning = PlanningLine(context)
        self.takeover = TakeoverBar(context)
        self._empty = EmptyState(context.theme, "chats", ground="card")
        self._open_chat = self._build_chat()
        self._stack = QStackedWidget()
        self._build()
        self._wire()
        self._say_empty()

    def focus_widget(self) -> QWidget:
        return self.tree

    def save_layout(self) -> QByteArray:
        return self._splitter.saveState()

    def restore_layout(self, state: QByteArray) -> None:
        self._splitter.restoreState(state)

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build_chat(self) -> QWidget:
        ground = _Ground(self._context)
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(0)
        # Few messages stand at the foot, as in any messenger: the list is never higher than its rows.
        column.addStretch(0)
        column.addWidget(self.transcript, 1)
        column.addWidget(self._planning)
        column.addWidget(self.drafts)
        self.transcript.contents_height_changed.connect(self._fit)
        chat = QWidget()
        whole = QVBoxLayout(chat)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.header)
        whole.addWidget(self.takeover)
        whole.addWidget(ground, 1)
        return chat

    def _fit(self, height: int) -> None:
        # Each new limit lays out everything up to the window: beyond any screen there is none.
        self.transcript.setMaximumHeight(max(1, height) if height < _HIGHER_THAN_SCREENS else _NO_LIMIT)

    def _build(self) -> None:
        empty = _Ground(self._context)
        inside = QVBoxLayout(empty)
        inside.addWidget(self._empty)
        self._stack.addWidget(empty)
        self._stack.addWidget(self._open_chat)
        right = QWidget()
        below = QVBoxLayout(right)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self._stack, 1)
        if self.composer is not None:
            below.addWidget(self.composer)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(PaneTitle(self._context.theme, self.tr("Chats")))
        column.addWidget(self.tree, 1)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.addWidget(left)
        self._splitter.addWidget(right)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setChildrenCollapsible(False)
        left.setMinimumWidth(220)
        right.setMinimumWidth(340)
        self._splitter.setSizes([300, 700])
        self._splitter.setHandleWidth(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._splitter)

    def _wire(self) -> None:
        models = self._models
        self.tree.chat_chosen.connect(self._open)
        models.chats.chats_changed.connect(self._follow)
        models.agents.summary_changed.connect(self._catch_up)
        models.voice.partners_changed.connect(self._catch_up)
        models.voice.spoken.connect(self._await_spoken)
        self._context.intents.open_chat.connect(self.open_chat)

    # --- the open chat --------------------------------------------------------------------------------------------

    def open_chat(self, chat_id: object) -> None:
        """Open a chat by id, now or as soon as it is known."""
        self._wanted = None if self.tree.select_chat(chat_id) else chat_id

    def _open(self, chat: Chat) -> None:
        agent = self._models.chats.agent(chat.agent_id)
        self._models.transcript.open(chat, agent.spec.name if agent else "")
        self._models.waits.open(chat.chat_id)
        self._models.kept_edits.open(chat.chat_id)
        self._stack.setCurrentWidget(self._open_chat)
        self._show(chat)

    def _show(self, chat: Chat | None) -> None:
        self.header.set_chat(chat)
        self.takeover.set_chat(chat)
        self._planning.set_chat(chat)
        self.drafts.set_chat(chat)
        if self.composer is not None:
            self.composer.set_chat(chat)

    def _follow(self, changed: frozenset[ChatId]) -> None:
        opened = self._models.transcript.chat
        if opened is None or self._wanted is not None:
            self._catch_up()
        if opened is not None and (opened.chat_id in changed or not changed):
            self._show(self._models.chats.chat(opened.chat_id))

    def _catch_up(self) -> None:
        if self._wanted is not None:
            self.open_chat(self._wanted)
        if self._opens_next:
            self._open_spoken()
        if self._models.transcript.chat is None:
            if self.composer is not None:
                self.composer.set_chat(None)
            self._say_empty()

    def _await_spoken(self) -> None:
        """Open the conversation that the operator has just begun as a partner, once it is there."""
        self._opens_next = self._models.transcript.chat is None
        self._catch_up()

    def _open_spoken(self) -> None:
        target = self.composer.target if self.composer is not None else None
        for chat in self._models.chats.all_chats():
            if (chat.info.peer_id, chat.info.account_id) == target:
                self._opens_next = False
                self.open_chat(chat.chat_id)
                return

    def _ways_to_begin(self) -> Actions:
        """In the sandbox nobody need wait for people to write."""
        play = self._context.intents.pick_scenario
        return ((self.tr("Play a scenario"), play.emit),) if self._context.is_sandbox else ()

    def _say_empty(self) -> None:
        agents, chats, _unread = self._models.chats.totals()
        if not self._models.agents.loaded:
            self._empty.say(self.tr("Starting…"), self.tr("The window fills in a moment."))
        elif chats:
            words = self.tr("Messages, and what is planned, appear here.")
            self._empty.say(self.tr("Pick a chat"), words, self._ways_to_begin(), loud=Kind.UNREAL)
        elif agents:
            words = self.tr("A chat appears as soon as somebody writes.")
            self._empty.say(self.tr("No chats yet"), words, self._ways_to_begin(), loud=Kind.UNREAL)
        else:
            step = self._context.first_step
            self._empty.say(step.title, "\n".join(step.lines), step.actions)
