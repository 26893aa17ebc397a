"""Commands for accounts: the first run, character cards, config directories, proxies, and starting the sandbox."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.ui.requests import (
    ExportCard,
    ImportCard,
    OpenConfigDirectory,
    OpenProxy,
    SetUpPersona,
    ShowPerson,
    StartSandbox,
)

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog
    from chimein_gui.ui.dialogs.person.dialog import PersonDialog
    from chimein_gui.ui.shell.commands.card_commands import CardCommands
    from chimein_gui.ui.shell.context import ShellContext


class AccountCommands(QObject):
    """Handles the requests that concern accounts. Dialogs are imported when they are needed."""

    def __init__(self, shell: ShellContext) -> None:
        super().__init__(shell.window)
        self._shell = shell
        requests = shell.requests
        requests.on(SetUpPersona, lambda _request: self.set_up_persona())
        requests.on(ImportCard, lambda _request: self.cards.ask_for_card())
        requests.on(ExportCard, lambda request: self.cards.ask_for_agent(request.agent_id))
        requests.on(OpenConfigDirectory, lambda _request: self.open_config_directory())
        requests.on(StartSandbox, lambda _request: self.start_sandbox())
        requests.on(ShowPerson, self.show_person)
        requests.on(OpenProxy, lambda request: self.open_proxy(request.agent_id))

    @cached_property
    def cards(self) -> CardCommands:
        """Imports and exports character cards."""
        from chimein_gui.ui.shell.commands.card_commands import CardCommands

        return CardCommands(self._shell)

    def set_up_persona(self) -> FirstRunDialog:
        """Open the first-run wizard."""
        from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog

        shell = self._shell
        dialog = FirstRunDialog(shell.theme, shell.models, shell.requests, shell.window)
        dialog.open()
        return dialog

    def open_config_directory(self) -> None:
        """Choose another config directory; its contents are shown before it is used."""
        from chimein_gui.ui.dialogs.config_directory import choose_config_directory

        choose_config_directory(self._shell.theme, self._shell.models, self._shell.window)

    def start_sandbox(self) -> None:
        """Start the sandbox as a separate process, and show whether that worked."""
        from chimein_gui.ui.shell.sandbox.start import start_sandbox

        toasts = self._shell.models.toasts
        if start_sandbox():
            detail = self.tr("It opens in its own window. This one stays open.")
            toasts.show(self.tr("The sandbox is starting"), detail=detail, icon="flask", token="unreal")
        else:
            detail = self.tr("Start it yourself: chimein sandbox")
            toasts.show(self.tr("The sandbox could not be started"), detail=detail, icon="alert", token="danger")

    def show_person(self, request: ShowPerson) -> PersonDialog:
        """Open the page with everything about a person."""
        from chimein_gui.ui.dialogs.person.dialog import PersonDialog

        shell = self._shell
        dialog = PersonDialog(shell.theme, shell.models, shell.requests, request.person, request.name, shell.window)
        dialog.open()
        return dialog

    def open_proxy(self, agent_id: AgentId) -> None:
        """Open the proxy dialog of an agent's account."""
        from chimein_gui.ui.dialogs.proxy import ProxyDialog

        shell = self._shell
        if shell.models.agents.find(agent_id) is not None:
            ProxyDialog(shell.theme, shell.models, agent_id, shell.window).open()
