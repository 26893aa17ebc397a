"""The context menu of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.ui.dialogs.message_details import MessageDetails
from chimein_gui.ui.messages.parts import Hit, HitKind
from chimein_gui.ui.panes.conversations.transcript.actions import MessageActions, links_of, opens_media
from chimein_gui.ui.requests import DeleteSent, EditSent, ReplyTo, ShowTrace
from chimein_gui.ui.widgets.surfaces.menus import open_menu
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.decisions.of_message import make_message_decisions
from chimein_gui.viewmodels.traces.words import trace_action
from chimein_gui.viewmodels.transcript.order_undo import can_undo_order
from chimein_gui.viewmodels.transcript.rows import Parent, StepRow, TranscriptRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.conversations.transcript.scroll import TranscriptScroll

MOST_LINKS = 4
LINK_CHARS = 60

translate = QCoreApplication.translate


def open_message_menu(
    context: PaneContext, view: TranscriptScroll, actions: MessageActions, selected: Sequence[int], place: QPoint
) -> QMenu:
    """Open the menu of the current row; some entries act on all selected rows."""
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    number = view.currentIndex().row()
    row = context.models.transcript.rows.row_at(number) if number >= 0 else None

    def add(words: str, do: Callable[[], object], *, enabled: bool = True) -> None:
        action = QAction(words, menu)
        action.setEnabled(enabled)
        action.triggered.connect(lambda _checked=False: do())
        menu.addAction(action)

    add(translate("TranscriptMenu", "Copy"), lambda: actions.copy(selected), enabled=bool(actions.text_of(selected)))
    if isinstance(row, StepRow):
        words = translate("TranscriptMenu", "Show in the plan")
        add(words, lambda: actions.show_step(row), enabled=row.step.graph_id is not None)
        trace = trace_of(context, row)
        if trace is not None:
            add(trace_action(), lambda: context.requests.send(trace))
        if can_undo_order(row.step):
            add(translate("TranscriptMenu", "Take back the memory"), lambda: actions.undo_order(row))
    if isinstance(row, TranscriptRow) and not row.message.is_service:
        _add_of_one(add, context, view, actions, number, row)
    return open_menu(menu, place, translate("TranscriptMenu", "Message"))


def trace_of(context: PaneContext, row: object) -> ShowTrace | None:
    """Return the way to the trace of a row's plan; None for what no plan brought about."""
    if isinstance(row, StepRow):
        return ShowTrace(row.step.graph_id) if row.step.graph_id is not None else None
    chat = context.models.transcript.chat
    if not isinstance(row, TranscriptRow) or chat is None or not row.message.out or row.message.deleted:
        return None
    message_id = row.message.key.message_id
    decision = context.own(make_message_decisions).of(chat.chat_id, message_id)
    if row.message.is_service or (decision is not None and decision.kind is DecisionKind.WRITTEN):
        return None
    return ShowTrace(chat_id=chat.chat_id, message_id=message_id)


def _add_of_one(
    add: Callable[..., None],
    context: PaneContext,
    view: TranscriptScroll,
    actions: MessageActions,
    number: int,
    row: TranscriptRow,
) -> None:
    message, chat = row.message, context.models.transcript.chat
    for target in links_of(message)[:MOST_LINKS]:
        shown = foreign_text.action(target[:LINK_CHARS])
        add(
            translate("TranscriptMenu", "Open {link}").format(link=shown),
            lambda target=target: actions.open_link(target),
        )
        add(translate("TranscriptMenu", "Copy link {link}").format(link=shown), lambda target=target: _copy(target))
    if opens_media(message):
        add(translate("TranscriptMenu", "Open"), lambda: actions.open_media(message, row.messages))
    if not row.opened.secrets and any(one.kind == "spoiler" for one in message.entities):
        add(translate("TranscriptMenu", "Show what is hidden"), lambda: actions.do(Hit(HitKind.SECRET), number))
    described = [one for one in row.messages if one.media is not None and one.media.file_id and not one.deleted]
    for place, one in enumerate(described, 1):
        words = translate("TranscriptMenu", "Description…")
        if len(described) > 1:
            words = translate("TranscriptMenu", "Description of file {number}…").format(number=place)
        add(words, lambda one=one: _open_description(context, one, view))
    requests = context.requests
    if chat is not None and not message.deleted:
        add(translate("TranscriptMenu", "Reply…"), lambda: requests.send(ReplyTo(message)))
        if message.out:
            if message.text:
                add(translate("TranscriptMenu", "Edit…"), lambda: requests.send(EditSent(message)))
            add(translate("TranscriptMenu", "Delete for everyone…"), lambda: requests.send(DeleteSent(message)))
            trace = trace_of(context, row)
            add(trace_action(), lambda: requests.send(trace), enabled=trace is not None)
    if message.reply_to_id is not None:
        jump = Hit(HitKind.PARENT)
        add(
            translate("TranscriptMenu", "Go to the original message"),
            lambda: actions.do(jump, number),
            enabled=row.parent is not Parent.GONE,
        )
    add(translate("TranscriptMenu", "Read, with details…"), lambda: open_details(context, row, view))


def open_details(context: PaneContext, row: object, parent: QWidget) -> None:
    """Open the text of a message, to be read by word, and its details; of other rows there are none."""
    if isinstance(row, TranscriptRow) and not row.message.is_service:
        chat = context.models.transcript.chat
        MessageDetails(context, chat.chat_id if chat is not None else None, row, parent).open()


def _open_description(context: PaneContext, message: Message, parent: QWidget) -> None:
    # Imported late: the first paint does not need it.
    from chimein_gui.ui.dialogs.description.dialog import DescriptionDialog

    DescriptionDialog(context, message, parent).open()


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
