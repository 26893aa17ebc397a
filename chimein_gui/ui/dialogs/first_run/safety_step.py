"""Step one: what the operator should know before entering a key; docs/safety.md has the details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt

from chimein_gui.ui.dialogs.first_run.page import Step
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme


class SafetyStep(Step):
    """Five points to read, and a link to the whole text."""

    def __init__(self, theme: Theme) -> None:
        words = QCoreApplication.translate(
            "FirstRunSafety",
            "Chimein uses the Telegram API and is part of the Telegram ecosystem. It is unofficial: Telegram has"
            " neither made nor approved it.",
        )
        name = QCoreApplication.translate("FirstRunSafety", "Safety")
        super().__init__(theme, name, QCoreApplication.translate("FirstRunSafety", "Before you start"), words)
        self.column.setSpacing(8)
        for icon, token, title, sentence in (
            (
                "warning",
                "attention",
                self.tr("Telegram can limit, freeze or close the account"),
                self.tr("It watches accounts used with unofficial programs. Use one you can afford to lose."),
            ),
            (
                "external",
                "text2",
                self.tr("What a persona reads is sent to Google"),
                self.tr("Its instructions, and the chat's messages with their senders' names."),
            ),
            (
                "group",
                "text2",
                self.tr("Tell people that a program writes for you"),
                self.tr("Chimein does not do it for you, and the law may require it."),
            ),
            (
                "hand",
                "text2",
                self.tr("You are responsible for every message"),
                self.tr("Nothing is sent before you approve it, unless you choose countdown or auto for a chat."),
            ),
            (
                "disk",
                "text2",
                self.tr("Chats and logins are stored unencrypted on this computer"),
                self.tr("Anyone who can read the data folder can read the chats and use the accounts."),
            ),
        ):
            self.column.addWidget(InlineMessage(theme, BOX, IconLabel(icon, title, token), sentence))
        self.read = ActionButton(theme, self.tr("Read all of it…"), icon="file")
        self.read.clicked.connect(lambda _checked=False: self._read_all())
        self.column.addSpacing(4)
        self.column.addWidget(self.read, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)

    def is_done(self) -> bool:
        return True

    def focus_widget(self) -> QWidget:
        return self.read

    def _read_all(self) -> None:
        from chimein_gui.ui.dialogs.document import show_safety

        show_safety(self._theme, self.window())
