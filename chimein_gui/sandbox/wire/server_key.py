"""The sandbox's RSA key, which a client needs to exchange an auth key.

The key exists only in memory, so that no client can trust it after the server has ended.
"""

from functools import cached_property

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from chimein_gui.sandbox.wire.tl import key_fingerprint

_BITS = 2048
_EXPONENT = 65537


class ServerKey:
    """An RSA key, generated on first use: this takes about 50 ms, and most clients already have an auth key."""

    @cached_property
    def _private(self) -> rsa.RSAPrivateNumbers:
        return rsa.generate_private_key(_EXPONENT, _BITS).private_numbers()

    @cached_property
    def fingerprint(self) -> int:
        """The fingerprint that names the key in the protocol."""
        public = self._private.public_numbers
        return key_fingerprint(public.n, public.e)

    def public_pem(self) -> bytes:
        """Return the public key, PKCS#1 in PEM."""
        public = self._private.public_numbers.public_key()
        return public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.PKCS1)

    def decrypt(self, cipher: bytes) -> bytes:
        """Decrypt 255 bytes of unpadded RSA; the content contains its own hash.

        Raises:
            OverflowError: If the content is larger than 255 bytes.
        """
        key = self._private
        number = int.from_bytes(cipher, "big") % key.public_numbers.n
        by_p = pow(number, key.dmp1, key.p)
        by_q = pow(number, key.dmq1, key.q)
        plain = by_q + key.q * (key.iqmp * (by_p - by_q) % key.p)
        return plain.to_bytes(_BITS // 8 - 1, "big")
