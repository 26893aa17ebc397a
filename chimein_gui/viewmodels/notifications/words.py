"""The words of notifications: with names and texts, or without."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.viewmodels.approvals.card_words import shown_text
from chimein_gui.viewmodels.notifications.news import NewsKind, Notification
from chimein_gui.viewmodels.problems.words import ProblemCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.problems.words import Problem, ProblemAction

MOST_LINES = 3
"""Most chats or causes that are named; the number counts the rest too."""

MOST_TEXT = 240
"""Most characters of a message; desktops may cut it earlier."""

_NAME = 80

translate = QCoreApplication.translate


def send_notification(
    kind: NewsKind, items: Sequence[Approval], clock: ClockFace, *, with_text: bool, is_quiet: bool = False
) -> Notification:
    """Return the notification for at least one planned send of one kind, oldest first."""
    title = _title(kind, items, with_text=with_text)
    if not with_text:
        body = ""
    elif len(items) == 1:
        body = "\n".join(part for part in (_leaves(kind, items[0], clock), _text(items[0])) if part)
    else:
        chats = list(dict.fromkeys(f"{_name(item.agent_name)} → {_name(item.chat_title)}" for item in items))
        body = "\n".join(chats[:MOST_LINES])
    return Notification(kind.value, title, body, items[0], is_quiet)


def problem_notification(kind: NewsKind, bars: Sequence[Problem], *, with_text: bool) -> Notification:
    """Return the notification for at least one problem of accounts or plans."""
    first, number = bars[0], len(bars)
    target = _way_to(first)
    if number == 1 and with_text:
        return Notification(kind.value, first.cause, first.consequence, target)
    if kind is NewsKind.ACCOUNT:
        title = (
            translate("Notifications", "%n accounts need you", "", number)
            if number > 1
            else translate("Notifications", "An account needs you")
        )
    else:
        title = translate("Notifications", "Planning has failed")
    body = "\n".join(bar.cause for bar in bars[:MOST_LINES]) if with_text else ""
    return Notification(kind.value, title, body, target)


def _title(kind: NewsKind, items: Sequence[Approval], *, with_text: bool) -> str:
    number, chats = len(items), len({item.chat_id for item in items})
    if chats == 1:
        return _title_of_chat(kind, items[0], number, with_text=with_text)
    words = {
        NewsKind.COUNTDOWN: translate("Notifications", "%n countdowns run in {chats} chats", "", number),
        NewsKind.UNKNOWN: translate(
            "Notifications", "%n messages in {chats} chats may not have been delivered", "", number
        ),
    }.get(kind, translate("Notifications", "%n drafts wait in {chats} chats", "", number))
    return words.format(chats=chats)


def _title_of_chat(kind: NewsKind, item: Approval, number: int, *, with_text: bool) -> str:
    agent, who = _name(item.agent_name), _name(item.chat_title)
    if not with_text:
        words = {
            NewsKind.COUNTDOWN: translate("Notifications", "{agent}: a countdown runs"),
            NewsKind.UNKNOWN: translate("Notifications", "{agent}: a message may not have been delivered"),
        }.get(kind, translate("Notifications", "{agent}: a message waits"))
        return words.format(agent=agent)
    if number > 1:
        words = {
            NewsKind.COUNTDOWN: translate("Notifications", "{agent}: %n countdowns run for {who}", "", number),
            NewsKind.UNKNOWN: translate(
                "Notifications", "{agent}: %n messages to {who} may not have been delivered", "", number
            ),
        }.get(kind, translate("Notifications", "{agent}: %n messages to {who} wait", "", number))
    else:
        words = {
            NewsKind.COUNTDOWN: translate("Notifications", "{agent}: a message to {who} is about to be sent"),
            NewsKind.UNKNOWN: translate("Notifications", "{agent}: a message to {who} may not have been delivered"),
        }.get(kind, translate("Notifications", "{agent}: a message to {who} waits"))
    return words.format(agent=agent, who=who)


def _way_to(bar: Problem) -> ProblemAction | None:
    """Return the action that shows the account or the chat: opening a notification changes nothing."""
    shown = next(
        (action for action in bar.actions if action.command in {ProblemCommand.OPEN_AGENTS, ProblemCommand.OPEN_CHAT}),
        None,
    )
    plan = next((action for action in bar.actions if action.command is ProblemCommand.PLAN_NOW), None)
    if shown is None and plan is not None and isinstance(plan.target, tuple):
        return replace(plan, command=ProblemCommand.OPEN_CHAT, target=plan.target[0])
    return shown


def _leaves(kind: NewsKind, item: Approval, clock: ClockFace) -> str:
    if kind is not NewsKind.COUNTDOWN or item.due_at is None:
        return ""
    return translate("Notifications", "It is sent in {time} unless you stop it.").format(time=clock.left(item.due_at))


def _text(item: Approval) -> str:
    text = shown_text(item)
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1].rstrip() + "…"


def _name(name: str) -> str:
    # Only its direction is isolated: it is sanitized where it leaves the program.
    return f"\u2068{name[:_NAME]}\u2069"
