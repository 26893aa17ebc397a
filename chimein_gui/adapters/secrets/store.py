"""Stores a secret in the first place that works: keychain, private file, this run only (port `SecretStore`)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from chimein_gui.adapters.secrets.keychain import KeychainError, NoKeychainError
from chimein_gui.domain.errors import SecretError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.engine.ports import SecretPlace, StoredSecret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from chimein_gui.adapters.secrets.keychain import Keychain

_log = logging.getLogger(__name__)


class PrivateContent(Protocol):
    """Content of the private file: secrets by name, and the names of those in the keychain (None: none recorded)."""

    @property
    def values(self) -> Mapping[str, str]: ...

    @property
    def in_keychain(self) -> frozenset[str] | None: ...


class PrivateFile(Protocol):
    """The private file; its methods block briefly and raise OSError."""

    @property
    def path(self) -> Path: ...

    def read(self) -> PrivateContent: ...

    def write(self, values: Mapping[str, str], in_keychain: frozenset[str] | None) -> None: ...


class LayeredSecretStore:
    """Stores each secret in one place, the best that works at the time; the last value set wins.

    The private file records which names are in the keychain. So an unneeded keychain is never asked, an unreadable one
    is not mistaken for an empty one, and a value from before a failure does not come back.
    """

    def __init__(
        self,
        file: PrivateFile,
        keychain: Keychain | None = None,
        environment: Mapping[str, str] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Create the store; nothing is read or asked yet.

        Args:
            file: Stores secrets without a keychain.
            keychain: None where there must be none, as in the sandbox.
            environment: The environment variables, which have priority; None in the sandbox.
            variables: Name of the variable for each secret.
        """
        self._file = file
        self._keychain = keychain
        self._variables = dict(variables or {})
        found = environment or {}
        self._environment = {name: found.get(at, "").strip() for name, at in self._variables.items()}
        self._session: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._in_keychain: frozenset[str] | None = None
        self._unreadable: set[str] = set()
        self._is_read = False
        self._file_trouble: tuple[KeyReason, str] | None = None
        """What is wrong with the file, and the system's words."""
        self._file_is_broken = False
        self._was_reported = False
        self._one_at_a_time = asyncio.Lock()

    def watch(self, on_back: Callable[[], None]) -> None:
        if self._keychain is not None:
            self._keychain.watch(on_back)

    async def get(self, name: str) -> StoredSecret | None:
        async with self._one_at_a_time:
            await self._read_file()
            self._unreadable.discard(name)
            for place, values in (
                (SecretPlace.ENVIRONMENT, self._environment),
                (SecretPlace.SESSION, self._session),
                (SecretPlace.FILE, self._values),
            ):
                if values.get(name):
                    return StoredSecret(values[name], place)
            found = await self._from_keychain(name)
            if self._file_is_broken and not found:
                self._unreadable.add(name)  # it may stand there: an account must not connect past its proxy
            return StoredSecret(found, SecretPlace.KEYCHAIN) if found else None

    async def put(self, name: str, value: str) -> SecretPlace:
        """Store a secret in the best available place.

        Raises:
            SecretError: An environment variable has this secret and would override it.
        """
        self._refuse_environment(name)
        async with self._one_at_a_time:
            await self._read_file()
            self._unreadable.discard(name)
            if await self._into_keychain(name, value):
                self._session.pop(name, None)
                return SecretPlace.KEYCHAIN
            if await self._write_file({**self._values, name: value}, self._without(name)):
                self._session.pop(name, None)
                return SecretPlace.FILE
            self._session[name] = value
            return SecretPlace.SESSION

    async def drop(self, name: str) -> None:
        async with self._one_at_a_time:
            await self._read_file()
            self._unreadable.discard(name)
            self._session.pop(name, None)
            was_kept = name in self._values or self._may_be_in_keychain(name)
            if was_kept and self._keychain is not None:
                try:
                    await self._keychain.drop(name)
                except KeychainError as error:
                    # It is no longer recorded, so it will not be read again; but it may still be there.
                    _log.warning("A secret may still be in the keychain: %s", error)
            values = {other: value for other, value in self._values.items() if other != name}
            if was_kept and not await self._write_file(values, self._without(name)):
                raise SecretError(Note(FaultReason.SECRET_STILL_KEPT, str(self._file.path)))

    def place(self) -> SecretPlace:
        if self._keychain is not None and not self._keychain.trouble:
            return SecretPlace.KEYCHAIN
        return SecretPlace.SESSION if self._file_trouble else SecretPlace.FILE

    def place_note(self) -> Note:
        """Return what that place is, and why it is no keychain if it is none."""
        why = self._keychain.trouble if self._keychain is not None else None
        if self._keychain is not None and why is None:
            return self._keychain.place
        if self._file_trouble is None:
            return Note(KeyReason.IN_FILE, str(self._file.path), cause=why)
        kind, words = self._file_trouble
        return Note(KeyReason.IN_MEMORY, cause=Note(kind, str(self._file.path), cause=why, more=words))

    def is_unreadable(self, name: str) -> bool:
        """Return whether a secret is, or may be, in a place that could not be read at the last request."""
        return name in self._unreadable

    def _refuse_environment(self, name: str) -> None:
        if self._environment.get(name):
            raise SecretError(Note(FaultReason.ENVIRONMENT_FIRST, self._variables[name]))

    def _may_be_in_keychain(self, name: str) -> bool:
        return self._in_keychain is None or name in self._in_keychain

    def _without(self, name: str) -> frozenset[str]:
        return (self._in_keychain or frozenset()) - {name}

    async def _from_keychain(self, name: str) -> str | None:
        if self._keychain is None or not self._may_be_in_keychain(name):
            return None
        try:
            return await self._keychain.get(name)
        except KeychainError as error:
            if self._in_keychain is not None:
                self._unreadable.add(name)
            self._tell(error)
            return None

    async def _into_keychain(self, name: str, value: str) -> bool:
        """Move a secret into the keychain and out of the file.

        Its name is recorded first, so that it is found after a crash in between. Until the end the file's value counts.
        """
        keychain = self._keychain
        if keychain is None or keychain.trouble:
            return False
        noted = (self._in_keychain or frozenset()) | {name}
        if not self._may_be_in_keychain(name):
            await self._write_file(self._values, noted)
        try:
            await keychain.put(name, value)
        except KeychainError as error:
            self._tell(error)
            return False
        values = {other: kept for other, kept in self._values.items() if other != name}
        if noted != self._in_keychain or values != self._values:
            await self._write_file(values, noted)
        self._values, self._in_keychain = values, noted  # even if the file could not be written: the run goes on
        return True

    def _tell(self, error: KeychainError) -> None:
        """Log the error once; a missing keychain is a warning only if a secret is in it."""
        is_missed = self._unreadable or type(error) is not NoKeychainError
        level = logging.WARNING if is_missed else logging.INFO
        _log.log(logging.DEBUG if self._was_reported else level, "%s; secrets go elsewhere", error)
        self._was_reported = True

    async def _read_file(self) -> None:
        if self._is_read:
            return
        self._is_read = True
        try:
            kept = await asyncio.to_thread(self._file.read)
        except (OSError, ValueError) as error:
            # It may contain secrets that can be recovered, so it is not overwritten either.
            self._file_is_broken = True
            self._file_trouble = KeyReason.SECRETS_FILE_UNREADABLE, ""
            _log.warning("The file of secrets can't be read: %s", type(error).__name__)
            return
        self._values, self._in_keychain = dict(kept.values), kept.in_keychain

    async def _write_file(self, values: Mapping[str, str], in_keychain: frozenset[str]) -> bool:
        if self._file_is_broken:
            return False
        try:
            await asyncio.to_thread(self._file.write, values, in_keychain)
        except OSError as error:
            self._file_trouble = KeyReason.SECRETS_FILE_UNWRITTEN, error.strerror or type(error).__name__
            _log.warning("The file of secrets can't be written: %s", type(error).__name__)
            return False
        self._file_trouble = None
        self._values, self._in_keychain = dict(values), in_keychain
        return True
