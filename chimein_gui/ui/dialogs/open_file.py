"""Asks before a received file is opened in another program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.widgets.text import external_links, foreign_text
from chimein_gui.viewmodels.transcript.message_words import media_words, size_words

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate


def ask_to_open(theme: Theme, message: Message, path: Path, parent: QWidget) -> QuestionDialog:
    """Ask, and open the file if the operator agrees. Files that could run as a program are never opened."""
    media = message.media
    name, mime = (media.file_name, media.mime_type) if media is not None else ("", "")
    shown = foreign_text.isolated(name) if name else media_words(message.media_kind)
    facts = ", ".join(filter(None, (foreign_text.name(mime), size_words(media.size) if media and media.size else "")))
    if external_links.is_program(name, mime):
        title = translate("OpenFile", "This file is not opened")
        words = translate("OpenFile", "{name} could run as a program. It is saved at {path}").format(
            name=shown, path=path
        )
        dialog = QuestionDialog(theme, title, words, translate("OpenFile", "Open"), parent)
        dialog.action.hide()
    else:
        title = translate("OpenFile", "Open with another program?")
        who = foreign_text.isolated(message.sender_name) if message.sender_name else translate("OpenFile", "somebody")
        words = translate("OpenFile", "{name} ({facts}) comes from {who}.").format(
            name=shown, facts=facts or "?", who=who
        )
        dialog = QuestionDialog(theme, title, words, translate("OpenFile", "Open"), parent, icon="external")
        dialog.agreed.connect(lambda: external_links.open_file(path, name, mime))
    dialog.open()
    return dialog
