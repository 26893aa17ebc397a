"""The filter of the log: words, agent, chat, kind; buttons for edited decisions and those of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout

from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionKind
from chimein_gui.ui.widgets.controls.form_fields import Choice, SearchWords
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.decisions.words import kind_words

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.domain.plans.decision_log import DecisionShare
    from chimein_gui.ui.pane import PaneContext

TYPING_MS = 200
"""Time after the last key until the log is searched, ms."""

SHORT_WAYS = (None, DecisionKind.EDITED, DecisionKind.BY_RULE)
"""Kinds that have a button of their own; None for all."""


class DecisionFilterRow(Surface):
    """The filter as one row of fields.

    Attributes:
        chosen: The filter has changed; carries the `DecisionFilter`.
        left: The list shall get the focus.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, context: PaneContext) -> None:
        theme = context.theme
        super().__init__(theme, "pane", bottom_line="line")
        self._models = context.models
        self._titles: dict[ChatId, tuple[str, AgentId]] = {}
        self.words = SearchWords(theme, self.tr("Search decisions"), hint=self.tr("Search"), icon="search")
        self.agent = Choice(theme, self.tr("Agent"))
        self.chat = Choice(theme, self.tr("Chat"))
        self.kind = Choice(theme, self.tr("Decision"))
        words = (self.tr("All"), self.tr("Edited"), self.tr("By a rule"))
        self.short_ways = Segments(theme, words, self.tr("Decisions"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(self.words, 3)
        row.addWidget(self.short_ways)
        for choice in (self.agent, self.chat, self.kind):
            row.addWidget(choice, 2)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._wire()
        kinds = [(kind_words(kind), kind) for kind in DecisionKind]
        self.kind.set_entries([(self.tr("All decisions"), None), *kinds])
        self.show_agents()
        self.show_chats(())
        self._mark()

    def _wire(self) -> None:
        self.words.textChanged.connect(self._typing.start)
        self.words.stepped_down.connect(self._leave)
        self._typing.timeout.connect(self._tell)
        self.agent.currentIndexChanged.connect(self._agent_chosen)
        for choice in (self.chat, self.kind):
            choice.currentIndexChanged.connect(self._tell)
        self.short_ways.chosen.connect(self._short_way_chosen)
        self._models.agents.summary_changed.connect(self.show_agents)

    # --- the filter -----------------------------------------------------------------------------------------------

    def wanted(self) -> DecisionFilter:
        """Return the filter that the fields show."""
        return DecisionFilter(
            self.agent.currentData(), self.chat.currentData(), self._kind(), text=self.words.text().strip()
        )

    def _kind(self) -> DecisionKind | None:
        value = self.kind.currentData()  # Qt returns a StrEnum as str
        return DecisionKind(value) if value else None

    def choose(self, wanted: DecisionFilter) -> None:
        """Set the fields to a filter, and emit it."""
        if wanted.chat_id is not None:
            self._learn(wanted.chat_id)
        blocked = self.words.blockSignals(True)
        self.words.setText(wanted.text)
        self.words.blockSignals(blocked)
        self._typing.stop()
        self.agent.choose(wanted.agent_id)
        self._offer_chats(wanted.chat_id)
        self.kind.choose(wanted.kind)
        self._tell()

    def _short_way_chosen(self, place: int) -> None:
        self.kind.choose(SHORT_WAYS[place])
        self._tell()

    def _agent_chosen(self) -> None:
        self._offer_chats(self.chat.currentData())
        self._tell()

    def _leave(self) -> None:
        if self._typing.isActive():
            self._tell()
        self.left.emit()

    def _tell(self) -> None:
        self._typing.stop()
        self._mark()
        self.chosen.emit(self.wanted())

    def _mark(self) -> None:
        kind = self._kind()
        self.short_ways.choose(SHORT_WAYS.index(kind) if kind in SHORT_WAYS else -1)

    # --- the choices ----------------------------------------------------------------------------------------------

    def show_agents(self) -> None:
        """Update the list of agents."""
        agents = [(foreign_text.name(one.spec.name), one.agent_id) for one in self._models.agents.items()]
        self.agent.set_entries([(self.tr("All agents"), None), *agents])

    def show_chats(self, shares: tuple[DecisionShare, ...]) -> None:
        """Add the chats of these shares to the list of chats."""
        for one in shares:
            if one.chat_id is not None:
                self._titles[one.chat_id] = one.chat_title, one.agent_id
        self._offer_chats(self.chat.currentData())

    def _learn(self, chat_id: ChatId) -> None:
        chat = self._models.chats.chat(chat_id)
        if chat is not None:
            self._titles.setdefault(chat_id, (chat.info.title, chat.agent_id))

    def _offer_chats(self, chosen: ChatId | None) -> None:
        of_agent = self.agent.currentData()
        chats = [
            (foreign_text.name(title), chat_id)
            for chat_id, (title, agent_id) in self._titles.items()
            if of_agent in (None, agent_id)
        ]
        self.chat.set_entries([(self.tr("All chats"), None), *chats], chosen)
        self.chat.choose(chosen)
