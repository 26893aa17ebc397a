"""Auth keys, who is logged in with each, and access hashes.

An authorisation belongs to a key, not to a connection: an account may have many keys, one a session. There are
two kinds. *Exchanged* keys come from the handshake and are stored. *Preseeded* keys and access hashes are derived from
one secret of the world: they are the same after a restart without a row each. An account has one preseeded key at a
time; when it is logged out or forgotten, the next generation follows.
"""

import hmac
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from chimein_gui.sandbox.auth_keys.key_record import REVOKED, UNREGISTERED, KeyRecord
from chimein_gui.sandbox.auth_keys.key_rows import KeyRows
from chimein_gui.sandbox.wire.tl import AuthKey

_KEY_BLOCKS = 8  # of 32 bytes: 2,048 bits


class KeyRing:
    """All auth keys and their users.

    Args:
        secret: 32 bytes that make this world's keys unguessable.
        rows: The stored keys; they can't be derived.
    """

    def __init__(self, secret: bytes, rows: KeyRows) -> None:
        self._secret = secret
        self._rows = rows
        self._generations = rows.generations()
        self._forgotten = rows.forgotten()
        self._records = {record.key_id: record for record in rows.records()}
        self._owners = {key_id: record.user_id for key_id, record in self._records.items() if record.user_id}
        self._keys = {key_id: record.auth_key for key_id, record in self._records.items()}

    # -- keys ---------------------------------------------------------------------------------------------------------

    def admit(self, user_id: int) -> None:
        """Register an account's preseeded keys: earlier generations logged out, the present one logged in."""
        present = self._generations.get(user_id, 0)
        for generation in range(present + 1):
            key = self._derive(user_id, generation)
            record = KeyRecord(_key_id(key), key, user_id if generation == present else 0)
            if record.key_id not in self._records and record.key_id not in self._forgotten:
                self._take_in(record)

    def auth_key(self, user_id: int) -> bytes:
        """Return the account's present preseeded key, 256 bytes.

        Raises:
            LookupError: If there is no such user.
        """
        key = self._derive(user_id, self._generations.get(user_id, 0))
        if _key_id(key) not in self._keys:
            raise LookupError(user_id)
        return key

    def adopt(self, auth_key: bytes) -> bool:
        """Register a key from a key exchange; nobody is logged in with it yet.

        Returns:
            False if its id belongs to another key.
        """
        record = KeyRecord(_key_id(auth_key), auth_key)
        if record.key_id in self._keys or record.key_id in self._forgotten:
            return False
        self._store(record)
        return True

    def key(self, key_id: int) -> bytes | None:
        """Return the key with this id, or None if it is unknown."""
        return self._keys.get(key_id)

    def forget(self, key_id: int) -> None:
        """Make a key unknown: its packets are answered with -404."""
        self._succeed(self._records.pop(key_id))
        self._keys.pop(key_id)
        self._owners.pop(key_id, None)
        self._forgotten.add(key_id)
        self._rows.forget(key_id)

    # -- who is logged in ---------------------------------------------------------------------------------------------

    def owner(self, key_id: int) -> int | None:
        """Return the user who is logged in with this key, or None."""
        return self._owners.get(key_id)

    def refusal(self, key_id: int) -> str:
        """Return the error (401) for a key without a logged-in user."""
        record = self._records.get(key_id)
        return record.refusal if record else UNREGISTERED

    def records_of(self, user_id: int) -> Iterator[KeyRecord]:
        """Iterate over the keys of a user's sessions."""
        return (record for record in tuple(self._records.values()) if record.user_id == user_id)

    def log_in(self, key_id: int, user_id: int, moment: int) -> None:
        """Log a key in at a server time."""
        record = self._records[key_id]
        if record.user_id != user_id:
            self._succeed(record)
        self._store(replace(record, user_id=user_id, logged_in_at=moment, used_at=moment, refusal=UNREGISTERED))

    def log_out(self, key_id: int, *, is_revoked: bool = False) -> None:
        """End a key's authorisation; `is_revoked` if another session or the operator did it."""
        record = self._records[key_id]
        self._succeed(record)
        self._store(replace(record, user_id=0, refusal=REVOKED if is_revoked else UNREGISTERED))

    def revoke_all(self, user_id: int) -> list[int]:
        """Log out all keys of a user; returns their ids."""
        key_ids = [record.key_id for record in self.records_of(user_id)]
        for key_id in key_ids:
            self.log_out(key_id, is_revoked=True)
        return key_ids

    def forget_all(self, user_id: int) -> list[int]:
        """Forget all keys of a user; returns their ids."""
        key_ids = [record.key_id for record in self.records_of(user_id)]
        for key_id in key_ids:
            self.forget(key_id)
        return key_ids

    def introduce(self, key_id: int, moment: int) -> None:
        """Note that a client has used a key; only the first time is stored."""
        record = self._records.get(key_id)
        if record is not None:
            changed = replace(record, used_at=moment)
            if record.used_at:
                self._take_in(changed)
            else:
                self._store(changed)

    def access_hash(self, viewer_id: int, target_id: int) -> int:
        """Return the hash with which the viewer may address the target; it is valid for this viewer only."""
        digest = self.seal(f"hash {viewer_id} {target_id}")
        return int.from_bytes(digest[:8], "little", signed=True) or 1

    def salt(self, key_id: int, period: int) -> int:
        """Return the salt of a key in a period (`salts`)."""
        return int.from_bytes(self.seal(f"salt {key_id} {period}")[:8], "little", signed=True) or 1

    def seal(self, label: str) -> bytes:
        """Return 32 bytes for a label, derived from the secret of this world."""
        return hmac.digest(self._secret, label.encode(), sha256)

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _succeed(self, record: KeyRecord) -> None:
        """Begin the next generation if the present preseeded key of an account ends."""
        user_id = record.user_id
        present = self._generations.get(user_id, 0)
        if user_id and record.auth_key == self._derive(user_id, present):
            self._generations[user_id] = present + 1
            self._rows.set_generation(user_id, present + 1)
            key = self._derive(user_id, present + 1)
            self._take_in(KeyRecord(_key_id(key), key, user_id))

    def _store(self, record: KeyRecord) -> None:
        self._take_in(record)
        self._rows.put(record)

    def _take_in(self, record: KeyRecord) -> None:
        self._records[record.key_id] = record
        self._keys[record.key_id] = record.auth_key
        if record.user_id:
            self._owners[record.key_id] = record.user_id
        else:
            self._owners.pop(record.key_id, None)

    def _derive(self, user_id: int, generation: int) -> bytes:
        return b"".join(self.seal(f"key {user_id} {generation} {block}") for block in range(_KEY_BLOCKS))


def _key_id(auth_key: bytes) -> int:
    key_id: int = AuthKey(auth_key).key_id
    return key_id
