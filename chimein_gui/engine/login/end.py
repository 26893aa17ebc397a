"""The end of a log-in that worked: whose account it is, the session, the agent's file, its own connection."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import LoginStep, SignInTrouble
from chimein_gui.domain.agents import NEEDS_LOG_IN
from chimein_gui.domain.errors import ConfigError, SignInError
from chimein_gui.engine.login import messages as words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.accounts.sign_in import SignedInAs
    from chimein_gui.domain.agents import Agent
    from chimein_gui.engine.login.attempt import LoginAttempt
    from chimein_gui.engine.ports import SignIns

_log = logging.getLogger(__name__)

COUNT_S = 8.0
"""How long the end waits for the account's chats, to tell how many they are."""


class LoginEnd:
    """Keeps what was logged in, where it belongs to this agent."""

    def __init__(self, attempt: LoginAttempt) -> None:
        """Work on an attempt."""
        self._attempt, self._room = attempt, attempt.room

    async def finish(self, who: SignedInAs) -> None:
        """Keep the session and start the account; or log it out again if another agent has it.

        Raises:
            SignInError: DISK: it could not be kept; asked again, it may be.
        """
        attempt = self._attempt
        attempt.signed_in = who
        owner = self._other_owner(who)
        if owner:
            self._refuse(owner)
            return
        attempt.show(busy="Saving the session…")
        attempt.is_settling = True
        self._room.taken[attempt.agent.agent_id] = who.account_id
        try:
            said = await self._keep(who)
        finally:
            attempt.is_settling = False
        attempt.show(step=LoginStep.DONE, busy="", qr=None, signed_in=who, phone=who.phone, words=said)
        attempt.go_on_with(self._count(who))

    def _other_owner(self, who: SignedInAs) -> str:
        """Return the name of the other agent that has this account, or an empty string.

        Whose log-in is over has it no more: the account comes here, with its chats.
        """
        mine, taken = self._attempt.agent.agent_id, self._room.taken
        for agent in self._room.accounts.directory.agents():
            its_own = agent.account_id == who.account_id and agent.health not in NEEDS_LOG_IN
            if agent.agent_id != mine and (its_own or taken.get(agent.agent_id) == who.account_id):
                return agent.spec.name
        return ""

    def _refuse(self, owner: str) -> None:
        attempt = self._attempt
        attempt.drop_client()
        attempt.show(
            step=LoginStep.PHONE if attempt.typed else LoginStep.QR,
            busy="",
            qr=None,
            trouble=SignInTrouble.OTHER_ACCOUNT_HERE,
            words=words.other_agent_words(owner),
        )

    async def _keep(self, who: SignedInAs) -> str:
        """Put the session in its place and start the account; returns what else has changed."""
        attempt = self._attempt
        client = await attempt.connected()
        await attempt.rest_account()
        await attempt.asked(client.keep)
        attempt.kept, attempt.signed_in, attempt.client = True, None, None
        await attempt.rest_account()  # somebody may have started it meanwhile, with the session that is gone
        said = await self._say_changes(who)
        self._room.accounts.take_new_session(attempt.agent.agent_id)
        self._room.accounts.start(attempt.agent.agent_id)
        return " ".join(said)

    async def _say_changes(self, who: SignedInAs) -> list[str]:
        agent, said = self._attempt.agent, []
        if agent.account_id not in {None, who.account_id}:
            said.append(words.OTHER_ACCOUNT)
        number = who.phone or self._attempt.typed
        if not number or number == agent.spec.phone:
            return said
        said.append(await self._change_file(number) if self._attempt.typed else words.OTHER_NUMBER)
        return said

    async def _change_file(self, number: str) -> str:
        files, source = self._room.files, self._attempt.state.source
        if files is None:
            return words.number_not_changed_words("", "")
        try:
            await files.set_phone(self._attempt.agent.spec.source, number)
        except ConfigError as error:
            return words.number_not_changed_words(source, str(error))
        return words.number_changed_words(source)

    async def _count(self, who: SignedInAs) -> None:
        """Tell how many chats there are, as soon as the account has caught up; not later than in a few seconds."""
        attempt = self._attempt
        try:
            async with self._room.clock.timeout(COUNT_S):
                await attempt.online.wait()
        except TimeoutError:
            return
        rows = (await self._room.queries.chats()).rows
        mine = [chat for chat in rows if chat.info.account_id == who.account_id]
        counted = replace(who, chats=len(mine), unread=sum(chat.unread for chat in mine))
        attempt.show(signed_in=counted, words=attempt.state.words)


async def end_orphans(sign_ins: SignIns, agents: Iterable[Agent]) -> None:
    """Log out what log-ins left that a crash has cut off behind the code or the password, one agent after the other."""
    for agent in agents:
        try:
            await sign_ins.end_orphans(agent)
        except SignInError as error:
            _log.warning("What a cut-off log-in of %s left can't be removed: %s", agent.spec.name, error.trouble)
