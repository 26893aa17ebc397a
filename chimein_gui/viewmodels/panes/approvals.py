"""The models that only the Approvals pane uses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.viewmodels.approvals.batch import BatchModel
    from chimein_gui.viewmodels.approvals.queue import CardQueueModel
    from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
    from chimein_gui.viewmodels.drafts.postponed import PostponedDrafts
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate

AGE_FROM_S = 60
"""Age in seconds from which on a screen reader is told how long a card has waited."""


class ApprovalsModels(NamedTuple):
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
    queue.seen_beside = partial(_seen_beside, models)
    queue.is_edited = lambda approval_id: models.open_editor.edited == approval_id
    models.open_editor.changed.connect(queue.look_at_postponed)
    batch = models.register(BatchModel(models.bridge, approvals, queue, actions, models))
    edits = models.register(SavedEdits(models.bridge, approvals, actions, models))
    models.faults.follow("batch", batch)
    models.faults.follow("edit", edits)
    return ApprovalsModels(queue, batch, edits, PostponedDrafts(approvals, actions, models.clock, models))


def _seen_beside(models: WindowModels, card: Approval) -> str:
    """Return the trust of a card's chat, unless it is the agent's default, and how long the card has waited."""
    # Imported late: the shell imports this module before the first paint.
    from chimein_gui.engine.policy.trust import trust_now
    from chimein_gui.viewmodels.approvals.store import waits_for_operator
    from chimein_gui.viewmodels.chats.previews import is_usual_trust, trust_words

    chat, words = models.chats.chat(card.chat_id), []
    if chat is not None and not is_usual_trust(models, chat):
        level = trust_now(chat, models.clock.now())
        words.append(
            translate("CardQueue", "trust {level}").format(level=trust_words(models, chat, level, short=False))
        )
    if waits_for_operator(card) and (models.clock.now() - card.created_at).total_seconds() >= AGE_FROM_S:
        words.append(translate("CardQueue", "waits for {age}").format(age=models.clock.age(card.created_at)))
    return ", ".join(words)
