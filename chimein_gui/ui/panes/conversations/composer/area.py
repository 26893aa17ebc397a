"""The composers of a chat: one for the agent, and in the sandbox one for the partner; one is shown at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.chats import Chat, ChatKind
from chimein_gui.ui.panes.conversations.composer.agent_composer import AgentComposer
from chimein_gui.ui.panes.conversations.composer.send_as_switch import SendAs, SendAsSwitch
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.conversations.composer.composer import PartnerComposer


class ComposerArea(QWidget):
    """Shows the composer of the chosen sender.

    Attributes:
        agent: Writes as the agent.
        partner: Writes as the partner; None in a live run.
        switch: Switches between them; None in a live run.
        left: Escape was pressed in an empty field: the drafts shall get the focus.
    """

    left = Signal()

    def __init__(self, context: PaneContext, partner: PartnerComposer | None) -> None:
        super().__init__()
        self._context = context
        self._chat: Chat | None = None
        self._sender = SendAs.AGENT if partner is None else SendAs.PARTNER
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.agent, self.partner = AgentComposer(context), partner
        self.switch = SendAsSwitch(context) if partner is not None else None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.switch, self.agent, self.partner):
            if part is not None:
                column.addWidget(part)
        if self.switch is not None:
            self.switch.choose(self._sender)
            self.switch.chosen.connect(self._choose)
            self.agent.set_top_line("")  # the switch above it has a line
        self.agent.left.connect(self.left)
        if partner is not None:
            partner.left.connect(self.left)
            context.models.approvals.chats_changed.connect(self._follow_drafts)
            context.models.open_editor.changed.connect(self._show_hint)
        context.own(make_conversations).commands.taken_over.connect(self._write_instead)
        self.set_chat(None)

    def set_chat(self, chat: Chat | None) -> None:
        """Write in this chat; None: a partner can start one."""
        self._chat = chat
        self.agent.set_chat(chat)
        if self.partner is not None:
            self.partner.set_chat(chat)
        self._name_sides(chat)
        self._show_hint()
        self._show()

    def send_as(self, sender: SendAs) -> None:
        """Choose the sender, if there is a choice."""
        if self.switch is not None:
            self.switch.choose(sender)

    def go_in(self) -> None:
        """Focus the visible field."""
        if self.agent.isVisible() or self.partner is None:
            self.agent.go_in()
        else:
            self.partner.editor.setFocus()

    def field(self) -> QWidget:
        """Return the visible field."""
        return self.agent.editor if self.agent.isVisible() or self.partner is None else self.partner.editor

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def _follow_drafts(self, chats: frozenset[ChatId]) -> None:
        if self._chat is not None and self._chat.chat_id in chats:
            self._show_hint()

    def _show_hint(self) -> None:
        """Show in the partner's empty field that keys approve a waiting draft, if there is one."""
        models, chat = self._context.models, self._chat
        if self.partner is None or chat is None:
            return
        drafts = models.approvals.of_chat(chat.chat_id)
        waits = any(waits_for_operator(one) and one.approval_id != models.open_editor.edited for one in drafts)
        has_keys = models.single_keys.enabled
        self.partner.set_hint(self.tr("Esc, then A to approve") if waits and has_keys else "")

    def _write_instead(self, chat_id: object) -> None:
        """Focus the agent's composer: the operator has taken the chat over to write."""
        if self._chat is not None and self._chat.chat_id == chat_id:
            self.send_as(SendAs.AGENT)
            self.go_in()

    def _choose(self, sender: SendAs) -> None:
        self._sender = sender
        self._show()

    def _show(self) -> None:
        has_partner = self.partner is not None and self.partner.can_speak
        as_partner = has_partner and (self._sender is SendAs.PARTNER or self._chat is None)
        if self.partner is not None:
            self.partner.set_top_line("" if self._chat is not None else "line")  # the switch has a line
            self.partner.setVisible(as_partner)
        if self.switch is not None:
            self.switch.setVisible(has_partner and self._chat is not None)
        self.agent.setVisible(self._chat is not None and not as_partner)

    def _name_sides(self, chat: Chat | None) -> None:
        agent = self._context.models.chats.agent(chat.agent_id) if chat is not None else None
        if self.switch is not None and chat is not None and agent is not None:
            is_group = chat.info.kind is not ChatKind.DM
            self.switch.name_sides(agent.spec.name, agent.identity, chat.info.title, group=is_group)
