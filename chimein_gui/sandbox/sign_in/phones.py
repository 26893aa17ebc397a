"""The simulated phones of the sandbox's people: the operator reads their login codes and scans QR codes with them."""

import base64
import binascii
from urllib.parse import parse_qs, urlsplit

from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.sign_in.codes import plain_number
from chimein_gui.sandbox.sign_in.desk import SignInDesk
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import SandboxLoginCode

_WORDS = {
    "AUTH_TOKEN_INVALID": "This picture is not, or no longer, shown by anybody.",
    "AUTH_TOKEN_EXPIRED": "This picture has expired; a new one is shown by now.",
    "AUTH_TOKEN_ALREADY_ACCEPTED": "This picture was scanned already.",
}


class Phones:
    """The phones of the people of the sandbox."""

    def __init__(self, desk: SignInDesk, world: World) -> None:
        self.desk = desk
        self._world = world

    def login_codes(self) -> tuple[SandboxLoginCode, ...]:
        """Return the valid login codes, newest first."""
        return tuple(
            SandboxLoginCode(f"+{one.phone}", one.code, one.ways[0].value, one.sent_at)
            for one in self.desk.codes.under_way()
        )

    def scan(self, url: str, phone: str) -> None:
        """Scan a QR code with the phone of a number, and confirm the login.

        Raises:
            LookupError: If nobody has that number.
            ValueError: If it is not a login picture or is no longer valid; the text is for the operator.
        """
        try:
            user = self._world.directory.by_phone(plain_number(phone))
        except RpcFault:
            user = None
        if user is None:
            raise LookupError(f"nobody has the number {phone}")
        try:
            self.desk.accept_token(_token(url), user.user_id)
        except RpcFault as fault:
            raise ValueError(_WORDS.get(fault.message, fault.message)) from None


def _token(url: str) -> bytes:
    parts = urlsplit(url)
    [written] = parse_qs(parts.query).get("token", [""])[:1]
    if (parts.scheme, parts.netloc) != ("tg", "login") or not written:
        raise ValueError("That is no picture to log in by: it begins with tg://login?token=.")
    try:
        return base64.urlsafe_b64decode(written + "=" * (-len(written) % 4))
    except binascii.Error:
        raise ValueError("The token in this picture is not whole.") from None
