"""A cache of secrets for callers that can't wait: read once, kept up to date, reported by name only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from string import hexdigits
from types import MappingProxyType

from chimein_gui.domain.errors import SecretError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.engine.ports import SecretPlace, SecretStore, StoredSecret
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY

PROGRAM_SECRETS = (MODEL_KEY, API_ID, API_HASH)
"""Names of the program's own secrets; those of single agents are added."""

_HASH_DIGITS = 32

Changed = Callable[[tuple[str, ...]], None]
Hide = Callable[[str], None]


class SecretCache:
    """Gives access to the secret store without waiting.

    `value` is empty before `load`. Listeners get the names of changed secrets, never their values.
    """

    def __init__(self, store: SecretStore, defaults: Mapping[str, str] = MappingProxyType({})) -> None:
        """Create the cache; nothing is read before `load`.

        Args:
            store: Keeps the secrets.
            defaults: The values of secrets that are not kept, by name; the sandbox accepts any value.
        """
        self._store = store
        self._defaults = dict(defaults)
        self._known: dict[str, StoredSecret] = {}
        self._names: set[str] = set(PROGRAM_SECRETS)
        self._read: set[str] = set()
        self._listeners: list[Changed] = []
        self._one_at_a_time = asyncio.Lock()
        self._writers: list[Hide] = []
        self._of_others: set[str] = set()

    def __repr__(self) -> str:
        """Show names only, never values."""
        return f"SecretCache({', '.join(sorted(self._known))})"

    def hide_with(self, hide: Hide) -> None:
        """Call `hide` with every secret that must not be written to logs or files, now and from now on."""
        self._writers.append(hide)
        for value in (*self._of_others, *(found.value for found in self._known.values())):
            hide(value)

    def hide(self, value: str) -> None:
        """Hide a typed text, such as a code, from logs and files, whether it is kept or not."""
        for hide in self._writers:
            hide(value.strip())

    def hide_always(self, value: str) -> None:
        """Hide a secret that is kept elsewhere, also from writers that register later."""
        self._of_others.add(value.strip())
        self.hide(value)

    def also_needs(self, names: Iterable[str]) -> None:
        """Read these names, too, from the next `load` on; the program can start without them."""
        self._names |= set(names)

    async def load(self, names: Iterable[str] = ()) -> None:
        """Read the program's secrets, those read before, and `names`; may take as long as a keychain does."""
        self._names |= set(names)
        async with self._one_at_a_time:
            changed = [name for name in sorted(self._names) if self._take(name, await self._store.get(name))]
            self._read |= self._names
        self._tell(changed)

    def value(self, name: str) -> str:
        """Return a secret or its default; empty if there is neither."""
        found = self._known.get(name)
        return found.value if found is not None else self._defaults.get(name, "")

    def stored(self, name: str) -> StoredSecret | None:
        """Return a secret and its place, or None."""
        return self._known.get(name)

    def missing(self) -> tuple[str, ...]:
        """Return the names of the program's secrets that are missing."""
        return tuple(name for name in PROGRAM_SECRETS if not self.value(name))

    def is_unreadable(self, name: str) -> bool:
        """Tell whether a secret is in a keychain that could not be read."""
        return self._store.is_unreadable(name)

    def is_read(self, name: str) -> bool:
        """Tell whether a secret was looked up; before that, its `value` means nothing."""
        return name in self._read

    def is_left_out(self, name: str) -> bool:
        """Tell whether other secrets were read, but not this one."""
        return bool(self._read) and name not in self._read

    def unreadable(self) -> tuple[str, ...]:
        """Return the names of all secrets in a keychain that could not be read."""
        return tuple(name for name in sorted(self._names) if self._store.is_unreadable(name))

    def application(self) -> tuple[int, str] | None:
        """Return Telegram's API id and hash, or None if one of them is missing."""
        api_id, api_hash = self.value(API_ID), self.value(API_HASH)
        return (int(api_id), api_hash) if api_id.isdecimal() and api_id.isascii() and api_hash else None

    async def keep_application(self, api_id: int, api_hash: str) -> None:
        """Keep Telegram's API id and hash, both or neither; see `put_all`.

        Raises:
            SecretError: Its words say what to do.
        """
        await self.put_all({API_ID: str(api_id), API_HASH: api_hash})

    async def put_all(self, values: Mapping[str, str]) -> None:
        """Keep several secrets, or none if one of them is invalid or can't be changed.

        Values that the environment already has need not be kept.

        Raises:
            SecretError: Its words say what to do.
        """
        wanted = {name: value.strip() for name, value in values.items()}
        for name, value in wanted.items():
            if trouble := _trouble_of(name, value):
                raise SecretError(Note(trouble))
        known = {name: found for name in wanted if (found := self._known.get(name)) is not None}
        fixed = {name for name, found in known.items() if found.place is SecretPlace.ENVIRONMENT}
        # Names in the environment first: if they are refused, nothing has been kept yet.
        for name in sorted(wanted, key=lambda one: one not in fixed):
            if name not in fixed or known[name].value != wanted[name]:
                await self.put(name, wanted[name])

    async def put(self, name: str, value: str) -> SecretPlace:
        """Keep a secret in the best place there is, and use it from now on.

        Raises:
            SecretError: The value is invalid, or an environment variable takes precedence.
        """
        value = value.strip()
        self.hide(value)
        trouble = _trouble_of(name, value)
        if trouble:
            raise SecretError(Note(trouble))
        async with self._one_at_a_time:
            place = await self._store.put(name, value)
            self._names.add(name)
            self._read.add(name)
            self._take(name, StoredSecret(value, place))
        self._tell([name])  # an unchanged value is reported, too: a key that was refused is to be tried again
        return place

    async def drop(self, name: str) -> None:
        """Forget a secret; one from the environment stays.

        Raises:
            SecretError: It could not be removed.
        """
        async with self._one_at_a_time:
            was_unreadable = self._store.is_unreadable(name)
            await self._store.drop(name)
            is_other = self._take(name, await self._store.get(name))
            changed = [name] if is_other or was_unreadable else []
        self._tell(changed)

    def place(self) -> SecretPlace:
        """Return where a new secret would be kept, as far as known."""
        return self._store.place()

    def place_note(self) -> Note:
        """Return what that place is, and why it is no keychain if it is none."""
        return self._store.place_note()

    def listen(self, changed: Changed, on_back: Callable[[], None] | None = None) -> Callable[[], None]:
        """Call a listener with the names of changed secrets; returns a function that unsubscribes.

        Args:
            changed: Called after the change.
            on_back: Called when a keychain that timed out has answered after all, so that `load` can be repeated.
        """
        self._listeners.append(changed)
        if on_back is not None:
            self._store.watch(on_back)
        return lambda: self._listeners.remove(changed) if changed in self._listeners else None

    def is_used_otherwise(self, name: str) -> None:
        """Report an unchanged secret to the listeners, because its use has changed."""
        self._tell([name])

    def _take(self, name: str, found: StoredSecret | None) -> bool:
        """Store the current state of a name; returns whether it has changed."""
        before = self._known.get(name)
        if found is None:
            self._known.pop(name, None)
        else:
            self._known[name] = found
            self.hide(found.value)
        return before != found

    def _tell(self, changed: Iterable[str]) -> None:
        names = tuple(changed)
        for listener in tuple(self._listeners) if names else ():
            listener(names)


