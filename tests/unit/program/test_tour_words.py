"""What the tour looks for is found in a window that speaks German, too."""

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.tour.vocabulary import learn

SEEN = (
    ("Approve", "Freigeben"),
    ("Approve: Nora Vale to Marta", "Freigeben: Nora Vale an Marta Oliveira"),
    ("Send as Marta", "Als Marta Oliveira an Nora Vale senden"),
    ("Nora Vale to Marta Oliveira, Waits for you", "Nora Vale an Marta Oliveira, Wartet auf Sie, Hallo"),
    ("2 changes since", "2 Änderungen seit dem Planen"),
    ("Edit saved", "Bearbeitung gespeichert: ein neuer Plan hat den Entwurf ersetzt"),
    ("Trust: Countdown", "Vertrauen: Countdown. Ändern"),
)


@pytest.fixture
def german():
    learn("de")
    yield
    learn("en")


@pytest.mark.parametrize(("english", "shown"), SEEN)
def test_words_are_found_in_german(german, english, shown):
    assert hand.begins(shown, english)
    assert not hand.begins("Ablehnen", english)


def test_without_another_language_words_are_what_they_are():
    assert hand.begins("Approve: Nora", "Approve")
    assert not hand.says("Freigeben", "Approve")
