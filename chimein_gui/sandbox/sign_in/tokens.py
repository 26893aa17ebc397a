"""Login tokens, the content of a QR code: one session shows it, a logged-in session accepts it."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from chimein_gui.sandbox.rpc.refusal import RpcFault

_VALID_S = 30
_SIZE = 32
_KEPT_S = 10 * 60
"""How long after its expiry an accepted token can be used to log in."""


@dataclass(slots=True)
class LoginToken:
    """A login token.

    Attributes:
        key_id: The key of the session that shows it.
        push: Sends an update to that session.
        expires_at: Server time, whole seconds; the token can't be accepted after it.
        accepted_by: The user id; 0 until it is accepted.
    """

    token: bytes
    key_id: int
    push: Callable[[bytes], None]
    expires_at: int
    accepted_by: int = 0


class LoginTokens:
    """The current tokens, at most one for each key."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._by_key: dict[int, LoginToken] = {}

    def show(self, key_id: int, push: Callable[[bytes], None]) -> LoginToken:
        """Return a new token for a session, or its accepted one."""
        now = self._now()
        self._by_key = {key: one for key, one in self._by_key.items() if one.expires_at + _KEPT_S > now}
        known = self._by_key.get(key_id)
        if known is not None and known.accepted_by:
            return known
        made = LoginToken(os.urandom(_SIZE), key_id, push, now + _VALID_S)
        self._by_key[key_id] = made
        return made

    def accept(self, token: bytes, user_id: int) -> LoginToken:
        """Accept the token of another session for a user.

        Raises:
            RpcFault: AUTH_TOKEN_INVALID, AUTH_TOKEN_ALREADY_ACCEPTED, AUTH_TOKEN_EXPIRED.
        """
        known = self.find(token)
        if known.accepted_by:
            raise RpcFault(400, "AUTH_TOKEN_ALREADY_ACCEPTED")
        if known.expires_at <= self._now():
            raise RpcFault(400, "AUTH_TOKEN_EXPIRED")
        known.accepted_by = user_id
        return known

    def find(self, token: bytes) -> LoginToken:
        """Return the token with these bytes.

        Raises:
            RpcFault: AUTH_TOKEN_INVALID.
        """
        for known in self._by_key.values():
            if known.token == token:
                return known
        raise RpcFault(400, "AUTH_TOKEN_INVALID")

    def drop(self, key_id: int) -> None:
        """Remove the token of a session that is now logged in."""
        self._by_key.pop(key_id, None)
