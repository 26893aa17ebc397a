"""The Preferences pane: keys, models, limits, folders, approvals, appearance; changes apply at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import ShowPreferences

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.preferences.pane import PreferencesPane

    return PreferencesPane(context)


SPEC = PaneSpec(
    "preferences",
    QT_TRANSLATE_NOOP("Panes", "Preferences"),
    "gear",
    Area.RIGHT,
    "Ctrl+,",
    _make,
    on_demand=True,
    opens=(ShowPreferences,),
)
