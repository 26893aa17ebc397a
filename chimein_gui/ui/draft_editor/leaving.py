"""What becomes of an open editor when the place where it stands goes out of sight."""

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


def put_away(editor: DraftEditor, context: PaneContext, again: Callable[[Approval], object]) -> None:
    """Keep its text on the card and close it; where something was typed, say where it is.

    Args:
        editor: The editor.
        context: Where that is said.
        again: Returns the request that opens the editor once more where it was.
    """
    card = editor.put_away()
    if card is None:
        return
    kept = translate("PuttingAway", "Edit saved for {who}")
    here = translate("PuttingAway", "Edit still open for {who}")
    words = (kept if editor.target is None else here).format(who=foreign_text.isolated(card.chat_title))
    go_on = partial(context.requests.send, again(card))
    editor.told_in = context.models.toasts.show(words, translate("PuttingAway", "Keep writing"), go_on, icon="pencil")
