"""The Help menu: shortcuts, versions, the log folder."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui import __version__
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.keycaps import key_name, keys_of
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from chimein_gui.ui.shell.context import ShellContext


class FactsDialog(QDialog):
    """Two columns of plain text, and a Close button."""

    def __init__(self, theme: Theme, title: str, rows: Iterable[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        inside = QWidget()
        grid = QGridLayout(inside)
        set_rtl_margins(grid, 0, 0, 12, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        for place, (left, right) in enumerate(rows):
            name, value = PlainLabel(theme, left, Face.BODY), PlainLabel(theme, right, Face.SMALL_STRONG, "text2")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(name, place, 0)
            grid.addWidget(value, place, 1)
        box = ScrollBox(inside)
        leave = ActionButton(theme, self.tr("Close"))
        leave.setDefault(True)
        leave.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(leave)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addWidget(PlainLabel(theme, title, Face.TITLE))
        column.addWidget(box, 1)
        column.addLayout(foot)
        self.setMinimumSize(300, 180)
        wanted = inside.sizeHint()
        self.resize(min(640, wanted.width() + 80), min(620, wanted.height() + 140))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("card"))
        painter.end()


class Help(QObject):
    """The dialogs and folders that the Help menu opens."""

    def __init__(self, shell: ShellContext, logs: Path | None) -> None:
        super().__init__(shell.window)
        self._shell, self._logs = shell, logs

    def show_keys(self) -> None:
        """Show all commands that have a shortcut."""
        rows = [
            (spec.text, " ".join(map(key_name, keys_of(spec.shortcut))))
            for spec in self._shell.commands.specs
            if spec.shortcut
        ]
        rows.append((self.tr("Read a message word by word"), key_name("Alt+Return")))
        self._open(self.tr("Keys"), rows)

    def show_safety(self) -> None:
        """Show what to know before using real accounts."""
        from chimein_gui.ui.dialogs.document import show_safety

        show_safety(self._shell.theme, self._shell.window)

    def show_about(self) -> None:
        """Show the versions, and that the program is not affiliated with its vendors."""
        unofficial = self.tr("Chimein uses the Telegram API. It is unofficial.")
        self._open(self.tr("About Chimein"), [(unofficial, ""), *self.versions()])

    def versions(self) -> list[tuple[str, str]]:
        """Return the names and versions of the program and its libraries."""
        from importlib.metadata import PackageNotFoundError, version

        rows = [("Chimein", __version__), ("Python", platform.python_version()), ("Qt", qVersion())]
        for name, package in (("PySide6", "PySide6-Essentials"), ("Telethon", "telethon"), ("Gemini", "google-genai")):
            try:
                rows.append((name, version(package)))
            except PackageNotFoundError:
                continue
        return [*rows, (self.tr("System"), platform.platform())]

    def open_logs(self) -> None:
        """Open the folder of the logs."""
        if self._logs is None:
            self._shell.models.toasts.show(self.tr("There is no log folder in this run"))
        else:
            self.open_folder(self._logs)

    def open_folder(self, folder: Path) -> None:
        """Open one of the program's folders in the desktop's file manager."""
        if not folder.is_dir() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._shell.models.toasts.show(self.tr("The folder could not be opened"), detail=str(folder), icon="folder")

    def open_file(self, file: Path) -> None:
        """Open one of the program's files in the desktop's default program."""
        if not file.is_file() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))):
            self._shell.models.toasts.show(self.tr("The file could not be opened"), detail=str(file), icon="folder")

    def tell(self, title: str, text: str) -> None:
        """Show a text that was too long for a bar."""
        from chimein_gui.ui.widgets.text import foreign_text

        self._open(title, [(foreign_text.body(text), "")], wraps=True)

    def _open(self, title: str, rows: Iterable[tuple[str, str]], *, wraps: bool = False) -> None:
        dialog = FactsDialog(self._shell.theme, title, rows, self._shell.window)
        if wraps:
            for label in dialog.findChildren(PlainLabel):
                label.setWordWrap(True)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            dialog.resize(520, 260)
        dialog.open()
