"""The context menu of an agent's row: the commands of the buttons below the list, and opening its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.ui.requests import ExportCard, OpenAgentSource, OpenFolder
from chimein_gui.ui.widgets.surfaces.menus import open_menu
from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from chimein_gui.domain.agents import Agent
    from chimein_gui.ui.panes.agents.actions import AgentActions
    from chimein_gui.ui.requests import Requests

translate = QCoreApplication.translate


def open_agent_menu(agent: Agent, actions: AgentActions, requests: Requests, parent: QWidget, place: QPoint) -> QMenu:
    """Open the context menu of the selected agent.

    Args:
        agent: The selected agent.
        actions: Its buttons; the menu has the same commands.
        requests: Gets the request to open its file.
        parent: The owner of the menu.
        place: Position on the screen.
    """
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName(foreign_text.name(agent.spec.name))
    for group in actions.offered():
        for words, button in group:
            action = menu.addAction(foreign_text.action(words))
            action.setEnabled(button.isEnabled())
            action.triggered.connect(lambda _checked=False, pressed=button: pressed.click())
        menu.addSeparator()
    if agent.spec.source:
        menu.addAction(translate("AgentMenu", "Edit its file")).triggered.connect(
            lambda _checked=False: requests.send(OpenAgentSource(agent.spec.source))
        )
        menu.addAction(translate("AgentMenu", "Open the folder of its file")).triggered.connect(
            lambda _checked=False: requests.send(OpenFolder(agent.spec.source))
        )
    menu.addAction(translate("AgentMenu", "Export as character card…")).triggered.connect(
        lambda _checked=False: requests.send(ExportCard(agent.agent_id))
    )
    menu.addAction(translate("AgentMenu", "Copy the name")).triggered.connect(
        lambda _checked=False: QGuiApplication.clipboard().setText(foreign_text.name(agent.spec.name))
    )
    return open_menu(menu, place)
