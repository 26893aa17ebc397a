"""Begin and end of sessions: by code, by login token, with or without a second factor."""

from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.seeds.seed import WorldSeed
from chimein_gui.sandbox.sign_in.codes import LoginCode, LoginCodes, Way, plain_number
from chimein_gui.sandbox.sign_in.passwords import Password, PasswordChecks, PasswordRows
from chimein_gui.sandbox.sign_in.tokens import LoginToken, LoginTokens
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.records import SERVICE_ID, Draft, User
from chimein_gui.sandbox.world.world import World

_SERVICE = User(SERVICE_ID, "Telegram", "", "42777", "", is_partner=False)
_FAREWELL = bytes(types.UpdatesTooLong())
"""Makes a session ask for its updates; the refusal then shows that it has ended, as on live Telegram."""


class SignInServer:
    """Logs auth keys in, with codes, tokens and passwords, and ends sessions.

    Args:
        world: The world with the keys and people.
        hub: The connections of the sessions.
        seed: Initial passwords, for people whose password was never stored.

    Attributes:
        codes: Login codes; `codes.last_code(phone)` is for tests and the operator.
        passwords: Second factors.
        tokens: Login tokens (QR).
    """

    def __init__(self, world: World, hub: Hub, seed: WorldSeed) -> None:
        self.codes = LoginCodes(world.now)
        self.tokens = LoginTokens(world.now)
        self._world = world
        self._keys = world.keys
        self._hub = hub
        self._owing: dict[int, int] = {}
        rows = PasswordRows(world.journal)
        stored = rows.stored()
        known = {user_id: password for user_id, password in stored.items() if password is not None}
        self.passwords = PasswordChecks(known, rows.put)
        for person in (*seed.accounts, *seed.partners):
            if person.password and person.user_id not in stored:
                self.passwords.set(person.user_id, Password.of(person.password, person.password_hint))
        world.journal.commit()

    # -- in -----------------------------------------------------------------------------------------------------------

    def send_code(self, phone: str) -> LoginCode:
        """Send a code to a number: to the account's other sessions if it has any, else by a simulated SMS.

        Raises:
            RpcFault: If the number is invalid, or has asked too often.
        """
        number = plain_number(phone)
        user = self._world.directory.by_phone(number)
        has_sessions = user is not None and any(one.used_at for one in self._keys.records_of(user.user_id))
        ways = (Way.APP, Way.SMS, Way.CALL) if has_sessions else (Way.SMS, Way.CALL)
        code = self.codes.request(number, ways)
        if user is not None and has_sessions:
            self._tell(user.user_id, f"Login code: {code.code}. Give it to nobody, whoever asks for it.")
        return code

    def enter_with_code(self, key_id: int, phone: str, code_hash: str, code: str) -> int | None:
        """Log a key in with a login code.

        Returns:
            The user id; None if nobody has that number and a client would have to sign up.

        Raises:
            RpcFault: If the code is wrong or expired, or the password is needed, too (SESSION_PASSWORD_NEEDED).
        """
        number = plain_number(phone)
        self.codes.check(number, code_hash, code)
        user = self._world.directory.by_phone(number)
        if user is None:
            return None
        self.codes.redeem(number)
        self.enter(key_id, user.user_id)
        return user.user_id

    def enter(self, key_id: int, user_id: int) -> None:
        """Log a key in if the account has no password.

        Raises:
            RpcFault: SESSION_PASSWORD_NEEDED.
        """
        if self.passwords.of(user_id) is not None:
            self._owing[key_id] = user_id
            raise RpcFault(401, "SESSION_PASSWORD_NEEDED")
        self._log_in(key_id, user_id)

    def enter_with_password(self, key_id: int, proof: TLObject) -> int:
        """Log in a key whose password is pending.

        Returns:
            The user id.

        Raises:
            RpcFault: If no password is pending or the proof is wrong.
        """
        user_id = self.owes_password(key_id)
        if user_id is None:
            raise RpcFault(401, self._keys.refusal(key_id))
        self.passwords.check(user_id, proof)
        self._log_in(key_id, user_id)
        return user_id

    def accept_token(self, token: bytes, user_id: int) -> LoginToken:
        """Accept the token of another session, and send that session an update, though it is not logged in yet.

        Raises:
            RpcFault: AUTH_TOKEN_INVALID, AUTH_TOKEN_ALREADY_ACCEPTED, AUTH_TOKEN_EXPIRED.
        """
        accepted = self.tokens.accept(token, user_id)
        accepted.push(bytes(types.UpdateShort(types.UpdateLoginToken(), self._world.now())))
        return accepted

    def owes_password(self, key_id: int) -> int | None:
        """Return the user whose password is pending for a key, or None."""
        return self._owing.get(key_id)

    # -- out ----------------------------------------------------------------------------------------------------------

    def log_out(self, key_id: int) -> None:
        """Log a key out on its own request."""
        self._keys.log_out(key_id)
        self._hub.expel(key_id)

    def revoke_all(self, user_id: int) -> None:
        """End all sessions of an account; a push makes the connected ones ask, and they get SESSION_REVOKED."""
        self._dismiss(self._keys.revoke_all(user_id), _FAREWELL)

    def forget_all(self, user_id: int) -> None:
        """Forget all keys of an account; packets with such a key are answered with -404."""
        self._dismiss(self._keys.forget_all(user_id))

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _dismiss(self, key_ids: list[int], farewell: bytes = b"") -> None:
        self._world.journal.commit()
        for key_id in key_ids:
            for listener in self._hub.expel(key_id):
                if farewell:
                    listener.push(farewell)

    def _log_in(self, key_id: int, user_id: int) -> None:
        self._owing.pop(key_id, None)
        self.tokens.drop(key_id)
        self._keys.log_in(key_id, user_id, self._world.now())

    def _tell(self, user_id: int, text: str) -> None:
        """Send a message from Telegram's service account."""
        if SERVICE_ID not in self._world.users:
            self._world.add_user(_SERVICE)
        self._world.send(SERVICE_ID, user_id, Draft(text))
