"""The page "Everything about a person": a table of what is held, Export and Forget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QSize, QStandardPaths, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
)

from chimein_gui.ui.dialogs.person.forget import ForgetDialog
from chimein_gui.ui.requests import OpenFolder
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.rows.spoken_views import SpokenTreeView
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import GROUND, Face
from chimein_gui.viewmodels.people.model import Column, make_person

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate
SIZE = (1220, 600)


class _Rows(QStyledItemDelegate):
    """Rows with some room above and below their words."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index) + QSize(12, 12)


class PersonDialog(QDialog):
    """Everything about a person. Open it with open().

    Attributes:
        chooser: The open file dialog, or None.
        question: The open confirmation, or None.
    """

    def __init__(
        self, theme: Theme, models: WindowModels, requests: Requests, person: PeerId, name: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme, self._models, self._requests = theme, models, requests
        self.model = models.own(make_person)
        self.chooser: QFileDialog | None = None
        self.question: ForgetDialog | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setProperty(GROUND, "card")
        shown = foreign_text.name(name) or translate("Person", "id {number}").format(number=int(person))
        title = translate("Person", "Everything about {name}").format(name=shown)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._title = PlainLabel(theme, title, Face.TITLE)
        self._about = PlainLabel(theme, "", Face.BODY, "text2")
        self._about.setWordWrap(True)
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self.table = self._make_table(title)
        self.export = ActionButton(theme, translate("Person", "Export…"), icon="download")
        self.forget = ActionButton(theme, translate("Person", "Forget…"), icon="trash", kind=Kind.DANGER)
        self.leave = ActionButton(theme, translate("Person", "Close"))
        self._lay_out()
        self._wire()
        self.resize(*SIZE)
        self.model.look(person)
        self.table.setFocus()

    def _make_table(self, title: str) -> QTreeView:
        table = SpokenTreeView()
        table.setModel(self.model.table)
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setAllColumnsShowFocus(True)
        table.setAccessibleName(title)
        table.setItemDelegate(_Rows(table))
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._theme.apply(table, Face.BODY)
        header = table.header()
        self._theme.apply(header, Face.SMALL)
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(Column.PLACE, QHeaderView.ResizeMode.Stretch)
        return table

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for button in (self.export, self.forget):
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(self.leave)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 18)
        column.setSpacing(10)
        for part in (self._title, self._about, self.message):
            column.addWidget(part)
        column.addWidget(self.table, 1)
        column.addLayout(foot)

    def _wire(self) -> None:
        self.model.changed.connect(self._show)
        self.model.failed.connect(self._show_failure)
        self.model.exported.connect(self._show_exported)
        self.model.forgotten.connect(self._show_forgotten)
        self.export.clicked.connect(lambda _checked=False: self._press_export())
        self.forget.clicked.connect(lambda _checked=False: self._ask())
        self.leave.clicked.connect(self.reject)
        self._show()

    def _show(self) -> None:
        model, holdings = self.model, self.model.holdings
        busy = model.forgetting or model.exporting is not None
        count = 0 if holdings is None else len(holdings.held)
        if model.forgetting:
            words = translate("Person", "Forgetting… The chats are held meanwhile. You may close this page.")
        elif model.exporting is not None:
            portions = model.exporting
            words = translate("Person", "Exporting… %n portion(s) written", "", portions)
        elif holdings is None:
            words = translate("Person", "Looking in all chats, files and logs…")
        elif not count:
            words = translate("Person", "Nothing is held about this person.")
        elif holdings.forgetting:
            words = translate("Person", "An earlier order to forget is not complete. Choose Forget to continue.")
        else:
            words = translate(
                "Person", "All that Chimein holds on this computer, for all agents. What is in Telegram is not listed."
            )
        self._about.setText(words)
        wait = translate("Person", "Wait until it is done") if busy or holdings is None else ""
        nothing = "" if count else translate("Person", "Nothing is held")
        self.forget.allow(wait or nothing)
        if model.exporting is not None:
            self.export.set_look(translate("Person", "Stop export"), "stop")
            self.export.allow()
        else:
            self.export.set_look(translate("Person", "Export…"), "download")
            self.export.allow(wait or nothing)

    def _press_export(self) -> None:
        if self.model.exporting is not None:
            self.model.stop_export()
            return
        chooser = QFileDialog(self, translate("Person", "Export everything about a person"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setFileMode(QFileDialog.FileMode.AnyFile)
        chooser.setNameFilter(translate("Person", "Zip files (*.zip)"))
        chooser.setDefaultSuffix("zip")
        chooser.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        chooser.selectFile(f"chimein-person-{int(self.model.person or 0)}.zip")
        chooser.fileSelected.connect(lambda path: self.model.export(Path(path)))
        chooser.finished.connect(self._forget_chooser)
        self.chooser = chooser
        chooser.open()

    def _forget_chooser(self) -> None:
        self.chooser = None

    def _ask(self) -> None:
        if self.model.holdings is None:
            return
        self.message.say(None)
        self.question = question = ForgetDialog(self._theme, self.model.holdings, self)
        question.agreed.connect(lambda never: self.model.forget(never=never))
        question.finished.connect(self._forget_question)
        question.open()

    def _forget_question(self) -> None:
        self.question = None

    def _show_failure(self, words: str) -> None:
        self.message.say(IconLabel("alert", foreign_text.line(words, 400), "danger"))

    def _show_exported(self, target: Path) -> None:
        self._models.toasts.show(
            translate("Person", "Exported. The file is as secret as the conversations."),
            translate("Person", "Open folder"),
            lambda: self._requests.send(OpenFolder(str(target))),
            detail=foreign_text.line(target.name, 120),
            icon="check",
            token="ok",
        )

    def _show_forgotten(self) -> None:
        self._models.toasts.show(translate("Person", "The person is forgotten"), icon="check", token="ok")
