"""What obfuscates a stream ("obfuscated2"): AES-CTR with keys that the client's first 64 bytes hold in plain sight.

It hides nothing from us and is no security; some clients use nothing else.
"""

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

HEADER_SIZE = 64
_SECRETS = slice(8, 56)  # 32 bytes of key, 16 of counter; backwards for the other direction


class Obfuscation:
    """One connection's obfuscation.

    Args:
        header: The client's first 64 bytes.

    Attributes:
        tag: Names the transport beneath.
    """

    def __init__(self, header: bytes) -> None:
        secrets = header[_SECRETS]
        self._theirs = _cipher(secrets)
        self._ours = _cipher(secrets[::-1])
        self.tag = self._theirs.update(header)[56:60]

    def lift(self, veiled: bytes) -> bytes:
        """Return what the client has sent."""
        return self._theirs.update(veiled)

    def cover(self, plain: bytes) -> bytes:
        """Return what the client expects."""
        return self._ours.update(plain)


def _cipher(secrets: bytes) -> CipherContext:
    return Cipher(AES(secrets[:32]), CTR(secrets[32:])).encryptor()
