"""Preferences while everything runs: checked, written, applied at once, taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.adapters.files.preference_file import PreferenceFiles
from chimein_gui.adapters.files.preferences import load_preferences
from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.events import ModelCallBooked, PreferencesChanged
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.settings.rules import preference_problem
from chimein_gui.engine.settings.setup import Setup
from tests.support.engine_room import QUICK, Room, engine_room


def with_file(path: Path) -> Callable[[Setup], Setup]:
    return lambda setup: replace(setup, preference_file=PreferenceFiles(path))


def told(room: Room) -> list[Preferences]:
    return [event.preferences for event in room.events if isinstance(event, PreferencesChanged)]


async def test_a_change_is_written_told_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text("undo_s = 3 # mine\n")
    async with engine_room(tmp_path, adjust=with_file(path), online=False) as room:
        editor = room.engine.preferences_service
        assert not editor.can_undo
        assert (await editor.undo()) == QUICK
        changed = await editor.change(undo_s=7, chat_cap=3)
        assert changed == editor.current() == room.engine.preferences == replace(QUICK, undo_s=7.0, chat_cap=3)
        assert path.read_text() == "undo_s = 7.0 # mine\nchat_cap = 3\n"
        await editor.undo()
        assert path.read_text() == "undo_s = 3 # mine\n"
        assert told(room) == [changed, QUICK]
        assert not editor.can_undo


async def test_a_reset_takes_it_out_of_the_file_and_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text('# models\nmodel = "gemini-x"\n')
    stored, _ = load_preferences(path)
    async with engine_room(tmp_path, preferences=stored, adjust=with_file(path), online=False) as room:
        editor = room.engine.preferences_service
        assert (await editor.reset("model")).model == Preferences().model
        assert path.read_text() == "# models\n"
        assert (await editor.undo()).model == "gemini-x"
        assert load_preferences(path)[0].model == "gemini-x"
        with pytest.raises(ConfigError, match="no preference modell"):
            await editor.reset("modell")


async def test_a_wrong_value_changes_nothing_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "preferences.toml"
    async with engine_room(tmp_path, adjust=with_file(path), online=False) as room:
        editor = room.engine.preferences_service
        with pytest.raises(ConfigError, match="number between undo_s 0 86400"):
            await editor.change(undo_s=-1, chat_cap=5, parallel_plans=0)
        assert editor.current() == QUICK
        assert not path.exists()
        assert told(room) == []
    wrong = (FileReason.NAME_OF_MODEL, "model", 0, None, Preferences().model)
    assert preference_problem("model", " ") == preference_problem("model", "the best one, please") == Note(*wrong)
    assert preference_problem("model", "gemini-x") is preference_problem("model", "tunedModels/mine") is None
    assert preference_problem("config_dirs", ("/a", "/b", "/a")) == Note(FileReason.FOLDER_TWICE, "config_dirs")


async def test_the_next_prompt_goes_to_the_new_model_and_is_booked_at_the_new_price(room: Room) -> None:
    await room.engine.preferences_service.change(model="gemini-9", prices=[Price("gemini-9", 1e6, 0)])
    assert room.engine.preferences.prices == (Price("gemini-9", 1e6, 0), *PRICES)
    await room.drafted()
    assert room.model.prompts[-1].model == "gemini-9"
    [booked] = [event.call for event in room.events if isinstance(event, ModelCallBooked)]
    assert booked.cost_usd == 10.0


async def test_more_plans_at_once_begin_at_once(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=replace(QUICK, parallel_plans=1)) as room:
        slots = room.engine._services.slots
        begun: list[str] = []
        end = asyncio.Event()

        async def job(name: str) -> None:
            async with slots.turn(room.clock.now(), name):
                begun.append(name)
                await end.wait()

        for name in "abc":
            room.jobs.spawn(job(name), name=name)
        await room.worked_off()
        assert begun == ["a"]
        await room.engine.preferences_service.change(parallel_plans=2)
        await room.worked_off()
        assert begun == ["a", "b"]
        await room.engine.preferences_service.change(parallel_plans=1)
        end.set()
        await room.worked_off()
        assert begun == ["a", "b", "c"]
