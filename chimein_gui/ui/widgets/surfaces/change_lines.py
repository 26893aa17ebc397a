"""Lines that describe changes in a conversation, the same on a card and a draft."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.approvals.card_changes import Change, ChangeKind
from chimein_gui.viewmodels.transcript.message_words import message_words

MOST_LINES = 3
"""Most changes that a card in the dock shows."""

translate = QCoreApplication.translate


def change_word(kind: ChangeKind) -> str:
    """Return one word for a kind of change."""
    return {
        ChangeKind.NEW: translate("Approvals", "New"),
        ChangeKind.EDITED: translate("Approvals", "Edited"),
        ChangeKind.DELETED: translate("Approvals", "Deleted"),
    }[kind]


def change_lines(changes: tuple[Change, ...]) -> tuple[str, ...]:
    """Return a few lines about the changes; the newest are preferred."""
    lines = []
    for change in changes[-MOST_LINES:]:
        who = foreign_text.isolated(change.message.sender_name)
        said = foreign_text.line(change.message.text or message_words(change.message))
        lines.append(f"{change_word(change.kind)} · {who}: {said}")
    if len(changes) > MOST_LINES:
        lines[0] = translate("Approvals", "{n} more above").format(n=len(changes) - MOST_LINES + 1)
    return tuple(lines)
