"""What can be done with a file as a whole: create, rename, copy, archive, open elsewhere."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from chimein_gui.domain.agent_files.sources import SourceKind
from chimein_gui.ui.dialogs.ask_name import AskNameDialog
from chimein_gui.ui.requests import ImportCard, OpenFile, OpenFolder, SetUpPersona
from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.agent_files.sources import SourceFile
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.sources.editor import SourceEditorModel

MOST_NAME = 120
"""Most characters of a typed name."""

translate = QCoreApplication.translate


def file_menu(context: PaneContext, model: SourceEditorModel, file: SourceFile | None, parent: QWidget) -> QMenu:
    """Return the menu of a file; without one it only creates."""
    menu = QMenu(parent)
    menu.setAccessibleName(foreign_text.name(file.name) if file is not None else translate("SourceMenu", "Files"))
    send, manage = context.requests.send, model.manage

    def ask(title: str, take: Callable[[str], None], text: str = "") -> None:
        dialog = AskNameDialog(context.theme, title, MOST_NAME, parent)
        dialog.field.setText(text)
        dialog.field.selectAll()

        def named(name: str) -> None:
            take(name.strip())
            dialog.accept()

        dialog.named.connect(named)
        dialog.open()

    def add(words: str, act: Callable[[], object], why_not: str = "") -> None:
        action = menu.addAction(words, act)
        action.setEnabled(not why_not)
        action.setToolTip(why_not)

    menu.setToolTipsVisible(True)
    add(translate("SourceMenu", "New agent…"), lambda: send(SetUpPersona()))
    add(translate("SourceMenu", "Import character card…"), lambda: send(ImportCard()))
    title = translate("SourceMenu", "Name of the new prompt")
    add(translate("SourceMenu", "New prompt…"), lambda: ask(title, manage.create_prompt))
    if file is None:
        return menu
    if file.kind is SourceKind.AGENT and not file.is_archived:
        words = translate("SourceMenu", "New prompt for {agent} alone…").format(agent=foreign_text.name(file.name))
        add(foreign_text.action(words), lambda: ask(title, lambda name: manage.create_prompt(name, file.name)))
    menu.addSeparator()
    why_not = model.why_not_move(file.path)
    if file.is_archived:
        add(translate("SourceMenu", "Bring back from the archive"), lambda: manage.restore(file), why_not)
    else:
        new, copy = translate("SourceMenu", "New name"), translate("SourceMenu", "Name of the copy")
        add(
            translate("SourceMenu", "Rename…"),
            lambda: ask(new, lambda name: manage.rename(file, name), file.name),
            why_not,
        )
        add(translate("SourceMenu", "Duplicate…"), lambda: ask(copy, lambda name: manage.duplicate(file, name)))
        add(translate("SourceMenu", "Archive"), lambda: manage.archive(file), why_not)
    menu.addSeparator()
    add(translate("SourceMenu", "Open in another program"), lambda: send(OpenFile(file.path)))
    add(translate("SourceMenu", "Open its folder"), lambda: send(OpenFolder(str(PurePath(file.path)))))
    return menu
