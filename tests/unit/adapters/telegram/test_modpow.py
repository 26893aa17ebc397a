"""Powers that leave the window its turn, and that what is computed for keys and passwords has no others."""

import threading
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chimein_gui.adapters.telegram.transport import modpow
from chimein_gui.adapters.telegram.transport.modpow import power
from tests.unit.adapters.telegram.logins import KAI_PHONE, PASSWORD, attempt, login_setup


@given(st.integers(0, 1 << 300), st.integers(0, 1 << 300), st.integers(1, 1 << 256))
@example(3**1200, 7**1000, (1 << 2048) - 1)
@example(0, 1 << 100, 9)
@example(5, 1 << 100, 1)
def test_a_power_is_what_the_interpreter_says(base: int, exponent: int, modulus: int) -> None:
    assert power(base, exponent, modulus) == pow(base, exponent, modulus)


async def test_keys_and_passwords_are_computed_off_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def watched(base: int, exponent: int, modulus: int) -> int:
        threads.append(threading.current_thread())
        return power(base, exponent, modulus)

    monkeypatch.setattr(modpow, "power", watched)
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        assert threads, "a key was exchanged"
        assert threading.current_thread() not in threads
        await trying.send_code(KAI_PHONE)
        await trying.enter_code(at.code(KAI_PHONE))
        threads.clear()
        await trying.enter_password(PASSWORD)
        assert threads, "the password was proved"
        assert threading.current_thread() not in threads
