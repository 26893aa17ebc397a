"""The Prompt pane: what the model got in a call, or would get now, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import PreviewPrompt, ShowPrompt

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext
    from chimein_gui.viewmodels.window import WindowModels


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.prompt.pane import PromptPane

    return PromptPane(context)


def _make_models(models: WindowModels) -> object:
    from chimein_gui.viewmodels.panes.prompt import make_prompt

    return models.own(make_prompt)


SPEC = PaneSpec(
    "prompt",
    QT_TRANSLATE_NOOP("Panes", "Prompt"),
    "quotes",
    Area.RIGHT,
    "Ctrl+8",
    _make,
    on_demand=True,
    models=_make_models,
    group=Group.INSPECT,
    opens=(PreviewPrompt, ShowPrompt),
)
