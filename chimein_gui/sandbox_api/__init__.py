"""The one thing of the product that the sandbox knows: the port through which a rehearsal is driven.

It stands alone, so that the sandbox process imports nothing else of the engine.
Everything here is plain data (strings, numbers, enums, tuples), so that it crosses the control channel as JSON.

Peers are *marked* ids, as everywhere in the product: a user's id as it is, a basic group's negative.
"""

from dataclasses import dataclass
from typing import Protocol

from chimein_gui.sandbox_api.codec import from_json, to_json
from chimein_gui.sandbox_api.faults import ActiveFault, DuplicateMode, FaultKind, FaultOffer, FaultRule

__all__ = [
    "ActiveFault",
    "Cast",
    "DuplicateMode",
    "FaultKind",
    "FaultOffer",
    "FaultRule",
    "RehearsalState",
    "SandboxAccount",
    "SandboxConsole",
    "SandboxDelivery",
    "SandboxGroup",
    "SandboxLoginCode",
    "SandboxPartner",
    "Scenario",
    "ScenarioProgress",
    "from_json",
    "to_json",
]


@dataclass(frozen=True, slots=True)
class SandboxPartner:
    """A simulated person: Telegram user id and display name, both made up by us."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SandboxAccount:
    """One of the accounts that the product logs in as."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SandboxGroup:
    """A basic group, or the supergroup that it has become.

    Attributes:
        peer_id: Marked peer id, negative.
        title: Display name; made up by us.
        member_ids: User ids of everybody in it, accounts and partners.
        was_peer_id: Of a supergroup, the marked id it had as a basic group, by which its chats are known; else 0.
    """

    peer_id: int
    title: str
    member_ids: tuple[int, ...]
    was_peer_id: int = 0


@dataclass(frozen=True, slots=True)
class SandboxDelivery:
    """One message as the partner's mailbox on the server holds it.

    Attributes:
        message_id: Id in the partner's own message sequence.
        from_user_id: Who wrote it.
        text: Exactly the text that arrived.
        sent_at: Server time, whole seconds since the epoch (UTC).
        peer_id: The chat as the partner sees it: the writer in a DM, the group's marked id in a group.
        media: Compact name of the media (``photo``, ``sticker`` …), or empty.
    """

    message_id: int
    from_user_id: int
    text: str
    sent_at: int
    peer_id: int = 0
    media: str = ""


@dataclass(frozen=True, slots=True)
class SandboxLoginCode:
    """A log-in code that somebody has just got.

    Attributes:
        phone: Whose, with ``+``.
        code: The code itself.
        way: How it came: ``app``, ``sms``, ``call``, ``sms word`` or ``sms phrase``.
        sent_at: Server time, whole seconds since the epoch (UTC).
    """

    phone: str
    code: str
    way: str
    sent_at: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scripted scene that can be played.

    Attributes:
        name: Stable name, such as ``busy-friday``.
        title: For people, such as "Busy Friday".
        summary: One or two sentences: what happens, what to look at.
        lines: How many things happen in it.
    """

    name: str
    title: str
    summary: str
    lines: int = 0


@dataclass(frozen=True, slots=True)
class ScenarioProgress:
    """The scenario that plays.

    Attributes:
        name: Which.
        done: How many of its lines have been played.
        paused: Nothing more happens until it is resumed.
        finished: All lines have been played.
        stopped: The operator ended it before that.
        problem: Why it stopped before its end; empty if all is well.
    """

    name: str
    done: int = 0
    paused: bool = False
    finished: bool = False
    problem: str = ""
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class RehearsalState:
    """All that the Rehearsal panel shows, as one snapshot.

    Attributes:
        revision: Rises with every change.
        faults: The rules in force, oldest first.
        recent: The last fault that struck and the like, one sentence each, newest first, at most 50.
        duplicate_mode: What a repeated `random_id` gets.
        scenario: What plays, or has played last; None if nothing has.
        speed: How fast scenarios play; 1.0 is as written.
        seed: Of the generator that all chance comes from.
        login_codes: The log-in codes under way, newest first.
        accounts: How many accounts there are; more come with personas of the operator's own.
    """

    revision: int = 0
    faults: tuple[ActiveFault, ...] = ()
    recent: tuple[str, ...] = ()
    duplicate_mode: DuplicateMode = DuplicateMode.ERROR
    scenario: ScenarioProgress | None = None
    speed: float = 1.0
    seed: int = 0
    login_codes: tuple[SandboxLoginCode, ...] = ()
    accounts: int = 0


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody in the sandbox, in a stable order."""

    accounts: tuple[SandboxAccount, ...] = ()
    partners: tuple[SandboxPartner, ...] = ()
    groups: tuple[SandboxGroup, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    faults: tuple[FaultOffer, ...] = ()


class SandboxRefusedError(Exception):
    """The sandbox says no: there is no such thing, or what was asked for makes no sense; its words are the message."""


class SandboxConsole(Protocol):
    """Drives a rehearsal: partners, faults, scenarios; absent in a live run.

    All methods raise `ConnectionError` when the sandbox has gone, and `SandboxRefusedError`, with words for the
    operator, for an id or name that does not exist and for a number or rule that makes no sense.
    """

    async def cast(self) -> Cast:
        """Return everybody, and what can be played."""
        ...

    async def partners(self) -> tuple[SandboxPartner, ...]:
        """Return all simulated people, in a stable order."""
        ...

    async def speak(self, partner_id: int, peer_id: int, text: str) -> int:
        """Send `text` as the partner to `peer_id`: an agent's account, or a group the partner is in (marked id).

        Returns:
            The message id in the partner's own sequence.
        """
        ...

    async def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        """Return everything the partner received, oldest first."""
        ...

    async def login_codes(self) -> tuple[SandboxLoginCode, ...]:
        """Return the log-in codes under way, newest first; `rehearsal` tells of changes."""
        ...

    async def scan_login(self, url: str, phone: str) -> None:
        """Accept a QR log-in (``tg://login?token=…``) as another device of the number's account would."""
        ...

    async def rehearsal(self, *, after: int = -1) -> RehearsalState:
        """Return the state as soon as its revision is above `after`; -1 for at once."""
        ...

    async def inject(self, rule: FaultRule) -> int:
        """Put a rule into force, or let it happen if it is of the kinds that happen at once.

        Returns:
            The id of the rule; 0 for what has happened at once.
        """
        ...

    async def remove_fault(self, fault_id: int) -> None:
        """Take a rule back; one that has ended already is no error."""
        ...

    async def clear_faults(self) -> None:
        """Take all rules back."""
        ...

    async def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Decide what a repeated `random_id` gets."""
        ...

    async def set_seed(self, seed: int) -> None:
        """Start the generator of all chance anew."""
        ...

    async def start_scenario(self, name: str) -> None:
        """Play a scenario from its beginning; one that plays already ends."""
        ...

    async def stop_scenario(self) -> None:
        """End what plays; what has been said stays said. Faults it brought are taken back."""
        ...

    async def pause_scenario(self, *, paused: bool) -> None:
        """Pause or go on."""
        ...

    async def set_speed(self, speed: float) -> None:
        """Play faster or slower from now on; 0.1 to 1,000."""
        ...

    async def aclose(self) -> None:
        """Release the console; calling it twice is harmless."""
        ...
