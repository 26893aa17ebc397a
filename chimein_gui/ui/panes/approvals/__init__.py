"""The Approvals pane: what waits for the operator, with a card for each planned send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import EditDraft, ShowDraft
from chimein_gui.ui.widgets.rows.throttle import Throttle
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import Pane, PaneContext


FROM_S = 60
"""Age in seconds from which on the oldest waiting card's age is shown."""


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.approvals.pane import ApprovalsPane

    return ApprovalsPane(context)


def _badge(context: PaneContext, show: Callable[[int], None]) -> None:
    approvals = context.models.approvals
    throttle = Throttle(lambda: show(approvals.waiting_count), approvals)
    approvals.waiting_changed.connect(throttle.ask)


def _oldest(context: PaneContext, show: Callable[[str, bool], None]) -> None:
    approvals, clock = context.models.approvals, context.models.clock

    def tell() -> None:
        since = approvals.waiting_since
        is_shown = since is not None and (clock.now() - since).total_seconds() >= FROM_S
        show(clock.age(since) if since is not None and is_shown else "", since is not None and clock.is_old(since))

    throttle = Throttle(tell, approvals)
    approvals.waiting_changed.connect(throttle.ask)
    clock.ticked.connect(tell)


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
