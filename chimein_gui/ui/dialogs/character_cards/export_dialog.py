"""Asks which agent is exported as a character card, and which of its two cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from chimein_gui.domain.character_cards.card_file import CardContainer
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice, RadioLine
from chimein_gui.ui.widgets.controls.labelled import Labelled
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.accounts.character_cards import CharacterCardModel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.viewmodels.accounts.agents import AgentListModel

translate = QCoreApplication.translate


class ExportCardDialog(SmallDialog):
    """“As imported” can be chosen for agents that were made of a card. Open it with open().

    Attributes:
        chosen: Carries the agent's id, the kind of file, and whether the imported card is wanted.
    """

    chosen = Signal(object, object, bool)

    def __init__(
        self,
        theme: Theme,
        model: CharacterCardModel,
        agents: AgentListModel,
        agent_id: AgentId | None,
        parent: QWidget,
    ) -> None:
        self.save = ActionButton(theme, translate("ExportCard", "Export…"), kind=Kind.PRIMARY)
        words = translate("ExportCard", "The phone number, memories and chats are not in it.")
        super().__init__(theme, translate("ExportCard", "Export as character card"), words, self.save, parent)
        self._model = model
        self._container: CardContainer | None = None
        self.agent = Choice(theme, translate("ExportCard", "Agent"))
        names = [(foreign_text.name(one.spec.name), one.agent_id) for one in agents.items()]
        self.agent.set_entries(names, agent_id)
        self.now = RadioLine(theme, translate("ExportCard", "As it is now"))
        self.imported = RadioLine(theme, translate("ExportCard", "As imported"))
        self.about = PlainLabel(theme, "", Face.SMALL, "text2")
        self.about.setWordWrap(True)
        self.middle.setSpacing(8)
        self.middle.addWidget(Labelled(theme, translate("ExportCard", "Agent"), self.agent))
        self.middle.addWidget(self.now)
        self.middle.addWidget(self.imported)
        self.middle.addWidget(self.about)
        self.now.setChecked(True)
        self.save.setDefault(True)
        self.save.clicked.connect(lambda _checked=False: self._choose())
        self.agent.activated.connect(lambda _place: self._look_up())
        self.now.toggled.connect(lambda _checked: self._explain())
        self._model.found.connect(self._found)
        self._explain()
        self._look_up()
        self.agent.setFocus()
        self.fit()

    def _look_up(self) -> None:
        self.save.allow(translate("ExportCard", "Loading…"))
        self.imported.setEnabled(False)
        self._model.look_up(self.agent.currentData())

    def _found(self, agent_id: object, container: CardContainer | None) -> None:
        if agent_id != self.agent.currentData():
            self._look_up()
            return
        self._container = container
        self.imported.setEnabled(container is not None)
        if container is None:
            self.now.setChecked(True)
        self.save.allow()
        self._explain()

    def _explain(self) -> None:
        if self._container is None:
            words = translate(
                "ExportCard", "It was not made from a card: its instructions become the description of a new one."
            )
        elif self.imported.isChecked():
            words = translate("ExportCard", "The file that was imported, byte for byte.")
        else:
            words = translate(
                "ExportCard", "The imported card with the name and the instructions of today. All else in it stays."
            )
        self.about.setText(words)

    def _choose(self) -> None:
        container = self._container or CardContainer.JSON
        self.accept()
        self.chosen.emit(self.agent.currentData(), container, self.imported.isChecked())
