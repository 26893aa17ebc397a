"""The model of the editor of agents and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.viewmodels.sources.editor import SourceEditorModel
    from chimein_gui.viewmodels.window import WindowModels


def make_source_editor(models: WindowModels) -> SourceEditorModel:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    # Imported late: the shell refers to this function before the first paint, and calls it after that.
    from chimein_gui.viewmodels.sources.editor import SourceEditorModel

    return models.register(SourceEditorModel(models, models))
