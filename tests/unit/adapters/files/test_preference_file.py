"""Writing preferences.toml: one value changes, every other byte stays."""

from __future__ import annotations

import stat
from datetime import date
from pathlib import Path

import pytest

from chimein_gui.adapters.files.preference_file import PreferenceFiles
from chimein_gui.adapters.files.preferences import load_preferences
from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.settings.preferences import Preferences

BY_HAND = """\
# how I like it

undo_s = 3      # not too long
future_key = { a = 1 }

[prices] # of this year
"gemini-9" = [1, 2.5] # dear
[strange]
x = 1
"""


def file(tmp_path: Path, text: str | None = None) -> Path:
    path = tmp_path / "preferences.toml"
    if text is not None:
        path.write_bytes(text.encode())
    return path


async def test_comments_order_and_unknown_keys_stay(tmp_path: Path) -> None:
    path = file(tmp_path, BY_HAND)
    before = await PreferenceFiles(path).write({"undo_s": 7.5, "chat_cap": 3})
    assert before == {"undo_s": 3, "chat_cap": None}
    changed = path.read_text()
    assert changed.replace("undo_s = 7.5", "undo_s = 3").replace("chat_cap = 3\n", "") == BY_HAND
    assert load_preferences(path)[0].chat_cap == 3
    await PreferenceFiles(path).write(before)
    assert path.read_text() == BY_HAND


async def test_line_ends_stay(tmp_path: Path) -> None:
    path = file(tmp_path, BY_HAND.replace("\n", "\r\n"))
    await PreferenceFiles(path).write({"undo_s": 4})
    assert path.read_bytes() == BY_HAND.replace("\n", "\r\n").replace("undo_s = 3", "undo_s = 4").encode()


async def test_prices_are_changed_entry_by_entry(tmp_path: Path) -> None:
    path = file(tmp_path, BY_HAND)
    own = (Price("gemini-9", 1.0, 2.5), Price("gemini-10", 3.0, 4.0, 0.5, date(2026, 11, 1)))
    before = await PreferenceFiles(path).write({"prices": (*own, *PRICES)})
    text = path.read_text()
    assert '"gemini-9" = [1, 2.5] # dear' in text
    assert load_preferences(path)[0].prices == (*own, *PRICES)
    await PreferenceFiles(path).write(before)
    assert load_preferences(path)[0].prices == (own[0], *PRICES)
    await PreferenceFiles(path).write({"prices": PRICES})
    assert "[prices]" not in path.read_text()


async def test_a_new_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "state" / "preferences.toml"
    before = await PreferenceFiles(path).write({"config_dirs": ('/a "b" \\', "~/b"), "model": "gemini-9"})
    assert before == {"config_dirs": None, "model": None}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_preferences(path) == (Preferences(config_dirs=('/a "b" \\', "~/b"), model="gemini-9"), ())
    await PreferenceFiles(path).write({"config_dirs": (), "model": None})
    assert load_preferences(path) == (Preferences(), ())


async def test_a_disk_that_takes_no_writes_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    with pytest.raises(ConfigError, match="preferences not written"):
        await PreferenceFiles(tmp_path / "state" / "preferences.toml").write({"undo_s": 4})
