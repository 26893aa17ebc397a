"""The one thing of the product that the sandbox knows: the port through which a rehearsal is driven.

It stands alone, so that the sandbox process imports nothing else of the engine (SPEC §11). Everything here is plain
data (strings, numbers, enums, tuples), so that it crosses the control channel as JSON.

Peers are *marked* ids, as everywhere in the product: a user's id as it is, a basic group's negative.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


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
    """A basic group.

    Attributes:
        peer_id: Marked peer id, negative.
        title: Display name; made up by us.
        member_ids: User ids of everybody in it, accounts and partners.
    """

    peer_id: int
    title: str
    member_ids: tuple[int, ...]


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


class FaultKind(StrEnum):
    """What can be made to go wrong (FACTS, sandbox server; SPEC §11)."""

    # Telegram, one call
    FLOOD_WAIT = "flood_wait"  # 420 FLOOD_WAIT_n; `seconds` is n; the call is not executed
    RPC_ERROR = "rpc_error"  # any other error: `code` and `message`; the call is not executed
    SLOW = "slow"  # executed at once, answered after `seconds`
    NO_ANSWER = "no_answer"  # executed, never answered
    DROP_BEFORE = "drop_before"  # the connection is cut, the call is not executed
    DROP_AFTER = "drop_after"  # executed, then the connection is cut without an answer
    # Telegram, the stream of updates of an account; each push is one "call"
    LOSE_UPDATES = "lose_updates"  # the push is not sent
    DUPLICATE_UPDATES = "duplicate_updates"  # the push is sent twice
    REORDER_UPDATES = "reorder_updates"  # the push is sent after the one that follows it
    # Telegram, at once
    KICK = "kick"  # the account's connections are cut
    FORGET_KEY = "forget_key"  # the account's keys become unknown: -404
    REVOKE = "revoke"  # the account's sessions are logged out: 401
    RESTART = "restart"  # the Telegram end closes and listens again on the same port after `seconds`
    DIFFERENCE_TOO_LONG = "difference_too_long"  # the next getDifference of the account says so, and only that
    # the model, one call
    MODEL_ERROR = "model_error"  # HTTP `code` with `message`; 429 and 503 tell `seconds` as RetryInfo if not 0
    MODEL_SLOW = "model_slow"  # answered after `seconds`
    MODEL_HANG = "model_hang"  # never answered
    MODEL_DROP = "model_drop"  # the connection is cut in the middle of the answer
    MODEL_BAD_JSON = "model_bad_json"  # 200 with a broken body
    MODEL_BLOCKED = "model_blocked"  # the prompt is blocked: promptFeedback, no candidates
    MODEL_EMPTY = "model_empty"  # a candidate without content
    MODEL_SAFETY = "model_safety"  # finishReason SAFETY without text
    MODEL_MAX_TOKENS = "model_max_tokens"  # finishReason MAX_TOKENS; without text


class DuplicateMode(StrEnum):
    """What a repeated `random_id` is answered with; live Telegram answers with an error (FACTS)."""

    ERROR = "error"
    SAME = "same"  # the first result again
    FORGOTTEN = "forgotten"  # sent again, as if never seen


@dataclass(frozen=True, slots=True)
class FaultRule:
    """One thing that shall go wrong.

    Attributes:
        kind: What.
        method: Only on this method, in Telegram's notation (``messages.sendMessage``), or the model's
            (``generateContent``); empty for any.
        account_id: Only for this account's calls or updates; 0 for any. The kinds that happen at once to an account
            need it.
        code: Error code of RPC_ERROR and MODEL_ERROR.
        message: Error words of RPC_ERROR (``PEER_FLOOD``) and MODEL_ERROR.
        seconds: Of FLOOD_WAIT, SLOW, RESTART, MODEL_SLOW, and the RetryInfo of MODEL_ERROR.
        times: On how many matching calls before the rule ends; 0 for "until removed".
        probability: Chance of each matching call, drawn from the seeded generator.
    """

    kind: FaultKind
    method: str = ""
    account_id: int = 0
    code: int = 400
    message: str = ""
    seconds: float = 0.0
    times: int = 1
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class ActiveFault:
    """A rule in force.

    Attributes:
        fault_id: Names it for `remove_fault`.
        rule: What shall go wrong.
        hits: How often it has struck.
    """

    fault_id: int
    rule: FaultRule
    hits: int = 0


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
        problem: Why it stopped before its end; empty if all is well.
    """

    name: str
    done: int = 0
    paused: bool = False
    finished: bool = False
    problem: str = ""


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
    """

    revision: int = 0
    faults: tuple[ActiveFault, ...] = ()
    recent: tuple[str, ...] = ()
    duplicate_mode: DuplicateMode = DuplicateMode.ERROR
    scenario: ScenarioProgress | None = None
    speed: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody in the sandbox, in a stable order."""

    accounts: tuple[SandboxAccount, ...] = ()
    partners: tuple[SandboxPartner, ...] = ()
    groups: tuple[SandboxGroup, ...] = ()
    scenarios: tuple[Scenario, ...] = ()


class SandboxConsole(Protocol):
    """Drives a rehearsal: partners, faults, scenarios; absent in a live run (SPEC §11).

    All methods raise `ConnectionError` when the sandbox has gone, `LookupError` for an id or name that does not exist
    and `ValueError` for a number or rule that makes no sense, with words for the operator.
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
