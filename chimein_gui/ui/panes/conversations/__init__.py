"""The Conversations pane: agents with their chats, and the transcript of the open chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import EditInChat, ReplyTo, ShowChat, ShowMessage
from chimein_gui.ui.widgets.rows.waiting_age import FROM_S, follow_age
from chimein_gui.viewmodels.core.throttle import TELL_MS, Throttle
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.conversations.pane import ConversationsPane

    return ConversationsPane(context)


def _badge(context: PaneContext, show: Callable[[int], None]) -> None:
    from datetime import timedelta  # late: not before the first paint

    from chimein_gui.viewmodels.chats.unanswered import make_unanswered

    chats, clock = context.models.own(make_unanswered), context.models.clock
    shown = 0

    def tell() -> None:
        """Count those that wait for a minute: most messages are planned sooner."""
        nonlocal shown
        number = chats.count(clock.now() - timedelta(seconds=FROM_S))
        if number != shown:
            shown = number
            show(number)

    throttle = Throttle(TELL_MS, tell, chats)
    chats.changed.connect(throttle.ask)
    clock.ticked.connect(tell)


def _oldest(context: PaneContext, show: Callable[[str, bool], None]) -> None:
    from chimein_gui.viewmodels.chats.unanswered import make_unanswered  # late: not before the first paint

    chats = context.models.own(make_unanswered)
    follow_age(context.models.clock, lambda: chats.since, chats.changed, show, chats)


SPEC = PaneSpec(
    "conversations",
    QT_TRANSLATE_NOOP("Panes", "Chats"),
    "chats",
    Area.CENTER,
    "Ctrl+1",
    _make,
    models=make_conversations,
    opens=(ShowChat, ShowMessage, EditInChat, ReplyTo),
    badge=_badge,
    oldest=_oldest,
)
