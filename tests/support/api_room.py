"""The most common actions in tests of the window: events of the engine, and input by the operator."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from chimein_gui.domain.agents import Agent, FileProblem
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.messages import Message
from chimein_gui.viewmodels.panes.approvals import ApprovalsModels, make_approvals
from chimein_gui.viewmodels.panes.conversations import ConversationsModels, make_conversations
from chimein_gui.viewmodels.window import WindowModels
from tests.fakes.engine_api import FakeEngineApi


class ApiRoom:
    """View models, with or without a window, on a FakeEngineApi; the effects of each action are processed at once."""

    api: FakeEngineApi
    models: WindowModels

    @property
    def of_approvals(self) -> ApprovalsModels:
        return self.models.own(make_approvals)

    @property
    def of_chats(self) -> ConversationsModels:
        return self.models.own(make_conversations)

    def settle(self) -> None:
        """Process all effects of the last actions."""
        raise NotImplementedError

    def turn(self, widget: QWidget) -> None:
        """Perform the first accessible action of a widget that can be toggled; it must not count as a click."""
        actions = QAccessible.queryAccessibleInterface(widget).actionInterface()
        actions.doAction(actions.actionNames()[0])
        self.settle()

    def put_agent(self, agent: Agent) -> None:
        self.api.put_agent(agent)
        self.settle()

    def put_chat(self, chat: Chat) -> None:
        self.api.put_chat(chat)
        self.settle()

    def put_message(self, chat_id: int, message: Message) -> None:
        self.api.put_message(chat_id, message)
        self.settle()

    def put_approval(self, approval: Approval) -> None:
        self.api.put_approval(approval)
        self.settle()

    def put_problems(self, *problems: FileProblem) -> None:
        self.api.put_problems(*problems)
        self.settle()

    def put_fault(self, key: str, cause: str, remedy: str = "") -> None:
        self.api.put_fault(key, cause, remedy)
        self.settle()

    def click(self, widget: QWidget) -> None:
        """Click the left button of the mouse in the middle of a widget."""
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
        self.settle()

    def strike(
        self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        """Press a key in a widget."""
        QTest.keyClick(widget, key, modifiers)
        self.settle()
