"""The Media pane: stickers, photos and sounds that agents met, and the words that prompts have for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import ShowMedia

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.media.pane import MediaPane

    return MediaPane(context)


SPEC = PaneSpec(
    "media",
    QT_TRANSLATE_NOOP("Panes", "Media"),
    "sticker",
    Area.RIGHT,
    "Ctrl+Shift+S",
    _make,
    on_demand=True,
    opens=(ShowMedia,),
    group=Group.TOOLS,
)
