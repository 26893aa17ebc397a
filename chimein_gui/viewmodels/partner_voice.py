"""Speaks for the simulated partners; exists in the sandbox only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError

if TYPE_CHECKING:
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.engine.sandbox_port import SandboxConsole, SandboxPartner
    from chimein_gui.viewmodels.bridge import EngineBridge


class PartnerVoice(QObject):
    """The operator as a partner.

    Attributes:
        partners_changed: `partners` is known.
        spoken: A message was delivered to the sandbox; carries its text.
        failed: It was not; why.
    """

    partners_changed = Signal()
    spoken = Signal(str)
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.partners: tuple[SandboxPartner, ...] = ()
        self._bridge = bridge
        self._sandbox: SandboxConsole | None = None
        self._spawn: Spawn | None = None

    def attach(self, sandbox: SandboxConsole, spawn: Spawn) -> None:
        """Fetch who there is."""
        self._sandbox, self._spawn = sandbox, spawn
        spawn(self._load(sandbox), name="load partners")

    def partner(self, user_id: int) -> SandboxPartner | None:
        """Return a simulated person by id."""
        return next((partner for partner in self.partners if partner.user_id == user_id), None)

    def speak(self, partner_id: int, account_id: int, text: str) -> None:
        """Let a partner write to one of the agents' accounts."""
        if self._sandbox is not None and self._spawn is not None:
            self._spawn(self._speak(self._sandbox, partner_id, account_id, text), name="speak as a partner")

    async def _load(self, sandbox: SandboxConsole) -> None:
        partners = await sandbox.partners()
        self._bridge.deliver(lambda: self._set(partners))

    def _set(self, partners: tuple[SandboxPartner, ...]) -> None:
        self.partners = partners
        self.partners_changed.emit()

    async def _speak(self, sandbox: SandboxConsole, partner_id: int, account_id: int, text: str) -> None:
        try:
            await sandbox.speak(partner_id, account_id, text)
        except (ChimeinError, LookupError, OSError) as error:
            reason = str(error)
            self._bridge.deliver(lambda: self.failed.emit(reason))
        else:
            self._bridge.deliver(lambda: self.spoken.emit(text))
