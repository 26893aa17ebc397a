"""Login codes: request, resend, cancel, check and use.

A code is valid for five minutes of server time and until the third wrong guess; a new request for the same number
replaces it. After five requests within ten minutes a number is refused.
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
"""Number of words in a phrase."""


class Way(Enum):
    """The way by which a code is delivered."""

    APP = "app"
    SMS = "sms"
    CALL = "call"
    SMS_WORD = "sms word"
    SMS_PHRASE = "sms phrase"

    @property
    def in_words(self) -> bool:
        """Whether the code consists of words."""
        return self in {Way.SMS_WORD, Way.SMS_PHRASE}


@dataclass(slots=True)
class LoginCode:
    """A valid or recently expired code.

    Attributes:
        code_hash: The client's name for the code (phone_code_hash).
        ways: The current way, then the remaining ways.
        sent_at: Server time of the last sending, whole seconds.
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
        RpcFault: PHONE_NUMBER_INVALID.
    """
    digits = phone.translate({ord(sign): None for sign in "+ -()"})
    if not digits.isascii() or not digits.isdigit() or len(digits) not in _DIGITS:
        raise RpcFault(400, "PHONE_NUMBER_INVALID")
    return digits


def _made(way: Way) -> str:
    if not way.in_words:
        return "".join(secrets.choice("0123456789") for _ in range(CODE_LENGTH))
    return " ".join(secrets.choice(_WORDS) for _ in range(_PHRASE if way is Way.SMS_PHRASE else 1))


class LoginCodes:
    """The login codes of all phone numbers.

    Attributes:
        changed: Called after a code was sent or became invalid.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self._wanted: dict[str, Way] = {}
        self._now = now
        self._codes: dict[str, LoginCode] = {}
        self._requests: dict[str, list[int]] = {}
        self.changed: Callable[[], None] = lambda: None

    def request(self, phone: str, ways: tuple[Way, ...]) -> LoginCode:
        """Create a code for a number.

        Raises:
            RpcFault: PHONE_NUMBER_FLOOD.
        """
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
        """Send the code again by its next way.

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
        """Make a code invalid.

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
        """Remove a code after it was entered correctly, and reset the number's count of requests."""
        self._codes.pop(phone, None)
        self._requests.pop(phone, None)
        self.changed()

    def under_way(self) -> tuple[LoginCode, ...]:
        """Return the valid codes, newest first."""
        now = self._now()
        return tuple(
            sorted((one for one in self._codes.values() if one.expires_at > now), key=lambda one: -one.sent_at)
        )

    def send_in_words(self, phone: str, way: Way) -> None:
        """Send word codes to a number from now on, as in some countries; a resent code has digits."""
        self._wanted[plain_number(phone)] = way

    def last_code(self, phone: str) -> str:
        """Return the code of a number, which may begin with a plus.

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
