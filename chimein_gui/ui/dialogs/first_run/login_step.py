"""Step five: logs the persona's account in, with the login dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.agents import CONNECTED
from chimein_gui.ui.dialogs.first_run.page import Step
from chimein_gui.ui.requests import OpenLogin
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.surfaces.health import health_label
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.accounts.activities import shown_phone

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate


class _Square(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._name, self._identity = theme, "", 0
        self.setFixedSize(36, 36)
        theme.changed.connect(self.update)

    def show_agent(self, agent: Agent) -> None:
        self._name, self._identity = agent.spec.name, agent.identity
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        marks.draw_square(painter, self._theme, QRectF(self.rect()), self._name, self._identity)
        painter.end()


class LoginStep(Step):
    """Shows the persona with the current state of its account, and a button for the login dialog."""

    def __init__(self, theme: Theme, models: WindowModels, requests: Requests) -> None:
        words = translate("FirstRunLogin", "Scan a QR code with the phone, or use the number and a code.")
        super().__init__(
            theme, translate("FirstRunLogin", "Log in"), translate("FirstRunLogin", "Log in to Telegram"), words
        )
        self._models, self._requests = models, requests
        self._square = _Square(theme)
        self._name = ElidedLabel(theme, "", Face.STRONG)
        self._phone = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._state = StateChip(theme)
        self.log_in = ActionButton(theme, translate("FirstRunLogin", "Log in…"), icon="key", kind=Kind.PRIMARY)
        self._card = Card(theme)
        no_persona = IconLabel("person-plus", translate("FirstRunLogin", "No persona yet"), "text2")
        way = translate("FirstRunLogin", "Go back to write one, or log in later from the Agents pane.")
        self._none = InlineMessage(theme, BOX, no_persona, way)
        line = QHBoxLayout(self._card)
        set_rtl_margins(line, 16, 14, 14, 14)
        line.setSpacing(12)
        names = QVBoxLayout()
        names.setSpacing(2)
        names.addWidget(self._name)
        names.addWidget(self._phone)
        line.addWidget(self._square)
        line.addLayout(names, 1)
        line.addWidget(self._state)
        line.addWidget(self.log_in)
        self.column.addWidget(self._card)
        self.column.addWidget(self._none)
        title = translate("FirstRunLogin", "This computer gets its own login")
        safe = translate(
            "FirstRunLogin",
            "You can log out at any time, here or on the phone under Devices. Your password is used once and"
            " not stored.",
        )
        self.column.addWidget(InlineMessage(theme, BOX, IconLabel("shield", title, "info"), safe))
        self.column.addStretch(1)
        self.log_in.clicked.connect(lambda _checked=False: self._open())
        models.agents.summary_changed.connect(self.refresh)
        models.first_run.changed.connect(self.refresh)
        self.refresh()

    def enter(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of the account, or that there is no persona."""
        agent = self._agent()
        self._card.setVisible(agent is not None)
        self._none.setVisible(agent is None)
        if agent is not None:
            self._square.show_agent(agent)
            self._name.setText(foreign_text.name(agent.spec.name))
            self._phone.setText(shown_phone(agent.spec.phone))
            self._state.say(health_label(agent, self._models.clock))
            self.log_in.setVisible(agent.health not in CONNECTED)
            words = translate("FirstRunLogin", "Log {name} in").format(name=foreign_text.isolated(agent.spec.name))
            self.log_in.setAccessibleName(spoken(words))
        self.changed.emit()

    def is_done(self) -> bool:
        agent = self._agent()
        return agent is not None and agent.health in CONNECTED

    def focus_widget(self) -> QWidget:
        return self.log_in if self.log_in.isVisibleTo(self) else self

    def _agent(self) -> Agent | None:
        return self._models.first_run.agent() or next(iter(self._models.agents.items()), None)

    def _open(self) -> None:
        agent = self._agent()
        if agent is not None:
            self._requests.send(OpenLogin(agent.agent_id))
