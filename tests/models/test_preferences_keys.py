"""Keys as the window shows them: never themselves."""

from __future__ import annotations

import pytest

from chimein_gui.domain.errors import SecretError
from chimein_gui.engine.ports import SecretPlace, StoredSecret
from chimein_gui.engine.ports.secrets import API_ID, MODEL_KEY
from chimein_gui.viewmodels.preferences.key_inputs import (
    api_hash_problem,
    api_id_problem,
    application_problem,
    model_key_problem,
)
from chimein_gui.viewmodels.preferences.keys import Key, KeyState, end_of

GOOD = "good-key-of-the-operator-7Qf2"
BAD = "evil-key-of-the-operator-9Xk1"
HASH = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def ring(room):
    room.attach()
    return room


def test_a_key_is_shown_by_its_end_and_place_alone(ring):
    ring.models.keys.keep(Key.MODEL, f"  {GOOD} ")
    ring.settle()
    row = ring.models.keys.row(Key.MODEL)
    assert ring.console.keys.secrets[MODEL_KEY].value == GOOD
    assert (row.state, row.end, row.place) == (KeyState.STORED, "7Qf2", SecretPlace.KEYCHAIN)
    assert GOOD not in repr(vars(ring.models.keys))


def test_of_a_short_secret_nothing_is_shown():
    assert end_of("12345678901") == ""
    assert end_of("123456789012") == "9012"


@pytest.mark.parametrize(("key", "state"), [(GOOD, KeyState.WORKS), (BAD, KeyState.REFUSED)])
def test_the_kept_key_is_tried(ring, key, state):
    ring.models.keys.keep(Key.MODEL, key)
    ring.settle()
    ring.models.keys.test()
    assert ring.models.keys.row(Key.MODEL).state is KeyState.CHECKING
    ring.settle()
    row = ring.models.keys.row(Key.MODEL)
    assert ring.console.keys.checked == [None]
    assert row.state is state
    assert row.words
    ring.models.keys.keep(Key.MODEL, "good-another-key-altogether-1234")
    ring.settle()
    assert ring.models.keys.row(Key.MODEL).state is KeyState.STORED  # the verdict was about the one before


def test_a_key_is_tried_before_it_is_kept(ring):
    told = []
    ring.models.keys.tried.connect(lambda ok, words: told.append((ok, words)))
    ring.models.keys.try_out(BAD)
    assert ring.models.keys.trying
    ring.models.keys.try_out(BAD)
    ring.settle()
    assert ring.console.keys.checked == [BAD]
    assert [ok for ok, _ in told] == [False]
    assert not ring.models.keys.trying
    assert MODEL_KEY not in ring.console.keys.secrets


def test_a_check_that_breaks_says_so_without_the_key(ring, expected_logs):
    expected_logs(r"ERROR .*could not be checked")

    async def breaks(key):
        raise RuntimeError(f"odd answer to {key}")

    ring.console.keys.check_model_key = breaks
    told = []
    ring.models.keys.tried.connect(lambda ok, words: told.append((ok, words)))
    ring.models.keys.try_out(GOOD)
    ring.settle()
    assert told == [(False, "The key could not be checked.")]


def test_half_an_application_is_none(ring):
    ring.console.keys.secrets[API_ID] = StoredSecret("12345678", SecretPlace.FILE)
    ring.models.keys.refresh()
    assert ring.models.keys.row(Key.APPLICATION).state is KeyState.NOT_SET
    ring.models.keys.keep(Key.APPLICATION, "12345678", HASH)
    ring.settle()
    assert ring.models.keys.row(Key.APPLICATION).state is KeyState.STORED
    ring.models.keys.remove(Key.APPLICATION)
    ring.settle()
    assert ring.console.keys.secrets == {}
    assert ring.models.keys.row(Key.APPLICATION).state is KeyState.NOT_SET


def test_a_refusal_is_told_and_the_verb_is_free_again(ring):
    ring.console.keys.fail = SecretError("The keychain is locked. Unlock it and try again.")
    kept = list[str]()
    ring.models.keys.kept.connect(kept.append)
    ring.models.keys.keep(Key.MODEL, GOOD)
    ring.settle()
    row = ring.models.keys.row(Key.MODEL)
    assert (row.refusal, row.busy, kept) == ("The keychain is locked. Unlock it and try again.", False, [])
    ring.models.keys.forget_refusal(Key.MODEL)
    assert ring.models.keys.row(Key.MODEL).refusal == ""


@pytest.mark.parametrize(
    ("place", "stored", "safe"),
    [
        (SecretPlace.KEYCHAIN, SecretPlace.KEYCHAIN, True),
        (SecretPlace.KEYCHAIN, SecretPlace.ENVIRONMENT, True),
        (SecretPlace.KEYCHAIN, SecretPlace.FILE, False),
        (SecretPlace.SESSION, SecretPlace.KEYCHAIN, False),
    ],
)
def test_a_place_that_is_no_keychain_is_warned_of(ring, place, stored, safe):
    ring.console.keys.where = place
    ring.console.keys.secrets[MODEL_KEY] = StoredSecret(GOOD, stored)
    ring.models.keys.refresh()
    assert ring.models.keys.is_safe() is safe


@pytest.mark.parametrize(
    ("judge", "text", "words"),
    [
        (model_key_problem, "", ""),
        (model_key_problem, GOOD, ""),
        (model_key_problem, "short", "This key looks too short: 5 characters."),
        (model_key_problem, "two words that are long enough", "no blanks"),
        (api_id_problem, "20914377", ""),
        (api_id_problem, "20 914", "An api_id has digits only."),
        (api_id_problem, "٤٢", "An api_id has digits only."),
        (api_id_problem, "0", "not 0"),
        (api_id_problem, "12345678901", "at most 10 digits"),
        (api_hash_problem, HASH.upper(), ""),
        (api_hash_problem, "9f21c0d77b", "An api_hash has 32 hexadecimal characters; this one has 10."),
        (api_hash_problem, "xyz", "a to f only"),
    ],
)
def test_what_is_wrong_is_told_while_it_is_typed(qapp, judge, text, words):
    said = judge(text)
    assert words in said
    assert bool(said) is bool(words)


def test_an_application_is_a_pair(qapp):
    assert application_problem("", "") == ""
    assert application_problem("20914377", HASH) == ""
    assert application_problem("20914377", "") == "Both are needed: the api_id and the api_hash."
