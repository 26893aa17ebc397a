"""The head of the Log pane: which file, the filter, and whether the newest line stays in sight."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.form_fields import Choice, SearchWords
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.log.filter import LEVELS, LogFilter, named, typed
from chimein_gui.viewmodels.log.words import file_words

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.log.model import LogModel

TYPING_MS = 200
"""Time after the last key until the lines are filtered, ms."""


class LogHead(Surface):
    """Two rows.

    Attributes:
        left: The list shall get the focus.
        export_asked: The shown lines shall be written to a file.
        diagnostics_asked: Diagnostics shall be saved.
    """

    left = Signal()
    export_asked = Signal()
    diagnostics_asked = Signal()

    def __init__(self, context: PaneContext, model: LogModel) -> None:
        theme = context.theme
        super().__init__(theme, "pane")
        self._models, self._model = context.models, model
        self._about = LogFilter()
        self.file = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.redacted = StateChip(theme)
        self.redacted.say(IconLabel("shield", self.tr("secrets and phone numbers are left out"), "ok"))
        self.diagnostics = ActionButton(theme, self.tr("Diagnostics bundle…"), icon="layers")
        self.export = ActionButton(theme, self.tr("Export…"), icon="download")
        hint = self.tr("Filter: words, agent:Nora, chat:Marta, level:error, part:telegram")
        self.words = SearchWords(theme, self.tr("Filter the log"), hint=hint, icon="search")
        self.words.setClearButtonEnabled(True)
        levels = (self.tr("All"), self.tr("Info +"), self.tr("Warnings +"), self.tr("Errors"))
        self.level = Segments(theme, levels, self.tr("Level"))
        self.level.choose(0)
        self.part = Choice(theme, self.tr("Part"))
        self.agent = Choice(theme, self.tr("Agent"))
        self.follow = CheckBox(theme, self.tr("Follow"))
        self.follow.setToolTip(self.tr("Keep the newest line in sight, key F"))
        self.follow.setChecked(True)
        self.follow.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._build()
        self._typing.timeout.connect(self._choose)
        self.words.textChanged.connect(lambda _text: self._typing.start())
        self.words.stepped_down.connect(self.left)
        self.level.chosen.connect(lambda _place: self._choose())
        self.part.currentIndexChanged.connect(lambda _place: self._choose())
        self.agent.currentIndexChanged.connect(lambda _place: self._choose())
        self.export.clicked.connect(lambda _checked=False: self.export_asked.emit())
        self.diagnostics.clicked.connect(lambda _checked=False: self.diagnostics_asked.emit())
        self.refresh()

    def _build(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        first.setSpacing(10)
        first.addWidget(self.file, 1)
        for part in (self.redacted, self.export, self.diagnostics):
            first.addWidget(part)
        second.setSpacing(8)
        second.addWidget(self.words, 5)
        second.addWidget(self.level)
        second.addWidget(self.part, 2)
        second.addWidget(self.agent, 2)
        second.addWidget(self.follow)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 16, 8, 12, 6)
        column.setSpacing(8)
        column.addLayout(first)
        column.addLayout(second)

    def refresh(self) -> None:
        """Show counts, parts and agents of the lines that are kept, and the size of the file."""
        path, size, limit, kept = self._model.file_facts()
        shown = foreign_text.isolate(foreign_text.line(path, 200))
        self.file.setText(f"{shown} · {file_words(size, limit, kept)}" if path else self.tr("No log file"))
        levels = self._model.levels
        errors = levels[logging.ERROR]
        warnings = errors + levels[logging.WARNING]
        self.level.set_word(2, _counted(self.tr("Warnings +"), warnings))
        self.level.set_word(3, _counted(self.tr("Errors"), errors))
        parts = sorted(part for part, count in self._model.parts.items() if count)
        entries: list[tuple[str, object]] = [(self.tr("All parts"), "")]
        self.part.set_entries([*entries, *((foreign_text.name(part), part) for part in parts)])
        agents = self._models.agents.items()
        all_agents: list[tuple[str, object]] = [(self.tr("All agents"), None)]
        self.agent.set_entries(
            [*all_agents, *((foreign_text.name(agent.spec.name), agent.agent_id) for agent in agents)]
        )

    def show_about(self, wanted: LogFilter) -> None:
        """Show only the lines about an agent, a chat or a plan; the other fields are cleared."""
        for field in (self.part, self.agent):  # not the words: the cross in the field hears of them by its own signal
            field.blockSignals(True)
        pieces = []
        pieces += [f"chat:{chat_id}" for chat_id in wanted.chat_ids or ()]
        if wanted.graph_id is not None:
            pieces.append(f"plan:{wanted.graph_id}")
        self.words.setText(" ".join(pieces))
        self.part.choose("")
        self.agent.choose(wanted.agent_id)
        self.level.choose(0)
        for field in (self.part, self.agent):
            field.blockSignals(False)
        self._choose()

    def _choose(self) -> None:
        self._typing.stop()
        place = max(0, self.level.current())
        chosen = replace(
            LogFilter(), level=LEVELS[place], part=self.part.currentData() or "", agent_id=self.agent.currentData()
        )
        self._model.choose(typed(chosen, self.words.text(), self._agents_named, self._chats_named))

    def _agents_named(self, name: str) -> list[int]:
        return named(name, ((agent.agent_id, agent.spec.name) for agent in self._models.agents.items()))

    def _chats_named(self, name: str) -> list[int]:
        return named(name, ((chat.chat_id, chat.info.title) for chat in self._models.chats.all_chats()))


def _counted(word: str, number: int) -> str:
    return f"{word} {count_words(number)}" if number else word
