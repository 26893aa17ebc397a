"""The operating system's keychain, through keyring, called in threads that may hang without harm."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.keys import KeyReason

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_log = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT_S = 10.0
"""Longest wait for an answer in seconds; a locked keychain asks its owner meanwhile."""

_LEAST_PRIORITY = 1
"""In keyring's measure; below are files with secrets in clear text, and a backend that stores nothing."""

_PLACES = {
    "SecretService": Note(KeyReason.IN_DESKTOP_KEYRING),
    "libsecret": Note(KeyReason.IN_DESKTOP_KEYRING),
    "kwallet": Note(KeyReason.IN_NAMED_KEYCHAIN, "KWallet"),
    "macOS": Note(KeyReason.IN_MACOS_KEYCHAIN),
    "Windows": Note(KeyReason.IN_WINDOWS_MANAGER),
}
"""By the first word of a backend's name."""


class KeychainError(Exception):
    """The keychain failed; neither its note nor its text contains a secret, and no cause is attached."""

    def __init__(self, note: Note) -> None:
        """Create the error with what is wrong."""
        self.note = note
        super().__init__(str(note))


class NoKeychainError(KeychainError):
    """There is no keychain here; it is not asked again in this run."""


class SilentKeychainError(NoKeychainError):
    """The keychain does not answer; it is not asked again before it has answered."""


def system_keychain() -> KeyringBackend:
    """Import keyring and return the keychain it finds; may block.

    Raises:
        NoKeychainError: There is no real keychain.
    """
    import keyring

    backend = keyring.get_keyring()
    if backend.priority < _LEAST_PRIORITY:
        raise NoKeychainError(Note(KeyReason.NO_KEYCHAIN))
    return backend


class Keychain:
    """Stores secrets in the system's keychain under one service name; one request at a time.

    Every request has a daemon thread, so that the program's end does not wait for it. A keychain that hangs or is
    missing is asked once; if it answers later, it is used again.
    """

    def __init__(
        self,
        service: str,
        *,
        timeout_s: float = TIMEOUT_S,
        open_backend: Callable[[], KeyringBackend] = system_keychain,
    ) -> None:
        """Create the adapter; nothing is imported or asked yet.

        Args:
            service: Separates the secrets of different state directories.
            timeout_s: Longest wait for one answer, in seconds.
            open_backend: Finds the keychain, in the thread.
        """
        self._service = service
        self._timeout_s = timeout_s
        self._open_backend = open_backend
        self._backend: KeyringBackend | None = None
        self._one_at_a_time = asyncio.Lock()
        self._on_back: Callable[[], None] | None = None
        self.place = Note(KeyReason.IN_KEYCHAIN)
        """Which keychain it is, as far as known."""
        self.trouble: Note | None = None
        """Why it is not asked; None while it is."""

    def watch(self, on_back: Callable[[], None]) -> None:
        """Set the callback for a keychain that answers after it was given up."""
        self._on_back = on_back

    async def get(self, name: str) -> str | None:
        """Return a secret, or None if it is not there.

        Raises:
            KeychainError: It could not be read.
        """
        return await self._ask(lambda backend: backend.get_password(self._service, name))

    async def put(self, name: str, value: str) -> None:
        """Store a secret, and verify that it was stored.

        Raises:
            KeychainError: It is not stored, or that is unknown.
        """

        def keep(backend: KeyringBackend) -> bool:
            backend.set_password(self._service, name, value)
            return backend.get_password(self._service, name) == value

        if not await self._ask(keep):
            raise KeychainError(Note(KeyReason.KEYCHAIN_FORGOT))

    async def drop(self, name: str) -> None:
        """Delete a secret; a missing one is no error.

        Raises:
            KeychainError: It may still be there.
        """

        def forget(backend: KeyringBackend) -> None:
            if backend.get_password(self._service, name) is not None:
                backend.delete_password(self._service, name)

        await self._ask(forget)

    async def _ask(self, question: Callable[[KeyringBackend], T]) -> T:
        async with self._one_at_a_time:
            if self.trouble is not None:
                raise NoKeychainError(self.trouble)
            try:
                return await self._in_thread(lambda: question(self._opened()))
            except NoKeychainError as error:
                self.trouble = error.note
                raise

    def _opened(self) -> KeyringBackend:
        if self._backend is None:
            backend = self._open_backend()
            named = Note(KeyReason.IN_NAMED_KEYCHAIN, backend.name)
            self.place = _PLACES.get(backend.name.partition(" ")[0], named)
            self._backend = backend
        return self._backend

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Run a function that may block for ever; after the time-out its result is ignored."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, failure: KeychainError | None) -> None:
            if answer.done():
                self._came_late(failure)
            elif failure is not None:
                answer.set_exception(failure)
            else:
                answer.set_result(result)  # type: ignore[arg-type]  # without a failure it is a T

        def run() -> None:
            result, failure = _outcome(work)
            with suppress(RuntimeError):  # the loop is closed: nobody wants to know
                loop.call_soon_threadsafe(settle, result, failure)

        threading.Thread(target=run, name="keychain", daemon=True).start()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await answer
        except TimeoutError:
            raise SilentKeychainError(Note(KeyReason.KEYCHAIN_SILENT, f"{self._timeout_s:g}")) from None

    def _came_late(self, failure: KeychainError | None) -> None:
        """Handle a late answer: the keychain works, or reports why it does not."""
        if failure is None and self.trouble is not None:
            self.trouble = None
            _log.info("The keychain has answered after all")
            if self._on_back is not None:
                self._on_back()


def _outcome(work: Callable[[], T]) -> tuple[T | None, KeychainError | None]:
    """Run a function; replace each exception by one of ours, because its frames and text may contain the secret."""
    try:
        return work(), None
    except KeychainError as error:
        return None, type(error)(error.note)
    except Exception as error:  # noqa: BLE001 - backends raise what they like
        kind = type(error).__name__
    if kind == "NoKeyringError":
        return None, NoKeychainError(Note(KeyReason.NO_KEYCHAIN))
    if kind == "KeyringLocked":
        return None, KeychainError(Note(KeyReason.KEYCHAIN_LOCKED))
    return None, KeychainError(Note(KeyReason.KEYCHAIN_FAILED, kind))
