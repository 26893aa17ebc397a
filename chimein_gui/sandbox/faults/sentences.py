"""What struck, as sentences for people."""

from collections.abc import Callable

from chimein_gui.sandbox_api import FaultKind, FaultRule

_Say = Callable[[FaultRule, str], str]

_SENTENCES: dict[FaultKind, _Say] = {
    FaultKind.FLOOD_WAIT: lambda rule, what: f"{what} got FLOOD_WAIT_{rule.seconds:.0f}",
    FaultKind.RPC_ERROR: lambda rule, what: f"{what} got {rule.message}",
    FaultKind.FROZEN: lambda _, what: f"{what} was refused: the account is frozen",
    FaultKind.SLOW: lambda rule, what: f"{what} is answered {rule.seconds:g} s late",
    FaultKind.NO_ANSWER: lambda _, what: f"{what} was executed and is never answered",
    FaultKind.DROP_BEFORE: lambda _, what: f"{what} was not executed: the connection was cut before it",
    FaultKind.DROP_AFTER: lambda _, what: f"{what} was executed, then the connection was cut without an answer",
    FaultKind.LOSE_UPDATES: lambda _, what: f"{what} was lost",
    FaultKind.DUPLICATE_UPDATES: lambda _, what: f"{what} was sent twice",
    FaultKind.REORDER_UPDATES: lambda _, what: f"{what} waits for the one that follows it",
    FaultKind.SHORT_UPDATES: lambda _, what: f"{what} came in the short form",
    FaultKind.BARE_UPDATES: lambda _, what: f"{what} came without names",
    FaultKind.UNMARKED_MENTIONS: lambda _, what: f"{what} came without marks of mentions",
    FaultKind.KICK: lambda _, what: f"{what} lost its connections",
    FaultKind.FORGET_KEY: lambda _, what: f"{what}: its keys are unknown now",
    FaultKind.REVOKE: lambda _, what: f"{what} was logged out everywhere",
    FaultKind.RESTART: lambda rule, what: f"{what} went away for {rule.seconds:g} s",
    FaultKind.DIFFERENCE_TOO_LONG: lambda _, what: f"{what} was told that it missed too much",
    FaultKind.LATER_LAYER: lambda _, what: f"{what}: the next message is of a later version of Telegram",
    FaultKind.COLLECTIBLE_NAMES: lambda _, what: f"{what} has two bought user names now",
    FaultKind.SHORT_HISTORY: lambda _, what: f"{what} got the newest messages of a chat only",
    FaultKind.MODEL_ERROR: lambda rule, what: f"{what} got HTTP {rule.code}",
    FaultKind.MODEL_SLOW: lambda rule, what: f"{what} is answered {rule.seconds:g} s late",
    FaultKind.MODEL_HANG: lambda _, what: f"{what} is never answered",
    FaultKind.MODEL_DROP: lambda _, what: f"{what} was cut off in the middle of the answer",
    FaultKind.MODEL_BAD_JSON: lambda _, what: f"{what} got broken JSON",
    FaultKind.MODEL_BLOCKED: lambda _, what: f"{what} was refused: the prompt is blocked",
    FaultKind.MODEL_EMPTY: lambda _, what: f"{what} got an empty answer",
    FaultKind.MODEL_SAFETY: lambda _, what: f"{what} got no text, for reasons of safety",
    FaultKind.MODEL_MAX_TOKENS: lambda _, what: f"{what} got no text: it ran out of tokens",
    FaultKind.MODEL_ODD_END: lambda rule, what: f"{what} got no text and the finish reason {rule.message}",
    FaultKind.MODEL_NO_CANDIDATES: lambda _, what: f"{what} got no candidates",
    FaultKind.MODEL_THOUGHTS: lambda _, what: f"{what} got thoughts and no text",
    FaultKind.MODEL_CUT_OFF: lambda _, what: f"{what} got a text that is cut off",
}


def sentence(rule: FaultRule, what: str) -> str:
    """Return what struck `what`, such as "messages.sendMessage of Nora Vale got FLOOD_WAIT_30"."""
    return _SENTENCES[rule.kind](rule, what)
