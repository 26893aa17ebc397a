"""The shown file: its head, the form or the preview, and the Markdown beside it or behind a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from chimein_gui.domain.agent_files.repairs import RepairKind
from chimein_gui.ui.panes.sources.account import AccountLine
from chimein_gui.ui.panes.sources.fixed_part import FixedPartCard
from chimein_gui.ui.panes.sources.form import AgentForm
from chimein_gui.ui.panes.sources.head import SourceHead
from chimein_gui.ui.panes.sources.problems import ProblemList
from chimein_gui.ui.panes.sources.prompt_side import PromptSide
from chimein_gui.ui.panes.sources.text_editor import SourceText
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.viewmodels.sources.list import place_words

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.sources.document import SourceDocument
    from chimein_gui.viewmodels.sources.editor import SourceEditorModel
    from chimein_gui.viewmodels.sources.findings import FileProblemRow

BOTH_FIT = 940
"""From this width on the form stands beside the Markdown, px."""

FORM, MARKDOWN = 0, 1


class FileView(QWidget):
    """Form and Markdown show the same file: where the cursor is in one is tinted in the other."""

    def __init__(self, context: PaneContext, model: SourceEditorModel) -> None:
        super().__init__()
        self._context, self._model, theme = context, model, context.theme
        self._shown: SourceDocument | None = None
        self.head = SourceHead(context, model)
        self.form = AgentForm(context)
        self.text = SourceText(theme)
        self.prompt = PromptSide(context, model)
        self.problems = ProblemList(theme)
        self.account = AccountLine(context, model, self)
        self.head.add_button(self.account.preview)
        for part in (self.account.chip, self.account.log_in):
            self.form.rows["Agent Phone"].line.addWidget(part)
        self.form.add_below(FixedPartCard(theme, model.fixed))
        self.tabs = Segments(theme, (self.tr("Form"), self.tr("Markdown")), self.tr("View"))
        self._tab_row, self._markdown = QWidget(), QWidget()
        self._build()
        model.opened.connect(self.show_document)
        model.changed.connect(self._show_state)
        model.went_to.connect(self._go_to)
        model.files.dataChanged.connect(lambda *_changed: self.prompt.show_prompt())
        self.form.entered.connect(self._field_entered)
        self.form.repaired.connect(self._repair)
        self.form.roles.list.opened.connect(self._open_prompt)
        self.form.instructions_wanted.connect(lambda: self._go_to_field("Agent Instructions"))
        self.text.moved.connect(self._line_entered)
        self.text.left.connect(self._leave_text)
        self.problems.wanted.connect(self._go_to)
        self.problems.repaired.connect(self._repair)
        self.problems.next.clicked.connect(lambda _checked=False: self.next_problem())
        self.tabs.chosen.connect(lambda _place: self._lay_out())

    def _build(self) -> None:
        bar = QHBoxLayout(self._tab_row)
        set_rtl_margins(bar, 12, 6, 12, 2)
        bar.addWidget(self.tabs)
        bar.addStretch(1)
        text = QHBoxLayout()
        text.setSpacing(0)
        text.addWidget(self.text.gutter)
        text.addWidget(self.text, 1)
        inside = QVBoxLayout(self._markdown)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(text, 1)
        inside.addWidget(self.problems)
        sides = QSplitter()
        for part in (self.form, self._markdown, self.prompt):
            sides.addWidget(part)
        sides.setChildrenCollapsible(False)
        sides.setSizes([560, 520, 520])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self._tab_row)
        whole.addWidget(sides, 1)
        self.tabs.choose(FORM)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Show both sides beside each other, or the one that is chosen; a prompt has a preview in place of a form."""
        document = self._model.document
        has_form = document is not None and document.is_agent
        is_wide = self.width() >= BOTH_FIT * self._context.theme.percent / 100
        self._tab_row.setVisible(not is_wide)
        self.tabs.set_word(FORM, self.tr("Form") if has_form else self.tr("Preview"))
        is_first = self.tabs.current() == FORM
        self.form.setVisible(has_form and (is_wide or is_first))
        self.prompt.setVisible(not has_form and (is_wide or is_first))
        self._markdown.setVisible(is_wide or not is_first)

    # --- contents -------------------------------------------------------------------------------------------------

    def show_document(self) -> None:
        """Show the file that the model has open."""
        document = self._model.document
        if document is not None and not document.is_agent and document is not self._shown:
            self.tabs.choose(MARKDOWN)
        self._shown = document
        self.form.show_document(document if document is not None and document.is_agent else None)
        self.text.show_document(document)
        self._lay_out()
        self.prompt.show_prompt()
        self._show_state()

    def _show_state(self) -> None:
        document = self._model.document
        self.head.show_state()
        self.account.show_state()
        if document is not None:
            prompts = self._model.prompts
            self.form.prompts = self.text.prompts = tuple(prompts)
            self.form.roles.list.show_places({name: place_words(file) for name, file in prompts.items()})
            self.problems.show_problems(document.rows, self._meanwhile(document) if document.errors else "")
            self.prompt.follow()

    def _meanwhile(self, document: SourceDocument) -> str:
        """Return what is in use of an agent whose shown text can't be used."""
        on_disk = [one for one in self._context.models.agents.problems if one.path == document.file.path]
        if all(one.is_warning for one in on_disk):
            return self.tr("the agent runs as last saved")
        if any(one.last_good for one in on_disk):
            return self.tr("the agent runs on the last good version")
        return self.tr("the agent is not loaded")

    def _repair(self, row: FileProblemRow) -> None:
        document = self._model.document
        if document is None or row.repair is None:
            return
        if row.repair.kind is RepairKind.CREATE_PROMPT:
            self._model.manage.create_prompt(row.repair.words)
        else:
            document.edit(row.repair.text)

    def _open_prompt(self, name: str) -> None:
        file = self._model.prompts.get(name)
        if file is not None:
            self._model.open(file.path)

    # --- places ---------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Put the focus into the form, or into the Markdown."""
        if self.form.isVisible():
            self.form.focus_field("Agent Name")
        else:
            self._show_markdown()

    def _show_markdown(self) -> None:
        self.tabs.choose(MARKDOWN)
        self._lay_out()
        self.text.setFocus()

    def _field_entered(self, name: str) -> None:
        self.form.mark_field(name)
        self.text.show_field(name, scroll=True)

    def _line_entered(self, line: int) -> None:
        document = self._model.document
        if document is not None and document.is_agent and self.text.hasFocus():
            name = document.field_at(line)
            self.form.mark_field(name)
            self.text.show_field(name)

    def _go_to(self, line: int) -> None:
        self._show_markdown()
        self.text.go_to(line)
        self._line_entered(line)

    def _go_to_field(self, name: str) -> None:
        document = self._model.document
        field = document.field(name) if document is not None else None
        self._go_to(field.value_line if field is not None else self.text.blockCount())

    def _leave_text(self) -> None:
        document = self._model.document
        if document is not None and document.is_agent:
            name = document.field_at(self.text.textCursor().blockNumber() + 1)
            self.tabs.choose(FORM)
            self._lay_out()
            self.form.focus_field(name or "Agent Name")
        else:
            self.prompt.chat.setFocus()

    def switch_side(self) -> None:
        """Go from the form to the same field in the Markdown, and back."""
        if self._model.document is None:
            return
        if self.text.hasFocus():
            self._leave_text()
            return
        current = next((name for name, row in self.form.rows.items() if row.isAncestorOf(self.focusWidget())), "")
        if current:
            self._go_to_field(current)
        else:
            self._show_markdown()

    def next_problem(self) -> None:
        """Go to the next problem below the cursor; after the last one follows the first."""
        document = self._model.document
        if document is not None and document.rows:
            lines = [row.problem.line for row in document.rows]
            at = self.text.textCursor().blockNumber() + 1
            self._go_to(next((line for line in lines if line > at), lines[0]))
