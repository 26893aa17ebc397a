"""A language in which everything is longer: nothing of the shell is cut off or pushed out of the window."""

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.ui.shell.appearance.language import VARIABLE, language_of, speak
from chimein_gui.viewmodels.preferences.appearance import Look
from tests.fakes.console import NOON
from tests.support.on_screen import cut_off

pytestmark = pytest.mark.whole_window

MORE = 0.4
"""How much longer a translation may be (the notes to the design)."""

PADDING = "åéîøü"


class Longer(QTranslator):
    """Turns "Hold everything" into "Hold everything åéîøüå": as long as German, as strange as Icelandic."""

    def translate(self, _context, source, _disambiguation=None, _n=-1):
        wanted = max(1, round(len(source) * MORE))
        return f"{source} {(PADDING * wanted)[: max(1, wanted - 1)]}" if source.strip() else source


@pytest.fixture
def longer(qapp):
    translator = Longer()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture
def wordy(longer, bare):
    bare.window.resize(1280, 720)
    bare.attach()
    bare.console.holds.put(Hold(HoldScope.ALL, 0, "lunch", NOON))
    bare.console.put_fault("store", "The disk is full.", "Make room on it; nothing is sent meanwhile.")
    bare.console.costs.book(1.0)
    bare.settle()
    QApplication.sendPostedEvents()
    return bare


def bars_of(window):
    return (window.top_bar, window.held_banner, window.fault_bar, window.facts, window.rail)


def test_the_shell_speaks_the_language(wordy):
    window = wordy.window
    assert "åé" in window.top_bar.hold.text()
    assert "åé" in window.held_banner._cause.text()
    assert "åé" in window.action("next_need").text()
    assert "å" in window.docks["agents"].windowTitle()


def test_nothing_of_the_bars_is_cut_off_or_pushed_out(wordy):
    assert wordy.window.width() == 1280
    for bar in bars_of(wordy.window):
        assert cut_off(bar) == []


def test_the_menu_and_the_palette_are_translated(wordy):
    window = wordy.window
    assert all("å" in menu.title() for name, menu in window.late.menu.menus.items() if name)
    assert all("å" in entry.title for entry in window.late.palette.commands())


@pytest.fixture
def german(qapp, monkeypatch):
    monkeypatch.setenv(VARIABLE, "de")
    speak(qapp, "system")
    yield
    monkeypatch.undo()
    speak(qapp, "en")


def test_german_has_its_words_its_plural_forms_its_numbers_and_qts_own_words(german, bare):
    window = bare.window
    assert window.docks["approvals"].windowTitle() == "Freigaben"
    assert window.action("quit").text() == "Beenden"
    words = [QCoreApplication.translate("RehearsalPane", "%n active fault(s)", "", n) for n in (1, 2)]
    assert words == ["1 aktive Störung", "2 aktive Störungen"]
    assert QLocale().toString(4096) == "4.096"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"


def test_the_chosen_language_is_remembered_for_the_next_start(bare):
    bare.window.models.preferences_model.appearance.choose(Look.LANGUAGE, "de")
    assert bare.window.models.preferences_model.appearance.choice(Look.LANGUAGE) == "de"
    assert language_of(bare.window.models.preferences_model.appearance.choice(Look.LANGUAGE)) == "de"
