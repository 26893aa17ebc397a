"""Authorising a session: sends the requests that log in, and finds out the result if an answer was lost."""

from __future__ import annotations

import asyncio
import logging

from telethon import errors

from chimein_gui.adapters.telegram.login.connection import LoginLine
from chimein_gui.adapters.telegram.login.failures import trouble
from chimein_gui.adapters.telegram.mapping.peers import main_username, user_name
from chimein_gui.adapters.telegram.transport.client import input_self
from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.accounts.sign_in import SignedInAs, SignInTrouble
from chimein_gui.domain.ids import AccountId

_log = logging.getLogger(__name__)

_GOODBYE_S = 10.0
"""Seconds to log out a cancelled session, connecting included; a cancel must not take longer."""


class AuthClient:
    """Whether this session is logged in, and with which account.

    Attributes:
        me: The account, once it is known.
        may_be_in: A request was handed over that may have logged it in.
    """

    def __init__(self, line: LoginLine) -> None:
        self._line = line
        self._is_unclear = False
        self.me: SignedInAs | None = None
        self.may_be_in = False

    async def enter(self, request: TLObject) -> TLObject | None:
        """Hand over a request that may log the session in.

        Returns:
            The answer; None if the password is needed, too.

        Raises:
            Exception: As `LoginLine.ask`.
        """
        self.may_be_in = self._is_unclear = True
        try:
            answer = await self._line.ask(request)
        except errors.SessionPasswordNeededError:
            answer = None
        except errors.RPCError:
            self._is_unclear = False
            raise
        self._is_unclear = False
        return answer

    async def find_out(self) -> SignedInAs | None:
        """Return the account if a lost answer has logged the session in; else None."""
        if self._is_unclear:
            try:
                users = await self._line.ask(input_self())
            except errors.UnauthorizedError:
                users = ()
            self._is_unclear = False
            if users:
                self._greet(users[0])
        return self.me

    def entered(self, answer: TLObject) -> SignedInAs:
        """Return the account that an answer has logged in.

        Raises:
            SignInError: NOT_REGISTERED: no account has that number.
        """
        if isinstance(answer, types.auth.AuthorizationSignUpRequired):
            raise trouble(SignInTrouble.NOT_REGISTERED)
        authorization = answer.authorization if isinstance(answer, types.auth.LoginTokenSuccess) else answer
        return self._greet(authorization.user)

    async def say_goodbye(self) -> None:
        """Log out a session that may be logged in; also if the connection is still up. Never raises."""
        if not self.may_be_in and not self._line.is_up():
            return
        try:
            async with asyncio.timeout(_GOODBYE_S):
                await self._log_out()
        except errors.UnauthorizedError:
            return  # nobody was
        except Exception as error:  # noqa: BLE001 - whatever it is, the session goes
            _log.info("Telegram could not be told that a log-in was cancelled: %s", type(error).__name__)

    async def _log_out(self) -> None:
        try:
            await self._line.ask(functions.auth.LogOutRequest())
        except ConnectionError:  # perhaps it was lost long ago, and this is how that is noticed
            await self._line.ask(functions.auth.LogOutRequest())

    def _greet(self, user: TLObject) -> SignedInAs:
        phone = f"+{user.phone.lstrip('+')}" if user.phone else ""
        self.me = SignedInAs(AccountId(user.id), user_name(user), main_username(user), phone)
        return self.me
