"""The Conversations pane: agents with their chats, and the transcript of the open chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import EditInChat, ReplyTo, ShowChat, ShowMessage
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.conversations.pane import ConversationsPane

    return ConversationsPane(context)


SPEC = PaneSpec(
    "conversations",
    QT_TRANSLATE_NOOP("Panes", "Chats"),
    "chats",
    Area.CENTER,
    "Ctrl+1",
    _make,
    models=make_conversations,
    opens=(ShowChat, ShowMessage, EditInChat, ReplyTo),
)
