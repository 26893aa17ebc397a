"""The Agent files pane: the list of files, and the one that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.sources.file_view import FileView
from chimein_gui.ui.panes.sources.list import SourceList
from chimein_gui.ui.panes.sources.menu import file_menu
from chimein_gui.ui.requests import ClosePane, OpenAgentSource
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.menus import open_menu
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.panes.sources import make_source_editor

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

    from chimein_gui.domain.agent_files.sources import SourceFile


class SourcesPane(Pane):
    """Edits agents and prompts. What is typed is kept until it is saved or discarded, also after a crash."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self.model = context.own(make_source_editor)
        self.list = SourceList(theme, self.model.files)
        self.search = LineField(theme, self.tr("Find a file"), hint=self.tr("Find a file"), icon="search")
        self.new = IconButton(theme, "plus", self.tr("New"))
        self.file = FileView(context, self.model)
        self._empty = EmptyState(theme, "file")
        self._stack = QStackedWidget()
        self._build()
        self._wire()
        self.file.show_document()
        self._show_file()

    def _build(self) -> None:
        finder = QHBoxLayout()
        finder.setContentsMargins(12, 10, 12, 8)
        finder.setSpacing(6)
        finder.addWidget(self.search, 1)
        finder.addWidget(self.new)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(finder)
        column.addWidget(self.list, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.file)
        split = QSplitter()
        split.addWidget(left)
        split.addWidget(self._stack)
        split.setChildrenCollapsible(False)
        split.setSizes([236, 1_100])
        split.setStretchFactor(1, 1)
        pane = QVBoxLayout(self)
        pane.setContentsMargins(0, 0, 0, 0)
        pane.setSpacing(0)
        pane.addWidget(split, 1)
        pane.addWidget(self._foot())

    def _foot(self) -> Footer:
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        self._keys = KeyLegend(self._context.theme, (), self)
        row.addWidget(self._keys, 1)
        self._show_keys()
        return foot

    def _show_keys(self) -> None:
        """Show the keys that do something with the file: one that comes with Chimein is only read."""
        document = self.model.document
        changing = (
            (("Ctrl+S",), self.tr("Save")),
            (("Ctrl+Z",), self.tr("Undo")),
            (("Ctrl+Space",), self.tr("Complete")),
        )
        is_read_only = document is not None and (document.file.is_fixed or document.file.is_archived)
        self._keys.show_entries(
            (
                (("Tab",), self.tr("Next field")),
                (("Ctrl+E",), self.tr("Form or Markdown")),
                (("F4",), self.tr("Next problem")),
                *(() if is_read_only else changing),
            )
        )

    def _wire(self) -> None:
        model = self.model
        model.opened.connect(self._show_file)
        model.changed.connect(self._show_file)
        model.manage.done.connect(self._say_done)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._choose())
        self.list.activated.connect(lambda _index: self.file.enter())
        self.list.customContextMenuRequested.connect(self._open_row_menu)
        self.search.textChanged.connect(self.list.search)
        self.search.stepped_down.connect(self.list.setFocus)
        self.new.clicked.connect(lambda _checked=False: self._open_menu(self.new, has_file=False))
        more = self.file.head.more
        more.clicked.connect(lambda _checked=False: self._open_menu(more, has_file=True))
        keys = (
            (QKeySequence("Ctrl+S"), model.save),
            (QKeySequence("Ctrl+E"), self.file.switch_side),
            (QKeySequence("F4"), self.file.next_problem),
        )
        for key, action in keys:
            shortcut = QShortcut(key, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(action)

    # --- the pane -------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if isinstance(request, OpenAgentSource) and request.path:
            self.model.open(request.path, request.line)

    def focus_widget(self) -> QWidget:
        return self.list

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("sources"))
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.watch(watched=False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.model.refresh()  # the operator may come from another editor

    # --- files ----------------------------------------------------------------------------------------------------

    def _show_file(self) -> None:
        document, problem = self.model.document, self.model.problem
        self._show_keys()
        self._stack.setCurrentWidget(self._empty if document is None else self.file)
        if document is not None:
            self.list.select(document.file.path)
        else:
            words = problem or self.tr("Choose an agent or a prompt on the left.")
            self._empty.say(self.tr("The file can't be opened") if problem else self.tr("No file is open"), words)

    def _choose(self) -> None:
        row, document = self.list.current, self.model.document
        if row is not None and (document is None or document.file.path != row.file.path):
            self.model.open(row.file.path)

    def _open_menu(self, button: QWidget, *, has_file: bool) -> None:
        row = self.list.current
        self._pop_up(row.file if has_file and row is not None else None, button.mapToGlobal(button.rect().bottomLeft()))

    def _open_row_menu(self, place: QPoint) -> None:
        index = self.list.indexAt(place)
        if index.isValid():
            self.list.setCurrentIndex(index)
        row = self.list.current
        self._pop_up(row.file if row is not None else None, self.list.viewport().mapToGlobal(place))

    def _pop_up(self, file: SourceFile | None, place: QPoint) -> None:
        menu = file_menu(self._context, self.model, file, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_menu(menu, place)

    def _say_done(self, _path: str, words: str, undo: Callable[[], object] | None) -> None:
        self._context.models.toasts.show(foreign_text.line(words), self.tr("Undo"), undo, icon="file")