class SessionSecrets:
    """Keeps secrets until the program ends; the store of tests, and of an engine without a store."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    async def get(self, name: str) -> StoredSecret | None:
        """Return a secret, or None."""
        return StoredSecret(self._kept[name], SecretPlace.SESSION) if name in self._kept else None

    async def put(self, name: str, value: str) -> SecretPlace:
        """Keep a secret."""
        self._kept[name] = value
        return SecretPlace.SESSION

    async def drop(self, name: str) -> None:
        """Forget a secret."""
        self._kept.pop(name, None)

    def place(self) -> SecretPlace:
        """Return where a new secret would be kept."""
        return SecretPlace.SESSION

    def place_note(self) -> Note:
        """Return what that place is."""
        return Note(KeyReason.IN_MEMORY)

    def is_unreadable(self, _name: str) -> bool:
        """Return False: memory can always be read."""
        return False

    def watch(self, _on_back: Callable[[], None]) -> None:
        """Do nothing: memory is never unavailable."""


def _trouble_of(name: str, value: str) -> FaultReason | None:
    """Return why a text is not a valid value of a secret, without repeating it; None if it is valid."""
    if not value:
        return FaultReason.SECRET_EMPTY
    if not value.isprintable() or " " in value or not value.isascii():
        return FaultReason.SECRET_ODD
    if name == API_ID and not (value.isdecimal() and 0 < int(value) < 2**31):
        return FaultReason.API_ID_FORM
    if name == API_HASH and not (len(value) == _HASH_DIGITS and all(digit in hexdigits for digit in value)):
        return FaultReason.API_HASH_FORM
    return None
