"""The pane's empty states: no chat is open, or the filter of the tree finds none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.requests import PickScenario
from chimein_gui.ui.setup_actions import show_empty_state
from chimein_gui.ui.widgets.controls.action_button import Kind
from chimein_gui.viewmodels.chats.show import Show

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.surfaces.empty_state import Actions, EmptyState
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel

translate = QCoreApplication.translate


def say_starting(state: EmptyState) -> None:
    """Show that the chats are being loaded."""
    state.say(translate("EmptyChat", "Starting…"), translate("EmptyChat", "Loading your chats…"))


def say_empty(state: EmptyState, context: PaneContext, open_oldest: Callable[[], None]) -> None:
    """Show why no chat is open, and what to do. With the same callable the buttons are reused."""
    models = context.models
    agents, chats, _unread = models.chats.totals()
    if not models.agents.loaded:
        say_starting(state)
    elif chats:
        _say_pick(state, context, open_oldest)
    elif agents:
        words = translate("EmptyChat", "A chat appears as soon as somebody writes.")
        state.say(translate("EmptyChat", "No chats yet"), words, _ways_to_begin(context), loud=Kind.UNREAL)
    else:
        show_empty_state(state, context)


def say_nothing_found(state: EmptyState, chats: ChatTreeModel, clear: Callable[[], None]) -> None:
    """Show that no chat matches the filter, with a button that clears it."""
    asked = chats.asked
    if asked.words:
        title = translate("EmptyChat", "No chats match")
    elif asked.show is Show.UNREAD:
        title = translate("EmptyChat", "Nothing is unread")
    else:
        title = translate("EmptyChat", "All caught up")
    state.say(
        title,
        translate("EmptyChat", "The other chats are hidden."),
        ((translate("EmptyChat", "Show all chats"), clear),),
        loud=Kind.PLAIN,
    )


def waits_longest(chats: ChatTreeModel) -> Chat | None:
    """Return the chat with unread messages whose last message is the oldest, or None.

    It checks all chats, so call it only after a click.
    """
    unread = [chat for chat in chats.all_chats() if chat.unread and chat.last_at is not None]
    return min(unread, key=lambda chat: (chat.last_at, chat.chat_id), default=None)


def _say_pick(state: EmptyState, context: PaneContext, open_oldest: Callable[[], None]) -> None:
    number = context.models.chats.needs()[1]
    if not number:
        words = translate("EmptyChat", "Messages, and what is planned, appear here.")
        state.say(translate("EmptyChat", "Select a chat"), words, _ways_to_begin(context), loud=Kind.UNREAL)
        return
    words = translate("EmptyChat", "%n chat(s) have unread messages.", "", number)
    oldest = (translate("EmptyChat", "Oldest unread"), open_oldest)
    title = translate("EmptyChat", "Select a chat")
    state.say(title, words, (oldest, *_ways_to_begin(context)))


def _ways_to_begin(context: PaneContext) -> Actions:
    """Return a button that starts a scenario; empty in a live run."""
    if not context.is_sandbox:
        return ()
    return ((translate("EmptyChat", "Play a scenario"), lambda: context.requests.send(PickScenario())),)
