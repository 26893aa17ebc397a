"""Validation of rules, with texts for the operator."""

import math
from collections.abc import Callable, Iterator

from chimein_gui.sandbox.faults.families import FAMILIES, NEED_ACCOUNT, Family
from chimein_gui.sandbox.faults.methods import MODEL_METHODS, nearest, telegram_methods
from chimein_gui.sandbox_api import FaultKind, FaultRule

_DAY_S = 86_400
_SECONDS: dict[FaultKind, tuple[float, float]] = {
    FaultKind.FLOOD_WAIT: (1, _DAY_S),
    FaultKind.SLOW: (0.001, 3_600),
    FaultKind.RESTART: (0, 600),
    FaultKind.MODEL_SLOW: (0.001, 3_600),
    FaultKind.MODEL_ERROR: (0, _DAY_S),
}
"""Range of `seconds`, for the kinds that use it."""

_MOST_TIMES = 1_000_000
_WITH_METHOD = frozenset({Family.CALL, Family.MODEL})


def check(rule: FaultRule) -> None:
    """Refuse an invalid rule.

    Raises:
        ValueError: The rule is invalid; the text is for the operator.
    """
    family = FAMILIES[rule.kind]
    for problem in (*_chance(rule), *_method(rule, family), *_numbers(rule), *_account(rule, family)):
        raise ValueError(problem)


def _chance(rule: FaultRule) -> Iterator[str]:
    if not 0 < rule.probability <= 1:
        yield f"A chance is above 0 and at most 1, not {rule.probability:g}."
    if not 0 <= rule.times <= _MOST_TIMES:
        yield f"A fault strikes 1 to {_MOST_TIMES:,} times, or 0 for until it is removed, not {rule.times}."


def _method(rule: FaultRule, family: Family) -> Iterator[str]:
    if not rule.method:
        return
    if family not in _WITH_METHOD:
        yield f"{rule.kind} is about no method; leave it out."
        return
    known = MODEL_METHODS if family is Family.MODEL else telegram_methods()
    if rule.method not in known:
        guess = nearest(rule.method, known)
        yield f"There is no method {rule.method!r}." + (f" Do you mean {guess!r}?" if guess else "")


def _numbers(rule: FaultRule) -> Iterator[str]:
    if not math.isfinite(rule.seconds):
        yield f"Seconds are a number, not {rule.seconds:g}."
    if rule.kind in _SECONDS:
        least, most = _SECONDS[rule.kind]
        if not least <= rule.seconds <= most:
            yield f"Seconds of {rule.kind} are {least:g} to {most:,g}, not {rule.seconds:g}."
    if rule.kind is FaultKind.FLOOD_WAIT and rule.seconds != int(rule.seconds):
        yield f"Telegram asks to wait whole seconds, not {rule.seconds:g}."
    yield from _ERRORS.get(rule.kind, _no_error)(rule)


def _telegram_error(rule: FaultRule) -> Iterator[str]:
    if not 300 <= abs(rule.code) <= 599:
        yield f"An error code of Telegram is 300 to 599, not {rule.code}."
    is_plain = rule.message.isascii() and rule.message.replace("_", "").isalnum()
    if not is_plain or rule.message != rule.message.upper():
        yield f"An error of Telegram is spelt like PEER_FLOOD, not {rule.message!r}."


def _model_error(rule: FaultRule) -> Iterator[str]:
    if not 400 <= rule.code <= 599:
        yield f"An HTTP error is 400 to 599, not {rule.code}."


def _odd_end(rule: FaultRule) -> Iterator[str]:
    if not rule.message.isascii() or not rule.message.replace("_", "").isalnum():
        yield f"A finish reason is spelt like OTHER, not {rule.message!r}."


def _no_error(_rule: FaultRule) -> Iterator[str]:
    yield from ()


_ERRORS: dict[FaultKind, Callable[[FaultRule], Iterator[str]]] = {
    FaultKind.RPC_ERROR: _telegram_error,
    FaultKind.MODEL_ERROR: _model_error,
    FaultKind.MODEL_ODD_END: _odd_end,
}


def _account(rule: FaultRule, family: Family) -> Iterator[str]:
    if rule.kind in NEED_ACCOUNT and not rule.account_id:
        yield f"Say whose: {rule.kind} is about one account."
    if family is Family.MODEL and rule.account_id:
        yield "The model does not know whose call it answers; leave the account out."
