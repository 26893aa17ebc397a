"""The Conversations pane: the tree beside the open chat."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QAbstractButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.ids import ChatId
from chimein_gui.ui.pane import InSight, Pane, PaneContext
from chimein_gui.ui.panes.conversations.chats.filter_row import FilterRow
from chimein_gui.ui.panes.conversations.empty_chat import say_empty, say_nothing_found, say_starting, waits_longest
from chimein_gui.ui.requests import EditInChat, ReplyTo, ShowChat, ShowMessage
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.pane_title import PaneTitle
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.viewmodels.core.throttle import TELL_MS, Throttle
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QMenu

    from chimein_gui.domain.chats import Chat
    from chimein_gui.ui.panes.conversations.composer.composer import PartnerComposer
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel

WIDE_TREE, NARROW_TREE = 300, 264
NARROW_BELOW = 960
"""Width of the pane in px below which the tree is narrow."""


def _composer(context: PaneContext) -> PartnerComposer:
    """Create the composer for partners; imported late, because a live run does not need it."""
    from chimein_gui.ui.panes.conversations.composer.composer import PartnerComposer

    return PartnerComposer(context)


class ConversationsPane(Pane):
    """Agents, chats, messages and drafts."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self._wanted: object = None
        self._place: list[int] = []
        self._opens_next = False
        self._is_beginning = True
        self._own_width = False
        self._is_filled = False
        self.filter = FilterRow(context.theme)
        self._empty = EmptyState(context.theme, "chats", ground="card")
        self._nothing_found = EmptyState(context.theme, "search")
        self._place_of_tree = Surface(context.theme, "pane")
        self._stack = QStackedWidget()
        self._say_empty = partial(say_empty, self._empty, context, self.open_oldest)
        self._throttle = Throttle(TELL_MS, self._say_empty, self)
        self._build()
        say_starting(self._empty)

    def fill(self) -> None:
        """Create the tree and the open chat, which show nothing before the engine exists."""
        from chimein_gui.ui.panes.conversations.chats.tree import ChatTree
        from chimein_gui.ui.panes.conversations.composer.area import ComposerArea
        from chimein_gui.ui.panes.conversations.open_chat import OpenChat
        from chimein_gui.ui.panes.conversations.transcript.sent_actions import SentActions

        context = self._context
        self._models = context.models
        self.filter.follow(context.models.chats)
        self.tree = ChatTree(context)
        self._open_chat = chat = OpenChat(context)
        self.transcript, self.drafts, self.header = chat.transcript, chat.drafts, chat.header
        self.search_bar, self.held, self.takeover, self.cap = chat.search_bar, chat.held, chat.takeover, chat.cap
        self.ghost = chat.ghost
        self.composer = _composer(context) if context.is_sandbox else None
        self.writer = ComposerArea(context, self.composer)
        self._left.replaceWidget(self._place_of_tree, self.tree)
        self._place_of_tree.hide()
        self._place_of_tree.deleteLater()
        self._stack.addWidget(chat)
        self._right.addWidget(self.writer)
        self._sent = SentActions(context, self)
        self.shows_draft = self.drafts.shows
        above = (chat.header, chat.held, chat.takeover, chat.cap, chat.search_bar)
        read = (self.filter, self.tree, *above, chat.transcript, chat.drafts, chat.ghost, self._stack, self.writer)
        self.parts = lambda: read
        self.entries = lambda: (
            (self._chats, self.tree),
            (self._stack, self.transcript),
            (self.writer, self.writer.field()),
        )
        self._is_filled = True
        self._wire()
        _order_focus(self)

    def focus_widget(self) -> QWidget:
        return self.tree if self._is_filled else self

    def on_hidden(self) -> None:
        if self._is_filled:
            self.drafts.editing.close_elsewhere()

    def offers(self) -> QMenu | None:
        from chimein_gui.ui.panes.conversations.chats.menu import make_chat_menu

        opened = self._models.transcript.chat
        chat = self._models.chats.chat(opened.chat_id) if opened is not None else None
        return None if chat is None else make_chat_menu(self._context, chat, self)

    def keep_in_sight(self) -> InSight:
        if not self._is_filled:
            return InSight()
        from chimein_gui.ui.draft_editor.editor import DraftEditor

        drafts = self.drafts
        return InSight(
            (self.writer, *drafts.findChildren(QAbstractButton), *drafts.findChildren(DraftEditor)), drafts.bubbles()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make the tree narrower in a narrow pane, unless the operator has set its width."""
        super().resizeEvent(event)
        if not self._own_width:
            tree = NARROW_TREE if self.width() < NARROW_BELOW else WIDE_TREE
            self._splitter.setSizes([tree, max(1, self.width() - tree)])

    def save_layout(self) -> QByteArray:
        return self._splitter.saveState() if self._own_width else QByteArray()

    def restore_layout(self, state: QByteArray) -> None:
        self._own_width = self._splitter.restoreState(state)

    def save_place(self) -> str:
        if not self._is_filled:
            return ""
        chat, marks = self._models.transcript.chat, self._models.chats.marks
        at = self._place if chat is None else [chat.chat_id, *(self.transcript.place() or ())]
        import json  # late: not before the first paint

        return json.dumps({"at": at, "pinned": sorted(marks.pinned), "muted": sorted(marks.muted)})

    def restore_place(self, place: str) -> None:
        found = _read_place(place)
        self._place = found["at"]
        self._models.chats.marks.restore(map(ChatId, found["pinned"]), map(ChatId, found["muted"]))
        match self._place:
            case [chat_id]:
                self.open_chat(chat_id)
            case [chat_id, message_id, top]:
                self.open_chat(chat_id)
                self.transcript.come_back(message_id, top)
                self.transcript.await_message(chat_id, message_id)

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        empty = Surface(self._context.theme, "chat")
        inside = QVBoxLayout(empty)
        inside.addWidget(self._empty)
        self._stack.addWidget(empty)
        right = QWidget()
        self._right = below = QVBoxLayout(right)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self._stack, 1)
        self._chats = left = QWidget()
        self._left = column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(PaneTitle(self._context.theme, self.tr("Chats")))
        column.addWidget(self.filter)
        column.addWidget(self._place_of_tree, 1)
        column.addWidget(self._nothing_found, 1)
        self._nothing_found.hide()
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.addWidget(left)
        self._splitter.addWidget(right)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setChildrenCollapsible(False)
        left.setMinimumWidth(240)
        right.setMinimumWidth(340)
        self._splitter.splitterMoved.connect(lambda *_: setattr(self, "_own_width", True))
        self._splitter.setHandleWidth(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._splitter)

    def _wire(self) -> None:
        models = self._models
        self.tree.chat_chosen.connect(self._open)
        models.chats.feed.chats_changed.connect(self._follow)
        models.agents.summary_changed.connect(self._catch_up)
        models.send_as_partner.partners_changed.connect(self._catch_up)
        models.send_as_partner.spoken.connect(self._await_spoken)
        models.chats.moves.listed_changed.connect(self._look_for_rows)
        models.chats.modelReset.connect(self._look_for_rows)
        self.filter.entered.connect(self.tree.setFocus)
        self.tree.cancelled.connect(self.filter.cancel)
        # From the tree to the latest draft, else to the composer.
        self.tree.entered.connect(lambda: None if self.drafts.go_in() else self.writer.go_in())
        self.header.steps.setChecked(models.transcript.steps_shown)
        self.header.steps_toggled.connect(models.transcript.set_steps_shown)
        self.header.search_pressed.connect(self.search_chat)
        self.search_bar.closed.connect(self.transcript.setFocus)
        from PySide6.QtGui import QKeySequence, QShortcut  # late: the enum of standard keys takes 2 ms

        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search_chat)
        self._sent.editing.connect(self._go_into_composer)
        self.writer.left.connect(self.drafts.go_in)
        self.takeover.resumed.connect(self.transcript.setFocus)  # the focused button is hidden

    # --- the open chat --------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        match request:
            case ShowChat(chat_id):
                self.open_chat(chat_id)
            case ShowMessage(chat_id, message_id):
                self.open_chat(chat_id)
                self.transcript.await_message(chat_id, message_id)
            case EditInChat(chat_id, approval_id):
                self.open_chat(chat_id)
                self.drafts.editing.edit(approval_id)
            case ReplyTo(message) if (opened := self._models.transcript.chat) is not None:
                self._models.composer.answer(opened.chat_id, message)
                self._go_into_composer()

    def open_chat(self, chat_id: object) -> None:
        """Open a chat by id, now or as soon as it is loaded."""
        self._wanted = None if self.tree.select_chat(chat_id) else chat_id

    def open_oldest(self) -> None:
        """Open the chat with the oldest unread messages."""
        longest = waits_longest(self._models.chats)
        if longest is not None:
            self.open_chat(longest.chat_id)

    def _open(self, chat: Chat) -> None:
        self._wanted = None  # the operator has opened another chat
        agent = self._models.chats.agent(chat.agent_id)
        self._models.transcript.open(chat, agent.spec.name if agent else "")
        self._models.waits.open(chat.chat_id)
        self._models.own(make_conversations).saved_edits.open(chat.chat_id)
        self._stack.setCurrentWidget(self._open_chat)
        self._show(chat)

    def _show(self, chat: Chat | None) -> None:
        for part in (self.header, self.held, self.takeover, self.cap, self.drafts, self.ghost, self.writer):
            part.set_chat(chat)

    def _go_into_composer(self) -> None:
        from chimein_gui.ui.panes.conversations.composer.send_as_switch import SendAs

        self.writer.send_as(SendAs.AGENT)
        self.writer.go_in()

    def search_chat(self) -> None:
        """Open the search bar of the open chat."""
        if self._models.transcript.chat is not None:
            self.search_bar.begin()

    def _look_for_rows(self) -> None:
        """Show the empty state if no chat matches the filter."""
        chats = self._models.chats
        rows = any(chats.listed(row) for row in range(chats.rowCount()))
        nothing = not rows and not chats.asked.is_open
        self.tree.setVisible(not nothing)
        self._nothing_found.setVisible(nothing)
        if nothing:
            say_nothing_found(self._nothing_found, self._models.chats, self.filter.clear)

    def _follow(self, changed: frozenset[ChatId]) -> None:
        opened = self._models.transcript.chat
        if opened is None or self._wanted is not None:
            self._catch_up()
        if opened is not None and (opened.chat_id in changed or not changed):
            self._show(self._models.chats.chat(opened.chat_id))

    def _catch_up(self) -> None:
        if self._wanted is not None:
            self.open_chat(self._wanted)
        spoken = _spoken_chat(self._models.chats, self.composer) if self._opens_next else None
        if spoken is not None:
            self._opens_next = False
            self.open_chat(spoken)
        if self._models.transcript.chat is None and self._models.chats.totals()[1]:
            self._begin_with_oldest()
        if self._models.transcript.chat is None:
            self.writer.set_chat(None)
            if self._models.chats.totals()[1]:
                self._throttle.ask()  # the number of unread messages may have changed
            else:
                self._say_empty()

    def _begin_with_oldest(self) -> None:
        """At the start of a live run without a saved chat, open the chat with the oldest unread messages."""
        begins, self._is_beginning = self._is_beginning, False
        if begins and not self._place and not self._context.is_sandbox:
            self.open_oldest()

    def _await_spoken(self) -> None:
        """Open the conversation that the operator has just started as a partner, as soon as it exists."""
        self._opens_next = self._models.transcript.chat is None
        self._catch_up()


def _spoken_chat(chats: ChatTreeModel, composer: PartnerComposer | None) -> ChatId | None:
    """Return the conversation that the operator has started as a partner; None if it does not exist yet."""
    target = composer.target if composer is not None else None
    mine = (chat for chat in chats.all_chats() if (chat.info.peer_id, chat.info.account_id) == target)
    return next((chat.chat_id for chat in mine), None)


def _read_place(place: str) -> dict[str, list[int]]:
    """Parse a saved place: the chat with the result of `TranscriptScroll.place`, and pinned and muted chats.

    Parts that can't be parsed are empty.
    """
    import json

    try:
        found = json.loads(place)
    except ValueError:
        found = {}
    kept = found if isinstance(found, dict) else {}
    return {name: _numbers(kept.get(name)) for name in ("at", "pinned", "muted")}


def _numbers(value: object) -> list[int]:
    return value if isinstance(value, list) and all(type(one) is int for one in value) else []


def _order_focus(pane: ConversationsPane) -> None:
    """Set the tab order: filter, tree, header, messages, drafts (which the strip inserts), composer."""
    head, writer = pane.header, pane.writer.agent
    order: list[QWidget] = [*pane.filter.buttons.values(), pane.filter.search, pane.filter.field, pane.tree]
    order += [head.trust, head.take_over, head.steps, head.search, head.more, pane.transcript]
    order += [writer.editor.field, writer.send]
    for first, second in pairwise(order):
        QWidget.setTabOrder(first, second)
