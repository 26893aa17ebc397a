"""The program's keys: tries them, and handles changed secrets.

A change is published, and the work that waited for it continues. See docs/behaviour.md, "Keys and proxies".
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.events import SecretsChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.ports import KeyVerdict
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY, SecretPlace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import KeyChecker, Spawn
    from chimein_gui.engine.settings.secrets import SecretCache


class KeyCheck:
    """Tries keys of the language model."""

    def __init__(
        self,
        secrets: SecretCache,
        checker: KeyChecker | None,
        key_works: Callable[[], Awaitable[None]],
        model: Callable[[], str] = lambda: "",
    ) -> None:
        """Create the service.

        Args:
            secrets: Have the key in use.
            checker: Tries keys; without it no key can be tried.
            key_works: Awaited when the model's key in use was tried and works, because it may have failed before.
            model: Returns the default model of agents whose file names none.
        """
        self._secrets = secrets
        self._checker = checker
        self._key_works = key_works
        self._model = model

    async def check(self, key: str | None = None) -> KeyVerdict:
        """Try a key of the model, or the one in use; the key is not kept.

        If the key in use works, the plans that it stopped are made: the cause may have been fixed at Google.
        """
        self._secrets.hide(key or "")
        if self._checker is None:
            return KeyVerdict(ok=False, note=Note(KeyReason.NOT_TRIED_HERE))
        in_use = self._secrets.value(MODEL_KEY)
        verdict = await self._checker.check(in_use if key is None else key)
        if verdict.ok and key in (None, in_use):
            await self._key_works()
        model = self._model()
        # Tuned models are in a separate list.
        if verdict.ok and verdict.names and model and "/" not in model and model not in verdict.names:
            return replace(verdict, note=Note(KeyReason.DEFAULT_NOT_AMONG_THEM, model, cause=verdict.note))
        return verdict


_log = logging.getLogger(__name__)

_HALF = {
    (API_ID, False): FaultReason.ONLY_API_ID,
    (API_ID, True): FaultReason.ONLY_API_ID_SET,
    (API_HASH, False): FaultReason.ONLY_API_HASH,
    (API_HASH, True): FaultReason.ONLY_API_HASH_SET,
}
"""The note by the known half, and whether that comes from the environment."""


class KeyChanges:
    """Reads the secrets at the start and handles every change."""

    def __init__(
        self,
        secrets: SecretCache,
        bus: EventBus,
        spawn: Spawn,
        model_key_changed: Callable[[str], Awaitable[None]],
        read: Callable[[], Awaitable[None]],
        provider_keys: Mapping[str, str],
    ) -> None:
        """Create the service.

        Args:
            secrets: The cache of secrets.
            bus: Receives the events.
            spawn: Starts jobs.
            model_key_changed: Awaited with the name of a provider whenever its key has changed.
            read: Reads all secrets, including those of accounts.
            provider_keys: The names of the providers' keys, with the provider of each.
        """
        self._secrets = secrets
        self._bus = bus
        self._spawn = spawn
        self._model_key_changed = model_key_changed
        self._read = read
        self._provider_keys = provider_keys
        secrets.also_needs(provider_keys)
        self._fault = FaultLine(bus, "secrets", FaultReason.SECRETS_MISSING)
        self._half = FaultLine(bus, "application", FaultReason.BOTH_NEEDED)
        self._revision = 0
        self._unlisten: Callable[[], None] = lambda: None

    async def begin(self) -> None:
        """Read all secrets; takes as long as a keychain does, at most its time-out."""
        self._unlisten = self._secrets.listen(self._changed, self._came_back)
        await self._read()
        if self._secrets.unreadable():
            self._fault.show(Note(FaultReason.SECRETS_UNREADABLE))
        self._tell_of_half()

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
        self._tell_of_half()
        for name in names:
            if name in self._provider_keys:
                self._spawn(self._resume_waiting(self._provider_keys[name]), name="model key changed")

    def _tell_of_half(self) -> None:
        """Tell which half of the pair of API id and hash is kept, because its counterpart is missing."""
        found = [(name, one) for name in (API_ID, API_HASH) if (one := self._secrets.stored(name)) is not None]
        if len(found) != 1 or self._secrets.unreadable():
            self._half.clear()
            return
        [(name, stored)] = found
        self._half.show(Note(_HALF[name, stored.place is SecretPlace.ENVIRONMENT]))

    async def _resume_waiting(self, provider: str) -> None:
        await self._model_key_changed(provider)

    def _came_back(self) -> None:
        self._spawn(self._read_again(), name="keychain is back")

    async def _read_again(self) -> None:
        _log.info("The keychain is read again")
        await self._read()
        if not self._secrets.unreadable():
            self._fault.clear()
