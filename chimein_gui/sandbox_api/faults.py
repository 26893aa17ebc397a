"""Faults of the sandbox, as data; `chimein_gui.sandbox.faults` has their effects."""

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of faults."""

    # Telegram, one call
    FLOOD_WAIT = "flood_wait"  # 420 FLOOD_WAIT_n; `seconds` is n; the call is not executed
    RPC_ERROR = "rpc_error"  # any other error: `code` and `message`; the call is not executed
    SLOW = "slow"  # executed at once, answered after `seconds`
    NO_ANSWER = "no_answer"  # executed, never answered
    DROP_BEFORE = "drop_before"  # the connection is cut, the call is not executed
    DROP_AFTER = "drop_after"  # executed, then the connection is cut without an answer
    FROZEN = "frozen"  # 420 FROZEN_METHOD_INVALID for all that writes, and help.getAppConfig says since when
    # Telegram, the stream of updates of an account; each push is one "call"
    LOSE_UPDATES = "lose_updates"  # the push is not sent
    DUPLICATE_UPDATES = "duplicate_updates"  # the push is sent twice
    REORDER_UPDATES = "reorder_updates"  # the push is sent after the one that follows it
    SHORT_UPDATES = "short_updates"  # texts come in Telegram's short form, which names nobody
    BARE_UPDATES = "bare_updates"  # the push comes without the people and groups it speaks of
    UNMARKED_MENTIONS = "unmarked_mentions"  # messages of groups are not marked as mention or answer
    # Telegram, at once
    KICK = "kick"  # the account's connections are cut
    FORGET_KEY = "forget_key"  # the account's keys become unknown: -404
    REVOKE = "revoke"  # the account's sessions are logged out: 401
    RESTART = "restart"  # the Telegram end closes and listens again on the same port after `seconds`
    LATER_LAYER = "later_layer"  # the next message that comes to the account holds an object it can't read
    DIFFERENCE_TOO_LONG = "difference_too_long"  # the next getDifference of the account says so, and only that
    COLLECTIBLE_NAMES = "collectible_names"  # the account's user name becomes one of two that it has bought
    # Telegram, what is asked about the past
    SHORT_HISTORY = "short_history"  # a chat's history ends after its three newest messages; single ones are found
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
    MODEL_ODD_END = "model_odd_end"  # any other finishReason without text: `message`, such as OTHER
    MODEL_NO_CANDIDATES = "model_no_candidates"  # 200 with an empty list of candidates
    MODEL_THOUGHTS = "model_thoughts"  # finishReason STOP; parts of thoughts, no text
    MODEL_CUT_OFF = "model_cut_off"  # finishReason MAX_TOKENS in the middle of the text's last line


class DuplicateMode(StrEnum):
    """The answer to a repeated `random_id`; live Telegram answers with an error."""

    ERROR = "error"
    SAME = "same"  # the first result again
    FORGOTTEN = "forgotten"  # sent again, as if never seen
    FORGOTTEN_LATER = "forgotten_later"  # an error for ten minutes (the server's clock), then sent again


@dataclass(frozen=True, slots=True)
class FaultRule:
    """A rule for one fault.

    Attributes:
        kind: Kind of the fault.
        method: Only for this method, in Telegram's notation (``messages.sendMessage``), or the model's
            (``generateContent``); empty for any.
        account_id: Only for this account's calls or updates; 0 for any. Required for kinds that happen at once to an
            account.
        code: Error code of RPC_ERROR and MODEL_ERROR.
        message: Error text of RPC_ERROR (``PEER_FLOOD``) and MODEL_ERROR; the finish reason of MODEL_ODD_END.
        seconds: Of FLOOD_WAIT, SLOW, RESTART, MODEL_SLOW, and the RetryInfo of MODEL_ERROR.
        times: Number of matching calls after which the rule ends; 0 for "until removed".
        probability: Probability for each matching call, drawn from the seeded generator.
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
    """An active rule: `fault_id` identifies it for `remove_fault`, `hits` counts its matches."""

    fault_id: int
    rule: FaultRule
    hits: int = 0


@dataclass(frozen=True, slots=True)
class Incident:
    """A fault that has struck, or a world that was set aside.

    Attributes:
        rule: The rule, with the seconds that are left of a wait; None for a world that was set aside.
        method: The call that it hit; empty if it was none.
        account: Name of the account that it hit; empty if that is not logged in, or if it hit no account.
        is_push: It hit a push to that account.
        set_aside: Name of the file of a world of another version; else empty.
    """

    rule: FaultRule | None = None
    method: str = ""
    account: str = ""
    is_push: bool = False
    set_aside: str = ""


@dataclass(frozen=True, slots=True)
class FaultOffer:
    """A fault to choose: a stable name, English texts, and the rule, which an account or a probability may limit."""

    name: str
    title: str
    summary: str
    rule: FaultRule
    needs_account: bool = False
