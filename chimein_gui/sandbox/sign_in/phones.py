"""The simulated phones of the sandbox's people: the operator reads their login codes and scans QR codes with them."""

import base64
import binascii
from urllib.parse import parse_qs, urlsplit

from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.sign_in.codes import plain_number
from chimein_gui.sandbox.sign_in.server import SignInServer
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import Refused, SandboxLoginCode, SandboxRefusedError

_REFUSED = {
    "AUTH_TOKEN_INVALID": Refused.PICTURE_UNKNOWN,
    "AUTH_TOKEN_EXPIRED": Refused.PICTURE_EXPIRED,
    "AUTH_TOKEN_ALREADY_ACCEPTED": Refused.PICTURE_SCANNED,
}


class Phones:
    """The phones of the people of the sandbox."""

    def __init__(self, server: SignInServer, world: World) -> None:
        self.server = server
        self._world = world

    def login_codes(self) -> tuple[SandboxLoginCode, ...]:
        """Return the valid login codes, newest first."""
        return tuple(
            SandboxLoginCode(f"+{one.phone}", one.code, one.ways[0].value, one.sent_at)
            for one in self.server.codes.under_way()
        )

    def scan(self, url: str, phone: str) -> None:
        """Scan a QR code with the phone of a number, and confirm the login.

        Raises:
            SandboxRefusedError: Nobody has that number, or it is no QR code for a login or is no longer valid.
        """
        try:
            user = self._world.directory.by_phone(plain_number(phone))
        except RpcFault:
            user = None
        if user is None:
            raise SandboxRefusedError(Refused.NO_SUCH_NUMBER, phone)
        try:
            self.server.accept_token(_token(url), user.user_id)
        except RpcFault as fault:
            raise SandboxRefusedError(_REFUSED.get(fault.message, fault.message)) from None


def _token(url: str) -> bytes:
    parts = urlsplit(url)
    [written] = parse_qs(parts.query).get("token", [""])[:1]
    if (parts.scheme, parts.netloc) != ("tg", "login") or not written:
        raise SandboxRefusedError(Refused.NO_PICTURE)
    try:
        return base64.urlsafe_b64decode(written + "=" * (-len(written) % 4))
    except binascii.Error:
        raise SandboxRefusedError(Refused.PICTURE_BROKEN) from None
