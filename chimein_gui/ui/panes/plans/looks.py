"""What the boxes of the picture and the foot of the pane need from the window's models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize

from chimein_gui.ui.panes.plans.step_item import STICKER, StepLooks
from chimein_gui.viewmodels.composer.stickers import sticker_message
from chimein_gui.viewmodels.plans.step_facts import countdown
from chimein_gui.viewmodels.traces.words import TRACE_KEY, trace_action

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.plans.step_view import StepView

translate = QCoreApplication.translate

NOW_KEY = "N"
"""The single key that ends a wait, or tries a step again, now."""


def looks_of(context: PaneContext, pane: QWidget) -> StepLooks:
    """Return the times and stickers of steps, for the screen of a pane."""
    models = context.models

    def sticker(view: StepView) -> QImage | None:
        card = view.approval
        chat = models.chats.chat(card.chat_id) if card is not None else None
        if chat is None or card is None or card.sticker is None:
            return None
        side = round(STICKER * pane.devicePixelRatioF())
        return models.pictures.still(sticker_message(chat, card.sticker), QSize(side, side))

    return StepLooks(lambda view: countdown(view, models.clock), sticker)


def legend_keys() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the keys of the pane with their meanings."""
    return (
        (("↑", "↓"), translate("PlansPane", "Step")),
        (("Alt+↑", "Alt+↓"), translate("PlansPane", "Move")),
        ((NOW_KEY,), translate("PlansPane", "Try now")),
        (("S",), translate("PlansPane", "Skip")),
        (("Del",), translate("PlansPane", "Cancel")),
        (("E",), translate("PlansPane", "Edit")),
        (("Z",), translate("PlansPane", "Undo")),
        ((TRACE_KEY,), trace_action()),
    )
