"""File references, which a client must send to download or resend a file.

A client without a valid one fetches the message again. A reference is valid for one viewer and a limited time. It
contains the time and the epoch in which it was made. A new epoch invalidates all references at once; tests and the
rehearsal panel use this.
"""

import struct
from dataclasses import dataclass

from chimein_gui.sandbox.auth_keys.key_ring import KeyRing
from chimein_gui.sandbox.timekeeping import Clock

_DAY_S = 24 * 60 * 60
_STATED = struct.Struct("<II")  # epoch, seconds since 1970
_SEAL_SIZE = 8


class StaleReferenceError(Exception):
    """A file reference is not accepted; the text is Telegram's name of the reason: EMPTY, INVALID or EXPIRED."""


@dataclass(slots=True)
class FileReferences:
    """Makes and checks file references.

    Attributes:
        epoch: References of any other epoch have expired.
        life_s: For how many seconds a reference is valid.
    """

    keys: KeyRing
    now: Clock
    epoch: int = 1
    life_s: int = _DAY_S

    def make(self, viewer_id: int, file_id: int) -> bytes:
        """Return a new reference."""
        stated = _STATED.pack(self.epoch, int(self.now()))
        return stated + self._seal(viewer_id, file_id, stated)

    def check(self, viewer_id: int, file_id: int, reference: bytes) -> None:
        """Check a reference.

        Raises:
            StaleReferenceError: If it is empty, of another viewer or file, or too old.
        """
        if not reference:
            raise StaleReferenceError("EMPTY")
        stated, seal = reference[: _STATED.size], reference[_STATED.size :]
        if len(stated) < _STATED.size or seal != self._seal(viewer_id, file_id, stated):
            raise StaleReferenceError("INVALID")
        epoch, made_at = _STATED.unpack(stated)
        if epoch != self.epoch or self.now() - made_at > self.life_s:
            raise StaleReferenceError("EXPIRED")

    def _seal(self, viewer_id: int, file_id: int, stated: bytes) -> bytes:
        return self.keys.seal(f"file reference {viewer_id} {file_id} {stated.hex()}")[:_SEAL_SIZE]
