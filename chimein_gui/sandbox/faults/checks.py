"""Validation of rules, with the reasons of refusals by name."""

import math
from collections.abc import Callable, Iterator

from chimein_gui.sandbox.faults.families import FAMILIES, NEED_ACCOUNT, Family
from chimein_gui.sandbox.faults.methods import MODEL_METHODS, nearest, telegram_methods
from chimein_gui.sandbox_api import FaultKind, FaultRule, Refused, SandboxRefusedError

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
        SandboxRefusedError: The rule is invalid.
    """
    family = FAMILIES[rule.kind]
    for problem in (*_chance(rule), *_method(rule, family), *_numbers(rule), *_account(rule, family)):
        raise problem


def _chance(rule: FaultRule) -> Iterator[SandboxRefusedError]:
    if not 0 < rule.probability <= 1:
        yield SandboxRefusedError(Refused.CHANCE, f"{rule.probability:g}")
    if not 0 <= rule.times <= _MOST_TIMES:
        yield SandboxRefusedError(Refused.TIMES, _MOST_TIMES, rule.times)


def _method(rule: FaultRule, family: Family) -> Iterator[SandboxRefusedError]:
    if not rule.method:
        return
    if family not in _WITH_METHOD:
        yield SandboxRefusedError(Refused.WITHOUT_METHOD, rule.kind)
        return
    known = MODEL_METHODS if family is Family.MODEL else telegram_methods()
    if rule.method not in known:
        guess = nearest(rule.method, known)
        yield (
            SandboxRefusedError(Refused.METHOD_MISSPELT, rule.method, guess)
            if guess
            else SandboxRefusedError(Refused.METHOD_UNKNOWN, rule.method)
        )


def _numbers(rule: FaultRule) -> Iterator[SandboxRefusedError]:
    if not math.isfinite(rule.seconds):
        yield SandboxRefusedError(Refused.SECONDS_ODD, f"{rule.seconds:g}")
    if rule.kind in _SECONDS:
        least, most = _SECONDS[rule.kind]
        if not least <= rule.seconds <= most:
            yield SandboxRefusedError(Refused.SECONDS_RANGE, rule.kind, f"{least:g}", f"{most:g}", f"{rule.seconds:g}")
    if rule.kind is FaultKind.FLOOD_WAIT and rule.seconds != int(rule.seconds):
        yield SandboxRefusedError(Refused.SECONDS_WHOLE, f"{rule.seconds:g}")
    yield from _ERRORS.get(rule.kind, _no_error)(rule)


def _telegram_error(rule: FaultRule) -> Iterator[SandboxRefusedError]:
    if not 300 <= abs(rule.code) <= 599:
        yield SandboxRefusedError(Refused.CODE_OF_TELEGRAM, rule.code)
    is_plain = rule.message.isascii() and rule.message.replace("_", "").isalnum()
    if not is_plain or rule.message != rule.message.upper():
        yield SandboxRefusedError(Refused.NAME_OF_ERROR, rule.message)


def _model_error(rule: FaultRule) -> Iterator[SandboxRefusedError]:
    if not 400 <= rule.code <= 599:
        yield SandboxRefusedError(Refused.CODE_OF_MODEL, rule.code)


def _odd_end(rule: FaultRule) -> Iterator[SandboxRefusedError]:
    if not rule.message.isascii() or not rule.message.replace("_", "").isalnum():
        yield SandboxRefusedError(Refused.FINISH_REASON, rule.message)


def _no_error(_rule: FaultRule) -> Iterator[SandboxRefusedError]:
    yield from ()


_ERRORS: dict[FaultKind, Callable[[FaultRule], Iterator[SandboxRefusedError]]] = {
    FaultKind.RPC_ERROR: _telegram_error,
    FaultKind.MODEL_ERROR: _model_error,
    FaultKind.MODEL_ODD_END: _odd_end,
}


def _account(rule: FaultRule, family: Family) -> Iterator[SandboxRefusedError]:
    if rule.kind in NEED_ACCOUNT and not rule.account_id:
        yield SandboxRefusedError(Refused.NEEDS_ACCOUNT, rule.kind)
    if family is Family.MODEL and rule.account_id:
        yield SandboxRefusedError(Refused.WITHOUT_ACCOUNT)
