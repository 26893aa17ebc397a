"""The dynamic part of the Layout menu: the operator's own layouts, and the panes to share a tab with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from chimein_gui.ui.dialogs.ask_name import AskNameDialog
from chimein_gui.ui.shell.docking.layouts import BUILT_IN, NAME_LENGTH
from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from chimein_gui.ui.shell.context import ShellContext
    from chimein_gui.ui.shell.docking.layouts import Layouts


class LayoutMenu(QObject):
    """Fills three submenus when the menu opens, and asks for the name of a new layout."""

    def __init__(self, shell: ShellContext, layouts: Layouts, menu: QMenu) -> None:
        super().__init__(shell.window)
        self._shell, self._layouts = shell, layouts
        self.own = QMenu(self.tr("My layouts"), menu)
        self.drop = QMenu(self.tr("Delete a layout"), menu)
        self.tab = QMenu(self.tr("Tab with"), menu)
        reset = shell.commands.action("reset_layout")
        menu.insertMenu(shell.commands.action("save_layout"), self.own)
        menu.insertMenu(reset, self.drop)
        menu.addMenu(self.tab)
        self._moves: tuple[QAction, ...] = tuple(
            shell.commands.action(name) for name in ("move_left", "move_right", "move_down", "float_pane", "close_pane")
        )
        menu.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Fill the submenus with what exists now."""
        names = self._layouts.names()
        for menu, do in ((self.own, self._layouts.apply), (self.drop, self._layouts.delete)):
            menu.clear()
            menu.menuAction().setEnabled(bool(names))
            for name in names:
                action = menu.addAction(foreign_text.action(name))
                action.triggered.connect(lambda _checked=False, do=do, name=name: do(name))
        dock = self._layouts.dock_in_use()
        for action in self._moves:
            action.setEnabled(dock is not None)
        self.tab.clear()
        self.tab.menuAction().setEnabled(dock is not None and len(self._shell.dock_manager.docks) > 1)
        for pane_id, other in self._shell.dock_manager.docks.items():
            if other.spec.on_demand and not other.isVisible():
                continue
            if other is not dock:
                action = self.tab.addAction(foreign_text.action(other.word))
                action.triggered.connect(lambda _checked=False, pane_id=pane_id: self._layouts.tab_with(pane_id))

    def ask_name(self) -> None:
        """Ask for the name under which to save the layout."""
        dialog = AskNameDialog(self._shell.theme, self.tr("Name of this layout"), NAME_LENGTH, self._shell.window)
        dialog.named.connect(lambda name: self._save(dialog, name))
        dialog.open()
        dialog.field.setFocus()

    def _save(self, dialog: AskNameDialog, name: str) -> None:
        if self._layouts.save_as(name):
            dialog.accept()
            self._shell.models.toasts.show(
                self.tr("Layout saved"), detail=foreign_text.name(name), icon="layout", token="ok"
            )
        elif " ".join(name.split()) in BUILT_IN:
            dialog.refuse(self.tr("This name belongs to a built-in layout. Choose another."))
        else:
            dialog.refuse(self.tr("There are too many layouts. Delete one first."))
