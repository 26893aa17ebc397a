"""Saves and closes an open editor when the pane that shows it is hidden."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.draft_editor.editor import DraftEditor
    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate


def save_and_close(editor: DraftEditor, context: PaneContext, again: Callable[[Approval], object]) -> None:
    """Close the editor and save its text; if something was typed, show a toast that leads back to it.

    Args:
        editor: The editor.
        context: Shows the toast.
        again: Returns the request that opens the editor again in the same place.
    """
    card = editor.save_and_close()
    if card is None:
        return
    kept = translate("PuttingAway", "Edit saved for {who}")
    here = translate("PuttingAway", "Edit still open for {who}")
    words = (kept if editor.target is None else here).format(who=foreign_text.isolated(card.chat_title))
    go_on = partial(context.requests.send, again(card))
    editor.saved_toast = context.models.toasts.show(
        words, translate("PuttingAway", "Keep writing"), go_on, icon="pencil"
    )
