"""Drives a rehearsal from inside the process (port `SandboxConsole`)."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from chimein_gui.sandbox.faults.injector import FaultInjector
from chimein_gui.sandbox.people import People
from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.scenes.stage import Stage
from chimein_gui.sandbox.sign_in.phones import Phones
from chimein_gui.sandbox_api import (
    Cast,
    DuplicateMode,
    FaultRule,
    Refused,
    RehearsalState,
    SandboxDelivery,
    SandboxLoginCode,
    SandboxPartner,
    SandboxRefusedError,
)

P = ParamSpec("P")
T = TypeVar("T")


def _refusing(command: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Convert a raised `LookupError` or `ValueError` to a `SandboxRefusedError`.

    Subclasses are not converted: a `KeyError`, an `IndexError` or a `UnicodeError` is a bug.
    """

    @wraps(command)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await command(*args, **kwargs)
        except (LookupError, ValueError) as error:
            if isinstance(error, SceneError):
                wrong = error.problem
                raise SandboxRefusedError(Refused.SCENE, wrong.fault, wrong.path, wrong.line, *wrong.said) from error
            if type(error) is LookupError:
                raise SandboxRefusedError(Refused.UNKNOWN, error) from error
            if type(error) is not ValueError:
                raise  # a refusal with its reason, or a bug
            raise SandboxRefusedError(str(error)) from error

    return asked


class LocalConsole:
    """Implements `SandboxConsole` with the people, the faults and the stage.

    Attributes:
        people: Accounts, partners and groups.
        faults: The faults.
        stage: Plays scenarios.
        phones: Other devices of all users.
    """

    def __init__(self, people: People, faults: FaultInjector, stage: Stage, phones: Phones) -> None:
        self.people = people
        self.faults = faults
        self.stage = stage
        self._changes = faults.board.changes
        self.phones = phones
        stage.changed = self._changes.change
        phones.server.codes.changed = self._changes.change

    # -- people -------------------------------------------------------------------------------------------------------

    @_refusing
    async def cast(self) -> Cast:
        """Return everybody, the scenarios and the faults."""
        people = self.people
        return Cast(
            accounts=people.accounts(),
            partners=people.partners(),
            groups=people.groups(),
            scenarios=await asyncio.to_thread(self.stage.scenarios),  # reads files
            faults=self.faults.offers,
        )

    @_refusing
    async def partners(self) -> tuple[SandboxPartner, ...]:
        """Return all simulated people, in the order they were made."""
        return self.people.partners()

    @_refusing
    async def speak(self, partner_id: int, peer_id: int, text: str) -> int:
        """Send `text` as the partner and push it at once.

        Returns:
            The message id in the partner's own sequence.

        Raises:
            LookupError: If either does not exist, or the partner is not in the group.
            ValueError: If the text can't be sent, in words for the operator.
        """
        return self.people.speak([(partner_id, peer_id, text)])[0]

    @_refusing
    async def speak_many(self, lines: Iterable[tuple[int, int, str]]) -> tuple[int, ...]:
        """Send many (partner, peer, text) in one go: one commit, bundled pushes.

        Returns:
            The message ids in the partners' own sequences.

        Raises:
            LookupError: If anybody does not exist; then nothing is sent.
            ValueError: If a text can't be sent; then nothing is sent.
        """
        return self.people.speak(lines)

    @_refusing
    async def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        """Return everything the partner received, oldest first.

        Raises:
            LookupError: If there is no such partner.
        """
        return self.people.mailbox(partner_id)

    @_refusing
    async def mailbox_counts(self) -> dict[int, int]:
        """Return how many messages each partner has received, by user id."""
        return self.people.mailbox_counts()

    @_refusing
    async def migrate_group(self, peer_id: int) -> int:
        """Migrate a basic group (marked id) to a supergroup, in its creator's name.

        Returns:
            The supergroup's marked id.

        Raises:
            LookupError: There is no such group, or it has no members.
            ValueError: It already is a supergroup; the text is for the operator.
        """
        return self.people.migrate(peer_id)

    # -- logging in ---------------------------------------------------------------------------------------------------

    @_refusing
    async def login_codes(self) -> tuple[SandboxLoginCode, ...]:
        """Return the valid log-in codes, newest first."""
        return self.phones.login_codes()

    @_refusing
    async def scan_login(self, url: str, phone: str) -> None:
        """Scan a QR code with the phone of a number, and confirm.

        Raises:
            LookupError: Nobody has that number.
            ValueError: The QR code is invalid; the text is for the operator.
        """
        self.phones.scan(url, phone)

    # -- faults -------------------------------------------------------------------------------------------------------

    @_refusing
    async def rehearsal(self, *, after: int = -1) -> RehearsalState:
        """Return the state as soon as its revision is above `after`; -1 for at once."""
        await self._changes.above(after)
        board = self.faults.board
        return RehearsalState(
            accounts=len(self.people.accounts()),
            revision=self._changes.revision,
            faults=board.active(),
            recent=tuple(board.recent),
            duplicate_mode=self.faults.repeats.mode,
            scenario=self.stage.progress(),
            speed=self.stage.speed,
            seed=board.seed,
            login_codes=self.phones.login_codes(),
        )

    @_refusing
    async def inject(self, rule: FaultRule) -> int:
        """Activate a rule, or execute it at once.

        Returns:
            The id of the rule; 0 if it was executed at once.

        Raises:
            LookupError: The account does not exist.
            ValueError: The rule is invalid; the text is for the operator.
        """
        return await self.faults.inject(rule)

    @_refusing
    async def remove_fault(self, fault_id: int) -> None:
        """Remove a rule; one that has already ended is no error.

        Raises:
            LookupError: There has never been a rule with this id.
        """
        self.faults.remove(fault_id)

    @_refusing
    async def clear_faults(self) -> None:
        """Remove all rules."""
        self.faults.clear()

    @_refusing
    async def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Set the answer to a repeated `random_id`."""
        self.faults.set_duplicate_mode(mode)

    @_refusing
    async def set_seed(self, seed: int) -> None:
        """Restart the random generator with a seed."""
        self.faults.set_seed(seed)
        self.stage.set_seed(seed)

    # -- scenarios ----------------------------------------------------------------------------------------------------

    @_refusing
    async def start_scenario(self, name: str) -> None:
        """Play a scenario from its beginning; a running one ends.

        Raises:
            LookupError: There is no scenario of this name.
        """
        await asyncio.to_thread(self.stage.scenarios)  # reads files, if nobody has asked for the cast yet
        self.stage.start(name)

    @_refusing
    async def stop_scenario(self) -> None:
        """Stop the scenario and remove its faults."""
        self.stage.stop()

    @_refusing
    async def pause_scenario(self, *, paused: bool) -> None:
        """Pause or continue the scenario."""
        self.stage.pause(paused=paused)

    @_refusing
    async def set_speed(self, speed: float) -> None:
        """Set the speed from now on.

        Raises:
            ValueError: `speed` is not within 0.1 and 1,000.
        """
        self.stage.set_speed(speed)

    @_refusing
    async def aclose(self) -> None:
        """Do nothing: the world belongs to the server."""
