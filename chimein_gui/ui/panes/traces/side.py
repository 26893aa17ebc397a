"""The leading side of the Traces pane: search and filters above the list of traces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.traces.summaries import EVERYTHING, TraceFilter, TraceGroup, TraceKind
from chimein_gui.ui.panes.traces.list import TraceList
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice, SearchWords
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.traces.words import span_words

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.traces.list import TraceListModel

STRIP = 64
"""Width of the list in a narrow pane, px: a date has room in it."""

_OVER_SIDE = 2
"""Space beside what stands above the strip, px."""

LEAST = 340
"""Least width of the list with its filters, px: narrower, their words would be cut."""

SIDES = 24
"""Room beside the filters, px."""

QWIDGETSIZE_MAX = 16_777_215
"""No limit of a width, for Qt."""

TYPING_MS = 200
"""Time after the last key until the traces are searched, ms."""

_OF_KIND = {
    1: TraceFilter(group=TraceGroup.NEEDS_YOU),
    2: TraceFilter(group=TraceGroup.PROBLEMS),
    3: TraceFilter(kind=TraceKind.DRY_RUN),
}
"""What each choice after *All* asks for."""

_FLAGS = ("", "edited", "rejected", "slow", "expensive", "kept")
"""Further filters: fields of `TraceFilter`."""


class TraceSide(Surface):
    """Search, what became of it, agent, chat, further marks; below them the list.

    In a narrow pane it is a strip of icons, until its filters are asked for or it has no rows.

    Attributes:
        is_narrow: It is a strip.
        widened: The filters were asked for, or are no longer needed; carries whether they are.
    """

    widened = Signal(bool)

    def __init__(self, context: PaneContext, model: TraceListModel) -> None:
        theme = context.theme
        super().__init__(theme, "pane")
        self._models, self._model = context.models, model
        self._titles: dict[ChatId, str] = {}
        self.words = SearchWords(
            theme, self.tr("Search traces"), hint=self.tr("Search: text, chat, address"), icon="search"
        )
        kinds = (self.tr("All"), self.tr("Needs you"), self.tr("Problems"), self.tr("What-if"))
        self.kinds = Segments(theme, kinds, self.tr("Traces"))
        self.kinds.choose(0)
        self.agent = Choice(theme, self.tr("Agent"))
        self.chat = Choice(theme, self.tr("Chat"))
        self.marks = Choice(theme, self.tr("Further filter"))
        self.span = ActionButton(theme, "", icon="x")
        self.span.hide()
        self._span = EVERYTHING
        self.list = TraceList(context, model)
        self.more = IconButton(theme, "filter", self.tr("Search and filter"))
        self._fields = QWidget()
        self.is_narrow = False
        self.empty = EmptyState(theme, "traces")
        self.empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._build()
        self.set_narrow(narrow=False)
        self._typing.timeout.connect(self._choose)
        self.words.textChanged.connect(lambda _text: self._typing.start())
        self.words.stepped_down.connect(self.focus_list)
        self.kinds.chosen.connect(lambda _place: self._choose())
        self.span.clicked.connect(lambda _checked=False: self._clear_span())
        for choice in (self.agent, self.chat, self.marks):
            choice.currentIndexChanged.connect(lambda _place: self._choose())
        self.refresh()

    def _build(self) -> None:
        row = QHBoxLayout()
        self.more.clicked.connect(lambda _checked=False: self.focus_search())
        self.more.hide()
        self._over = QWidget()
        self._only = ElidedLabel(self._theme, "", Face.META, "text2")
        self._only.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._only.hide()
        row.setSpacing(6)
        for choice in (self.agent, self.chat, self.marks):
            row.addWidget(choice, 1)
        top = QVBoxLayout(self._fields)
        set_rtl_margins(top, 12, 8, 10, 6)
        top.setSpacing(6)
        top.addWidget(self.words)
        top.addWidget(self.kinds, 0, Qt.AlignmentFlag.AlignLeft)
        top.addLayout(row)
        top.addWidget(self.span, 0, Qt.AlignmentFlag.AlignLeft)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        over = QVBoxLayout(self._over)
        over.setContentsMargins(_OVER_SIDE, 4, _OVER_SIDE, 4)
        over.setSpacing(2)
        over.addWidget(self.more, 0, Qt.AlignmentFlag.AlignHCenter)
        over.addWidget(self._only)
        self._over.hide()
        column.addWidget(self._over)
        column.addWidget(self._fields)
        column.addWidget(self._stack, 1)

    def refresh(self) -> None:
        """Show counts, agents and chats, and the list or why it is empty."""
        counts = self._model.counts
        words = (self.tr("All"), self.tr("Needs you"), self.tr("Problems"), self.tr("What-if"))
        numbers = (counts.all, counts.waiting, counts.problems, counts.what_if)
        for place, (word, number) in enumerate(zip(words, numbers, strict=True)):
            self.kinds.set_word(place, f"{word} {count_words(number)}" if number else word)
        self._fit()  # a longer number may need more room
        agents: list[tuple[str, object]] = [(self.tr("All agents"), None)]
        agents += [(foreign_text.name(one.spec.name), one.agent_id) for one in self._models.agents.items()]
        self.agent.set_entries(agents)
        self._titles |= {row.chat_id: row.chat_title for row in self._model.rows()}
        chats: list[tuple[str, object]] = [(self.tr("All chats"), None)]
        self.chat.set_entries([*chats, *((foreign_text.name(title), key) for key, title in self._titles.items())])
        self.marks.set_entries(zip(self._mark_words(), _FLAGS, strict=True))
        self._say_filter()
        count = self._model.rowCount()
        had_focus = self.list.hasFocus() or self.empty.hasFocus()
        if not count:
            self._say_why_empty()
        self._stack.setCurrentIndex(int(bool(count)))
        if had_focus:
            self.focus_list()

    def _say_filter(self) -> None:
        """Say at the button of the strip what is filtered; one thing alone has room for its name below it."""
        asked = [word for word in self._asked() if word] if self._model.wanted != EVERYTHING else []
        self.more.set_look("", "filter", kind=Kind.PRIMARY if asked else Kind.QUIET)
        words = self.tr("Search and filter")
        if asked:
            words = self.tr("Search and filter. Only: {what}").format(what=" · ".join(asked))
        self.more.setAccessibleName(words)
        self.more.setToolTip(foreign_text.tool_tip(words))
        alone = asked[0] if len(asked) == 1 else ""
        room = round(STRIP * self._theme.percent / 100) - 2 * _OVER_SIDE
        has_room = bool(alone) and QFontMetricsF(self._only.font()).horizontalAdvance(alone) <= room
        self._only.setText(alone if has_room else self.tr("Filtered"))
        self._only.setVisible(bool(asked) and self.is_narrow)

    def _asked(self) -> tuple[str, ...]:
        """Return what each field asks for; empty where it takes everything."""
        kinds = ("", self.tr("Needs you"), self.tr("Problems"), self.tr("What-if"))
        searched = foreign_text.line(self.words.text().strip(), 80)
        return (
            kinds[self.kinds.current()],
            *(field.currentText() if field.currentData() else "" for field in (self.agent, self.chat, self.marks)),
            self.tr("“{words}”").format(words=foreign_text.isolate(searched)) if searched else "",
            span_words(self._span),
        )

    def _mark_words(self) -> tuple[str, ...]:
        return (
            self.tr("Any mark"),
            self.tr("Edited"),
            self.tr("Rejected"),
            self.tr("Slow"),
            self.tr("Expensive"),
            self.tr("Kept"),
        )

    def _say_why_empty(self) -> None:
        model = self._model
        if model.problem:
            words = self.tr("Traces can't be loaded. Nothing is lost.")
            self.empty.say(words, model.problem, ((self.tr("Try again"), model.read),))
        elif not model.is_loaded:
            self.empty.say(self.tr("Loading traces…"), "")
        elif model.wanted != EVERYTHING:
            self.empty.say(*self._none_words(), ((self.tr("Show all traces"), self.show_all),))
        else:
            words = self.tr("Each plan will leave one here: what was read, asked, answered and decided.")
            self.empty.say(self.tr("No traces yet"), words)

    def _none_words(self) -> tuple[str, str]:
        """Return why a filter takes nothing, and what then; one kind alone finds nothing because there is nothing."""
        match self.kinds.current() if self._model.wanted == _OF_KIND.get(self.kinds.current()) else 0:
            case 1:
                return self.tr("Nothing waits for you"), self.tr("Plans that need your decision are listed here.")
            case 2:
                words = self.tr("Plans that failed, or wait because of a fault, are listed here.")
                return self.tr("No problems"), words
            case 3:
                words = self.tr("“Run as what-if” in an open trace makes one. Nothing of it is sent.")
                return self.tr("No what-if runs yet"), words
        return self.tr("No such traces"), self.tr("Try another agent or chat, or other words.")

    def set_narrow(self, *, narrow: bool) -> None:
        """Become a strip of icons, or show everything again."""
        self.is_narrow = narrow
        self._fields.setVisible(not narrow)
        self._over.setVisible(narrow)
        self.more.setVisible(narrow)
        self._say_filter()
        self.list.set_narrow(narrow=narrow)
        # In a strip its words have no room (while the traces are read), and behind the list a screen reader finds it.
        self.empty.setHidden(narrow or self._stack.currentWidget() is self.list)
        self._fit()

    def _fit(self) -> None:
        scale = self._theme.percent / 100
        if self.is_narrow:
            self.setFixedWidth(round(STRIP * scale))
            return
        words = self.kinds.sizeHint().width() + SIDES
        self.setMinimumWidth(max(round(LEAST * scale), words))
        self.setMaximumWidth(QWIDGETSIZE_MAX)

    def has_filter_focus(self) -> bool:
        """Return whether the focus is in the search field or in one of the filters."""
        return self._fields.isAncestorOf(self.window().focusWidget())

    def focus_search(self) -> None:
        """Focus the search field; a strip becomes wide first."""
        if self.is_narrow:
            self.widened.emit(True)
        self.words.setFocus()

    def focus_list(self) -> None:
        """Focus the list, or what stands in its place."""
        self.widened.emit(False)
        (self.list if self._stack.currentIndex() else self.instead).setFocus()

    @property
    def instead(self) -> QWidget:
        """What gets the focus where the list has no rows: a strip has no room for why."""
        return self.more if self.is_narrow else self.empty

    def show_all(self) -> None:
        """Clear the filter."""
        self.show_filter(EVERYTHING)
        self.focus_list()

    def show_filter(self, wanted: TraceFilter) -> None:
        """Show the traces of an agent, a chat, some days, a kind or calls; the other fields are cleared."""
        had_focus = self.span.hasFocus()
        fields = (self.words, self.agent, self.chat, self.marks)
        for field in fields:
            field.blockSignals(True)
        self.words.clear()
        self.kinds.choose(3 if wanted.kind is TraceKind.DRY_RUN else 0)
        asked = TraceFilter(kind=wanted.kind, since=wanted.since, until=wanted.until)
        self._show_span(replace(asked, purpose=wanted.purpose, model=wanted.model))
        if had_focus:
            self.focus_list()
        if wanted.chat_id is not None and wanted.chat_id not in self._titles:
            chat = self._models.chats.chat(wanted.chat_id)
            self._titles[wanted.chat_id] = chat.info.title if chat is not None else ""
            self.chat.addItem(foreign_text.name(self._titles[wanted.chat_id]), wanted.chat_id)
        self.agent.choose(wanted.agent_id)
        self.chat.choose(wanted.chat_id)
        self.marks.choose("")
        for field in fields:
            field.blockSignals(False)
        self._choose()

    def _show_span(self, span: TraceFilter) -> None:
        """Show which days, kind and calls were asked for elsewhere; a press shows all again."""
        self._span = span
        words = span_words(span)
        self.span.setVisible(bool(words))
        self.span.set_look(words, icon="x")
        self.span.setAccessibleName(self.tr("Only {what}. Show all").format(what=words))
        self.span.setToolTip(self.tr("Show all"))

    def _clear_span(self) -> None:
        self.focus_list()
        self._show_span(EVERYTHING)
        self._choose()

    def _choose(self) -> None:
        self._typing.stop()
        wanted = replace(
            self._span,
            agent_id=self.agent.currentData(),
            chat_id=self.chat.currentData(),
            words=self.words.text().strip(),
        )
        of_kind = _OF_KIND.get(self.kinds.current())
        if of_kind is not None:
            wanted = replace(wanted, group=of_kind.group, kind=of_kind.kind or wanted.kind)
        flag = self.marks.currentData()
        if flag:
            wanted = _marked(wanted, flag)
        self.list.seek(wanted.words)
        self._model.choose(wanted)


def _marked(wanted: TraceFilter, flag: str) -> TraceFilter:
    """Return a filter that asks for a further mark, one of `_FLAGS`."""
    return replace(
        wanted,
        edited=flag == "edited",
        rejected=flag == "rejected",
        slow=flag == "slow",
        expensive=flag == "expensive",
        kept=flag == "kept",
    )
