"""The models that only the Approvals pane uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.viewmodels.approvals.batch import BatchModel
    from chimein_gui.viewmodels.approvals.queue import CardQueueModel
    from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
    from chimein_gui.viewmodels.drafts.postponed import PostponedDrafts
    from chimein_gui.viewmodels.window import WindowModels


@dataclass(frozen=True, slots=True)
class ApprovalsModels:
    """The pane's rows and selection.

    Attributes:
        queue: The cards in the operator's order.
        batch: The selected cards, which are decided together.
        saved_edits: The saved edits of the chat whose card is open.
        postponed: The postponed drafts.
    """

    queue: CardQueueModel
    batch: BatchModel
    saved_edits: SavedEdits
    postponed: PostponedDrafts


def make_approvals(models: WindowModels) -> ApprovalsModels:
    """Return the pane's models, registered with the engine."""
    # Imported late: the shell refers to this function before the first paint, and calls it after that.
    from chimein_gui.viewmodels.approvals.batch import BatchModel
    from chimein_gui.viewmodels.approvals.queue import CardQueueModel
    from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
    from chimein_gui.viewmodels.drafts.postponed import PostponedDrafts

    approvals, actions = models.approvals, models.actions
    queue = CardQueueModel(approvals, models)
    queue.is_edited = lambda approval_id: models.open_editor.edited == approval_id
    models.open_editor.changed.connect(queue.look_at_postponed)
    batch = models.register(BatchModel(models.bridge, approvals, queue, actions, models))
    edits = models.register(SavedEdits(models.bridge, approvals, actions, models))
    models.faults.follow("batch", batch)
    models.faults.follow("edit", edits)
    return ApprovalsModels(queue, batch, edits, PostponedDrafts(approvals, actions, models.clock, models))
