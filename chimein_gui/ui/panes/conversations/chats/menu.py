"""The menus of a chat and of an agent's account, for the tree, the header and the palette."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.domain.agents import Health
from chimein_gui.domain.chats import ChatKind, QuietHours, TriggerMode
from chimein_gui.domain.holds import HoldScope
from chimein_gui.ui.pane import ALSO
from chimein_gui.ui.panes.conversations.chats.trust_menu import add_levels
from chimein_gui.ui.panes.conversations.drafts.requests import may_plan_now
from chimein_gui.ui.requests import LogOut, OpenLogin, ShowPerson, ShowPlan
from chimein_gui.ui.widgets.surfaces.menus import make_exclusive, open_menu
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.accounts.login_words import can_log_in, can_log_out
from chimein_gui.viewmodels.core.bilingual import search_words, translate
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.holds import HoldModel

NIGHTS = (QuietHours(time(22), time(7)), QuietHours(time(23), time(8)), QuietHours(time(0), time(9)))
"""Quiet hours that the menu offers."""

READ_KEYS, PIN_KEYS, MUTE_KEYS = "Alt+R", "Alt+P", "Alt+M"


def is_taken_over(clock: ClockFace, chat: Chat) -> bool:
    """Tell whether the agent pauses in a chat because the operator has taken it over."""
    return chat.takeover_until is not None and chat.takeover_until > clock.now()


def is_held(holds: HoldModel, scope: HoldScope, target: int | None) -> bool:
    """Tell whether there is a hold with exactly this scope and target, independent of wider holds."""
    return any(hold.scope is scope and hold.target == target for hold in holds.holds)


def hours_words(hours: QuietHours) -> str:
    """Return quiet hours as "22:00 to 07:00"."""
    return translate("ChatMenu", "{begin} to {end}").format(begin=f"{hours.begins:%H:%M}", end=f"{hours.ends:%H:%M}")


def open_chat_menu(context: PaneContext, chat: Chat, parent: QWidget, place: QPoint) -> QMenu:
    """Open the menu of a chat at a position on the screen."""
    return open_menu(make_chat_menu(context, chat, parent), place)


def make_chat_menu(context: PaneContext, chat: Chat, parent: QWidget) -> QMenu:
    """Return the menu of a chat."""
    menu = _menu(parent)
    menu.setAccessibleName(foreign_text.name(chat.info.title))
    _fill(menu, context, chat, parent.window())
    return menu


def _fill(menu: QMenu, context: PaneContext, chat: Chat, window: QWidget) -> None:
    models = context.models
    commands, chat_id = models.own(make_conversations).commands, chat.chat_id
    levels = _inside(menu, translate("ChatMenu", "Trust level"), translate("ChatMenu", "trust autonomy"))
    add_levels(levels, chat, commands, round(models.preferences.countdown_s))
    if is_taken_over(models.clock, chat):
        _add(menu, translate("ChatMenu", "Resume the agent"), lambda: commands.resume(chat_id))
    else:
        _add(
            menu,
            translate("ChatMenu", "Take over"),
            lambda: commands.take_over(chat_id),
            also=translate("ChatMenu", "takeover pause"),
        )
    if is_held(models.holds, HoldScope.CHAT, chat_id):
        _add(menu, translate("ChatMenu", "Release this chat"), lambda: models.holds.release(HoldScope.CHAT, chat_id))
    else:
        _add(menu, translate("ChatMenu", "Hold this chat"), lambda: commands.hold(HoldScope.CHAT, chat_id))
    if may_plan_now(chat):
        _add(
            menu,
            translate("ChatMenu", "Plan a reply now"),
            lambda: models.waits.plan_now(chat_id),
            also=translate("ChatMenu", "draft reply generate"),
        )
    _add(
        menu,
        translate("ChatMenu", "Show plan"),
        lambda: context.requests.send(ShowPlan(chat_id)),
        also=translate("ChatMenu", "steps task graph next"),
    )
    menu.addSeparator()
    _add_marks(menu, context, chat)
    menu.addSeparator()
    _add_triggers(menu, context, chat)
    _add_quiet_hours(menu, context, chat, window)
    menu.addSeparator()
    if chat.info.kind is ChatKind.DM:
        person, name = chat.info.peer_id, chat.info.title
        _add(
            menu,
            translate("ChatMenu", "Everything about this person…"),
            lambda: context.requests.send(ShowPerson(person, name)),
            also=translate("ChatMenu", "export forget delete privacy data gdpr"),
        )
    _add(menu, translate("ChatMenu", "Copy the name"), lambda: _copy(chat.info.title))
    if chat.info.username:
        _add(menu, translate("ChatMenu", "Copy the username"), lambda: _copy(f"@{chat.info.username}"))


def _add_marks(menu: QMenu, context: PaneContext, chat: Chat) -> None:
    chats, chat_id = context.models.chats, chat.chat_id
    marks = chats.marks
    is_pinned, is_muted = chat_id in marks.pinned, chat_id in marks.muted
    pin = translate("ChatMenu", "Unpin") if is_pinned else translate("ChatMenu", "Pin")
    mute = translate("ChatMenu", "Show notifications") if is_muted else translate("ChatMenu", "Mute notifications")
    for words, keys, do in (
        (translate("ChatMenu", "Mark as read"), READ_KEYS, marks.read.emit),
        (pin, PIN_KEYS, marks.toggle_pinned),
        (mute, MUTE_KEYS, marks.toggle_muted),
    ):
        action = menu.addAction(words)
        action.setProperty(ALSO, search_words(words))
        action.setShortcut(QKeySequence(keys))  # shown only; the tree handles the keys
        action.triggered.connect(lambda _checked=False, do=do: do(chat_id))


def open_agent_menu(context: PaneContext, agent: Agent, parent: QWidget, place: QPoint) -> QMenu:
    """Open the menu of an agent's account at a position on the screen."""
    models, menu = context.models, _menu(parent)
    logins, requests = models.logins.available, context.requests
    if logins and can_log_in(agent):
        _add(menu, translate("ChatMenu", "Log in…"), lambda: requests.send(OpenLogin(agent.agent_id)))
    elif agent.health is Health.STOPPED:
        _add(menu, translate("ChatMenu", "Start"), lambda: models.agents.start(agent.agent_id))
    else:
        _add(menu, translate("ChatMenu", "Stop"), lambda: models.agents.stop(agent.agent_id))
    account = agent.account_id
    if account is not None and is_held(models.holds, HoldScope.ACCOUNT, account):
        _add(
            menu,
            translate("ChatMenu", "Release this account"),
            lambda: models.holds.release(HoldScope.ACCOUNT, account),
        )
    elif account is not None:
        _add(
            menu,
            translate("ChatMenu", "Hold this account"),
            lambda: models.own(make_conversations).commands.hold(HoldScope.ACCOUNT, account),
        )
    menu.addSeparator()
    if logins and can_log_out(agent):
        _add(menu, translate("ChatMenu", "Log out…"), lambda: requests.send(LogOut(agent.agent_id)))
    _add(menu, translate("ChatMenu", "Copy the name"), lambda: _copy(agent.spec.name))
    return open_menu(menu, place, foreign_text.name(agent.spec.name))


