"""The text of a page as it stands in the prompt, and the source that it was taken from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.prompt.foreign import count_masked, masked_pieces
from chimein_gui.domain.retrieval.turns import page_turns
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.mono_text import MonoText, Run
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.page_words import has_source
from chimein_gui.viewmodels.traces.step_words import fault_words, rule_words

if TYPE_CHECKING:
    from chimein_gui.domain.retrieval.pages import PageFetched
    from chimein_gui.ui.pane import PaneContext

INJECTED, SOURCE = range(2)

AT_ONCE = 40_000
"""Characters of a source that are shown at once; more are shown on demand, as many each time."""


class PageText(QWidget):
    """Begins with the text; the source is read when it is chosen.

    Attributes:
        source_asked: The source of the page is wanted; carries the id of its step.
    """

    source_asked = Signal(int)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        theme = context.theme
        self._theme = theme
        self._head = ElidedLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._escaped = StateChip(theme)
        self._header = ElidedLabel(theme, "", Face.SMALL, "accent_text")
        self.forms = Segments(theme, (self.tr("In the prompt"), self.tr("Raw HTML")), self.tr("Form of the page"))
        self.copy = ActionButton(theme, self.tr("Copy"), icon="copy", kind=Kind.QUIET)
        self.rest = ActionButton(theme, "", kind=Kind.QUIET)
        self.text = MonoText(theme, self.tr("Text of the page, as it stands in the prompt"), whole_lines=True)
        self.text.setMinimumHeight(48)
        self._page: PageFetched | None = None
        self._step_id = 0
        self._source: str | None = None
        self._place = 0
        self._build()
        self.forms.chosen.connect(self._choose)
        self.copy.clicked.connect(lambda _checked=False: self._copy())
        self.rest.clicked.connect(lambda _checked=False: self._show_more())

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._head, 1)
        row.addWidget(self._escaped)
        row.addWidget(self.forms)
        row.addWidget(self.copy)
        box = Card(self._theme)
        inside = QVBoxLayout(box)
        inside.setContentsMargins(4, 4, 4, 4)
        inside.setSpacing(0)
        above = QHBoxLayout()
        set_rtl_margins(above, 8, 4, 8, 0)
        above.addWidget(self._header)
        inside.addLayout(above)
        inside.addWidget(self.text, 1)
        inside.addWidget(self.rest, 0, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 4, 0, 8, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(box, 1)

    def show_page(self, step_id: int, page: PageFetched) -> None:
        """Show another page, or the same one as it is now."""
        if (step_id, page) == (self._step_id, self._page):
            return
        self._step_id, self._page, self._source = step_id, page, None
        self.forms.choose(INJECTED)
        self.forms.setVisible(has_source(page))
        self._show_injected()

    def take_source(self, step_id: int, source: str | None) -> None:
        """Show the source that was asked for; None says that it is not kept."""
        if step_id != self._step_id or self.forms.current() != SOURCE:
            return
        self._source = source
        if source is None:
            self._say(self.tr("The source of this page is not kept."), "text2")
        else:
            self._show_source(source)

    def refuse_source(self, step_id: int, why: str) -> None:
        """Say why the source can't be read now; it is asked for again when it is chosen again."""
        if step_id == self._step_id and self.forms.current() == SOURCE and self._source is None:
            self._say(self.tr("The source can't be read: {why}").format(why=why), "danger")

    def _copy(self) -> None:
        """Copy the whole text, also where only its beginning is shown."""
        is_source = self.forms.current() == SOURCE and self._source is not None
        QGuiApplication.clipboard().setText((self._source or "") if is_source else self.text.whole_text())

    def _choose(self, form: int) -> None:
        if form == INJECTED:
            self._show_injected()
            return
        self.text.setAccessibleName(self.tr("Source of the page"))
        self._head.setText(self.tr("Source of the page"))
        self._header.hide()
        self._escaped.say(None)
        if self._source is not None:
            self._show_source(self._source)
            return
        self._say(self.tr("Reading the source…"), "text2")
        self.source_asked.emit(self._step_id)

    def _show_injected(self) -> None:
        page = self._page
        if page is None:
            return
        self.rest.hide()
        self._head.setText(self.tr("Injected as a user turn"))
        self.text.setAccessibleName(self.tr("Text of the page, as it stands in the prompt"))
        turn = page_turns((page,), "")[0]
        self._header.setText(foreign_text.line(f"{turn.role} · {turn.parts[0]}", 600))
        self._header.setVisible(bool(page.text))
        escaped = count_masked(page.text)
        words = self.tr("%n marker(s) escaped", "", escaped)
        self._escaped.say(IconLabel("shield", words, "danger") if escaped else None)
        if not page.text:
            why = rule_words(page.refusal) if page.refusal is not None else ""
            why = why or (fault_words(page.error) if page.error is not None else "")
            self._say(self.tr("Nothing of it stands in the prompt: {why}").format(why=why), "danger")
            return
        self.copy.allow()
        self.text.show_runs(
            [Run(one.text, *(("danger", "danger_soft") if one.is_mark else ())) for one in masked_pieces(page.text)]
        )

    def _show_source(self, source: str) -> None:
        self._place = AT_ONCE
        self.copy.allow()
        self.text.show_runs((Run(source[:AT_ONCE]),))
        self._offer_rest(source)

    def _show_more(self) -> None:
        source = self._source or ""
        self.text.add_run(Run(source[self._place : self._place + AT_ONCE]))
        self._place += AT_ONCE
        self._offer_rest(source)

    def _offer_rest(self, source: str) -> None:
        left = min(AT_ONCE, len(source) - self._place)
        self.rest.setText(self.tr("Show %Ln more character(s)", "", max(0, left)))
        self.rest.setVisible(left > 0)

    def _say(self, words: str, token: str) -> None:
        self.rest.hide()
        self.copy.allow(self.tr("There is no text"))
        self.text.show_runs((Run(words, token),))
