"""Speaks for the simulated partners; exists in the sandbox only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.sandbox_api import Cast, SandboxAccount, SandboxConsole, SandboxGroup, SandboxPartner
    from chimein_gui.viewmodels.core.bridge import EngineBridge


class PartnerVoice(QObject):
    """The operator as any of the simulated people.

    One message of somebody to somewhere is under way at a time: a second press before the answer was an impatient one.

    Attributes:
        busy_changed: Something is under way, or no longer.
        partners_changed: Who there is, and in which groups, is known.
        spoken: A message was delivered to the sandbox; carries its text.
        delivered: The same, with who spoke and where: partner id, marked peer id, text.
        failed: It was not delivered; why.
        refused: The same, for whoever shows it in place.
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
        """Fetch who there is."""
        self._sandbox, self._spawn = sandbox, spawn
        self._under_way.clear()
        self.look_again()

    def detach(self) -> None:
        """Let go of the sandbox."""
        self._sandbox = self._spawn = None

    def look_again(self) -> None:
        """Fetch anew who there is: a group may have been made meanwhile."""
        if self._sandbox is not None and self._spawn is not None:
            self._spawn(self._load(self._sandbox), name="load partners")

    def partner(self, user_id: int) -> SandboxPartner | None:
        """Return a simulated person by id."""
        return next((partner for partner in self.partners if partner.user_id == user_id), None)

    def group(self, peer_id: int) -> SandboxGroup | None:
        """Return a group by its marked peer id, or by the one it had before it became a supergroup."""
        return next((group for group in self.groups if peer_id in {group.peer_id, group.was_peer_id}), None)

    def members(self, peer_id: int) -> tuple[SandboxPartner, ...]:
        """Return the simulated people of a group, for whom the operator may speak there."""
        group = self.group(peer_id)
        inside = group.member_ids if group is not None else ()
        return tuple(partner for partner in self.partners if partner.user_id in inside)

    def busy(self, partner_id: int, peer_id: int) -> bool:
        """Tell whether a message of this partner to there is under way."""
        return (partner_id, peer_id) in self._under_way

    def speak(self, partner_id: int, peer_id: int, text: str, *, in_place: bool = False) -> bool:
        """Let a partner write.

        Args:
            partner_id: Who.
            peer_id: To one of the agents' accounts, or into a group the partner is in (marked id).
            text: What.
            in_place: The caller shows a refusal itself: it comes by `refused`, not by `failed`.

        Returns:
            False if nothing was sent: there is no sandbox, or the message before is still under way.
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
        except Exception as error:  # noqa: BLE001 - told by `_words`
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
        except Exception as error:  # noqa: BLE001 - told by `_words`
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
        if sandbox is self._sandbox:  # else the window has let go of it meanwhile
            self._bridge.deliver(callback)


def _words(error: Exception) -> str:
    from chimein_gui.viewmodels.rehearsal.words import sandbox_words  # a live window never needs it

    return sandbox_words(error, "speak")
