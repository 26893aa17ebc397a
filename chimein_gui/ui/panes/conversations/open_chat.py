"""The open chat: its header and bars, its messages, and its drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.ui.panes.conversations.drafts.strip import DraftStrip
from chimein_gui.ui.panes.conversations.header.header import ChatHeader
from chimein_gui.ui.panes.conversations.header.status_bars import CapBar, HoldBar, TakeoverBar
from chimein_gui.ui.panes.conversations.transcript.ghost import Ghost
from chimein_gui.ui.panes.conversations.transcript.search_bar import TranscriptSearchBar
from chimein_gui.ui.panes.conversations.transcript.view import TranscriptView
from chimein_gui.ui.widgets.surfaces.surface import Surface

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.ui.pane import PaneContext

_NO_LIMIT = 16777215  # QWIDGETSIZE_MAX, which PySide does not export


class OpenChat(QWidget):
    """Created after the first paint, which shows no chat.

    Attributes:
        transcript: The messages.
        search_bar: Searches the messages.
        drafts: What waits for the operator in this chat.
        header: The partner, and the actions of the chat.
        held: The bar that says that the chat is held.
        takeover: The bar that says that the operator has taken it over.
        ghost: Shows that the agent is planning or typing.
    """

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self.transcript = TranscriptView(context)
        self.search_bar = TranscriptSearchBar(context)
        self.drafts = DraftStrip(context, self.transcript)
        self.header = ChatHeader(context)
        self.held = HoldBar(context)
        self.ghost = Ghost(context)
        self.takeover = TakeoverBar(context)
        self.cap = CapBar(context)
        ground = Surface(context.theme, "chat")
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 8)  # no top margin: scrolled messages go up to the header
        column.setSpacing(0)
        # A few messages are at the bottom, as in any messenger: the list is never higher than its rows.
        column.addStretch(0)
        column.addWidget(self.transcript, 1)
        column.addWidget(self.drafts)
        column.addWidget(self.ghost)
        self.transcript.newest.lie_on(ground)
        self.transcript.contents_height_changed.connect(self._fit)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for part in (self.header, self.held, self.takeover, self.cap, self.search_bar):
            whole.addWidget(part)
        whole.addWidget(ground, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(self.transcript.contentsSize().height())

    def _fit(self, height: int) -> None:
        # Each new limit causes a layout up to the window, and is not needed if the rows fill the chat.
        limit = max(1, height) if height < self.height() else _NO_LIMIT
        if limit != self.transcript.maximumHeight():
            self.transcript.setMaximumHeight(limit)
