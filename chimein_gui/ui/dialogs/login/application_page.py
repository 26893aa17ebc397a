"""The page for API id and hash, which Telegram requires of every program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from chimein_gui.domain.accounts.sign_in import LoginState
from chimein_gui.ui.dialogs.login.page import Page
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.secret_field import SecretField
from chimein_gui.ui.widgets.text import external_links
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.accounts.login import LoginModel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

WHERE = "https://my.telegram.org/apps"


class ApplicationPage(Page):
    """Two fields, and where to get their values."""

    def __init__(self, theme: Theme, model: LoginModel) -> None:
        super().__init__(theme, model)
        self.api_id = LineField(theme, self.tr("API ID"), hint="12345678")
        self.api_id.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        hint = self.tr("32 characters, 0 to 9 and a to f")
        self.api_hash = SecretField(theme, self.tr("API hash"), hint=hint, most=80)
        words = self.tr(
            "Create an application on my.telegram.org under “API development tools”. One is enough for all your agents."
        )
        self.where = self.quiet(words)
        self.column.addWidget(self.label(self.api_id.accessibleName(), self.api_id))
        self.column.addWidget(self.api_id)
        self.column.addSpacing(4)
        self.column.addWidget(self.label(self.api_hash.line.accessibleName(), self.api_hash))
        self.column.addWidget(self.api_hash)
        self.column.addWidget(self.trouble)
        self.column.addSpacing(4)
        self.column.addWidget(self.where)
        self.column.addStretch(1)

    def show_state(self, state: LoginState) -> None:
        super().show_state(state)
        self.where.setVisible(state.trouble is None)

    def focus_place(self) -> QWidget:
        return self.api_id

    def left(self) -> None:
        self.api_hash.clear()

    def primary(self, state: LoginState) -> str:
        return self.tr("Continue")

    def why_not(self) -> str:
        typed = self.api_id.text().strip() and self.api_hash.text()
        return "" if typed else self.tr("Enter the API ID and the API hash")

    def other(self, state: LoginState) -> str:
        return self.tr("Open my.telegram.org")

    def press_other(self) -> None:
        external_links.open_link(WHERE)

    def press(self) -> None:
        self.model.use_application(self.api_id.text(), self.api_hash.text())
