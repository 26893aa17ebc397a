"""Where secrets are kept: keychain, or what comes after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

MODEL_KEY = "gemini-api-key"
API_ID = "telegram-api-id"
API_HASH = "telegram-api-hash"


def proxy_name(agent_id: int) -> str:
    """Return the name under which an agent's proxy is kept: its address holds a password."""
    return f"proxy-{agent_id}"


class SecretPlace(StrEnum):
    """Where a secret is kept, best first after the environment, which wins."""

    ENVIRONMENT = "environment"
    """An environment variable: can't be changed from here."""
    KEYCHAIN = "keychain"
    FILE = "file"
    """A file that only this user can read, with a visible warning."""
    SESSION = "session"
    """Until the program ends; with a visible warning."""


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A secret and where it comes from.

    Attributes:
        value: The secret itself; not in the repr.
        place: Where it is kept.
    """

    value: str
    place: SecretPlace

    def __repr__(self) -> str:
        """Keep the secret out of logs and exceptions."""
        return f"StoredSecret(place={self.place.value})"


class SecretStore(Protocol):
    """Keeps secrets; may block for long (a keychain asks its owner): adapters do it in a thread, with a time-out."""

    async def get(self, name: str) -> StoredSecret | None:
        """Return a secret, or None; a keychain that can't be read counts as one without it, and is logged."""
        ...

    async def put(self, name: str, value: str) -> SecretPlace:
        """Keep a secret in the best place there is.

        Returns:
            Where it is.

        Raises:
            SecretError: An environment variable stands before it, and would win.
        """
        ...

    async def drop(self, name: str) -> None:
        """Forget a secret, in every place but the environment; an unknown one is no error.

        Raises:
            SecretError: It could not be removed from where it is kept.
        """
        ...

    def place(self) -> SecretPlace:
        """Tell where a new secret would go, as far as known by now."""
        ...

    def place_words(self) -> str:
        """Name that place for people, such as "GNOME Keyring", with a warning where it is not a keychain."""
        ...

    def is_unreadable(self, name: str) -> bool:
        """Tell whether a secret is in a keychain that could not be read when it was asked for last."""
        ...

    def watch(self, on_back: Callable[[], None]) -> None:
        """Call somebody when secrets can be read after all: a keychain that was given up has answered."""
        ...
