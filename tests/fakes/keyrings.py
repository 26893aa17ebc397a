"""Keychains for keyring: one that works, and others with all kinds of failures.

Their priority is so low that keyring never chooses one by itself.
"""

from __future__ import annotations

import threading

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, NoKeyringError, PasswordSetError


class MemoryKeyring(KeyringBackend):
    """Keeps everything in memory; two stores of two runs may share one."""

    priority = 0.1  # keyring makes a property of the class of it

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.asked: list[str] = []

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.append(username)
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.asked.append(username)
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self.asked.append(username)
        del self.kept[service, username]


class ForgetfulKeyring(MemoryKeyring):
    """Accepts everything and stores nothing, as keyring's null backend does."""

    def set_password(self, service: str, username: str, password: str) -> None:
        self.asked.append(username)


class HangingKeyring(MemoryKeyring):
    """Waits for its absent owner until `wake` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.wake = threading.Event()
        self.hangs = 0

    def get_password(self, service: str, username: str) -> str | None:
        self._hang()
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._hang()
        super().set_password(service, username, password)

    def _hang(self) -> None:
        if not self.wake.is_set():
            self.hangs += 1
            self.wake.wait(30)


class MissingKeyring(MemoryKeyring):
    """The backend that keyring finds without a secret service."""

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.append(username)
        raise NoKeyringError("no recommended backend was available")

    def set_password(self, service: str, username: str, password: str) -> None:
        self.asked.append(username)
        raise NoKeyringError("no recommended backend was available")


class LockedKeyring(MemoryKeyring):
    """Its owner refuses to unlock it until `locked` is False."""

    locked = True

    def get_password(self, service: str, username: str) -> str | None:
        self._check(service)
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check(password)
        super().set_password(service, username, password)

    def _check(self, words: str) -> None:
        if self.locked:
            raise KeyringLocked(f"prompt dismissed: {words}")


class ChattyKeyring(MemoryKeyring):
    """Fails with an exception that contains the secret."""

    def set_password(self, service: str, username: str, password: str) -> None:
        raise PasswordSetError(f"cannot keep {password!r}")