def _add_triggers(menu: QMenu, context: PaneContext, chat: Chat) -> None:
    commands, settings, chat_id = context.own(make_conversations).commands, chat.settings, chat.chat_id
    is_group = chat.info.kind is not ChatKind.DM
    usual = (
        translate("ChatMenu", "Default: when mentioned or replied to")
        if is_group
        else translate("ChatMenu", "Default: every message")
    )
    offers = [
        (usual, None),
        (translate("ChatMenu", "Every message"), TriggerMode.EVERY),
        (translate("ChatMenu", "Never"), TriggerMode.NEVER),
    ]
    if is_group:
        offers.insert(2, (translate("ChatMenu", "Only when mentioned or replied to"), TriggerMode.CALLOUTS))
    inside = _inside(menu, translate("ChatMenu", "Reply to"), translate("ChatMenu", "mute reply triggers"))
    make_exclusive(
        inside,
        [
            _tick(inside, words, settings.triggers is mode, partial(commands.set_triggers, chat_id, mode))
            for words, mode in offers
        ],
    )
    inside.addSeparator()
    bots, agents = settings.allow_bots, settings.allow_agents
    _tick(inside, translate("ChatMenu", "Reply to bots"), bots, lambda: commands.allow(chat_id, bots=not bots))
    _tick(
        inside,
        translate("ChatMenu", "Reply to my other agents"),
        agents,
        lambda: commands.allow(chat_id, agents=not agents),
    )


def _add_quiet_hours(menu: QMenu, context: PaneContext, chat: Chat, window: QWidget) -> None:
    commands, chat_id, mine = context.own(make_conversations).commands, chat.chat_id, chat.settings.quiet_hours
    inside = _inside(menu, translate("ChatMenu", "Quiet hours"), translate("ChatMenu", "mute night do not disturb"))
    offers = [(translate("ChatMenu", "None"), None), *((hours_words(hours), hours) for hours in NIGHTS)]
    if mine is not None and mine not in NIGHTS:
        offers.append((hours_words(mine), mine))
    make_exclusive(
        inside,
        [
            _tick(inside, words, mine == hours, partial(commands.set_quiet_hours, chat_id, hours))
            for words, hours in offers
        ],
    )
    inside.addSeparator()
    _add(inside, translate("ChatMenu", "Other hours…"), partial(_ask_hours, context, chat, window))


def _ask_hours(context: PaneContext, chat: Chat, window: QWidget) -> None:
    from chimein_gui.ui.dialogs.quiet_hours import QuietHoursDialog

    dialog = QuietHoursDialog(context.theme, chat.settings.quiet_hours, window)
    dialog.chosen.connect(lambda hours: context.own(make_conversations).commands.set_quiet_hours(chat.chat_id, hours))
    dialog.open()


def _menu(parent: QWidget) -> QMenu:
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _inside(menu: QMenu, words: str, also: str) -> QMenu:
    inside = menu.addMenu(words)
    inside.setProperty(ALSO, search_words(words, also))
    return inside


def _add(menu: QMenu, words: str, do: Callable[[], None], *, also: str = "") -> None:
    action = menu.addAction(words)
    action.setProperty(ALSO, search_words(words, also))
    action.triggered.connect(lambda _checked=False: do())


def _tick(menu: QMenu, words: str, ticked: bool, do: Callable[[], None]) -> QAction:
    action = menu.addAction(words)
    action.setProperty(ALSO, search_words(words))
    action.setCheckable(True)
    action.setChecked(ticked)
    action.triggered.connect(lambda _checked=False: do())
    return action


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(foreign_text.name(text))
