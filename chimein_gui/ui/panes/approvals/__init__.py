"""The Approvals pane: what waits for the operator, with a card for each planned send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import EditDraft, ShowDraft
from chimein_gui.ui.widgets.rows.waiting_age import follow_age
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.approvals.pane import ApprovalsPane

    return ApprovalsPane(context)


def _badge(context: PaneContext, show: Callable[[int], None]) -> None:
    approvals = context.models.approvals
    # In the same turn as in the top bar: two numbers for one thing would puzzle. The dock takes its time.
    approvals.waiting_changed.connect(lambda: show(approvals.waiting_count))


def _oldest(context: PaneContext, show: Callable[[str, bool], None]) -> None:
    approvals = context.models.approvals
    follow_age(context.models.clock, lambda: approvals.waiting_since, approvals.waiting_changed, show, approvals)


SPEC = PaneSpec(
    "approvals",
    QT_TRANSLATE_NOOP("Panes", "Approvals"),
    "approvals",
    Area.RIGHT,
    "Ctrl+2",
    _make,
    models=make_approvals,
    opens=(EditDraft, ShowDraft),
    badge=_badge,
    oldest=_oldest,
)
