"""The sandbox's port, through which a rehearsal is driven.

It is a package of its own, because the sandbox process may import nothing else of the engine. Everything here is plain
data (strings, numbers, enums, tuples), so that it crosses the control channel as JSON.

Peers are *marked* ids, as everywhere in the product: a user's id unchanged, a basic group's negative.
"""

from dataclasses import dataclass
from typing import Protocol

from chimein_gui.sandbox_api.codec import from_json, to_json
from chimein_gui.sandbox_api.faults import ActiveFault, DuplicateMode, FaultKind, FaultOffer, FaultRule, Incident
from chimein_gui.sandbox_api.refusals import Refused, SandboxRefusedError
from chimein_gui.sandbox_api.scene_faults import SceneFault, SceneProblem

__all__ = [
    "ActiveFault",
    "Cast",
    "DuplicateMode",
    "FaultKind",
    "FaultOffer",
    "FaultRule",
    "Incident",
    "Refused",
    "RehearsalState",
    "SandboxAccount",
    "SandboxConsole",
    "SandboxDelivery",
    "SandboxGroup",
    "SandboxLoginCode",
    "SandboxPartner",
    "SandboxRefusedError",
    "Scenario",
    "ScenarioProgress",
    "SceneFault",
    "SceneProblem",
    "from_json",
    "to_json",
]


@dataclass(frozen=True, slots=True)
class SandboxPartner:
    """A simulated person: Telegram user id and display name, both invented."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SandboxAccount:
    """One of the sandbox's accounts for the product."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SandboxGroup:
    """A basic group, or the supergroup that it has become.

    Attributes:
        peer_id: Marked peer id, negative.
        title: Display name; invented.
        member_ids: User ids of all members, accounts and partners.
        was_peer_id: For a supergroup, its marked id as a basic group, which names its chats; else 0.
    """

    peer_id: int
    title: str
    member_ids: tuple[int, ...]
    was_peer_id: int = 0


@dataclass(frozen=True, slots=True)
class SandboxDelivery:
    """One message in a partner's mailbox on the server.

    Attributes:
        message_id: Id in the partner's own message sequence.
        from_user_id: The sender.
        text: Exactly the text that arrived.
        sent_at: Server time, whole seconds since the epoch (UTC).
        peer_id: The chat as the partner sees it: the sender in a DM, the group's marked id in a group.
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
    """A log-in code that the sandbox has sent.

    Attributes:
        phone: The number, with ``+``.
        code: The code itself.
        way: How it was delivered: ``app``, ``sms``, ``call``, ``sms word`` or ``sms phrase``.
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
        title: For people, in English, such as "Busy Friday".
        summary: One or two sentences in English: what happens, what to look at.
        lines: Number of its events.
        problem: Why it can't be played; None if it can.
    """

    name: str
    title: str
    summary: str
    lines: int = 0
    problem: SceneProblem | None = None


@dataclass(frozen=True, slots=True)
class ScenarioProgress:
    """Progress of a scenario.

    Attributes:
        name: The scenario.
        done: Number of its events that have been played.
        paused: It is paused.
        finished: All events have been played.
        stopped: The operator stopped it before its end.
        problem: Why it stopped before its end by itself; else None.
    """

    name: str
    done: int = 0
    paused: bool = False
    finished: bool = False
    problem: SceneProblem | None = None
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class RehearsalState:
    """The state shown by the Rehearsal panel.

    Attributes:
        revision: Rises with every change.
        faults: The active rules, oldest first.
        recent: The last incidents, newest first, at most 50.
        duplicate_mode: The answer to a repeated `random_id`.
        scenario: The current or last scenario; None before the first.
        speed: Speed of scenarios; 1.0 is as written.
        seed: Seed of the random generator.
        login_codes: The valid log-in codes, newest first.
        accounts: Number of accounts; personas of the operator's own add more.
    """

    revision: int = 0
    faults: tuple[ActiveFault, ...] = ()
    recent: tuple[Incident, ...] = ()
    duplicate_mode: DuplicateMode = DuplicateMode.ERROR
    scenario: ScenarioProgress | None = None
    speed: float = 1.0
    seed: int = 0
    login_codes: tuple[SandboxLoginCode, ...] = ()
    accounts: int = 0


@dataclass(frozen=True, slots=True)
class Cast:
    """All accounts, partners, groups, scenarios and faults, in a stable order."""

    accounts: tuple[SandboxAccount, ...] = ()
    partners: tuple[SandboxPartner, ...] = ()
    groups: tuple[SandboxGroup, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    faults: tuple[FaultOffer, ...] = ()


class SandboxConsole(Protocol):
    """Drives a rehearsal: partners, faults, scenarios; absent in a live run.

    All methods raise `ConnectionError` when the sandbox is gone, and `SandboxRefusedError`, with its reason
    by name, for an unknown id or name and an invalid number or rule.
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
        """Return the valid log-in codes, newest first; `rehearsal` reports changes."""
        ...

    async def scan_login(self, url: str, phone: str) -> None:
        """Accept a QR log-in (``tg://login?token=…``) as another device of the number's account would."""
        ...

    async def rehearsal(self, *, after: int = -1) -> RehearsalState:
        """Return the state as soon as its revision is above `after`; -1 for at once."""
        ...

    async def inject(self, rule: FaultRule) -> int:
        """Activate a rule; kinds that happen at once are executed.

        Returns:
            The id of the rule; 0 if it was executed at once.
        """
        ...

    async def remove_fault(self, fault_id: int) -> None:
        """Remove a rule; one that has already ended is no error."""
        ...

    async def clear_faults(self) -> None:
        """Remove all rules."""
        ...

    async def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Set the answer to a repeated `random_id`."""
        ...

    async def set_seed(self, seed: int) -> None:
        """Restart the random generator with a seed."""
        ...

    async def start_scenario(self, name: str) -> None:
        """Play a scenario from its beginning; a running one ends."""
        ...

    async def stop_scenario(self) -> None:
        """Stop the scenario. Its messages stay, its faults are removed."""
        ...

    async def pause_scenario(self, *, paused: bool) -> None:
        """Pause or continue the scenario."""
        ...

    async def set_speed(self, speed: float) -> None:
        """Set the speed from now on; 0.1 to 1,000."""
        ...

    async def aclose(self) -> None:
        """Release the console; a second call has no effect."""
        ...
