"""Port for secrets: the keychain, or its fallbacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from chimein_gui.domain.notes import Note

MODEL_KEY = "gemini-api-key"
API_ID = "telegram-api-id"
API_HASH = "telegram-api-hash"
POSTGRES = "memory-postgres"
"""Connection string of the database with the index of memories; optional."""


def proxy_name(agent_id: int) -> str:
    """Return the name of an agent's proxy among the secrets; its address contains a password."""
    return f"proxy-{agent_id}"


class SecretPlace(StrEnum):
    """Where a secret is kept. The environment has priority; the others follow from best to worst."""

    ENVIRONMENT = "environment"
    """An environment variable: can't be changed from the program."""
    KEYCHAIN = "keychain"
    FILE = "file"
    """A file that only this user can read; with a visible warning."""
    SESSION = "session"
    """Until the program ends; with a visible warning."""


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A secret and its place.

    Attributes:
        value: The secret itself; not in the repr.
        place: Where it is kept.
    """

    value: str
    place: SecretPlace

    def __repr__(self) -> str:
        """Return a text without the secret, for logs and exceptions."""
        return f"StoredSecret(place={self.place.value})"


class SecretStore(Protocol):
    """Stores secrets. A keychain may block until its owner answers, so adapters use a thread with a time-out."""

    async def get(self, name: str) -> StoredSecret | None:
        """Return a secret, or None; also None, with a log entry, if the keychain can't be read."""
        ...

    async def put(self, name: str, value: str) -> SecretPlace:
        """Store a secret in the best available place.

        Returns:
            The place.

        Raises:
            SecretError: An environment variable has this secret and would override it.
        """
        ...

    async def drop(self, name: str) -> None:
        """Delete a secret in every place but the environment; an unknown one is no error.

        Raises:
            SecretError: It could not be deleted.
        """
        ...

    def place(self) -> SecretPlace:
        """Return where a new secret would be stored, as far as known."""
        ...

    def place_note(self) -> Note:
        """Return what that place is, and why it is no keychain if it is none."""
        ...

    def is_unreadable(self, name: str) -> bool:
        """Return whether a secret is in a keychain that could not be read at the last request."""
        ...

    def watch(self, on_back: Callable[[], None]) -> None:
        """Set the callback for a keychain that answers after it was given up, so that secrets can be read again."""
        ...
