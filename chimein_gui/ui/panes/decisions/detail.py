"""Details of one decision: what happened to the model's text, why, by whom.

The rule that decided can be revoked here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.chats import AUTOMATIC, TrustLevel
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.ui.panes.decisions.rows import label_of
from chimein_gui.ui.requests import ShowChat, ShowMessage, ShowTrace
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.decisions.words import origin_words, reason_words, revoke_words, standing_words, text_words
from chimein_gui.viewmodels.traces.words import TRACE_KEY, trace_action

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.plans.decision_log import LoggedDecision
    from chimein_gui.ui.pane import PaneContext


class DecisionDetail(QWidget):
    """Shows an entry of the log.

    Attributes:
        revoke_pressed: The rule that decides in the chat now shall be revoked; carries chat id and level.
    """

    revoke_pressed = Signal(object, object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._models = context, context.models
        self._one: LoggedDecision | None = None
        theme = context.theme
        self._state_chip = StateChip(theme)
        self._time = PlainLabel(theme, "", Face.SMALL, "text2")
        self._who = PlainLabel(theme, "", Face.STRONG)
        self.text = PlainLabel(theme, "", Face.BODY)
        self.diff = WordDiff(theme)
        self._changed = PlainLabel(theme, self.tr("Your changes to the model's text"), Face.SMALL, "text2")
        self._reason = PlainLabel(theme, "", Face.SMALL, "text2")
        self._origin = PlainLabel(theme, "", Face.SMALL, "text2")
        self.standing = PlainLabel(theme, "", Face.SMALL, "text2")
        self.open_chat = ActionButton(theme, self.tr("Open chat"), icon="chats", key="↵")
        self.trace = ActionButton(theme, trace_action(), icon="traces", key=TRACE_KEY)
        self.revoke = ActionButton(theme, self.tr("Revoke this rule…"), icon="hand", kind=Kind.DANGER)
        self.question = InlineMessage(theme, is_alert=True)
        self.confirm = ActionButton(theme, self.tr("Revoke"), kind=Kind.DANGER)
        self.keep = ActionButton(theme, self.tr("Keep"), key="Esc", kind=Kind.QUIET)
        self._build()
        self.open_chat.clicked.connect(lambda _checked=False: self.enter())
        self.trace.clicked.connect(lambda _checked=False: self.show_trace())
        self.revoke.clicked.connect(lambda _checked=False: self._ask())
        self.confirm.clicked.connect(lambda _checked=False: self._confirm())
        self.keep.clicked.connect(lambda _checked=False: self.let_be())
        self._models.chats.feed.chats_changed.connect(lambda _changed: self._show_rule())
        self.show_decision(None)

    def _build(self) -> None:
        for label in (self._who, self.text, self._reason, self._origin, self.standing):
            label.setWordWrap(True)
        for label in (self.text, self._reason):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(self._state_chip)
        head.addStretch(1)
        head.addWidget(self._time)
        column.addLayout(head)
        for part in (self._who, self._changed, self.diff, self.text, self._reason, self._origin, self.standing):
            column.addWidget(part)
        answers = QHBoxLayout()
        answers.addWidget(self.confirm)
        answers.addWidget(self.keep)
        answers.addStretch(1)
        column.addWidget(self.question)
        column.addLayout(answers)
        # Stacked, because a narrow pane is not wide enough for all.
        for button in (self.open_chat, self.trace, self.revoke):
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(ScrollBox(inside))
        speak_as_place(self)
        self.setAccessibleName(self.tr("Decision"))

    def show_decision(self, one: LoggedDecision | None) -> None:
        """Show the details of a decision; None clears them."""
        if one is None or self._one is None or one.client_id != self._one.client_id:
            self.let_be()
        self._one = one
        self.setEnabled(one is not None)
        for part in (self._who, self._time, self.open_chat):
            part.setVisible(one is not None)
        self.trace.setVisible(one is not None and one.graph_id is not None and one.kind is not DecisionKind.WRITTEN)
        self._state_chip.say(None if one is None else label_of(one))
        edited = one is not None and one.is_edited
        self._changed.setVisible(edited)
        self.diff.setVisible(edited)
        reason = "" if one is None else reason_words(one)
        self._reason.setText(self.tr("Reason: {words}").format(words=reason) if reason else "")
        self._reason.setVisible(bool(reason))
        self.text.setText("" if one is None or edited else foreign_text.body(text_words(one, foreign_text.isolated)))
        self.text.setVisible(bool(self.text.text()))
        if one is not None:
            clock = self._models.clock
            self._time.setText(self.tr("{day}, {time}").format(day=clock.day(one.at), time=clock.clock(one.at)))
            agent, chat = foreign_text.isolated(one.agent_name), foreign_text.isolated(one.chat_title)
            self._who.setText(self.tr("{agent} to {chat}").format(agent=agent, chat=chat))
            if edited:
                self.diff.compare(one.draft, one.text)
        self._show_rule()

    def enter(self) -> None:
        """Open the message that was sent, else the chat."""
        one = self._one
        if one is not None and one.message_id is not None:
            self._context.requests.send(ShowMessage(one.chat_id, one.message_id))
        elif one is not None:
            self._context.requests.send(ShowChat(one.chat_id))

    def show_trace(self) -> None:
        """Show the trace of the plan that the decision was on."""
        if self.trace.isVisibleTo(self) and self._one is not None:
            self._context.requests.send(ShowTrace(self._one.graph_id))

    # --- the rule -------------------------------------------------------------------------------------------------

    def let_be(self) -> None:
        """Cancel the confirmation."""
        self.question.say(None)
        for button in (self.confirm, self.keep):
            button.hide()
        self._show_rule()

    @property
    def asks(self) -> bool:
        """Whether a confirmation is shown."""
        return not self.confirm.isHidden()

    def _chat_and_level(self) -> tuple[Chat | None, TrustLevel]:
        chat = None if self._one is None else self._models.chats.chat(self._one.chat_id)
        return chat, TrustLevel.REVIEW if chat is None else trust_now(chat, self._models.clock.now())

    def _show_rule(self) -> None:
        one = self._one
        rule = None if one is None else one.rule
        chat, level = self._chat_and_level()
        for label in (self._origin, self.standing):
            label.setVisible(rule is not None)
        can_revoke = rule is not None and chat is not None and level in AUTOMATIC
        self.revoke.setVisible(can_revoke and not self.asks)
        if self.asks and not can_revoke:
            self.let_be()
        if rule is not None:
            self._origin.setText(origin_words(rule, self._models.clock))
            self.standing.setText(standing_words(chat, level, self._models.clock))

    def _ask(self) -> None:
        chat, _level = self._chat_and_level()
        if chat is None:
            return
        words = revoke_words(chat, self._one.agent_name if self._one is not None else "", foreign_text.name)
        self.question.say(IconLabel("hand", words, "attention"))
        self.confirm.show()
        self.keep.show()
        self.revoke.hide()
        self.confirm.setFocus()

    def _confirm(self) -> None:
        chat, level = self._chat_and_level()
        self.let_be()
        if chat is not None:
            self.revoke_pressed.emit(chat.chat_id, level)
