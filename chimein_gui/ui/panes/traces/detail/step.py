"""Facts of the chosen step, and of a decision the words that the operator changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.traces.steps import ApprovalStep, CallStep, SendStep
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.fact_words import missing_prompt_words, request_facts, step_facts
from chimein_gui.viewmodels.traces.steps import call_of_step

if TYPE_CHECKING:
    from chimein_gui.domain.traces.steps import Trace, TraceStep
    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate

FACTS = 14
SIDE, TOP, BOTTOM = 12, 6, 8
"""Around what is scrolled, px."""


class _Facts(QWidget):
    """Names and values."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        theme = context.theme
        names = [PlainLabel(theme, "", Face.SMALL, "text2") for _ in range(FACTS)]
        self._rows = [(name, PlainLabel(theme, "", Face.SMALL)) for name in names]
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for place, (name, value) in enumerate(self._rows):
            value.setWordWrap(True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(name, place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, place, 1)

    def show_facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        """Show other facts."""
        for place, (name, value) in enumerate(self._rows):
            known = facts[place] if place < len(facts) else ("", "")
            name.setText(known[0])
            value.setText(foreign_text.body(known[1]))
            for label in (name, value):
                label.setVisible(bool(known[0]))


class _FactTab(QWidget):
    """A title and facts; below them what a subclass adds, and buttons."""

    def __init__(self, context: PaneContext, parts: tuple[QWidget, ...], buttons: tuple[ActionButton, ...]) -> None:
        super().__init__()
        self._context = context
        self._title = PlainLabel(context.theme, "", Face.STRONG)
        self._facts = _Facts(context)
        self._step: TraceStep | None = None
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(8)
        for part in (self._title, self._facts, *parts):
            column.addWidget(part)
        row = QHBoxLayout()
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SIDE, TOP, SIDE, BOTTOM)
        self._box = ScrollBox(inside)
        whole.addWidget(self._box)

    def wanted_height(self, width: int) -> int:
        """Return the height in which nothing has to be scrolled in such a width, px."""
        for part in (self._facts, self._box.widget()):
            layout = part.layout() if part is not None else None
            if layout is not None:
                layout.activate()  # else what is around it would know its height only a turn later
        return TOP + self._box.height_of(width - 2 * SIDE) + BOTTOM

    def _say(self, step: TraceStep | None, title: str, facts: tuple[tuple[str, str], ...]) -> None:
        self._step = step
        self._title.setText(foreign_text.line(title, 300))
        self._facts.show_facts(facts)


class StepTab(_FactTab):
    """Hidden parts are those that the step has not.

    Attributes:
        message_asked: The message that a send brought shall be shown; carries chat and message.
        draft_asked: The card shall be shown; carries the approval's id.
    """

    message_asked = Signal(object, object)
    draft_asked = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        theme = context.theme
        self._changed = PlainLabel(
            theme, translate("StepTab", "Your changes to the model's text"), Face.SMALL_STRONG, "text2"
        )
        self.diff = WordDiff(theme)
        self.message = ActionButton(theme, translate("StepTab", "Open the message"), icon="chats")
        self.draft = ActionButton(theme, translate("StepTab", "Open the card"), icon="approvals")
        super().__init__(context, (self._changed, self.diff), (self.message, self.draft))
        self.message.clicked.connect(lambda _checked=False: self._open_message())
        self.draft.clicked.connect(lambda _checked=False: self._open_draft())

    def show_trace(self, trace: Trace, step: TraceStep | None) -> None:
        """Show the facts of a step; without one, of the whole trace."""
        self._say(step, *step_facts(trace, step, self._context.models.clock))
        decision = step.detail.decision if step is not None and isinstance(step.detail, ApprovalStep) else None
        edited = decision is not None and decision.is_edited
        if decision is not None and edited:
            self.diff.compare(decision.draft, decision.text)
        for part in (self._changed, self.diff):
            part.setVisible(edited)
        self.draft.setVisible(step is not None and has_card(step))
        self.message.setVisible(self._sent() is not None)

    def _sent(self) -> tuple[object, object] | None:
        """Return chat and message of a send that arrived."""
        detail = self._step.detail if self._step is not None else None
        if isinstance(detail, SendStep):
            for part in detail.parts:
                if part.message_id is not None:
                    return detail.approval.chat_id, part.message_id
        return None

    def _open_message(self) -> None:
        sent = self._sent()
        if sent is not None:
            self.message_asked.emit(*sent)

    def _open_draft(self) -> None:
        detail = self._step.detail if self._step is not None else None
        if isinstance(detail, ApprovalStep):
            self.draft_asked.emit(detail.approval.approval_id)


def has_card(step: TraceStep) -> bool:
    """Return whether a step waits for a decision: a card that is over, also one without a decision, is not there."""
    detail = step.detail
    if not isinstance(detail, ApprovalStep) or detail.decision is not None:
        return False
    return detail.approval.task_status is TaskStatus.AWAITING_DECISION


class RequestTab(_FactTab):
    """What a call was asked, and the ways to the exact request.

    Attributes:
        prompt_asked: The stored request shall be shown; carries the call's id.
        curl_asked: The call shall be copied as a command; carries the step's id.
    """

    prompt_asked = Signal(object)
    curl_asked = Signal(int)

    def __init__(self, context: PaneContext) -> None:
        theme = context.theme
        self.prompt = ActionButton(theme, translate("RequestTab", "Open the exact request"), icon="quotes")
        self.curl = ActionButton(theme, translate("RequestTab", "Copy as curl, without the key"), icon="copy")
        super().__init__(context, (), (self.prompt, self.curl))
        self.prompt.clicked.connect(lambda _checked=False: self._open())
        self.curl.clicked.connect(lambda _checked=False: self._copy())

    def show_trace(self, trace: Trace, step: TraceStep | None) -> None:
        """Show the request of the call that a step is about."""
        chosen = call_of_step(trace, step)
        why = missing_prompt_words(trace, chosen)
        self._say(chosen, *request_facts(trace, chosen, self._context.models.clock, why))
        for button in (self.prompt, self.curl):
            button.allow(why)

    def _open(self) -> None:
        detail = self._step.detail if self._step is not None else None
        if isinstance(detail, CallStep):
            self.prompt_asked.emit(detail.call_id)

    def _copy(self) -> None:
        if self._step is not None:
            self.curl_asked.emit(self._step.step_id)
