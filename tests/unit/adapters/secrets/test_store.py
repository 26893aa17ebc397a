"""Where secrets are kept: the best place that works, what was given last wins, and nothing blocks."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chimein_gui.adapters.files.secrets_file import SecretsFile
from chimein_gui.adapters.secrets.keychain import Keychain, NoKeychainError, system_keychain
from chimein_gui.adapters.secrets.store import LayeredSecretStore
from chimein_gui.domain.errors import SecretError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.engine.ports import SecretPlace
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.keyrings import (
    ChattyKeyring,
    ForgetfulKeyring,
    HangingKeyring,
    LockedKeyring,
    MemoryKeyring,
    MissingKeyring,
)
from tests.support.log_guard import ExpectedLogs

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

VARIABLES = {MODEL_KEY: "GEMINI_API_KEY"}
SOON_S = 0.05


def keychain(backend: KeyringBackend, service: str = "Chimein (here)", timeout_s: float = 10.0) -> Keychain:
    return Keychain(service, timeout_s=timeout_s, open_backend=lambda: backend)


def store(folder: Path, backend: KeyringBackend | None = None, timeout_s: float = 10.0) -> LayeredSecretStore:
    """Return the store of one more run in the same state directory."""
    chain = keychain(backend, timeout_s=timeout_s) if backend is not None else None
    return LayeredSecretStore(SecretsFile(folder / "state" / "secrets.toml"), chain)


async def value(of: LayeredSecretStore, name: str = MODEL_KEY) -> str | None:
    found = await of.get(name)
    return None if found is None else found.value


async def test_a_keychain_keeps_it_and_the_file_knows_the_name_alone(tmp_path: Path) -> None:
    backend = MemoryKeyring()
    assert await store(tmp_path, backend).put(MODEL_KEY, "canary") is SecretPlace.KEYCHAIN
    found = await store(tmp_path, backend).get(MODEL_KEY)
    assert found is not None
    assert (found.value, found.place) == ("canary", SecretPlace.KEYCHAIN)
    assert "canary" not in repr(found)
    text = (tmp_path / "state" / "secrets.toml").read_text()
    assert MODEL_KEY in text
    assert "canary" not in text


async def test_a_keychain_that_holds_nothing_of_ours_is_not_asked(tmp_path: Path) -> None:
    backend = MemoryKeyring()
    await store(tmp_path, backend).put(MODEL_KEY, "key")
    backend.asked.clear()
    again = store(tmp_path, backend)
    assert await value(again, API_ID) is None
    assert backend.asked == []


async def test_the_service_separates_state_directories(tmp_path: Path) -> None:
    backend = MemoryKeyring()
    one = LayeredSecretStore(SecretsFile(tmp_path / "a" / "secrets.toml"), keychain(backend, "Chimein (a)"))
    other = LayeredSecretStore(SecretsFile(tmp_path / "b" / "secrets.toml"), keychain(backend, "Chimein (b)"))
    await one.put(MODEL_KEY, "a's")
    assert await value(other) is None
    await other.put(MODEL_KEY, "b's")
    assert await value(one) == "a's"


async def test_the_environment_wins_and_cannot_be_changed_from_here(tmp_path: Path) -> None:
    backend = MemoryKeyring()
    await store(tmp_path, backend).put(MODEL_KEY, "kept")
    under = LayeredSecretStore(
        SecretsFile(tmp_path / "state" / "secrets.toml"), keychain(backend), {"GEMINI_API_KEY": " canary\n"}, VARIABLES
    )
    found = await under.get(MODEL_KEY)
    assert found is not None
    assert (found.value, found.place) == ("canary", SecretPlace.ENVIRONMENT)
    with pytest.raises(SecretError, match="environment first GEMINI_API_KEY") as caught:
        await under.put(MODEL_KEY, "other")
    assert "canary" not in str(caught.value)


async def test_a_keychain_that_forgets_is_noticed(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: keychain forgot")
    backend = ForgetfulKeyring()
    assert await store(tmp_path, backend).put(MODEL_KEY, "key") is SecretPlace.FILE
    assert await value(store(tmp_path, backend)) == "key"


@pytest.mark.parametrize("backend", [None, MissingKeyring()])
async def test_without_a_keychain_a_file_of_the_user_alone_keeps_it(
    tmp_path: Path, backend: MemoryKeyring | None
) -> None:
    before = os.umask(0)
    try:
        one = store(tmp_path, backend)
        assert await one.put(MODEL_KEY, 'a "key" \\ of\ttrouble') is SecretPlace.FILE
    finally:
        os.umask(before)
    assert await value(store(tmp_path, backend)) == 'a "key" \\ of\ttrouble'
    path = tmp_path / "state" / "secrets.toml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert one.place_note().kind is KeyReason.IN_FILE


async def test_a_missing_keychain_is_asked_once_and_said_in_the_place(tmp_path: Path) -> None:
    backend = MissingKeyring()
    one = store(tmp_path, backend)
    assert one.place() is SecretPlace.KEYCHAIN
    for name in (MODEL_KEY, API_ID, API_HASH):
        assert await value(one, name) is None
    assert backend.asked == [MODEL_KEY]
    assert one.place() is SecretPlace.FILE
    assert note_sentence(one.place_note()).startswith("No system keychain found. Secrets are kept in the file")


async def test_a_hanging_keychain_costs_one_wait_in_a_run(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: keychain silent 0.05")
    backend = HangingKeyring()
    one = store(tmp_path, backend, SOON_S)
    assert [await value(one, name) for name in (MODEL_KEY, API_ID, API_HASH)] == [None] * 3
    assert await one.put(MODEL_KEY, "key") is SecretPlace.FILE
    assert backend.hangs == 1
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "keychain")
    assert one.place_note().cause == Note(KeyReason.KEYCHAIN_SILENT, "0.05")
    backend.wake.set()


async def test_a_keychain_that_answers_after_all_is_used_again(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: keychain silent")
    backend = HangingKeyring()
    backend.wake.set()
    await store(tmp_path, backend).put(MODEL_KEY, "key")
    backend.wake.clear()
    chain, back = keychain(backend, timeout_s=SOON_S), asyncio.Event()
    one = LayeredSecretStore(SecretsFile(tmp_path / "state" / "secrets.toml"), chain)
    one.watch(back.set)
    assert await value(one) is None
    assert one.is_unreadable(MODEL_KEY)
    assert not one.is_unreadable(API_ID)
    chain._timeout_s = 10.0  # from here on it answers, if not at once
    backend.wake.set()
    await back.wait()
    assert await value(one) == "key"
    assert not one.is_unreadable(MODEL_KEY)


async def test_a_locked_keychain_is_asked_again_and_what_was_given_last_wins(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: keychain locked")
    backend = LockedKeyring()
    backend.locked = False
    await store(tmp_path, backend).put(MODEL_KEY, "old")
    backend.locked = True
    one = store(tmp_path, backend)
    assert await value(one) is None
    assert one.is_unreadable(MODEL_KEY)
    backend.locked = False
    assert await one.put(MODEL_KEY, "kept") is SecretPlace.KEYCHAIN
    backend.locked = True
    assert await store(tmp_path, backend).put(MODEL_KEY, "new") is SecretPlace.FILE
    backend.locked = False
    assert await value(store(tmp_path, backend)) == "new"
    assert await store(tmp_path, backend).put(MODEL_KEY, "newest") is SecretPlace.KEYCHAIN
    assert "new" not in (tmp_path / "state" / "secrets.toml").read_text()
    assert await value(store(tmp_path, backend)) == "newest"


async def test_a_dropped_secret_is_gone_from_every_place(tmp_path: Path) -> None:
    backend = MemoryKeyring()
    one = store(tmp_path, backend)
    await one.put(MODEL_KEY, "key")
    await one.drop(MODEL_KEY)
    await one.drop(API_HASH)
    assert backend.kept == {}
    assert await value(store(tmp_path, backend)) is None
    alone = store(tmp_path / "alone")
    await alone.put(MODEL_KEY, "key")
    await alone.drop(MODEL_KEY)
    assert "key" not in (tmp_path / "alone" / "state" / "secrets.toml").read_text().replace("keychain", "")


async def test_a_disk_that_takes_no_writes_keeps_it_for_this_run(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: The file of secrets can't be (read|written)")
    (tmp_path / "state").write_text("in the way")
    one = store(tmp_path)
    assert await one.put(MODEL_KEY, "key") is SecretPlace.SESSION
    assert await value(one) == "key"
    assert one.place() is SecretPlace.SESSION
    assert re.search("secrets.toml can't be (read|written).* until Chimein ends", note_sentence(one.place_note()))
    assert await value(store(tmp_path)) is None


@pytest.mark.parametrize("text", ["values = 3", "in_keychain = 3", "[values\nx = 1"])
async def test_a_file_of_another_shape_is_no_reason_to_fail(
    tmp_path: Path, text: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: The file of secrets can't be read: ValueError")
    path = tmp_path / "state" / "secrets.toml"
    path.parent.mkdir()
    path.write_text(text)
    assert await value(store(tmp_path)) is None


async def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    await store(tmp_path).put(MODEL_KEY, "key")
    path = tmp_path / "state" / "secrets.toml"
    path.chmod(0o644)
    assert await value(store(tmp_path)) == "key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.parent.chmod(0o755)
    await store(tmp_path).put(MODEL_KEY, "another")
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_what_a_keychain_raises_is_not_repeated(
    tmp_path: Path, expected_logs: ExpectedLogs, caplog: pytest.LogCaptureFixture
) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: keychain failed PasswordSetError")
    caplog.set_level(logging.DEBUG)
    assert await store(tmp_path, ChattyKeyring()).put(MODEL_KEY, "canary") is SecretPlace.FILE
    assert "canary" not in caplog.text


def test_what_keyring_would_use_without_a_keychain_is_not_taken_for_one() -> None:
    with pytest.raises(NoKeychainError):
        system_keychain()
