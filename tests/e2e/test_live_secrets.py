"""Where secrets of a run come from: live asks environment and keychain, the sandbox neither; both after the paint."""

from __future__ import annotations

import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.engine.ports import SecretPlace
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY
from chimein_gui.secret_sources import live_secrets, sandbox_secrets

HASH = "0123456789abcdef" * 2
ENVIRONMENT = {"GEMINI_API_KEY": "canary", "CHIMEIN_TELEGRAM_API_ID": "77", "CHIMEIN_TELEGRAM_API_HASH": HASH}


def directories(folder: Path) -> Directories:
    return Directories((folder / "config",), folder / "state")


async def test_a_live_run_takes_its_keys_when_they_are_given(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        outside = await app.live_backends(directories(tmp_path), {})
        engine = (await app.start_engine(directories(tmp_path), outside, stack)).engine
        await engine.start()
        assert outside.missing() == engine.keys.missing() == (MODEL_KEY, API_ID, API_HASH)
        assert engine.keys.place() is SecretPlace.FILE
        assert engine.keys.place_note().cause == Note(KeyReason.NO_KEYCHAIN)
        await engine.keys.put(MODEL_KEY, "canary")
        await outside.secrets.keep_application(77, HASH)
        assert outside.missing() == ()
    again = live_secrets(directories(tmp_path), {})
    await again.load()
    assert (again.value(MODEL_KEY), again.application()) == ("canary", (77, HASH))


async def test_the_environment_is_heard_live_and_not_in_the_sandbox(tmp_path: Path, monkeypatch) -> None:
    live = live_secrets(directories(tmp_path), ENVIRONMENT)
    await live.load()
    assert (live.value(MODEL_KEY), live.application()) == ("canary", (77, HASH))
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    sandbox = sandbox_secrets(directories(tmp_path))
    await sandbox.load()
    assert (sandbox.value(MODEL_KEY), sandbox.application()) == ("sandbox", (1, "sandbox"))
    assert sandbox.stored(MODEL_KEY) is None
    assert sandbox.missing() == ()


@pytest.mark.parametrize("module", ["program", "app", "secret_sources"])
def test_nothing_of_it_is_imported_before_the_window_is_painted(module: str) -> None:
    code = (
        f"import sys, chimein_gui.{module}\n"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('keyring', 'tomlkit', 'secretstorage', 'tomllib')]\n"
        "sys.exit(repr(bad) if bad else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_sandbox_run_never_imports_a_keychain(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys, pathlib\n"
        "from chimein_gui.directories import Directories\n"
        "from chimein_gui.secret_sources import sandbox_secrets\n"
        f"at = Directories((), pathlib.Path({str(tmp_path)!r}))\n"
        "secrets = sandbox_secrets(at)\n"
        "asyncio.run(secrets.put('gemini-api-key', 'key'))\n"
        "sys.exit('keyring' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert "key" in (tmp_path / "secrets.toml").read_text()
