"""The model of the review of memories, which the rail counts before the pane is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.viewmodels.memory.review import ReviewModel
    from chimein_gui.viewmodels.window import WindowModels


def make_review(models: WindowModels) -> ReviewModel:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    # Imported late: the shell refers to this function before the first paint, and calls it after that.
    from chimein_gui.viewmodels.memory.review import ReviewModel

    return models.register(ReviewModel(models))
