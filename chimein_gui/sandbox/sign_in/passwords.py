"""Second factors: an account's password as the server knows it, and the proof that a client knows it too (SRP 2048).

The server never sees a password, only `g^x mod p` of it. The proof is the one of
https://core.telegram.org/api/srp, seen from the other end.
"""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire import dh
from chimein_gui.sandbox.wire.tl import TLObject, password_verifier, types

_SALT1 = 8
"""Bytes that the server adds in front; the client appends its own 32."""
_SALT2 = 16
_MOST_CHALLENGES = 1_000


@dataclass(frozen=True, slots=True)
class Password:
    """What the server keeps of a password.

    Attributes:
        verifier: `g^x mod p`, 256 bytes.
        hint: What its owner wrote as a reminder; empty for none.
    """

    salt1: bytes
    salt2: bytes
    verifier: bytes
    hint: str = ""

    @classmethod
    def of(cls, words: str, hint: str = "") -> "Password":
        """Make it from the password itself (0.1 s of hashing, on purpose)."""
        salt1, salt2 = os.urandom(_SALT1 + 32), os.urandom(_SALT2)
        return cls(salt1, salt2, password_verifier(_algorithm(salt1, salt2), words), hint)


@dataclass(frozen=True, slots=True)
class Challenge:
    """One question for a proof, good for one answer.

    Attributes:
        power: `k·v + g^b mod p`, 256 bytes.
    """

    challenge_id: int
    user_id: int
    password: Password
    secret: int
    power: bytes


class PasswordDesk:
    """Knows who has a password, and asks for it.

    Args:
        known: Passwords by user id, from the rows.
        store: Told of every change, with None for a password that is taken away.
    """

    def __init__(self, known: dict[int, Password], store: Callable[[int, Password | None], None]) -> None:
        self._known = known
        self._store = store
        self._challenges: dict[int, Challenge] = {}

    def of(self, user_id: int) -> Password | None:
        """Return a user's password, None if there is none."""
        return self._known.get(user_id)

    def set(self, user_id: int, password: Password | None) -> None:
        """Give a user a password, or take it away."""
        if password is None:
            self._known.pop(user_id, None)
        else:
            self._known[user_id] = password
        self._store(user_id, password)

    def describe(self, user_id: int) -> TLObject:
        """Return account.password: the question."""
        asked = {}
        if (password := self.of(user_id)) is not None:
            challenge = self._challenge(user_id, password)
            asked = {
                "has_password": True,
                "current_algo": _algorithm(password.salt1, password.salt2),
                "srp_B": challenge.power,
                "srp_id": challenge.challenge_id,
                "hint": password.hint or None,
            }
        return types.account.Password(
            new_algo=_algorithm(os.urandom(_SALT1), os.urandom(_SALT2)),
            new_secure_algo=types.SecurePasswordKdfAlgoUnknown(),
            secure_random=os.urandom(256),
            **asked,
        )

    def check(self, user_id: int, proof: TLObject) -> None:
        """Check a proof (InputCheckPasswordSRP).

        Raises:
            RpcFault: PASSWORD_HASH_INVALID, SRP_ID_INVALID.
        """
        password = self.of(user_id)
        if isinstance(proof, types.InputCheckPasswordEmpty):
            if password is not None:
                raise RpcFault(400, "PASSWORD_HASH_INVALID")
            return
        challenge = self._challenges.pop(proof.srp_id, None)
        if challenge is None or challenge.user_id != user_id or challenge.password is not password:
            raise RpcFault(400, "SRP_ID_INVALID")
        if not _is_proof(challenge, proof.A, proof.M1):
            raise RpcFault(400, "PASSWORD_HASH_INVALID")

    def _challenge(self, user_id: int, password: Password) -> Challenge:
        secret = dh.random_exponent()
        verifier = int.from_bytes(password.verifier, "big")
        power = (_multiplier() * verifier + pow(dh.GENERATOR, secret, dh.PRIME)) % dh.PRIME
        made = Challenge(secrets.randbits(63), user_id, password, secret, power.to_bytes(dh.SIZE, "big"))
        while len(self._challenges) >= _MOST_CHALLENGES:
            del self._challenges[next(iter(self._challenges))]
        self._challenges[made.challenge_id] = made
        return made


_ALGORITHM = types.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow


def _algorithm(salt1: bytes, salt2: bytes) -> TLObject:
    return _ALGORITHM(salt1, salt2, dh.GENERATOR, dh.prime_bytes())


def _is_proof(challenge: Challenge, their_power: bytes, proof: bytes) -> bool:
    power = int.from_bytes(their_power, "big")
    if len(their_power) > dh.SIZE or not dh.is_good_power(power):
        return False
    padded = their_power.rjust(dh.SIZE, b"\0")
    scramble = int.from_bytes(_hash(padded, challenge.power), "big")
    verifier = int.from_bytes(challenge.password.verifier, "big")
    shared = pow(power * pow(verifier, scramble, dh.PRIME), challenge.secret, dh.PRIME)
    group = bytes(a ^ b for a, b in zip(_hash(dh.prime_bytes()), _hash(_generator_bytes()), strict=True))
    salts = _hash(challenge.password.salt1) + _hash(challenge.password.salt2)
    expected = _hash(group, salts, padded, challenge.power, _hash(shared.to_bytes(dh.SIZE, "big")))
    return secrets.compare_digest(expected, proof)


def _multiplier() -> int:
    return int.from_bytes(_hash(dh.prime_bytes(), _generator_bytes()), "big")


def _generator_bytes() -> bytes:
    return dh.GENERATOR.to_bytes(dh.SIZE, "big")


def _hash(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()
