"""Login tokens: what a QR code holds. One session shows it, another that is logged in accepts it."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from chimein_gui.sandbox.rpc.refusal import RpcFault

_VALID_S = 30
_SIZE = 32
_KEPT_S = 10 * 60
"""An accepted token may be turned into a login for so long."""


@dataclass(slots=True)
class LoginToken:
    """A token under way.

    Attributes:
        key_id: Of the session that shows it.
        push: Reaches that session.
        expires_at: Server time, whole seconds; nobody can accept it after.
        accepted_by: User id; 0 for nobody yet.
    """

    token: bytes
    key_id: int
    push: Callable[[bytes], None]
    expires_at: int
    accepted_by: int = 0


class TokenDesk:
    """Knows the tokens under way: at most one of each key."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._by_key: dict[int, LoginToken] = {}

    def show(self, key_id: int, push: Callable[[bytes], None]) -> LoginToken:
        """Return a fresh token for a session, or its accepted one."""
        now = self._now()
        self._by_key = {key: one for key, one in self._by_key.items() if one.expires_at + _KEPT_S > now}
        known = self._by_key.get(key_id)
        if known is not None and known.accepted_by:
            return known
        made = LoginToken(os.urandom(_SIZE), key_id, push, now + _VALID_S)
        self._by_key[key_id] = made
        return made

    def accept(self, token: bytes, user_id: int) -> LoginToken:
        """Let a user's session accept what another session shows.

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
        """Return the token that is called so.

        Raises:
            RpcFault: AUTH_TOKEN_INVALID.
        """
        for known in self._by_key.values():
            if known.token == token:
                return known
        raise RpcFault(400, "AUTH_TOKEN_INVALID")

    def drop(self, key_id: int) -> None:
        """Forget the token of a session that is logged in now."""
        self._by_key.pop(key_id, None)
