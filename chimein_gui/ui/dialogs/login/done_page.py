"""The last page: what is known about the account that was logged in."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.domain.accounts.sign_in import LoginState
from chimein_gui.ui.dialogs.login.page import Page
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.accounts.agents import AgentListModel
from chimein_gui.viewmodels.accounts.login import LoginModel
from chimein_gui.viewmodels.accounts.login_words import facts_of

_TILE = 36


class _Fact(QWidget):
    """An icon, a fact, and an explanation below it."""

    def __init__(self, theme: Theme, icon: str, fact: str, more: str) -> None:
        super().__init__()
        self._theme, self._icon = theme, icon
        column = QVBoxLayout(self)
        set_rtl_margins(column, _TILE + 12, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(ElidedLabel(theme, fact, Face.STRONG))
        words = PlainLabel(theme, foreign_text.line(more, 400), Face.SMALL, "text2")
        words.setWordWrap(True)
        column.addWidget(words)
        column.addStretch(1)
        self.setMinimumHeight(_TILE)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        tile = QRectF(0, 0, _TILE, _TILE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(tile, 8, 8)
        icons.draw(painter, self._icon, self._theme.color("text2"), tile.adjusted(10, 10, -10, -10))
        painter.end()


class DonePage(Page):
    """Shows facts as they arrive; it makes no requests.

    Attributes:
        opens_chats: The operator wants to see the account's chats next.
    """

    def __init__(self, theme: Theme, model: LoginModel, agents: AgentListModel) -> None:
        super().__init__(theme, model)
        self._agents = agents
        self.opens_chats = False
        self.facts: tuple[tuple[str, str, str], ...] = ()
        self._rows: list[_Fact] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        self.column.setContentsMargins(24, 16, 24, 12)
        self.column.addLayout(self._list)
        self.column.addStretch(1)

    def show_state(self, state: LoginState) -> None:
        facts = facts_of(state, self._agents.find(state.agent_id))
        if facts == self.facts:
            return
        self.facts = facts
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [_Fact(self.theme, *fact) for fact in facts]
        for row in self._rows:
            self._list.addWidget(row)

    def primary(self, state: LoginState) -> str:
        return self.tr("Done")

    def press(self) -> None:
        self.model.cancel()

    def other(self, state: LoginState) -> str:
        return self.tr("Open chats")

    def press_other(self) -> None:
        self.opens_chats = True
        self.model.cancel()
