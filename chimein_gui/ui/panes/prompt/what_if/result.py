"""What a dry run brought: the raw reply, the steps that it would be, and the difference from the real draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.ui.panes.prompt.copying import copy_text
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.inline_message import ROW, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.text.wrapped_text import WrappedText
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import count_words, decimal_words, dollars_words, short_words
from chimein_gui.viewmodels.words.replies import reply_problem_words

if TYPE_CHECKING:
    from chimein_gui.domain.replies.replies import Block
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.prompt.what_if import Run

_MOST_ROWS = 10
"""Rows of the raw reply that are shown without scrolling."""


class StepCard(Surface):
    """A step that would be: a dashed violet frame, where a real draft has another colour."""

    def __init__(self, theme: Theme, title: str, words: str) -> None:
        super().__init__(theme, "unreal_soft", radius=8)
        self.setAccessibleName(": ".join(part for part in (title, foreign_text.line(words)) if part))
        column = QVBoxLayout(self)
        set_rtl_margins(column, 12, 8, 12, 8)
        column.setSpacing(2)
        column.addWidget(PlainLabel(theme, title, Face.SMALL_STRONG))
        if words:
            text = WrappedText(theme)
            text.set_text(words)
            column.addWidget(text)

    def paint_contents(self, painter: QPainter) -> None:
        pen = QPen(self._theme.color("unreal"), 1)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)


class RunResult(QWidget):
    """The chosen run of several.

    Attributes:
        regenerate_wanted: The edit is to become an instruction for another version of the real draft.
    """

    regenerate_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._runs: tuple[Run, ...] = ()
        self._draft: str | None = None
        self._shown = 0
        self._cards: list[QWidget] = []
        self.regenerate = ActionButton(theme, self.tr("Regenerate with this…"), icon="refresh")
        self.regenerate.clicked.connect(lambda _checked=False: self.regenerate_wanted.emit())
        self.problem = InlineMessage(theme, ROW)
        self.tabs: Segments | None = None
        self.facts = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.raw = QPlainTextEdit()
        self.raw.setReadOnly(True)
        self.raw.setTabChangesFocus(True)
        self.raw.setAccessibleName(self.tr("Raw reply"))
        self.raw.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._copy = IconButton(theme, "copy", self.tr("Copy the raw reply"))
        self._copy.clicked.connect(lambda _checked=False: self._runs and copy_text(self._runs[self._shown].result.text))
        self.diff = WordDiff(theme)
        self._nothing = PlainLabel(theme, self.tr("No run yet. Change a text, and run dry."), Face.BODY, "text2")
        self._nothing.setWordWrap(True)
        self._parsed = PlainLabel(theme, "", Face.SMALL_STRONG)
        self._against = PlainLabel(theme, self.tr("Against the real draft"), Face.SMALL_STRONG)
        self._raw_title = QWidget()
        self._build()
        theme.fonts_changed.connect(self._take_font)
        self._take_font()

    def _build(self) -> None:
        theme = self._theme
        head = QHBoxLayout()
        set_rtl_margins(head, 12, 6, 12, 6)
        head.setSpacing(8)
        head.addWidget(PlainLabel(theme, self.tr("Dry run result"), Face.SMALL_STRONG))
        chip = StateChip(theme)
        chip.say(IconLabel("flask", self.tr("cannot send"), "unreal"))
        head.addWidget(chip)
        head.addStretch(1)
        head.addWidget(self.regenerate)
        inside = QWidget()
        self._column = column = QVBoxLayout(inside)
        set_rtl_margins(column, 12, 4, 12, 12)
        column.setSpacing(8)
        self._tab_place = QHBoxLayout()
        self._tab_place.addStretch(1)
        column.addLayout(self._tab_place)
        column.addWidget(self.facts)
        column.addWidget(self.problem)
        column.addWidget(self._nothing)
        title = QHBoxLayout(self._raw_title)
        title.setContentsMargins(0, 0, 0, 0)
        title.addWidget(PlainLabel(theme, self.tr("Raw reply"), Face.SMALL_STRONG), 1)
        title.addWidget(self._copy)
        column.addWidget(self._raw_title)
        column.addWidget(self.raw)
        column.addWidget(self._parsed)
        self._steps = QVBoxLayout()
        self._steps.setSpacing(6)
        column.addLayout(self._steps)
        column.addWidget(self._against)
        column.addWidget(self.diff)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(ScrollBox(inside), 1)

    def show_runs(self, runs: tuple[Run, ...], problem: str, draft: str | None) -> None:
        """Show the runs, the newest of which is in front; `draft` is the text of the real draft, None for none."""
        self.problem.refuse(problem)
        if runs != self._runs:
            self._shown = 0
        self._draft = draft
        if runs != self._runs or self.tabs is None:
            self._runs = runs
            self._offer_tabs()
        self._show_run()

    def _offer_tabs(self) -> None:
        if self.tabs is not None:
            self._tab_place.removeWidget(self.tabs)
            self.tabs.hide()
            self.tabs.deleteLater()
        words = tuple(self.tr("Run {n}").format(n=run.number) for run in self._runs)
        self.tabs = Segments(self._theme, words, self.tr("Runs"))
        if words:
            self.tabs.choose(self._shown)
        self.tabs.setVisible(bool(words))
        self.tabs.chosen.connect(self._choose)
        self._tab_place.insertWidget(0, self.tabs)

    def _choose(self, place: int) -> None:
        self._shown = place
        self._show_run()

    def _show_run(self) -> None:
        run = self._runs[self._shown] if self._runs else None
        self._nothing.setVisible(run is None)
        for part in (self.facts, self._raw_title, self.raw, self._parsed):
            part.setVisible(run is not None)
        for card in self._cards:
            self._steps.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards.clear()
        has_diff = run is not None and self._draft is not None and bool(run.said)
        self._against.setVisible(has_diff)
        self.diff.setVisible(has_diff)
        if run is None:
            return
        self.facts.setText(self._fact_words(run))
        self.raw.setPlainText(foreign_text.body(run.result.text))
        self._take_font()
        steps = [one for one in run.result.reply.blocks if one.kind is not BlockKind.THINK]
        count = len(steps)
        self._parsed.setText(self.tr("Parsed: %n step(s), none of which is done", "", count))
        for step in steps:
            self._add(StepCard(self._theme, *self._step_words(step)))
        for name in run.result.tools:
            words = self.tr("A dry run looks nothing up: run it without tools for an answer.")
            self._add(
                StepCard(self._theme, self.tr("wants the tool {name}").format(name=foreign_text.name(name)), words)
            )
        for problem in run.result.reply.problems:
            line = InlineMessage(self._theme, ROW)
            line.say(IconLabel("warning", reply_problem_words(problem), "attention"))
            self._add(line)
        if has_diff and self._draft is not None:
            self.diff.compare(self._draft, run.said)

    def _add(self, card: QWidget) -> None:
        self._cards.append(card)
        self._steps.addWidget(card)

    def _fact_words(self, run: Run) -> str:
        call, edits = run.result.call, run.edits
        kind = self.tr("Exact bytes") if run.is_exact else self.tr("Rebuilt, %n edit(s)", "", edits)
        usage = call.usage
        facts = (
            kind,
            foreign_text.name(call.model),
            self.tr("{n} s").format(n=decimal_words(call.latency_s, 1)),
            self.tr("{n} in").format(n=count_words(usage.prompt_tokens)),
            self.tr("{n} out").format(n=count_words(usage.reply_tokens + usage.thinking_tokens)),
            self.tr("price unknown") if call.cost_usd is None else dollars_words(call.cost_usd, 4),
        )
        return " · ".join(facts)

    def _step_words(self, step: Block) -> tuple[str, str]:
        reply = self.tr("send, in reply to {n}").format(n=step.reply_to) if step.reply_to else self.tr("send")
        titles = {
            BlockKind.SEND: reply,
            BlockKind.STICKER: self.tr("sticker"),
            BlockKind.WAIT: self.tr("wait"),
            BlockKind.REMEMBER: self.tr("remember: not written"),
            BlockKind.RETRIEVE: self.tr("retrieve: not fetched"),
            BlockKind.BLOCK: self.tr("block"),
            BlockKind.UNBLOCK: self.tr("unblock"),
            BlockKind.CLEAR_CONVERSATION: self.tr("clear the conversation"),
            BlockKind.SHUTDOWN: self.tr("shut down"),
        }
        words = step.body
        if step.kind is BlockKind.WAIT:
            words = self.tr("{n} s").format(n=short_words(float(step.params["delay"])))
        return titles[step.kind], words

    def _take_font(self) -> None:
        self.raw.setFont(self._theme.fixed_font())
        rows = min(_MOST_ROWS, max(3, self.raw.document().blockCount() + 1))
        self.raw.setFixedHeight(rows * self.raw.fontMetrics().lineSpacing() + 12)
