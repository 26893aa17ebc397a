"""Telegram's Diffie-Hellman group, for the key exchange and for passwords (SRP).

Any other prime than Telegram's would cost minutes: Telethon knows only this one, and factorises others.
"""

import os

PRIME = int(
    "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4db"
    "fa336f6e0ac925139543aed44cce7c3720fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f64"
    "2477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4a4a695811051907e162753b56b0f6b41"
    "0dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4"
    "e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf"
    "6f4fadf034b10403119cd8e3b92fcc5b",
    16,
)
GENERATOR = 3
SIZE = 256
"""Length of a number of the group in bytes."""

_EXPONENT_SIZE = 32
"""Length of the secrets in bytes: as secure as the group, with an eighth of the work of full-size ones."""

_SAFETY = 1 << (2048 - 64)


def prime_bytes() -> bytes:
    """Return the prime as big-endian bytes."""
    return PRIME.to_bytes(SIZE, "big")


def random_exponent() -> int:
    """Return a fresh secret exponent."""
    return int.from_bytes(os.urandom(_EXPONENT_SIZE), "big")


def is_good_power(value: int) -> bool:
    """Tell whether the other side's power is within the range that MTProto's security check demands."""
    return _SAFETY <= value <= PRIME - _SAFETY
