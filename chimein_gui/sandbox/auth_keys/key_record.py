"""What is known of a session: its key, and whose it is."""

from dataclasses import dataclass

UNREGISTERED = "AUTH_KEY_UNREGISTERED"
"""Refuses a key that nobody is logged in with."""

REVOKED = "SESSION_REVOKED"
"""Refuses a key that another session has logged out."""


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """One auth key.

    Attributes:
        key_id: Its id, 64 bits unsigned.
        auth_key: 256 bytes.
        user_id: Who is logged in; 0 for nobody.
        refusal: What calls are told while nobody is.
        logged_in_at: Server time, whole seconds; 0 for a preseeded key.
        used_at: When a client last introduced itself, server time; 0 if none ever has.
    """

    key_id: int
    auth_key: bytes
    user_id: int = 0
    refusal: str = UNREGISTERED
    logged_in_at: int = 0
    used_at: int = 0
