"""The sandbox's RSA key: what a client has to know before it exchanges an auth key with us.

It lives in memory only and dies with the server, so that no client can trust it for longer.
"""

from functools import cached_property

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from chimein_gui.sandbox.wire.tl import key_fingerprint

_BITS = 2048
_EXPONENT = 65537


class ServerKey:
    """Made when it is first asked for: most clients bring a key and never need it, and making one takes some 50 ms."""

    @cached_property
    def _private(self) -> rsa.RSAPrivateNumbers:
        return rsa.generate_private_key(_EXPONENT, _BITS).private_numbers()

    @cached_property
    def fingerprint(self) -> int:
        """The name by which client and server speak of the key."""
        public = self._private.public_numbers
        return key_fingerprint(public.n, public.e)

    def public_pem(self) -> bytes:
        """Return the public half, PKCS#1 in PEM."""
        public = self._private.public_numbers.public_key()
        return public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.PKCS1)

    def decrypt(self, cipher: bytes) -> bytes:
        """Undo the client's bare RSA (no padding scheme: the content brings its own hash); 255 bytes.

        Raises:
            OverflowError: If the content is larger than any client makes it.
        """
        key = self._private
        number = int.from_bytes(cipher, "big") % key.public_numbers.n
        by_p = pow(number, key.dmp1, key.p)
        by_q = pow(number, key.dmq1, key.q)
        plain = by_q + key.q * (key.iqmp * (by_p - by_q) % key.p)
        return plain.to_bytes(_BITS // 8 - 1, "big")
