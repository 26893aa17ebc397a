"""Preferences as the window changes them: at once, in order, and back again."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from chimein_gui.domain.errors import ConfigError, StoreError
from chimein_gui.domain.events import PreferencesChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.viewmodels.preferences.appearance import Look
from chimein_gui.viewmodels.preferences.catalogue import (
    SETTINGS,
    Sort,
)
from chimein_gui.viewmodels.preferences.preferences import DIRECTORIES

BY_NAME = {setting.name: setting for setting in SETTINGS}
NOT_OFFERED = {"tick_s", "prices", "config_dirs"}
"""What the pane shows otherwise, or what nobody needs to turn."""


@pytest.fixture
def desk(room):
    room.attach()
    return room


def change(room, name, shown):
    room.models.preferences_model.change(BY_NAME[name], shown)
    room.settle()


def test_every_value_that_may_be_adjusted_is_offered_once(qapp):
    names = [setting.name for setting in SETTINGS]
    assert len(names) == len(set(names))
    assert set(names) == {field.name for field in fields(Preferences)} - NOT_OFFERED


@pytest.mark.parametrize("setting", SETTINGS, ids=[setting.name for setting in SETTINGS])
def test_a_default_is_within_its_limits_and_survives_its_own_unit(qapp, setting):
    default = getattr(Preferences(), setting.name)
    shown = setting.shown(Preferences())
    assert setting.stored(shown) == default
    assert type(setting.stored(shown)) is type(default)
    if not isinstance(shown, str):
        assert setting.least <= shown <= setting.most
    assert setting.title
    assert setting.words.endswith(".")
    assert (setting.unit == "") is (setting.sort in {Sort.MODEL, Sort.SWITCH, Sort.TIME_OF_DAY})


def test_a_change_holds_at_once_in_the_values_own_unit(desk):
    change(desk, "takeover_s", 45.0)
    assert desk.console.preferences.takeover_s == 2700
    assert desk.models.preferences.takeover_s == 2700
    change(desk, "chat_cap", 12.0)
    assert desk.console.preferences.chat_cap == 12
    assert desk.models.preferences_model.number_changed() == 2


def test_a_value_that_is_the_same_is_no_change(desk):
    change(desk, "undo_s", 5.0)
    assert not desk.models.preferences_model.can_undo
    assert desk.console.preferences_service.before == []


def test_changes_are_taken_back_in_their_order_looks_among_them(desk):
    model = desk.models.preferences_model
    change(desk, "undo_s", 8.0)
    model.choose_look(Look.COLOURS, "dark")
    change(desk, "undo_s", 9.0)
    assert model.number_changed() == 2
    seen = []
    for _ in range(4):
        model.undo()
        desk.settle()
        seen.append((desk.console.preferences.undo_s, model.appearance.choice(Look.COLOURS), model.can_undo))
    assert seen == [(8, "dark", True), (8, "system", True), (5, "system", False), (5, "system", False)]


def test_a_refusal_stands_at_its_value_until_the_next_change(desk):
    model = desk.models.preferences_model
    change(desk, "model", "nonsense")
    assert model.refusal("model") == "There is no model “nonsense”; see the list."
    assert model.refusal("undo_s") == ""
    assert not model.can_undo
    assert model.current.model == Preferences().model
    change(desk, "model", "gemini-2.5-pro")
    assert model.refusal("model") == ""
    assert model.current.model == "gemini-2.5-pro"


@pytest.mark.parametrize("error", [ConfigError("The disk is full."), StoreError("The disk is full.")])
def test_what_cannot_be_written_changes_nothing(desk, error):
    desk.console.preferences_service.fail = error
    change(desk, "undo_s", 8.0)
    model = desk.models.preferences_model
    assert model.refusal("undo_s") == "The disk is full."
    assert model.current == Preferences()
    desk.console.preferences_service.fail = None
    change(desk, "undo_s", 8.0)
    assert model.current.undo_s == 8


def test_a_change_from_elsewhere_is_shown(desk):
    told = []
    desk.models.preferences_model.changed.connect(lambda: told.append(desk.models.preferences.undo_s))
    desk.models.bridge.push(PreferencesChanged(replace(Preferences(), undo_s=11), Revision(9)))
    desk.settle()
    assert told == [11]


def test_directories_count_from_the_next_start_and_can_be_taken_back(desk):
    model = desk.models.preferences_model
    taken = list[str]()
    model.taken.connect(taken.append)
    model.set_directories(("/srv/personas",))
    desk.settle()
    assert desk.console.preferences_service.directories == [("/srv/personas",)]
    assert (model.next_directories, taken) == (("/srv/personas",), [DIRECTORIES])
    model.set_directories(("/srv/others",))
    desk.settle()
    model.undo()
    desk.settle()
    assert model.next_directories == ("/srv/personas",), "as it stands in the file"
    model.undo()
    desk.settle()
    assert model.next_directories == ()
