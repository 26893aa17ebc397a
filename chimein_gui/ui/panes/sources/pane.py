"""The Agent files pane: the list, the form, and the Markdown beside it or behind a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.agent_files.repairs import RepairKind
from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.sources.form import AgentForm
from chimein_gui.ui.panes.sources.head import SourceHead
from chimein_gui.ui.panes.sources.list import SourceList
from chimein_gui.ui.panes.sources.problems import ProblemList
from chimein_gui.ui.panes.sources.text_editor import SourceText
from chimein_gui.ui.requests import ClosePane, OpenAgentSource
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.viewmodels.panes.sources import make_source_editor

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

    from chimein_gui.viewmodels.sources.findings import FileProblemRow

BOTH_FIT = 1_180
"""From this width on the form stands beside the Markdown, px."""

FORM, MARKDOWN = 0, 1


class SourcesPane(Pane):
    """Edits agents and prompts. What is typed is kept until it is saved or discarded, also after a crash."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self.model = context.own(make_source_editor)
        self.list = SourceList(theme, self.model.files)
        self.search = LineField(theme, self.tr("Find a file"), hint=self.tr("Find a file"), icon="search")
        self.head = SourceHead(context, self.model)
        self.form = AgentForm(context)
        self.text = SourceText(theme)
        self.problems = ProblemList(theme)
        self.tabs = Segments(theme, (self.tr("Form"), self.tr("Markdown")), self.tr("View"))
        self._empty = EmptyState(theme, "file")
        self._stack = QStackedWidget()
        self._split, self._sides = QSplitter(), QSplitter()
        self._tab_row = QWidget()
        self._markdown = QWidget()
        self._build()
        self._wire()
        self._show_document()

    def _build(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        finder = QVBoxLayout()
        finder.setContentsMargins(12, 10, 12, 8)
        finder.addWidget(self.search)
        column.addLayout(finder)
        column.addWidget(self.list, 1)
        bar = QHBoxLayout(self._tab_row)
        set_rtl_margins(bar, 12, 6, 12, 2)
        bar.addWidget(self.tabs)
        bar.addStretch(1)
        inside = QVBoxLayout(self._markdown)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        text = QHBoxLayout()
        text.setSpacing(0)
        text.addWidget(self.text.gutter)
        text.addWidget(self.text, 1)
        inside.addLayout(text, 1)
        inside.addWidget(self.problems)
        self._sides.addWidget(self.form)
        self._sides.addWidget(self._markdown)
        self._sides.setChildrenCollapsible(False)
        self._sides.setSizes([560, 520])
        file = QWidget()
        whole = QVBoxLayout(file)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self._tab_row)
        whole.addWidget(self._sides, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(file)
        self._split.addWidget(left)
        self._split.addWidget(self._stack)
        self._split.setChildrenCollapsible(False)
        self._split.setSizes([236, 1_100])
        self._split.setStretchFactor(1, 1)
        pane = QVBoxLayout(self)
        pane.setContentsMargins(0, 0, 0, 0)
        pane.setSpacing(0)
        pane.addWidget(self._split, 1)
        pane.addWidget(self._foot())
        self.tabs.choose(FORM)

    def _foot(self) -> Footer:
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        entries = (
            (("Tab",), self.tr("Next field")),
            (("Ctrl+E",), self.tr("Form or Markdown")),
            (("F4",), self.tr("Next problem")),
            (("Ctrl+S",), self.tr("Save")),
            (("Ctrl+Z",), self.tr("Undo")),
            (("Ctrl+Space",), self.tr("Complete")),
        )
        row.addWidget(KeyLegend(self._context.theme, entries, self), 1)
        return foot

    def _wire(self) -> None:
        model = self.model
        model.opened.connect(self._show_document)
        model.changed.connect(self._show_state)
        model.went_to.connect(self._go_to)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._choose())
        self.list.activated.connect(lambda _index: self._enter())
        self.search.textChanged.connect(self.list.search)
        self.search.stepped_down.connect(self.list.setFocus)
        self.form.entered.connect(self._field_entered)
        self.form.repaired.connect(self._repair)
        self.form.instructions_wanted.connect(lambda: self._go_to_field("Agent Instructions"))
        self.text.moved.connect(self._line_entered)
        self.text.left.connect(self._leave_text)
        self.problems.wanted.connect(self._go_to)
        self.problems.repaired.connect(self._repair)
        self.problems.next.clicked.connect(lambda _checked=False: self.next_problem())
        self.tabs.chosen.connect(lambda _place: self._lay_out())
        keys = (
            (QKeySequence("Ctrl+S"), model.save),
            (QKeySequence("Ctrl+E"), self.switch_side),
            (QKeySequence("F4"), self.next_problem),
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Show form and Markdown beside each other, or the one that is chosen; a prompt has no form."""
        document = self.model.document
        has_form = document is not None and document.is_agent
        is_wide = self.width() >= BOTH_FIT * self._context.theme.percent / 100
        self._tab_row.setVisible(has_form and not is_wide)
        self.form.setVisible(has_form and (is_wide or self.tabs.current() == FORM))
        self._markdown.setVisible(not has_form or is_wide or self.tabs.current() == MARKDOWN)

    # --- contents -------------------------------------------------------------------------------------------------

    def _show_document(self) -> None:
        document = self.model.document
        self.form.show_document(document if document is not None and document.is_agent else None)
        self.text.show_document(document)
        self._stack.setCurrentIndex(0 if document is None else 1)
        if document is not None:
            self.list.select(document.file.path)
        self._lay_out()
        self._show_state()

    def _show_state(self) -> None:
        document = self.model.document
        self.head.show_state()
        if document is None:
            problem = self.model.problem
            words = problem or self.tr("Choose an agent or a prompt on the left.")
            self._empty.say(self.tr("The file can't be opened") if problem else self.tr("No file is open"), words)
            self.problems.show_problems((), "")
            return
        self.form.prompts = self.text.prompts = self.model.prompts
        meanwhile = self.tr("the agent keeps running on the last good version") if document.errors else ""
        self.problems.show_problems(document.rows, meanwhile)

    def _choose(self) -> None:
        row = self.list.current
        document = self.model.document
        if row is not None and (document is None or document.file.path != row.file.path):
            self.model.open(row.file.path)

    def _enter(self) -> None:
        document = self.model.document
        if document is None:
            return
        if document.is_agent and self.form.isVisible():
            self.form.focus_field("Agent Name")
        else:
            self.text.setFocus()

    # --- places ---------------------------------------------------------------------------------------------------

    def _field_entered(self, name: str) -> None:
        self.form.mark_field(name)
        self.text.show_field(name, scroll=True)

    def _line_entered(self, line: int) -> None:
        document = self.model.document
        if document is not None and document.is_agent and self.text.hasFocus():
            name = document.field_at(line)
            self.form.mark_field(name)
            self.text.show_field(name)

    def _go_to(self, line: int) -> None:
        self.tabs.choose(MARKDOWN)
        self._lay_out()
        self.text.setFocus()
        self.text.go_to(line)
        self._line_entered(line)

    def _go_to_field(self, name: str) -> None:
        document = self.model.document
        field = document.field(name) if document is not None else None
        self._go_to(field.value_line if field is not None else self.text.blockCount())

    def _leave_text(self) -> None:
        document = self.model.document
        name = document.field_at(self.text.textCursor().blockNumber() + 1) if document is not None else ""
        if document is not None and document.is_agent:
            self.tabs.choose(FORM)
            self._lay_out()
            self.form.focus_field(name or "Agent Name")
        else:
            self.list.setFocus()

    def switch_side(self) -> None:
        """Go from the form to the same field in the Markdown, and back."""
        document = self.model.document
        if document is None:
            return
        if self.text.hasFocus():
            self._leave_text()
            return
        current = next((name for name, row in self.form.rows.items() if row.isAncestorOf(self.focusWidget())), "")
        if current:
            self._go_to_field(current)
        else:
            self.tabs.choose(MARKDOWN)
            self._lay_out()
            self.text.setFocus()

    def next_problem(self) -> None:
        """Go to the next problem below the cursor; after the last one follows the first."""
        document = self.model.document
        if document is None or not document.rows:
            return
        lines = [row.problem.line for row in document.rows]
        at = self.text.textCursor().blockNumber() + 1
        self._go_to(next((line for line in lines if line > at), lines[0]))

    def _repair(self, row: FileProblemRow) -> None:
        document = self.model.document
        if document is None or row.repair is None:
            return
        if row.repair.kind is RepairKind.CREATE_PROMPT:
            self.model.manage.create_prompt(row.repair.words)
        else:
            document.edit(row.repair.text)
