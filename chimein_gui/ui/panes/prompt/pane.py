"""The Prompt pane: the parts of a prompt, the system instruction, and the contents beside it or behind a tab."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.prompt.head import PromptHead
from chimein_gui.ui.panes.prompt.part_list import PartList
from chimein_gui.ui.panes.prompt.texts import PromptText
from chimein_gui.ui.requests import ClosePane
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.prompt import make_prompt
from chimein_gui.viewmodels.prompt.sections import PartRow, RowKind

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

THREE_COLUMNS = 1000
"""From this width on the contents stand beside the system instruction, px."""

INSTRUCTION, CONTENTS = 0, 1


class PromptPane(Pane):
    """Follows the chat in sight; it reads only while it is shown, and it can neither send nor change anything."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self.models = models = context.own(make_prompt)
        self.prompt = models.prompt
        theme = context.theme
        self.head = PromptHead(context, models)
        self.message = InlineMessage(theme, BOX)
        self.list = PartList(theme, self.prompt.parts)
        self.text = PromptText(theme, self.tr("System instruction"))
        self.contents = PromptText(theme, self.tr("Contents, oldest first"))
        self.tabs = Segments(theme, (self.tr("System instruction"), self.tr("Contents")), self.tr("Text"))
        self._split = QSplitter()
        self._columns = QSplitter()
        self._empty = EmptyState(theme, "quotes")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        self._found = (0, 0)
        self._at = -1
        self._build()
        self._wire()
        self._show_all()

    def _build(self) -> None:
        texts = QWidget()
        column = QVBoxLayout(texts)
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
            title = PlainLabel(self._context.theme, part.accessibleName(), Face.SMALL_STRONG, "text2")
            title.setContentsMargins(12, 8, 12, 6)
            self._sides.append((side, title))
            inside.addWidget(title)
            inside.addWidget(part, 1)
            self._columns.addWidget(side)
        self._columns.setChildrenCollapsible(False)
        column.addWidget(self._columns, 1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.list)
        self._split.addWidget(texts)
        self._split.setSizes([320, 1040])
        self._split.setStretchFactor(1, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._split)
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        entries = (
            (("↑", "↓"), self.tr("Part")),
            (("↵",), self.tr("Read it")),
            (("Ctrl+C",), self.tr("Copy part")),
            (("Ctrl+F",), self.tr("Search")),
        )
        row.addWidget(KeyLegend(self._context.theme, entries, self), 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self.message)
        whole.addWidget(self._stack, 1)
        whole.addWidget(foot)
        self.tabs.choose(INSTRUCTION)

    def _wire(self) -> None:
        self.prompt.changed.connect(self._show_all)
        self.list.chosen.connect(self._show_part)
        self.list.entered.connect(self._enter)
        self.list.copied.connect(self.copy_part)
        self.list.searched.connect(self.head.search.setFocus)
        self.tabs.chosen.connect(lambda _place: self._lay_out())
        self.head.search.textChanged.connect(lambda _words: self._search())
        self.head.search.moved.connect(self.show_match)
        self.head.search.stepped_down.connect(self.list.setFocus)
        self.head.copy.clicked.connect(lambda _checked=False: self._open_copies())
        self._context.theme.changed.connect(self._search)  # the texts are drawn anew, without marks
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.head.search.setFocus)

    # --- the pane -------------------------------------------------------------------------------------------------

    def focus_widget(self) -> QWidget:
        return self.list if self._stack.currentWidget() is self._split else self._empty

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("prompt"))
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.prompt.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.prompt.watch(watched=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Show both texts beside each other, or the one that is chosen."""
        is_wide = self.width() >= THREE_COLUMNS * self._context.theme.percent / 100
        self._tab_row.setVisible(not is_wide)
        for place, (side, title) in enumerate(self._sides):
            title.setVisible(is_wide)
            side.setVisible(is_wide or place == self.tabs.current())

    # --- contents -------------------------------------------------------------------------------------------------

    def _show_all(self) -> None:
        prompt, view = self.prompt, self.prompt.view
        chat = self._context.models.chats.chat(prompt.chat_id) if prompt.chat_id is not None else None
        self.subtitle_changed.emit(foreign_text.name(chat.info.title) if chat is not None else "")
        self.head.show_choices()
        self.head.setVisible(prompt.chat_id is not None)
        self.message.setVisible(False)
        had_focus = self._empty.hasFocus()
        if view is None:
            self._say_why_empty()
            self._stack.setCurrentWidget(self._empty)
        else:
            if not view.answers:
                words = self.tr(
                    "Nothing in this chat waits for an answer, so no call would be made now. One would hold this."
                )
                self.message.say(IconLabel("info", words, "info"))
            sections = [row for row in prompt.parts.parts.sent if row.kind is not RowKind.CONTENTS]
            self.text.show_sections(sections)
            self.contents.show_turns(view.text.turns)
            self._stack.setCurrentWidget(self._split)
            if not self.list.currentIndex().isValid():
                self.list.setCurrentIndex(prompt.parts.index(0))
            if had_focus:
                self.list.setFocus()
            self._search()
        self._show_part(self.list.current, is_chosen=False)

    def _say_why_empty(self) -> None:
        prompt = self.prompt
        if prompt.chat_id is None:
            self._empty.say(self.tr("No chat is open"), self.tr("Open a chat to see what the model gets of it."))
        elif prompt.problem:
            self._empty.say(self.tr("The prompt can't be read"), prompt.problem, ((self.tr("Try again"), prompt.read),))
        elif prompt.reading or prompt.graph_id is None:
            self._empty.say(self.tr("Reading the prompt…"), "")
        else:
            words = self.tr(
                "Prompts are kept for 90 days. Plans of earlier versions, and your own messages, have none."
            )
            self._empty.say(self.tr("No prompt is stored of this plan"), words)

    def _show_part(self, row: PartRow | None, *, is_chosen: bool = True) -> None:
        """Mark a part in the bar and in the text. One that was just chosen is scrolled to, too."""
        self.head.show_prompt(row.title if row is not None else "")
        texts = [one for one in self.prompt.parts.parts.sent if one.kind is not RowKind.CONTENTS]
        self.text.go_to(texts.index(row) if row in texts else -1, scroll=is_chosen)
        if is_chosen and row is not None and (row in texts or row.kind is RowKind.CONTENTS):
            self.tabs.choose(CONTENTS if row.kind is RowKind.CONTENTS else INSTRUCTION)
            self._lay_out()

    def _enter(self) -> None:
        row = self.list.current
        is_contents = row is not None and row.kind is RowKind.CONTENTS
        (self.contents if is_contents else self.text).setFocus()

    # --- search ---------------------------------------------------------------------------------------------------

    def _search(self) -> None:
        words = self.head.search.text()
        self._found, self._at = (self.text.search(words), self.contents.search(words)), -1
        total = sum(self._found)
        self.head.found.setText(self.tr("%n found", "", total) if words else "")

    def show_match(self, by: int) -> None:
        """Show the next match, with 1, or the one before, with -1; after the last the first follows."""
        total = sum(self._found)
        if not total:
            return
        self._at = (self._at + by) % total if self._at >= 0 or by > 0 else total - 1
        first = self._found[INSTRUCTION]
        in_contents = self._at >= first
        self.tabs.choose(CONTENTS if in_contents else INSTRUCTION)
        self._lay_out()
        self.text.show_found(-1 if in_contents else self._at)
        self.contents.show_found(self._at - first if in_contents else -1)
        self.head.found.setText(self.tr("{n} of {total}").format(n=self._at + 1, total=total))

    # --- copies ---------------------------------------------------------------------------------------------------

    def copy_part(self) -> None:
        """Copy the text of the chosen part as it was sent."""
        row = self.list.current
        if row is not None and row.text:
            _copy(row.text)

    def copies(self) -> QMenu:
        """Return the menu of what can be copied."""
        menu = QMenu(self)
        view, row = self.prompt.view, self.list.current
        part = menu.addAction(self.tr("Copy the chosen part"), self.copy_part)
        part.setEnabled(row is not None and bool(row.text))
        if view is not None:
            menu.addAction(self.tr("Copy the system instruction"), lambda: _copy(view.text.instruction))
            menu.addAction(self.tr("Copy the request as JSON"), lambda: _copy(_pretty(view.body)))
        return menu

    def _open_copies(self) -> None:
        menu = self.copies()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.head.copy.mapToGlobal(self.head.copy.rect().bottomLeft()))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _pretty(body: bytes) -> str:
    return json.dumps(json.loads(body), ensure_ascii=False, indent=1)
