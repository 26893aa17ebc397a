"""Opens the login dialog of an agent, and asks before an account is logged out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.ui.dialogs.login.dialog import LoginDialog
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.requests import ShowChat
from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.ui.shell.context import ShellContext


class LoginCommands(QObject):
    """Opens one login dialog at a time.

    Attributes:
        dialog: The open dialog, or None.
    """

    def __init__(self, shell: ShellContext) -> None:
        super().__init__(shell.window)
        self._shell, self._models = shell, shell.models
        self.dialog: LoginDialog | None = None

    def open(self, agent_id: AgentId) -> None:
        """Open the login dialog of an agent, or raise the dialog that is open, whoever it is for.

        If this run can't log in, the agent's account is only started.
        """
        if self.dialog is not None:
            self.dialog.activateWindow()
            return
        if not self._models.logins.available:
            self._models.agents.start(agent_id)  # this run can't log in
            return
        dialog = self.dialog = LoginDialog(
            self._shell.theme, self._models.logins, self._models.agents, self._shell.window
        )
        dialog.finished.connect(partial(self._closed, dialog, agent_id))
        self._models.logins.begin(agent_id)
        if not self._shell.is_sandbox:
            dialog.open()
        else:  # not modal: the phone that gets the code is a page of the Rehearsal pane
            dialog.setModal(False)
            dialog.show()

    def ask_log_out(self, agent_id: AgentId) -> None:
        """Log an account out, after a confirmation."""
        agent = self._models.agents.find(agent_id)
        if agent is None:
            return
        name = foreign_text.isolated(agent.spec.name)
        words = self.tr(
            "This computer is logged out, and nothing is sent or received for the account until you log in"
            " again. Chats, drafts and memories are kept."
        )
        title, action = self.tr("Log {name} out?").format(name=name), self.tr("Log out")
        question = QuestionDialog(self._shell.theme, title, words, action, self._shell.window, icon="sign-out")
        question.agreed.connect(lambda: self._models.logins.log_out(agent_id))
        question.open()

    def _closed(self, dialog: LoginDialog, agent_id: AgentId, _code: int) -> None:
        self.dialog = None
        if dialog.opens_chats:
            self._open_chats(agent_id)

    def _open_chats(self, agent_id: AgentId) -> None:
        """Show the first chat of an agent; the list of chats alone while none is known yet."""
        mine = next((chat for chat in self._models.chats.all_chats() if chat.agent_id == agent_id), None)
        if mine is not None:
            self._shell.requests.send(ShowChat(mine.chat_id))
        else:
            self._shell.dock_manager.show_pane("conversations")
