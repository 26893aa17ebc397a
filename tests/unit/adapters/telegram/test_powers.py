"""Powers that leave the window its turn, and that what is computed for keys and passwords has no others."""

import builtins
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from telethon.crypto import rsa

from chimein_gui.adapters.telegram import powers
from chimein_gui.adapters.telegram.backend import live_backend
from chimein_gui.adapters.telegram.loopback import PromptConnection
from chimein_gui.adapters.telegram.powers import power
from tests.unit.adapters.telegram.logins import KAI_PHONE, PASSWORD, attempt, door
from tests.unit.adapters.telegram.support import exchanged, stage

LONGEST_BITS = 64
"""So long an exponent takes less than a millisecond."""


@given(
    st.integers(0, 1 << 300),
    st.integers(0, 1 << 300),
    st.integers(1, 1 << 256),
)
@example(3**1200, 7**1000, (1 << 2048) - 1)
@example(0, 1 << 100, 9)
@example(5, 1 << 100, 1)
def test_a_power_is_what_the_interpreter_says(base: int, exponent: int, modulus: int) -> None:
    assert power(base, exponent, modulus) == pow(base, exponent, modulus)


@pytest.fixture
def long_powers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return in which modules the interpreter computed a power that let nobody in; the sandbox's do not count."""
    found: list[str] = []

    def watched(base: int, exponent: int, modulus: int | None = None) -> int:
        module = sys._getframe(1).f_globals["__name__"]
        if exponent.bit_length() > LONGEST_BITS and not module.startswith("chimein_gui.sandbox"):
            found.append(module)
        return plain(base, exponent, modulus)

    plain: Callable[..., int] = pow
    monkeypatch.setattr(builtins, "pow", watched)
    return found


async def test_keys_and_passwords_are_computed_off_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def watched(base: int, exponent: int, modulus: int) -> int:
        threads.append(threading.current_thread())
        return power(base, exponent, modulus)

    monkeypatch.setattr(powers, "power", watched)
    async with door(tmp_path) as at, attempt(at) as trying:
        assert threads, "a key was exchanged"
        assert threading.current_thread() not in threads
        await trying.send_code(KAI_PHONE)
        await trying.enter_code(at.code(KAI_PHONE))
        threads.clear()
        await trying.enter_password(PASSWORD)
        assert threads, "the password was proved"
        assert threading.current_thread() not in threads


async def test_a_live_key_exchange_computes_no_power_in_one_go(
    tmp_path: Path, long_powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same code as with Telegram: for once a live client trusts the sandbox's key."""
    monkeypatch.setattr(rsa, "_server_keys", {})
    async with stage(tmp_path) as it:
        rsa.add_key(it.server.telegram_public_key(), old=False)
        client = await exchanged(
            replace(live_backend(1, "hash"), connection=PromptConnection),
            tmp_path / "a.session",
            it.server.addresses.telegram_port,
        )
        assert client.session.has_key
        await client.close()
        assert long_powers == []
