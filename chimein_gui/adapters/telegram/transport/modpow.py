"""Modular powers that do not block the window, for keys and passwords.

The interpreter's `pow` keeps the GIL until it is done. With Telegram's 2048 bits that takes some 25 ms, in which the
window stands still, whichever thread calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

Computation = TypeVar("Computation", bound=Callable[..., Any])

_WINDOW_BITS = 5
"""Bits per step; this number needs the fewest products for an exponent of 2048 bits."""
_WINDOW = (1 << _WINDOW_BITS) - 1
_LONG_BITS = 64


def power(base: int, exponent: int, modulus: int) -> int:
    """Return the result of `pow` for exponents from 0 on; as fast, but in steps of some 10 µs."""
    if exponent.bit_length() <= _LONG_BITS:
        return pow(base, exponent, modulus)
    multiples = [1]
    for _ in range(_WINDOW):
        multiples.append(multiples[-1] * base % modulus)
    result = 1
    for at in reversed(range(0, exponent.bit_length(), _WINDOW_BITS)):
        for _ in range(_WINDOW_BITS):
            result = result * result % modulus
        result = result * multiples[exponent >> at & _WINDOW] % modulus
    return result


def with_our_power(computation: Computation, **others: Any) -> Computation:  # noqa: ANN401 - whatever a module holds
    """Return the same code in a namespace of its own, where `pow` is `power`.

    Args:
        computation: A module-level function.
        others: Further names to replace there.
    """
    assert isinstance(computation, FunctionType)
    namespace = {**computation.__globals__, "pow": power, **others}
    ours = FunctionType(computation.__code__, namespace, computation.__name__, computation.__defaults__)
    ours.__kwdefaults__ = computation.__kwdefaults__
    return ours  # type: ignore[return-value]  # it is called as the other is
