"""The Prompt pane: the parts of a prompt, and beside them what the chosen mode shows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.prompt.copying import PromptCopies, copy_text
from chimein_gui.ui.panes.prompt.diff_mode import BESIDE, UNIFIED, DiffMode
from chimein_gui.ui.panes.prompt.head import PromptHead
from chimein_gui.ui.panes.prompt.part_list import PartList
from chimein_gui.ui.panes.prompt.reading import ReadMode
from chimein_gui.ui.panes.prompt.what_if.mode import WhatIfMode
from chimein_gui.ui.requests import ClosePane, OpenAgentSource, PreviewPrompt, ShowPrompt, ShowTrace
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.panes.prompt import make_prompt
from chimein_gui.viewmodels.prompt.differences import is_same_part
from chimein_gui.viewmodels.prompt.sections import has_file
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.ui.panes.prompt.modes import PromptMode
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel
    from chimein_gui.viewmodels.prompt.sections import PartRow


SIDE_BY_SIDE = "side by side"
"""What is remembered if the differences stand so."""


class PromptPane(Pane):
    """Follows the chat in sight; it reads only while it is shown, and it can neither send nor change anything."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self.models = models = context.own(make_prompt)
        self.prompt = models.prompt
        theme = context.theme
        self.head = PromptHead(context, models)
        self.copies = PromptCopies(context, models, self)
        self.message = InlineMessage(theme, BOX)
        self.list = PartList(theme, self.prompt.parts)
        self.reading = ReadMode(theme, self.prompt, self.head)
        self.diff = DiffMode(context, models, self.head)
        self.what_if = WhatIfMode(context, models)
        self.modes: tuple[PromptMode, ...] = (self.reading, self.diff, self.what_if)
        """In the order of the switch; the first is shown at first, and Escape leads back to it."""
        self._split = QSplitter()
        self._shown, self._legends = QStackedWidget(), QStackedWidget()
        self._empty = EmptyState(theme, "quotes")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        self._build()
        self._wire()
        self._show_all()

    def _build(self) -> None:
        for mode in self.modes:
            self._shown.addWidget(mode)
            others = [((one.letter,), one.word) for one in self.modes if mode is self.reading and one is not mode]
            if mode is self.reading:
                others.append(((TRACE_KEY,), self.tr("Trace")))
            self._legends.addWidget(KeyLegend(self._context.theme, (*mode.keys, *others), self))
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.list)
        self._split.addWidget(self._shown)
        self._split.setSizes([320, 1040])
        self._split.setStretchFactor(1, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._split)
        self._legends.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._legends)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self.message)
        whole.addWidget(self._stack, 1)
        whole.addWidget(foot)
        self.head.offer_modes(tuple(mode.word for mode in self.modes))
        self._size_modes(0)

    def _wire(self) -> None:
        self.prompt.changed.connect(self._show_all)
        self.models.comparison.changed.connect(self._show_comparison)
        self.list.chosen.connect(self._show_part)
        self.diff.reached.connect(self._follow)
        self.list.entered.connect(self._enter)
        self.diff.source_wanted.connect(self.open_source)
        self.head.source.clicked.connect(lambda _checked=False: self.open_source(self.list.current))
        self.list.copied.connect(self.copy_part)
        self.list.searched.connect(self.search)
        letters: dict[str, Callable[[], None]] = {
            mode.letter: partial(self.choose_mode, place) for place, mode in enumerate(self.modes)
        }
        letters[TRACE_KEY] = self.open_trace
        self.head.trace.clicked.connect(lambda _checked=False: self.open_trace())
        SingleKeyShortcuts(letters, self, self._context.models.single_keys).watch(self.list)
        self.head.mode_chosen.connect(self.choose_mode)
        self.head.where.clicked.connect(lambda _checked=False: self._show_where())
        self.head.search.stepped_down.connect(self.list.setFocus)
        self.head.copy.clicked.connect(lambda _checked=False: self._open_copies())
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.search)

    def open(self, request: object) -> None:
        if isinstance(request, PreviewPrompt):
            self.prompt.open(request.chat_id)
            self.prompt.choose_plan(None)
            self.choose_mode(0)
        elif isinstance(request, ShowPrompt):
            self.prompt.open(request.chat_id)
            if request.graph_id is None and request.call_id is not None:
                self.prompt.choose_attempt(request.call_id)
            else:
                self.prompt.choose_plan(request.graph_id)
                if request.call_id is not None:
                    self.prompt.choose_call(request.call_id)
            self.choose_mode(self.modes.index(self.what_if) if request.what_if else 0)

    def save_place(self) -> str:
        return SIDE_BY_SIDE if self.diff.is_beside else ""

    def restore_place(self, place: str) -> None:
        self.diff.show_sides(BESIDE if place == SIDE_BY_SIDE else UNIFIED)

    # --- modes ----------------------------------------------------------------------------------------------------

    @property
    def mode(self) -> PromptMode:
        """The mode in sight."""
        return self.modes[self._shown.currentIndex()]

    def choose_mode(self, place: int) -> None:
        """Show another mode."""
        had_focus = self.list.hasFocus()
        self._size_modes(place)
        self._shown.setCurrentIndex(place)
        self._legends.setCurrentIndex(place)
        self.head.show_mode(place)
        self.list.setVisible(self.mode is not self.what_if)  # that one lists the parts of another prompt
        self._show_comparison()
        self._show_all()
        if had_focus:
            self.focus_widget().setFocus()

    def _size_modes(self, place: int) -> None:
        """Let only the mode in sight decide how small the pane can be: the others are as narrow as they were made."""
        for at, mode in enumerate(self.modes):
            policy = QSizePolicy.Policy.Preferred if at == place else QSizePolicy.Policy.Ignored
            mode.setSizePolicy(policy, policy)

    def _enter(self) -> None:
        row = self.list.current
        if self.mode is not self.reading or not self.open_source(row):
            self.mode.enter(row)

    def open_source(self, row: PartRow | None, line: int = 0) -> bool:
        """Open the file of a part in the editor.

        Args:
            row: The part.
            line: A line of what was sent of it, from 1; the first is its mark. 0 stands for its beginning.

        Returns:
            Whether it has a file.
        """
        if row is None or not has_file(row):
            return False
        first, last = row.lines
        at = min(last, max(first, first + line - 2)) if first else 0
        self._context.requests.send(OpenAgentSource(row.source, at))
        return True

    def open_trace(self) -> None:
        """Show the trace of the plan, at the call in sight; what would be sent now has none."""
        prompt = self.prompt
        if prompt.graph_id is not None:
            sent = prompt.view.sent if prompt.view is not None else None
            call_id = sent.call_id if sent is not None else None
            self._context.requests.send(ShowTrace(prompt.graph_id, call_id=call_id))

    def _show_where(self) -> None:
        self.choose_mode(0)
        self.reading.go_to_cut()

    def search(self) -> None:
        """Let the operator search the texts."""
        if self.mode is not self.reading:
            self.choose_mode(0)
        self.head.search.setFocus()

    # --- the pane -------------------------------------------------------------------------------------------------

    def focus_widget(self) -> QWidget:
        if self._stack.currentWidget() is not self._split:
            return self._empty
        return self.what_if.first_field if self.mode is self.what_if else self.list

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.mode is not self.reading:
            self.choose_mode(0)
            self.list.setFocus()
        elif event.key() == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("prompt"))
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.prompt.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.prompt.watch(watched=False)

    # --- contents -------------------------------------------------------------------------------------------------

    def _show_all(self) -> None:
        prompt, view = self.prompt, self.prompt.view
        self.subtitle_changed.emit(_whose(self._context.models.chats, prompt.chat_id))
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
            self._stack.setCurrentWidget(self._split)
            if not self.list.currentIndex().isValid():
                self.list.setCurrentIndex(prompt.parts.index(0))
            if had_focus:
                self.list.setFocus()
            self.mode.show_prompt()
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
                "Prompts are kept as long as traces. Plans of earlier versions, and your own messages, have none."
            )
            self._empty.say(self.tr("No prompt is stored of this plan"), words)

    def _show_part(self, row: PartRow | None, *, is_chosen: bool = True) -> None:
        """Mark a part in the bar and in the mode. One that was just chosen is scrolled to, too."""
        self.head.show_prompt(row.title if row is not None else "")
        self.head.source.setEnabled(row is not None and has_file(row))
        self.mode.show_part(row, scroll=is_chosen)

    def _show_comparison(self) -> None:
        is_diff = self.mode is self.diff
        self.prompt.parts.show_figures(self.models.comparison.rows.diff.figure_of if is_diff else None)
        if is_diff:
            self.diff.show_prompt()
        comparison = self.models.comparison
        self.head.show_lens(comparison.lens, comparison.cut)
        self.reading.show_cut(comparison.cut)

    def _follow(self, row: PartRow | None) -> None:
        """Choose the part whose differences are read; the list of differences stays where it is."""
        rows, current = self.prompt.parts.parts.rows, self.list.current
        if row is None or (current is not None and is_same_part(row, current)):
            return
        place = next((at for at, one in enumerate(rows) if is_same_part(row, one)), -1)
        if place >= 0:
            with QSignalBlocker(self.list):
                self.list.setCurrentIndex(self.prompt.parts.index(place))
            self.head.show_prompt(row.title)

    # --- copies ---------------------------------------------------------------------------------------------------

    def copy_part(self) -> None:
        """Copy the text of the chosen part as it was sent."""
        row = self.list.current
        if row is not None and row.text:
            copy_text(row.text)

    def _open_copies(self) -> None:
        menu = self.copies.menu(self.list.current)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_below(menu, self.head.copy)


def _whose(chats: ChatTreeModel, chat_id: ChatId | None) -> str:
    """Return whose prompt it is, and in which chat; empty without a chat."""
    chat = chats.chat(chat_id) if chat_id is not None else None
    if chat is None:
        return ""
    agent, title = chats.agent(chat.agent_id), foreign_text.isolated(chat.info.title)
    return f"{foreign_text.isolated(agent.spec.name)} → {title}" if agent is not None else title
