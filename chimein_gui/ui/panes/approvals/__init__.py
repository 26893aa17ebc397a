"""The Approvals pane: what waits for the operator, one card a planned send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import EditDraft, RejectDraft, ShowDraft
from chimein_gui.ui.widgets.rows.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.approvals.pane import ApprovalsPane

    return ApprovalsPane(context)


def _badge(context: PaneContext, show: Callable[[int], None]) -> None:
    approvals = context.models.approvals
    pace = Throttle(lambda: show(approvals.waiting_count), approvals)
    approvals.waiting_changed.connect(pace.ask)


SPEC = PaneSpec(
    "approvals",
    QT_TRANSLATE_NOOP("Panes", "Approvals"),
    "approvals",
    Area.RIGHT,
    "Ctrl+2",
    _make,
    opens=(EditDraft, RejectDraft, ShowDraft),
    badge=_badge,
)
