"""What happens when a secret is another one: everybody is told, and what waited for it goes on."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from chimein_gui.domain.events import SecretsChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.engine.fault_line import FaultLine
from chimein_gui.engine.ports.secrets import MODEL_KEY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.engine.proxies import Proxies
    from chimein_gui.engine.secrets import KnownSecrets

_log = logging.getLogger(__name__)

_LOCKED_AWAY = (
    "What is kept there is missing: nothing is planned without the model's key, and an account with a proxy does not"
    " connect. Unlock the keychain or mend the file, or enter it again in Preferences."
)


class KeyChanges:
    """Reads the secrets at the start, and hears of every change."""

    def __init__(
        self,
        secrets: KnownSecrets,
        bus: EventBus,
        spawn: Spawn,
        model_key_changed: Callable[[], Awaitable[None]],
        proxies: Proxies,
    ) -> None:
        """Wire the services; `model_key_changed` is awaited whenever the model's key is another one."""
        self._secrets = secrets
        self._bus = bus
        self._spawn = spawn
        self._model_key_changed = model_key_changed
        self._proxies = proxies
        self._fault = FaultLine(bus, "secrets", _LOCKED_AWAY)
        self._revision = 0
        self._unlisten: Callable[[], None] = lambda: None

    async def begin(self) -> None:
        """Read all secrets; takes as long as a keychain does, but never longer than its time-out."""
        self._unlisten = self._secrets.listen(self._changed, self._came_back)
        await self._proxies.load()
        if self._secrets.unreadable():
            self._fault.show("The keychain or the file of secrets can't be read.")

    def end(self) -> None:
        """Stop listening."""
        self._unlisten()

    def _changed(self, names: tuple[str, ...]) -> None:
        found = [(name, self._secrets.stored(name)) for name in names]
        places = tuple((name, stored.place.value if stored is not None else "") for name, stored in found)
        self._revision += 1
        self._bus.publish(SecretsChanged(places, Revision(self._revision)))
        if not self._secrets.unreadable():
            self._fault.clear()
        if MODEL_KEY in names:
            self._spawn(self._let_go_on(), name="model key changed")

    async def _let_go_on(self) -> None:
        await self._model_key_changed()

    def _came_back(self) -> None:
        self._spawn(self._read_again(), name="keychain is back")

    async def _read_again(self) -> None:
        _log.info("The keychain is read again")
        await self._proxies.load()
        if not self._secrets.unreadable():
            self._fault.clear()
