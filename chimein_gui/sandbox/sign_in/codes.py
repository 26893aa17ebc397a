"""Login codes: sent, sent again by another way, redeemed once.

What happens to a code: it is valid for five minutes of server time, dies with the third wrong guess, and a new request
for the same number replaces it. A number that asks too often is refused for a while.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from chimein_gui.sandbox.rpc.refusal import RpcFault

CODE_LENGTH = 5
_VALID_S = 5 * 60
_GUESSES = 3
_MOST_REQUESTS = 5
_REQUESTS_WITHIN_S = 10 * 60
_DIGITS = range(7, 16)
_WORDS = ("lantern", "heron", "orchard", "ferry", "thimble", "quarry", "meadow", "kettle")
_PHRASE = 4
"""Words of a phrase."""


class Way(Enum):
    """How a code travels."""

    APP = "app"
    SMS = "sms"
    CALL = "call"
    SMS_WORD = "sms word"
    SMS_PHRASE = "sms phrase"

    @property
    def in_words(self) -> bool:
        """Whether the code is made of words."""
        return self in {Way.SMS_WORD, Way.SMS_PHRASE}


@dataclass(slots=True)
class LoginCode:
    """A code under way.

    Attributes:
        code_hash: The client's name for it.
        ways: The present way, then those still left.
        sent_at: Server time, whole seconds; of the last time, if it was sent again.
    """

    phone: str
    code: str
    code_hash: str
    ways: list[Way]
    expires_at: int
    sent_at: int
    wrong_guesses: int = 0


def plain_number(phone: str) -> str:
    """Return the digits of a phone number.

    Raises:
        RpcFault: If it is none.
    """
    digits = phone.translate({ord(sign): None for sign in "+ -()"})
    if not digits.isascii() or not digits.isdigit() or len(digits) not in _DIGITS:
        raise RpcFault(400, "PHONE_NUMBER_INVALID")
    return digits


def _made(way: Way) -> str:
    if not way.in_words:
        return "".join(secrets.choice("0123456789") for _ in range(CODE_LENGTH))
    return " ".join(secrets.choice(_WORDS) for _ in range(_PHRASE if way is Way.SMS_PHRASE else 1))


class CodeDesk:
    """Knows the codes under way.

    Attributes:
        changed: Told when a code was sent, or is worth nothing any more.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self._banned: set[str] = set()
        self._wanted: dict[str, Way] = {}
        self._now = now
        self._codes: dict[str, LoginCode] = {}
        self._requests: dict[str, list[int]] = {}
        self.changed: Callable[[], None] = lambda: None

    def request(self, phone: str, ways: tuple[Way, ...]) -> LoginCode:
        """Make a code for a number.

        Raises:
            RpcFault: PHONE_NUMBER_BANNED, PHONE_NUMBER_FLOOD.
        """
        if phone in self._banned:
            raise RpcFault(400, "PHONE_NUMBER_BANNED")
        self._forget_old()
        asked = self._requests.setdefault(phone, [])
        if len(asked) >= _MOST_REQUESTS:
            raise RpcFault(400, "PHONE_NUMBER_FLOOD")
        now = self._now()
        asked.append(now)
        wanted = self._wanted.get(phone)
        travels = list(ways) if wanted is None else [wanted, *ways]
        made = LoginCode(phone, _made(travels[0]), secrets.token_hex(9), travels, now + _VALID_S, now)
        self._codes[phone] = made
        self.changed()
        return made

    def again(self, phone: str, code_hash: str) -> LoginCode:
        """Let the code travel by its next way.

        Raises:
            RpcFault: PHONE_CODE_EXPIRED, SEND_CODE_UNAVAILABLE if no way is left.
        """
        code = self._pending(phone, code_hash)
        if len(code.ways) < 2:
            raise RpcFault(406, "SEND_CODE_UNAVAILABLE")
        was_in_words = code.ways[0].in_words
        del code.ways[0]
        if was_in_words:
            code.code = _made(code.ways[0])
        code.sent_at = self._now()
        code.expires_at = code.sent_at + _VALID_S
        self.changed()
        return code

    def cancel(self, phone: str, code_hash: str) -> None:
        """Make a code worthless.

        Raises:
            RpcFault: PHONE_CODE_EXPIRED.
        """
        self._codes.pop(self._pending(phone, code_hash).phone)
        self.changed()

    def check(self, phone: str, code_hash: str, code: str) -> None:
        """Check a guess.

        Raises:
            RpcFault: PHONE_CODE_EMPTY, PHONE_CODE_INVALID, PHONE_CODE_EXPIRED.
        """
        if not code:
            raise RpcFault(400, "PHONE_CODE_EMPTY")
        pending = self._pending(phone, code_hash)
        if secrets.compare_digest(pending.code.encode(), code.encode()):
            return
        pending.wrong_guesses += 1
        if pending.wrong_guesses >= _GUESSES:
            del self._codes[phone]
            self.changed()
        raise RpcFault(400, "PHONE_CODE_INVALID")

    def redeem(self, phone: str) -> None:
        """Use up a code that was right; the number may ask anew."""
        self._codes.pop(phone, None)
        self._requests.pop(phone, None)
        self.changed()

    def under_way(self) -> tuple[LoginCode, ...]:
        """Return the codes that log in now, newest first."""
        now = self._now()
        return tuple(
            sorted((one for one in self._codes.values() if one.expires_at > now), key=lambda one: -one.sent_at)
        )

    def ban(self, phone: str) -> None:
        """Refuse a number from now on."""
        self._banned.add(plain_number(phone))

    def send_in_words(self, phone: str, way: Way) -> None:
        """Let codes to a number be words from now on, as in some countries; asked for again, they are digits."""
        self._wanted[plain_number(phone)] = way

    def last_code(self, phone: str) -> str:
        """Return the code under way to a number, with or without a plus.

        Raises:
            LookupError: If there is none.
        """
        try:
            return self._codes[plain_number(phone)].code
        except RpcFault:
            raise LookupError(f"{phone!r} is no phone number") from None

    def _pending(self, phone: str, code_hash: str) -> LoginCode:
        if not code_hash:
            raise RpcFault(400, "PHONE_CODE_HASH_EMPTY")
        code = self._codes.get(phone)
        if code is None or code.code_hash != code_hash or code.expires_at <= self._now():
            raise RpcFault(400, "PHONE_CODE_EXPIRED")
        return code

    def _forget_old(self) -> None:
        since = self._now() - _REQUESTS_WITHIN_S
        recent = {phone: [moment for moment in asked if moment > since] for phone, asked in self._requests.items()}
        self._requests = {phone: asked for phone, asked in recent.items() if asked}
        self._codes = {phone: code for phone, code in self._codes.items() if code.expires_at > since}
