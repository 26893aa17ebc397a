"""Second factors: the stored form of a password, and the check of a client's proof (SRP 2048).

The server never sees a password, only `g^x mod p`. The proof is described in https://core.telegram.org/api/srp; this is
the server's side.
"""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from chimein_gui.sandbox.persistence.journal import Journal
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire import dh
from chimein_gui.sandbox.wire.tl import TLObject, password_verifier, types

_SALT1 = 8
"""Bytes of salt from the server; the client appends 32 bytes of its own."""
_SALT2 = 16
_MOST_CHALLENGES = 1_000


@dataclass(frozen=True, slots=True)
class Password:
    """The stored form of a password.

    Attributes:
        verifier: `g^x mod p`, 256 bytes.
        hint: The owner's reminder; empty for none.
    """

    salt1: bytes
    salt2: bytes
    verifier: bytes
    hint: str = ""

    @classmethod
    def of(cls, words: str, hint: str = "") -> "Password":
        """Make the stored form from the password; the hashing takes about 0.1 s on purpose."""
        salt1, salt2 = os.urandom(_SALT1 + 32), os.urandom(_SALT2)
        return cls(salt1, salt2, password_verifier(_algorithm(salt1, salt2), words), hint)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge for a proof; valid for one answer.

    Attributes:
        power: `k·v + g^b mod p`, 256 bytes.
    """

    challenge_id: int
    user_id: int
    password: Password
    secret: int
    power: bytes


class PasswordChecks:
    """The passwords of all users, and the check of their proofs.

    Args:
        known: Passwords by user id, from the rows.
        store: Called with each change; None for a removed password.
    """

    def __init__(self, known: dict[int, Password], store: Callable[[int, Password | None], None]) -> None:
        self._known = known
        self._store = store
        self._challenges: dict[int, Challenge] = {}

    def of(self, user_id: int) -> Password | None:
        """Return a user's password, or None if there is none."""
        return self._known.get(user_id)

    def set(self, user_id: int, password: Password | None) -> None:
        """Set a user's password, or remove it with None."""
        if password is None:
            self._known.pop(user_id, None)
        else:
            self._known[user_id] = password
        self._store(user_id, password)

    def describe(self, user_id: int) -> TLObject:
        """Return account.password, with a new challenge if the user has a password."""
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


_SCHEMA = """
CREATE TABLE IF NOT EXISTS passwords (
    user_id INTEGER PRIMARY KEY, salt1 BLOB, salt2 BLOB, verifier BLOB, hint TEXT);
"""


class PasswordRows:
    """Writes and reads passwords; a removed password stays as a row without a verifier."""

    def __init__(self, journal: Journal) -> None:
        journal.prepare(_SCHEMA)
        self._journal = journal

    def put(self, user_id: int, password: Password | None) -> None:
        """Store a user's password, or its removal with None."""
        kept = password or Password(b"", b"", b"")
        row = (user_id, kept.salt1, kept.salt2, kept.verifier, kept.hint)
        self._journal.write("INSERT OR REPLACE INTO passwords VALUES (?, ?, ?, ?, ?)", row)

    def stored(self) -> dict[int, Password | None]:
        """Return the passwords of all users who ever had one; None for a removed one."""
        return {
            user_id: Password(salt1, salt2, verifier, hint) if verifier else None
            for user_id, salt1, salt2, verifier, hint in self._journal.read(
                "SELECT user_id, salt1, salt2, verifier, hint FROM passwords"
            )
        }
