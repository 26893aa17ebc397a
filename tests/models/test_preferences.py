"""Preferences: every value once, changes at once and taken back, refusals in place; and keys by their end alone."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from chimein_gui.domain.errors import ConfigError, StoreError
from chimein_gui.domain.events import PreferencesChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.ports import SecretPlace, StoredSecret
from chimein_gui.engine.ports.secrets import API_ID, MODEL_KEY
from chimein_gui.viewmodels.preferences.appearance import Look
from chimein_gui.viewmodels.preferences.catalogue import SETTINGS, Sort
from chimein_gui.viewmodels.preferences.key_inputs import (
    api_hash_problem,
    api_id_problem,
    application_problem,
    model_key_problem,
)
from chimein_gui.viewmodels.preferences.keys import Key, KeyState, end_of
from chimein_gui.viewmodels.preferences.preferences import DIRECTORIES

BY_NAME = {setting.name: setting for setting in SETTINGS}
NOT_OFFERED = {"tick_s", "prices", "config_dirs"}
"""What the pane shows otherwise, or what nobody needs to turn."""


@pytest.fixture
def editor(room):
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
    assert (setting.unit == "") is (
        setting.sort in {Sort.MODEL, Sort.SWITCH, Sort.TIME_OF_DAY, Sort.CHOICE, Sort.FOLDER}
    )


def test_a_value_that_is_the_same_is_no_change(editor):
    change(editor, "undo_s", 5.0)
    assert not editor.models.preferences_model.can_undo
    assert editor.api.preferences_service.before == []


def test_changes_are_taken_back_in_their_order_looks_among_them(editor):
    model = editor.models.preferences_model
    change(editor, "undo_s", 8.0)
    model.choose_look(Look.COLOURS, "dark")
    change(editor, "undo_s", 9.0)
    seen = []
    for _ in range(4):
        model.undo()
        editor.settle()
        seen.append((editor.api.preferences.undo_s, model.appearance.choice(Look.COLOURS), model.can_undo))
    assert seen == [(8, "dark", True), (8, "system", True), (5, "system", False), (5, "system", False)]


@pytest.mark.parametrize(
    "error",
    [
        ConfigError(Note(FaultReason.SYSTEM, "The disk is full")),
        StoreError(Note(FaultReason.SYSTEM, "The disk is full")),
    ],
)
def test_what_cannot_be_written_changes_nothing(editor, error):
    editor.api.preferences_service.fail = error
    change(editor, "undo_s", 8.0)
    model = editor.models.preferences_model
    assert model.refusal("undo_s") == "The disk is full."
    assert model.current == Preferences()
    editor.api.preferences_service.fail = None
    change(editor, "undo_s", 8.0)
    assert model.current.undo_s == 8


def test_a_change_from_elsewhere_is_shown(editor):
    told = []
    editor.models.preferences_model.changed.connect(lambda: told.append(editor.models.preferences.undo_s))
    editor.models.bridge.push(PreferencesChanged(replace(Preferences(), undo_s=11), Revision(9)))
    editor.settle()
    assert told == [11]


def test_directories_count_from_the_next_start_and_can_be_taken_back(editor):
    model = editor.models.preferences_model
    taken = list[str]()
    model.taken.connect(taken.append)
    model.set_directories(("/srv/personas",))
    editor.settle()
    assert editor.api.preferences_service.directories == [("/srv/personas",)]
    assert (model.next_directories, taken) == (("/srv/personas",), [DIRECTORIES])
    model.set_directories(("/srv/others",))
    editor.settle()
    model.undo()
    editor.settle()
    assert model.next_directories == ("/srv/personas",), "as it stands in the file"
    model.undo()
    editor.settle()
    assert model.next_directories == ()


GOOD = "good-key-of-the-operator-7Qf2"
BAD = "evil-key-of-the-operator-9Xk1"
HASH = "0123456789abcdef0123456789abcdef"


def test_a_key_is_shown_by_its_end_and_place_alone(editor):
    editor.models.keys.keep(Key.MODEL, f"  {GOOD} ")
    editor.settle()
    row = editor.models.keys.row(Key.MODEL)
    assert editor.api.keys.secrets[MODEL_KEY].value == GOOD
    assert (row.state, row.end, row.place) == (KeyState.STORED, "7Qf2", SecretPlace.KEYCHAIN)
    assert GOOD not in repr(vars(editor.models.keys))


def test_of_a_short_secret_nothing_is_shown():
    assert end_of("12345678901") == ""
    assert end_of("123456789012") == "9012"


@pytest.mark.parametrize(("key", "state"), [(GOOD, KeyState.WORKS), (BAD, KeyState.REFUSED)])
def test_the_kept_key_is_tried(editor, key, state):
    editor.models.keys.keep(Key.MODEL, key)
    editor.settle()
    editor.models.keys.test()
    assert editor.models.keys.row(Key.MODEL).state is KeyState.CHECKING
    editor.settle()
    row = editor.models.keys.row(Key.MODEL)
    assert editor.api.keys.checked == [None]
    assert row.state is state
    assert row.words
    editor.models.keys.keep(Key.MODEL, "good-another-key-altogether-1234")
    editor.settle()
    assert editor.models.keys.row(Key.MODEL).state is KeyState.STORED  # the verdict was about the one before


def test_a_check_that_breaks_says_so_without_the_key(editor, expected_logs):
    expected_logs(r"ERROR .*could not be checked")

    async def breaks(key):
        raise RuntimeError(f"odd answer to {key}")

    editor.api.key_check.check = breaks
    told = []
    editor.models.keys.tried.connect(lambda ok, words: told.append((ok, words)))
    editor.models.keys.try_out(GOOD)
    editor.settle()
    assert told == [(False, "The key could not be checked.")]


def test_half_an_application_is_none(editor):
    editor.api.keys.secrets[API_ID] = StoredSecret("12345678", SecretPlace.FILE)
    editor.models.keys.refresh()
    assert editor.models.keys.row(Key.APPLICATION).state is KeyState.NOT_SET
    editor.models.keys.keep(Key.APPLICATION, "12345678", HASH)
    editor.settle()
    assert editor.models.keys.row(Key.APPLICATION).state is KeyState.STORED
    editor.models.keys.remove(Key.APPLICATION)
    editor.settle()
    assert editor.api.keys.secrets == {}
    assert editor.models.keys.row(Key.APPLICATION).state is KeyState.NOT_SET


@pytest.mark.parametrize(
    ("place", "stored", "safe"),
    [
        (SecretPlace.KEYCHAIN, SecretPlace.KEYCHAIN, True),
        (SecretPlace.KEYCHAIN, SecretPlace.ENVIRONMENT, True),
        (SecretPlace.KEYCHAIN, SecretPlace.FILE, False),
        (SecretPlace.SESSION, SecretPlace.KEYCHAIN, False),
    ],
)
def test_a_place_that_is_no_keychain_is_warned_of(editor, place, stored, safe):
    editor.api.keys.where = place
    editor.api.keys.secrets[MODEL_KEY] = StoredSecret(GOOD, stored)
    editor.models.keys.refresh()
    assert editor.models.keys.is_safe() is safe


@pytest.mark.parametrize(
    ("judge", "text", "words"),
    [
        (model_key_problem, "", ""),
        (model_key_problem, GOOD, ""),
        (model_key_problem, "short", "This key looks too short: 5 characters."),
        (model_key_problem, "two words that are long enough", "without spaces"),
        (api_id_problem, "20914377", ""),
        (api_id_problem, "20 914", "An API ID has only digits."),
        (api_id_problem, "٤٢", "An API ID has only digits."),
        (api_id_problem, "0", "not 0"),
        (api_id_problem, "12345678901", "at most 10 digits"),
        (api_hash_problem, HASH.upper(), ""),
        (api_hash_problem, "9f21c0d77b", "An API hash has 32 hexadecimal characters; this one has 10."),
        (api_hash_problem, "xyz", "only the digits 0 to 9"),
    ],
)
def test_what_is_wrong_is_told_while_it_is_typed(qapp, judge, text, words):
    said = judge(text)
    assert words in said
    assert bool(said) is bool(words)


def test_an_application_is_a_pair(qapp):
    assert application_problem("", "") == ""
    assert application_problem("20914377", HASH) == ""
    assert application_problem("20914377", "") == "Both are needed: the API ID and the API hash."
