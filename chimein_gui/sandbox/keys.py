"""Auth keys and access hashes, all derived from one secret of the world.

Deriving them keeps them the same after a restart without storing one row a pair. An authorisation belongs to a key, not
to a connection (FACTS): logging out ends the key, and the account's next key is another generation.
"""

import hmac
from hashlib import sha256

from chimein_gui.sandbox.tl import AuthKey

_KEY_BLOCKS = 8  # of 32 bytes: 2,048 bits


class KeyRing:
    """Who may use which key.

    Args:
        secret: 32 bytes that make this world's keys unguessable.
        generations: How often each account has ended its key, by user id.
    """

    def __init__(self, secret: bytes, generations: dict[int, int]) -> None:
        self._secret = secret
        self._generations = generations
        self._keys: dict[int, bytes] = {}
        self._owners: dict[int, int] = {}

    def admit(self, user_id: int) -> None:
        """Make an account's keys known: earlier generations without an owner, the present one with it."""
        present = self._generations.get(user_id, 0)
        for generation in range(present):
            self._add(user_id, generation)
        self._owners[self._add(user_id, present)] = user_id

    def auth_key(self, user_id: int) -> bytes:
        """Return the account's present key, 256 bytes.

        Raises:
            LookupError: If there is no such user.
        """
        if user_id not in self._owners.values():
            raise LookupError(user_id)
        return self._derive(user_id, self._generations.get(user_id, 0))

    def key(self, key_id: int) -> bytes | None:
        """Return the key with this id, None if nobody knows it."""
        return self._keys.get(key_id)

    def owner(self, key_id: int) -> int | None:
        """Return the user this key is logged in as."""
        return self._owners.get(key_id)

    def revoke(self, key_id: int) -> tuple[int, int]:
        """Log a key out.

        Returns:
            The user and the number of the generation that follows.
        """
        user_id = self._owners.pop(key_id)
        generation = self._generations.get(user_id, 0) + 1
        self._generations[user_id] = generation
        self.admit(user_id)
        return user_id, generation

    def access_hash(self, viewer_id: int, target_id: int) -> int:
        """Return the hash by which the viewer may address the target; others' hashes are worth nothing."""
        digest = self._mac(f"hash {viewer_id} {target_id}")
        return int.from_bytes(digest[:8], "little", signed=True) or 1

    def _add(self, user_id: int, generation: int) -> int:
        key = self._derive(user_id, generation)
        key_id: int = AuthKey(key).key_id
        self._keys[key_id] = key
        return key_id

    def _derive(self, user_id: int, generation: int) -> bytes:
        return b"".join(self._mac(f"key {user_id} {generation} {block}") for block in range(_KEY_BLOCKS))

    def _mac(self, label: str) -> bytes:
        return hmac.digest(self._secret, label.encode(), sha256)
