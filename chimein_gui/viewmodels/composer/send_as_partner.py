"""Sends messages as the simulated partners; in the sandbox only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.sandbox_api import Cast, SandboxAccount, SandboxConsole, SandboxGroup, SandboxPartner
    from chimein_gui.viewmodels.core.bridge import EngineBridge


class SendAsPartner(QObject):
    """Lets the operator write as any simulated person.

    One message per person and chat is sent at a time; another one before the answer is refused.

    Attributes:
        busy_changed: A send began or ended.
        partners_changed: `partners`, `accounts` or `groups` changed.
        spoken: The sandbox has a message; carries its text.
        delivered: The same; carries partner id, marked peer id and text.
        failed: A message was not delivered; the reason in words.
        refused: The same, where the caller of `send` shows the reason.
    """

    busy_changed = Signal()
    partners_changed = Signal()
    spoken = Signal(str)
    delivered = Signal(object, object, str)
    failed = Signal(str)
    refused = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.partners: tuple[SandboxPartner, ...] = ()
        self.accounts: tuple[SandboxAccount, ...] = ()
        self.groups: tuple[SandboxGroup, ...] = ()
        self._bridge = bridge
        self._sandbox: SandboxConsole | None = None
        self._spawn: Spawn | None = None
        self._under_way: set[tuple[int, int]] = set()

    def attach(self, sandbox: SandboxConsole, spawn: Spawn) -> None:
        """Fetch the simulated people and groups."""
        self._sandbox, self._spawn = sandbox, spawn
        self._under_way.clear()
        self.look_again()

    def detach(self) -> None:
        self._sandbox = self._spawn = None

    def look_again(self) -> None:
        """Fetch the people and groups again: a group may have been created."""
        if self._sandbox is not None and self._spawn is not None:
            self._spawn(self._load(self._sandbox), name="load partners")

    def partner(self, user_id: int) -> SandboxPartner | None:
        """Return a simulated person by id, or None."""
        return next((partner for partner in self.partners if partner.user_id == user_id), None)

    def group(self, peer_id: int) -> SandboxGroup | None:
        """Return a group by its marked peer id, or by its id before it became a supergroup; None if there is none."""
        return next((group for group in self.groups if peer_id in {group.peer_id, group.was_peer_id}), None)

    def members(self, peer_id: int) -> tuple[SandboxPartner, ...]:
        """Return the simulated people of a group, as whom the operator may write there."""
        group = self.group(peer_id)
        inside = group.member_ids if group is not None else ()
        return tuple(partner for partner in self.partners if partner.user_id in inside)

    def busy(self, partner_id: int, peer_id: int) -> bool:
        """Tell whether a message of this partner to this peer is being sent."""
        return (partner_id, peer_id) in self._under_way

    def send(self, partner_id: int, peer_id: int, text: str, *, in_place: bool = False) -> bool:
        """Send a text as a partner.

        Args:
            partner_id: The sender.
            peer_id: One of the agents' accounts, or a group of the partner (marked id).
            text: The text.
            in_place: The caller shows an error itself: `refused` is emitted instead of `failed`.

        Returns:
            False if nothing was sent: there is no sandbox, or the message before is still being sent.
        """
        if self._sandbox is None or self._spawn is None or self.busy(partner_id, peer_id):
            return False
        self._under_way.add((partner_id, peer_id))
        self.busy_changed.emit()
        job = self._speak(self._sandbox, partner_id, peer_id, text, in_place=in_place)
        self._spawn(job, name="speak as a partner")
        return True

    async def _load(self, sandbox: SandboxConsole) -> None:
        try:
            cast = await sandbox.cast()
        except Exception as error:  # noqa: BLE001 - `_words` logs and reports it
            self._deliver(sandbox, self._complaint(_words(error), in_place=False))
        else:
            self._deliver(sandbox, lambda: self._set(cast))

    def _set(self, cast: Cast) -> None:
        known = (self.partners, self.accounts, self.groups)
        self.partners, self.accounts, self.groups = cast.partners, cast.accounts, cast.groups
        if known != (self.partners, self.accounts, self.groups):
            self.partners_changed.emit()

    async def _speak(
        self, sandbox: SandboxConsole, partner_id: int, peer_id: int, text: str, *, in_place: bool
    ) -> None:
        try:
            await sandbox.speak(partner_id, peer_id, text)
        except Exception as error:  # noqa: BLE001 - `_words` logs and reports it
            tell = self._complaint(_words(error), in_place=in_place)
        else:
            tell = partial(self._tell, partner_id, peer_id, text)
        self._deliver(sandbox, partial(self._settle, (partner_id, peer_id), tell))

    def _settle(self, target: tuple[int, int], tell: Callable[[], None]) -> None:
        self._under_way.discard(target)
        tell()
        self.busy_changed.emit()

    def _tell(self, partner_id: int, peer_id: int, text: str) -> None:
        self.spoken.emit(text)
        self.delivered.emit(partner_id, peer_id, text)

    def _complaint(self, reason: str, *, in_place: bool) -> Callable[[], None]:
        return partial((self.refused if in_place else self.failed).emit, reason)

    def _deliver(self, sandbox: SandboxConsole, callback: Callable[[], None]) -> None:
        if sandbox is self._sandbox:  # else the window was detached meanwhile
            self._bridge.deliver(callback)


def _words(error: Exception) -> str:
    from chimein_gui.viewmodels.rehearsal.words import sandbox_words  # imported late: a live window never needs it

    return sandbox_words(error, "speak")
