"""Bars below the header of a chat: it is held, the operator has taken it over, or a cap on its costs is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.spending.caps import STEP_USD, CapScope, Payer, Release
from chimein_gui.ui.requests import ShowCosts
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.surface import Surface, soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.costs import make_costs
from chimein_gui.viewmodels.costs.words import cap_words, money
from chimein_gui.viewmodels.panes.conversations import make_conversations
from chimein_gui.viewmodels.words.notes import hold_words

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.spending.caps import CapDay
    from chimein_gui.ui.pane import PaneContext


class _Words(ElidedLabel):
    """A line that has a shorter form for little room; the whole one is in its tip."""

    _forms = "", ""

    def say(self, words: str, short: str) -> None:
        """Show the words; where they don't fit, the shorter ones, unless they are empty."""
        self._forms = words, short
        give_tip(self, words)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        words, short = self._forms
        is_cut = self.fontMetrics().horizontalAdvance(words) > self.width()
        self.setText(short if is_cut and short else words)


class _StatusBar(Surface):
    """One line and one button on a coloured background; it never wraps, so that the chat below does not jump."""

    def __init__(self, context: PaneContext, token: str) -> None:
        super().__init__(context.theme, soft_ground(token))
        self._context = context
        self._chat: Chat | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words = _Words(context.theme, "", Face.SMALL_STRONG, token)
        self.button = ActionButton(context.theme, "", icon="play")
        row = QHBoxLayout(self)
        set_rtl_margins(row, 18, 5, 16, 5)
        row.setSpacing(10)
        row.addWidget(self._words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def set_chat(self, chat: Chat | None) -> None:
        """Show the state of a chat; hidden for None."""
        self._chat = chat
        self._refresh()

    def _refresh(self) -> None:
        raise NotImplementedError

    def _say(self, words: str, short: str = "") -> None:
        self._words.say(words, short)
        self.setAccessibleName(words)

    def _agent_name(self, chat: Chat) -> str:
        agent = self._context.models.chats.agent(chat.agent_id)
        return foreign_text.isolated(agent.spec.name) if agent is not None else ""


class HoldBar(_StatusBar):
    """Shown while the chat or its account is held; a hold of everything has a bar across the window."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context, "attention")
        self._hold: Hold | None = None
        self.button.setText(self.tr("Release…"))
        self.button.clicked.connect(self._release)
        context.models.holds.changed.connect(self._refresh)

    def _refresh(self) -> None:
        chat, models = self._chat, self._context.models
        narrow = [hold for hold in models.holds.holds if hold.scope is not HoldScope.ALL]
        mine = [hold for hold in narrow if chat and hold.covers(chat.info.account_id, chat.chat_id)]
        self._hold = mine[0] if mine else None
        self.setVisible(self._hold is not None)
        if chat is None or self._hold is None:
            return
        words = self.tr("You hold this chat: nothing is sent, planning continues")
        if self._hold.scope is HoldScope.ACCOUNT:
            held = self.tr("You hold {agent}: nothing is sent, planning continues")
            words = held.format(agent=self._agent_name(chat))
        reason = f" ({foreign_text.line(hold_words(self._hold), 80)})" if hold_words(self._hold) else ""
        self._say(words + reason)
        self.button.setAccessibleName(self.tr("Release. Nothing is sent yet"))

    def _release(self) -> None:
        if self._hold is not None:
            self._context.models.holds.release(self._hold.scope, self._hold.target)


class TakeoverBar(_StatusBar):
    """Shown while the agent pauses in a chat that the operator has taken over.

    Attributes:
        resumed: The operator ended the takeover; the bar will be hidden.
    """

    resumed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context, "info")
        self.button.setText(self.tr("Resume"))
        self.button.clicked.connect(self._resume)
        context.models.clock.ticked.connect(self._refresh)

    def _refresh(self) -> None:
        chat, clock = self._chat, self._context.models.clock
        until = chat.takeover_until if chat is not None else None
        is_paused = until is not None and until > clock.now()
        self.setVisible(is_paused)
        if chat is None or until is None or not is_paused:
            return
        name = self._agent_name(chat)
        self._say(self.tr("You took over: {agent} pauses, {time} left").format(agent=name, time=clock.left(until)))
        self.button.setAccessibleName(self.tr("Resume {agent}").format(agent=name))

    def _resume(self) -> None:
        if self._chat is not None:
            self.resumed.emit()
            self._context.own(make_conversations).commands.resume(self._chat.chat_id)


class CapBar(_StatusBar):
    """Shown while 80 % or all of a cap that covers the chat are spent."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context, "attention")
        self._costs = context.own(make_costs)
        self._cap: CapDay | None = None
        self.button.clicked.connect(self._act)
        self._costs.caps_changed.connect(self._refresh)

    def _refresh(self) -> None:
        chat = self._chat
        keys = Payer(chat.agent_id, chat.chat_id).keys if chat is not None else ()
        marked = [cap for key in keys if (cap := self._costs.cap(key)) is not None and cap.is_marked]
        self._cap = cap = max(marked, key=lambda one: one.share, default=None)
        self.setVisible(cap is not None)
        if chat is None or cap is None:
            return
        amounts = cap_words(cap)
        words = {
            CapScope.AGENT: self.tr("{amounts} for {agent} today"),
            CapScope.CHAT: self.tr("{amounts} for this chat today"),
        }.get(cap.key.scope, self.tr("{amounts} for everything today"))
        # First what it means and how much it is: where there is little room, whose cap it is is left out.
        means = self.tr("Paused.") if cap.is_reached else self.tr("Pauses at the cap.")
        short = self.tr("{amounts} today").format(amounts=amounts)
        self._say(f"{means} {words.format(agent=self._agent_name(chat), amounts=amounts)}", f"{means} {short}")
        add = self.tr("Add {amount} for today").format(amount=money(STEP_USD))
        change = self.tr("Change the cap…")
        self.button.set_look(*((add, "play") if cap.is_reached else (change, "coins")))
        self.button.setAccessibleName(self.button.text())

    def _act(self) -> None:
        if self._cap is None:
            return
        if self._cap.is_reached:
            self._costs.release(self._cap.key, Release.ADD)
        else:
            self._context.requests.send(ShowCosts(self._cap.key))
