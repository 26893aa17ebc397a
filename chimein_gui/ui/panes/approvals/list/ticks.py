"""The checkbox of a selected card; it replaces the agent's avatar while anything is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of, draw_ground
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

SIZE = 16


def tick_of(context: PaneContext, approval: Approval) -> bool | None:
    """Return whether a card is selected; None while nothing is selected, or if the card can't be."""
    batch = context.own(make_approvals).batch
    if not batch.count or not waits_for_operator(approval):
        return None
    return batch.is_selected(approval.approval_id)


def draw_tick(painter: QPainter, theme: Theme, square: QRectF, *, on: bool) -> None:
    """Paint the checkbox in the centre of a square."""
    middle = square.center()
    box = QRectF(middle.x() - SIZE / 2, middle.y() - SIZE / 2, SIZE, SIZE)
    painter.save()
    colours = colours_of(theme, Role.TICK, State(checked=on))
    draw_ground(painter, colours, box.adjusted(0.5, 0.5, -0.5, -0.5), 3.5)
    if on:
        icons.draw(painter, "check", colours.ink, box.adjusted(2, 2, -2, -2))
    painter.restore()
