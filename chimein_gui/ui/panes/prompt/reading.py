"""The mode *Read*: the system instruction, and the contents beside it or behind a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from chimein_gui.domain.prompt.foreign import count_masks
from chimein_gui.ui.panes.prompt.modes import PromptMode
from chimein_gui.ui.panes.prompt.texts import PromptText
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.prompt.sections import RowKind

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.ui.panes.prompt.head import PromptHead
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.prompt.cache_lens import Cut
    from chimein_gui.viewmodels.prompt.model import PromptModel
    from chimein_gui.viewmodels.prompt.sections import PartRow

TWO_COLUMNS = 680
"""From this width on the contents stand beside the system instruction, px."""

INSTRUCTION, CONTENTS = 0, 1


class ReadMode(PromptMode):
    """Both texts as they are sent; the field in the head searches them."""

    def __init__(self, theme: Theme, prompt: PromptModel, head: PromptHead) -> None:
        super().__init__()
        self.word, self.letter = self.tr("Read"), "R"
        self.keys = (
            (("↑", "↓"), self.tr("Part")),
            (("↵",), self.tr("Open source")),
            (("Ctrl+C",), self.tr("Copy part")),
            (("Ctrl+F",), self.tr("Search")),
        )
        self._theme, self._prompt, self._head = theme, prompt, head
        self.text = PromptText(theme, self.tr("Sections"))
        self.contents = PromptText(theme, self.tr("Contents, oldest first"), "danger")
        self.masked = StateChip(theme)
        give_tip(self.masked, self.tr("What others write can't pose as a header, a block or the end of a page"))
        self.tabs = Segments(theme, (self.tr("Sections"), self.tr("Contents")), self.tr("Text"))
        self._columns = QSplitter()
        self._cut: Cut | None = None
        self._shown: tuple[ChatId | None, GraphId | None, CallId | None] | None = None
        self._found = (0, 0)
        self._at = -1
        self._build()
        self.tabs.choose(INSTRUCTION)
        self.tabs.chosen.connect(lambda _place: self._lay_out())
        head.search.textChanged.connect(lambda _words: self._search())
        head.search.moved.connect(self.show_match)
        theme.changed.connect(self._search)  # the texts are drawn anew, without marks

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._tab_row = QWidget()
        bar = QHBoxLayout(self._tab_row)
        set_rtl_margins(bar, 12, 6, 12, 2)
        bar.addWidget(self.tabs)
        bar.addStretch(1)
        column.addWidget(self._tab_row)
        self._sides: list[tuple[QWidget, QWidget]] = []
        for part in (self.text, self.contents):
            side = QWidget()
            inside = QVBoxLayout(side)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.setSpacing(0)
            title = PlainLabel(self._theme, part.accessibleName(), Face.SMALL_STRONG, "text2")
            title.setContentsMargins(12, 8, 12, 6)
            self._sides.append((side, title))
            above = QHBoxLayout()
            set_rtl_margins(above, 0, 0, 12, 0)
            above.addWidget(title, 1)
            if part is self.contents:
                above.addWidget(self.masked, 0, Qt.AlignmentFlag.AlignVCenter)
            inside.addLayout(above)
            inside.addWidget(part, 1)
            part.installEventFilter(self)
            self._columns.addWidget(side)
        self._columns.setChildrenCollapsible(False)
        column.addWidget(self._columns, 1)

    # --- the mode -------------------------------------------------------------------------------------------------

    def show_prompt(self) -> None:
        view = self._prompt.view
        if view is not None:
            self.text.show_sections(self._sections)
            self.contents.show_turns(view.text.turns)
            self._say_masked(sum(count_masks(part) for turn in view.text.turns for part in turn.parts))
            shown = self._prompt.chat_id, self._prompt.graph_id, view.sent.call_id if view.sent is not None else None
            if shown != self._shown:  # of another prompt the place of who read would be in the midst of any message
                self._shown = shown
                self.contents.verticalScrollBar().setValue(0)
            self._search()

    def _say_masked(self, number: int) -> None:
        words = self.tr("%n marker(s) escaped", "", number)
        self.masked.say(IconLabel("shield", words, "danger") if number else None)

    def show_cut(self, cut: Cut | None) -> None:
        """Mark where the prompt begins to differ from the one before it."""
        self._cut = cut
        for text in (self.text, self.contents):
            if cut is not None and (text is self.contents) == cut.in_contents:
                text.show_cut(cut.piece, cut.text, cut.offset)
            else:
                text.show_cut(-1, "", 0)

    def go_to_cut(self) -> None:
        """Show where the prompt begins to differ from the one before it, and put the cursor there."""
        if self._cut is not None:
            self._show_text(CONTENTS if self._cut.in_contents else INSTRUCTION)
            text = self.contents if self._cut.in_contents else self.text
            text.go_to_cut()
            text.setFocus()

    def show_part(self, row: PartRow | None, *, scroll: bool) -> None:
        texts = self._sections
        if row is not None and row.kind is RowKind.PAGE:
            self._show_page(row, scroll=scroll)
            return
        self.contents.go_to(-1, scroll=False)
        if row is not None and row.kind is RowKind.ENTRY:
            row = next((one for one in texts if one.number == row.part_of), None)
        self.text.go_to(texts.index(row) if row in texts else -1, scroll=scroll)
        if scroll and row is not None and (row in texts or row.kind is RowKind.CONTENTS):
            self._show_text(CONTENTS if row.kind is RowKind.CONTENTS else INSTRUCTION)

    def _show_page(self, row: PartRow, *, scroll: bool) -> None:
        self.text.go_to(-1, scroll=False)
        self.contents.go_to(row.part_of, scroll=scroll)
        if scroll:
            self._show_text(CONTENTS)

    def enter(self, row: PartRow | None) -> None:
        is_contents = row is not None and row.kind in {RowKind.CONTENTS, RowKind.PAGE}
        (self.contents if is_contents else self.text).setFocus()

    @property
    def _sections(self) -> list[PartRow]:
        return [row for row in self._prompt.parts.parts.sent if row.kind is not RowKind.CONTENTS]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Show both texts beside each other, or the one that is chosen."""
        is_wide = self.width() >= TWO_COLUMNS * self._theme.percent / 100
        self._tab_row.setVisible(not is_wide)
        for place, (side, title) in enumerate(self._sides):
            title.setVisible(is_wide)
            side.setVisible(is_wide or place == self.tabs.current())

    def _show_text(self, place: int) -> None:
        self.tabs.choose(place)
        self._lay_out()

    # --- search ---------------------------------------------------------------------------------------------------

    def _search(self) -> None:
        words = self._head.search.text()
        self._found, self._at = (self.text.search(words), self.contents.search(words)), -1
        total = sum(self._found)
        self._head.found.setText(self.tr("%n found", "", total) if words else "")

    def show_match(self, by: int) -> None:
        """Show the next match, with 1, or the one before, with -1; after the last the first follows."""
        total = sum(self._found)
        if not total:
            return
        self._at = (self._at + by) % total if self._at >= 0 or by > 0 else total - 1
        first = self._found[INSTRUCTION]
        in_contents = self._at >= first
        self._show_text(CONTENTS if in_contents else INSTRUCTION)
        self.text.show_found(-1 if in_contents else self._at)
        self.contents.show_found(self._at - first if in_contents else -1)
        self._head.found.setText(self.tr("{n} of {total}").format(n=self._at + 1, total=total))
