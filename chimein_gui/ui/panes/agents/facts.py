"""Settings from the selected agent's file, and what the agent did today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.domain.spending.caps import cap_of_agent
from chimein_gui.engine.policy.trust import default_trust
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.accounts.agent_day import make_agent_day
from chimein_gui.viewmodels.costs import dollars, make_costs
from chimein_gui.viewmodels.costs.words import cap_words
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QHideEvent, QShowEvent

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate


class AgentFacts(QWidget):
    """Three lines: model and trust level, quiet hours and proxy, today."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._models, self._day = context.models, context.own(make_agent_day)
        self._costs = context.own(make_costs)
        self._costs.caps_changed.connect(self._show_day)
        self._agent: Agent | None = None
        self._quiet: set[ChatId] = set()
        self.lines = tuple(ElidedLabel(context.theme, "", Face.SMALL, "text2") for _line in range(3))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        for line in self.lines:
            column.addWidget(line)
        self._day.changed.connect(self._show_day)
        self._models.preferences_model.changed.connect(self._show_file)
        self._models.chats.feed.chats_changed.connect(self._follow)

    def show_agent(self, agent: Agent | None) -> None:
        """Show an agent; None stops the queries, and the owner hides the widget."""
        known, self._agent = self._agent, agent
        if agent is not None and (known is None or known.agent_id != agent.agent_id):
            self._look_for_quiet(self._models.chats.all_chats())
        self._watch()
        self._show_file()
        self._show_day()

    def _look_for_quiet(self, chats: Iterable[Chat]) -> None:
        self._quiet.clear()
        for chat in chats:
            self._note_quiet(chat)

    def _note_quiet(self, chat: Chat) -> None:
        if self._agent is None or chat.agent_id != self._agent.agent_id or chat.settings.quiet_hours is None:
            self._quiet.discard(chat.chat_id)
        else:
            self._quiet.add(chat.chat_id)

    def _follow(self, changed: frozenset[ChatId]) -> None:
        before = len(self._quiet)
        if not changed:
            self._look_for_quiet(self._models.chats.all_chats())
        for chat_id in changed:
            chat = self._models.chats.chat(chat_id)
            if chat is not None:
                self._note_quiet(chat)
        if len(self._quiet) != before:
            self._show_file()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch()
        self._show_file()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._watch()

    def _watch(self) -> None:
        """Query the agent's day only while the widget is visible."""
        self._day.watch(self._agent.agent_id if self._agent is not None and self.isVisible() else None)

    def _show_file(self) -> None:
        agent = self._agent
        if agent is None or not self.isVisible():
            return
        model = foreign_text.line(agent.spec.model or self._models.preferences.model)
        level = trust_word(default_trust(agent))
        self.lines[0].setText(self.tr("{model} · {level} by default").format(model=model, level=level))
        proxy = foreign_text.line(agent.proxy) if agent.proxy else self.tr("no proxy")
        self.lines[1].setText(self.tr("{quiet} · {proxy}").format(quiet=self._quiet_words(), proxy=proxy))

    def _quiet_words(self) -> str:
        number = len(self._quiet)
        return translate("AgentFacts", "Quiet hours in %n chat(s)", "", number) if number else self.tr("No quiet hours")

    def _show_day(self) -> None:
        day = self._day.day
        if day is None:
            self.lines[2].setText(self.tr("Today: …"))
            return
        number = day.sent
        sent = translate("AgentFacts", "%n message(s) sent", "", number)
        cap = self._costs.cap(cap_of_agent(self._agent.agent_id)) if self._agent is not None else None
        cost = dollars(day.usd) if cap is None else cap_words(cap)
        if cap is not None and cap.is_marked:
            mark = self.tr("cap reached") if cap.is_reached else self.tr("cap nearly reached")
            cost = f"{cost} · {mark}"
        self.lines[2].set_color("attention" if cap is not None and cap.is_marked else "text2")
        if day.unpriced:
            cost = self.tr("{cost} and calls without a price").format(cost=cost)
        self.lines[2].setText(self.tr("Today: {sent} · {cost}").format(sent=sent, cost=cost))
