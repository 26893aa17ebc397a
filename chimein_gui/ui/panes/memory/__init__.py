"""The Memory pane: what agents remember, and what the operator has noted for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import ShowMemory
from chimein_gui.ui.widgets.rows.waiting_age import follow_age
from chimein_gui.viewmodels.panes.memory import make_review

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.memory.pane import MemoryPane

    return MemoryPane(context)


def _badge(context: PaneContext, show: Callable[[int], None]) -> None:
    review = context.own(make_review)
    review.changed.connect(lambda: show(review.count))


def _oldest(context: PaneContext, show: Callable[[str, bool], None]) -> None:
    review = context.own(make_review)
    follow_age(context.models.clock, lambda: review.oldest, review.changed, show, review)


SPEC = PaneSpec(
    "memory",
    QT_TRANSLATE_NOOP("Panes", "Memory"),
    "memory",
    Area.RIGHT,
    "Ctrl+9",
    _make,
    on_demand=True,
    opens=(ShowMemory,),
    group=Group.TOOLS,
    badge=_badge,
    oldest=_oldest,
)
