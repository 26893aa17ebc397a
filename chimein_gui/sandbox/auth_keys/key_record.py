"""The record of an auth key and its user."""

from dataclasses import dataclass

UNREGISTERED = "AUTH_KEY_UNREGISTERED"
"""The error for a key without a logged-in user."""

REVOKED = "SESSION_REVOKED"
"""The error for a key that another session has logged out."""


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """One auth key.

    Attributes:
        key_id: Its id, 64 bits unsigned.
        auth_key: 256 bytes.
        user_id: The logged-in user; 0 for nobody.
        refusal: The error for calls while nobody is logged in.
        logged_in_at: Server time, whole seconds; 0 for a preseeded key.
        used_at: Server time of a client's last initConnection; 0 if there was none.
    """

    key_id: int
    auth_key: bytes
    user_id: int = 0
    refusal: str = UNREGISTERED
    logged_in_at: int = 0
    used_at: int = 0
