"""The account of the agent whose file is open: its state, and the ways to log in and to preview its prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.ui.requests import OpenLogin, PreviewPrompt, ShowChat
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.health import health_label
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.accounts.login_words import can_log_in, log_in_word

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.sources.editor import SourceEditorModel


class AccountLine(QObject):
    """Follows the open file, and its agent's account.

    Attributes:
        chip: The state of the account; for the line of the phone number.
        log_in: Opens the log-in; hidden while the account is logged in.
        preview: Shows what would be sent for the agent's newest chat.
    """

    def __init__(self, context: PaneContext, model: SourceEditorModel, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._model, theme = context, model, context.theme
        self.chip = StateChip(theme)
        self.log_in = ActionButton(theme, self.tr("Log in again"), icon="key", kind=Kind.QUIET)
        self.preview = ActionButton(theme, self.tr("Preview prompt"), icon="quotes")
        self.log_in.clicked.connect(self._open_login)
        self.preview.clicked.connect(self._show_prompt)
        agents = context.models.agents
        for signal in (agents.dataChanged, agents.rowsInserted, agents.rowsRemoved, agents.modelReset):
            signal.connect(self.show_state)
        context.models.chats.feed.chats_changed.connect(self._look_for_chat)

    @property
    def agent(self) -> Agent | None:
        """The agent of the open file, or None."""
        document = self._model.document
        if document is None or not document.is_agent:
            return None
        found = (one for one in self._context.models.agents.items() if one.spec.source == document.file.path)
        return next(found, None)

    def show_state(self) -> None:
        """Show the state of the account."""
        document, agent, models = self._model.document, self.agent, self._context.models
        is_agent = document is not None and document.is_agent and not document.file.is_archived
        self.chip.setVisible(is_agent)
        self.preview.setVisible(is_agent)
        self.log_in.setVisible(agent is not None and can_log_in(agent))
        if agent is None:
            self.chip.say(IconLabel("file", self.tr("not loaded"), "text2"))
            self.preview.allow(self.tr("The agent is not loaded: fix its file first"))
            return
        self.chip.say(health_label(agent, models.clock))
        self.log_in.set_look(log_in_word(agent), icon="key", kind=Kind.QUIET)
        self.preview.allow("" if self._chat() is not None else self.tr("The agent has no chat yet: write to it first"))

    def _look_for_chat(self) -> None:
        if self.preview.isVisible() and not self.preview.isEnabled():
            self.show_state()

    def _chat(self) -> Chat | None:
        """Return the agent's chat with the newest message."""
        agent = self.agent
        if agent is None:
            return None
        return next((one for one in self._context.models.chats.all_chats() if one.agent_id == agent.agent_id), None)

    def _open_login(self) -> None:
        if self.agent is not None:
            self._context.requests.send(OpenLogin(self.agent.agent_id))

    def _show_prompt(self) -> None:
        chat = self._chat()
        if chat is not None:
            self._context.requests.send(ShowChat(chat.chat_id))
            self._context.requests.send(PreviewPrompt(chat.chat_id))
