"""The reply as the model wrote it, beside the tasks that it became."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.mono_text import MonoText, Run
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.block_words import block_note, block_state, block_title, reply_words
from chimein_gui.viewmodels.traces.steps import call_of_step
from chimein_gui.viewmodels.words.replies import reply_problem_words

if TYPE_CHECKING:
    from chimein_gui.domain.plans.decision_log import LoggedDecision
    from chimein_gui.domain.traces.steps import Trace, TraceBlock, TraceStep
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

LONGEST = 100_000
"""Characters of a reply that are shown; no model of today writes that many."""

MOST_LINES = 12
"""Lines of a longer reply that the steps leave their room."""

SIDE, TOP, MIDDLE, EDGE, SPACE = 16, 8, 8, 4, 6
"""Around both halves, beside the handle between them, in the card of the reply, and below the heads, px."""

_ICONS = {
    BlockKind.SEND: "send",
    BlockKind.STICKER: "sticker",
    BlockKind.WAIT: "clock",
    BlockKind.BLOCK: "block",
    BlockKind.UNBLOCK: "person",
    BlockKind.CLEAR_CONVERSATION: "trash",
    BlockKind.SHUTDOWN: "power",
    BlockKind.REMEMBER: "memory",
    BlockKind.THINK: "memory",
    BlockKind.RETRIEVE: "globe",
}

_TOKENS = {
    TaskStatus.DONE: ("check", "ok"),
    TaskStatus.FAILED: ("x-circle", "danger"),
    TaskStatus.UNKNOWN: ("question", "attention"),
    TaskStatus.AWAITING_DECISION: ("hand", "attention"),
    TaskStatus.AWAITING_OPERATOR: ("hand", "attention"),
    TaskStatus.APPROVED: ("check", "info"),
    TaskStatus.SENDING: ("send", "info"),
    TaskStatus.SKIPPED: ("x", "text2"),
    TaskStatus.CANCELLED: ("x", "text2"),
}


def block_label(block: TraceBlock, *, edited: bool) -> IconLabel:
    """Return what became of a block as icon, word and colour."""
    icon, token = ("", "text2")
    if block.status is not None:
        icon, token = _TOKENS.get(block.status, ("clock", "text2"))
    elif block.remembered:
        icon, token = "memory", "accent_text"
    return IconLabel(icon or "info", block_state(block, edited=edited), token)


class BlockCard(Card):
    """A block and what became of it."""

    def __init__(self, theme: Theme, block: TraceBlock, decision: LoggedDecision | None) -> None:
        super().__init__(theme)
        edited = decision is not None and decision.is_edited
        chip = StateChip(theme)
        chip.say(block_label(block, edited=edited))
        head = QHBoxLayout()
        head.setSpacing(8)
        kind_chip = StateChip(theme)
        kind_chip.say(IconLabel(_ICONS[block.kind], block_title(block), "text1"))
        head.addWidget(kind_chip)
        head.addStretch(1)
        head.addWidget(chip)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(4)
        column.addLayout(head)
        self.diff: WordDiff | None = None
        said = block.body
        if decision is not None and edited:
            self.diff = WordDiff(theme)
            self.diff.compare(decision.draft, decision.text)
            column.addWidget(self.diff)
            said = decision.text
        elif block.kind is not BlockKind.THINK and block.body:
            text = PlainLabel(theme, foreign_text.body(block.body))
            text.setWordWrap(True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(text)
        note = block_note(block)
        if note:
            label = PlainLabel(theme, foreign_text.line(note, 300), Face.SMALL, "text2")
            label.setWordWrap(True)
            column.addWidget(label)
        words = (block_title(block), block_state(block, edited=edited), foreign_text.line(said, 200), note)
        speak_as_words(self)
        self.setAccessibleName(", ".join(word for word in words if word))


class ReplyTab(QWidget):
    """Raw reply at the leading side, tasks in the same order beside it.

    Attributes:
        graph_asked: The plan shall be shown as a picture.
    """

    graph_asked = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        theme = context.theme
        self._about = PlainLabel(theme, "", Face.SMALL, "text2")
        self.copy = ActionButton(theme, self.tr("Copy"), icon="copy", kind=Kind.QUIET)
        self.raw = MonoText(theme, self.tr("Raw reply"), whole_lines=True)
        self.graph = ActionButton(theme, self.tr("Open task graph"), icon="planned", kind=Kind.QUIET)
        self._heading = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._none = PlainLabel(theme, "", Face.SMALL, "text2")
        self._none.setWordWrap(True)
        self.cards: list[BlockCard] = []
        self._cards = QVBoxLayout()
        self._problems = PlainLabel(theme, "", Face.SMALL, "attention")
        self._problems.setWordWrap(True)
        self._shown: object = None
        self._build()
        self.graph.clicked.connect(lambda _checked=False: self.graph_asked.emit())
        self.copy.clicked.connect(lambda _checked=False: self._copy())

    def _build(self) -> None:
        theme = self._context.theme
        left, right = QWidget(), QWidget()
        reply = QVBoxLayout(left)
        set_rtl_margins(reply, 0, 0, MIDDLE, 0)
        reply.setSpacing(SPACE)
        head = self._head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(PlainLabel(theme, self.tr("Raw reply"), Face.SMALL_STRONG, "text2"))
        head.addWidget(self._about, 1)
        head.addWidget(self.copy)
        reply.addLayout(head)
        box = Card(theme)
        inside = QVBoxLayout(box)
        inside.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        inside.addWidget(self.raw)
        reply.addWidget(box, 1)
        tasks = QVBoxLayout(right)
        set_rtl_margins(tasks, MIDDLE, 0, 0, 0)
        tasks.setSpacing(SPACE)
        over = self._over = QHBoxLayout()
        over.addWidget(self._heading, 1)
        over.addWidget(self.graph)
        tasks.addLayout(over)
        column = QWidget()
        self._cards = QVBoxLayout(column)
        set_rtl_margins(self._cards, 0, 0, 4, 0)
        self._cards.setSpacing(6)
        self._cards.addWidget(self._none)
        self._cards.addWidget(self._problems)
        self._cards.addStretch(1)
        self._box = ScrollBox(column)
        tasks.addWidget(self._box, 1)
        split = self._split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(right)
        split.setSizes([500, 500])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SIDE, TOP, SIDE, TOP)
        whole.addWidget(split)

    def wanted_height(self, width: int) -> int:
        """Return the height in which all cards and the first lines of the reply are in sight, px."""
        room, sizes = width - 2 * SIDE - self._split.handleWidth(), self._split.sizes()
        left = room * sizes[0] // max(1, sum(sizes)) - MIDDLE - 2 * EDGE
        right = room * sizes[1] // max(1, sum(sizes)) - MIDDLE
        reply = self._head.sizeHint().height() + SPACE + self.raw.height_of(left, MOST_LINES) + 2 * EDGE
        tasks = self._over.sizeHint().height() + SPACE + self._box.height_of(right)
        return TOP + max(reply, tasks) + TOP

    def show_trace(self, trace: Trace, step: TraceStep | None) -> None:
        """Show the reply of the call that a step is about, else that which counted."""
        call = call_of_step(trace, step)
        shown = call.detail if call is not None and isinstance(call.detail, CallStep) else None
        reply = shown.reply if shown is not None else ""
        if call is call_of_step(trace, None) and (call is None or call is not step):
            reply = reply or trace.reply
        self._about.setText(reply_words(shown) if shown is not None else "")
        self.copy.allow("" if reply else self.tr("There is no text"))
        self.raw.show_runs(_runs(reply[:LONGEST]) or (Run(self.tr("No text"), "text3"),))
        decisions = {
            one.detail.approval.approval_id: one.detail.decision
            for one in trace.steps
            if isinstance(one.detail, ApprovalStep) and one.detail.decision is not None
        }
        blocks = tuple(
            (block, decisions.get(block.approval.approval_id) if block.approval is not None else None)
            for block in trace.blocks
        )
        has_plan = trace.summary.graph_id is not None
        none = self.tr("The reply brought no tasks.") if has_plan else self.tr("It brought no plan")
        self.graph.allow("" if has_plan and any(block.status is not None for block in trace.blocks) else none)
        self._say_of_tasks(trace.blocks, has_reply=bool(reply or trace.reply))
        problems = "\n".join(reply_problem_words(one) for one in trace.problems)
        self._problems.setText(foreign_text.body(problems))
        self._problems.setVisible(bool(problems))
        if blocks != self._shown:
            self._shown = blocks
            for card in self.cards:
                card.hide()
                card.deleteLater()
            self.cards = [BlockCard(self._context.theme, block, decision) for block, decision in blocks]
            for place, card in enumerate(self.cards):
                self._cards.insertWidget(place, card)
                card.show()  # at once: a layout shows what is new a turn later, and until then there was nothing

    def _say_of_tasks(self, blocks: tuple[TraceBlock, ...], *, has_reply: bool) -> None:
        """Head the cards: of a what-if, or of a plan that was refused, no block becomes a task."""
        heading = self.tr("Became these tasks")
        if not any(block.status is not None for block in blocks):
            heading = self.tr("Parts of the reply") if blocks else self.tr("Tasks")
        self._heading.setText(heading)
        self._none.setVisible(not blocks)
        self._none.setText(
            self.tr("The reply brought no tasks.") if has_reply else self.tr("Without a reply there are no tasks.")
        )

    def _copy(self) -> None:
        from PySide6.QtGui import QGuiApplication

        QGuiApplication.clipboard().setText(self.raw.whole_text())


def _runs(reply: str) -> tuple[Run, ...]:
    """Return a reply with its headings set off, and thoughts, of which only the length is kept."""
    runs = []
    for line in reply.splitlines(keepends=True):
        if line.startswith("# "):
            runs.append(Run(line, "accent_text", strong=True))
        elif line.startswith("(think"):
            runs.append(Run(line, "text2", "raised"))
        else:
            runs.append(Run(line))
    return tuple(runs)
