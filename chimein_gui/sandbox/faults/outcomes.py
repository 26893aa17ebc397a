"""The outcome of a Telegram call: an answer now, later or never, or a cut connection."""

from collections.abc import Callable
from dataclasses import dataclass

from chimein_gui.sandbox.wire.tl import types
from chimein_gui.sandbox_api import FaultKind, FaultRule


class CutError(Exception):
    """A fault cuts the connection here: nothing more of the received data is executed or answered."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the session does after a call.

    Attributes:
        body: The serialised result or error; None if the call is never answered.
        delay_s: Seconds to wait before the answer.
        cut: Cut the connection, once everything that was executed has been committed.
    """

    body: bytes | None
    delay_s: float = 0.0
    cut: bool = False


_Run = Callable[[], bytes]
_Strike = Callable[[FaultRule, _Run], Outcome]


def _flood_wait(rule: FaultRule, _run: _Run) -> Outcome:
    return Outcome(bytes(types.RpcError(420, f"FLOOD_WAIT_{rule.seconds:.0f}")))


def _rpc_error(rule: FaultRule, _run: _Run) -> Outcome:
    return Outcome(bytes(types.RpcError(rule.code, rule.message)))


def _slow(rule: FaultRule, run: _Run) -> Outcome:
    return Outcome(run(), delay_s=rule.seconds)


def _no_answer(_rule: FaultRule, run: _Run) -> Outcome:
    run()
    return Outcome(None)


def _drop_before(_rule: FaultRule, _run: _Run) -> Outcome:
    return Outcome(None, cut=True)


def _drop_after(_rule: FaultRule, run: _Run) -> Outcome:
    run()
    return Outcome(None, cut=True)


def _frozen(_rule: FaultRule, _run: _Run) -> Outcome:
    return Outcome(bytes(types.RpcError(420, "FROZEN_METHOD_INVALID")))


_STRIKES: dict[FaultKind, _Strike] = {
    FaultKind.FLOOD_WAIT: _flood_wait,
    FaultKind.RPC_ERROR: _rpc_error,
    FaultKind.SLOW: _slow,
    FaultKind.FROZEN: _frozen,
    FaultKind.NO_ANSWER: _no_answer,
    FaultKind.DROP_BEFORE: _drop_before,
    FaultKind.DROP_AFTER: _drop_after,
}


def outcome_of(rule: FaultRule | None, run: _Run) -> Outcome:
    """Return the outcome of a call that `rule` hits; `run` executes it and is called at most once."""
    return Outcome(run()) if rule is None else _STRIKES[rule.kind](rule, run)
