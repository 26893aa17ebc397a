"""The menu with further actions of a draft: another version, postpone, reject the rest of the plan."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.requests import ShowDraft, ShowPlan, ShowTrace
from chimein_gui.ui.widgets.controls.overflow import Entry, offer_first
from chimein_gui.ui.widgets.surfaces.menus import open_menu
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.approvals.available_actions import has_trace
from chimein_gui.viewmodels.approvals.card_words import is_message
from chimein_gui.viewmodels.traces.words import trace_action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext

LATER_MIN = (10, 60, 240)
"""Offered delays of a decision, minutes."""

translate = QCoreApplication.translate


def open_draft_menu(
    context: PaneContext,
    draft: Approval,
    parent: QWidget,
    place: QPoint,
    reject_plan: Callable[[], object],
    behind: Iterable[Entry] = (),
) -> QMenu:
    """Open the menu at a position on the screen.

    Args:
        context: Models.
        draft: The draft.
        parent: The owner of the menu.
        place: Position on the screen.
        reject_plan: Asks why the whole plan is rejected.
        behind: Actions whose buttons do not fit.
    """
    models = context.models
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if models.regenerations.making_of(draft.graph_id) is not None:
        _add(menu, translate("DraftMenu", "Stop writing another version"), lambda: models.regenerations.stop(draft))
    else:
        _add(menu, translate("DraftMenu", "Regenerate"), lambda: models.regenerations.regenerate(draft))
        _add(menu, translate("DraftMenu", "Regenerate with an instruction…"), lambda: _ask(context, draft, parent))
    _add_later(menu, context, draft)
    menu.addSeparator()
    if draft.task_status is TaskStatus.AWAITING_DECISION:
        _add(menu, translate("DraftMenu", "Reject the whole plan…"), reject_plan)
    menu.addSeparator()
    if is_message(draft) and draft.text:
        _add(menu, translate("DraftMenu", "Copy the text"), lambda: QGuiApplication.clipboard().setText(draft.text))
    _add(menu, translate("DraftMenu", "Show in Approvals"), lambda: context.requests.send(ShowDraft(draft.approval_id)))
    plan = ShowPlan(draft.chat_id, draft.task_id, draft.graph_id)
    _add(menu, translate("DraftMenu", "Show in the plan"), lambda: context.requests.send(plan))
    if has_trace(draft):
        _add(menu, trace_action(), lambda: context.requests.send(ShowTrace(draft.graph_id)))
    offer_first(menu, behind)
    who = translate("DraftMenu", "{agent} to {who}").format(
        agent=foreign_text.name(draft.agent_name), who=foreign_text.name(draft.chat_title)
    )
    return open_menu(menu, place, who)


def _add_later(menu: QMenu, context: PaneContext, draft: Approval) -> None:
    if draft.task_status is not TaskStatus.AWAITING_DECISION:
        return
    models, inside = context.models, menu.addMenu(translate("DraftMenu", "Decide later"))
    for minutes in LATER_MIN:
        words = (
            translate("DraftMenu", "In {n} min").format(n=minutes)
            if minutes < 60
            else translate("DraftMenu", "In {n} h").format(n=minutes // 60)
        )
        _add(inside, words, partial(_postpone, context, draft, timedelta(minutes=minutes)))
    if draft.postponed_until is not None:
        _add(inside, translate("DraftMenu", "Now"), lambda: models.actions.postpone(draft, None))


def _postpone(context: PaneContext, draft: Approval, length: timedelta) -> None:
    context.models.actions.postpone(draft, context.models.clock.now() + length)


def _ask(context: PaneContext, draft: Approval, parent: QWidget) -> None:
    from chimein_gui.ui.dialogs.instruction import InstructionDialog

    dialog = InstructionDialog(context.theme, parent.window())
    dialog.given.connect(lambda words: context.models.regenerations.regenerate(draft, words))
    dialog.open()


def _add(menu: QMenu, words: str, do: Callable[[], object]) -> None:
    menu.addAction(words).triggered.connect(lambda _checked=False: do())
