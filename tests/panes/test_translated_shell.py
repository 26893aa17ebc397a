"""Other languages: longer words, the other direction; nothing is cut off or pushed out of the window."""

from datetime import timedelta

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.actions.action_bar import ActionBar
from chimein_gui.ui.panes.conversations.drafts.buttons import DraftButtons
from chimein_gui.ui.requests import MaximizePane, ShowChat
from chimein_gui.ui.shell.appearance.language import VARIABLE, language_of, speak
from chimein_gui.ui.widgets.controls.form_fields import SecondsField
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.keycaps import key_name
from chimein_gui.ui.widgets.theme.mirror import is_turned, leading_edge, mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.approvals.available_actions import Action
from chimein_gui.viewmodels.chats.show import Show
from chimein_gui.viewmodels.core.quotes import quoted
from chimein_gui.viewmodels.palette.palette import PaletteModel
from chimein_gui.viewmodels.preferences.appearance import Look
from chimein_gui.viewmodels.preferences.catalogue import Page
from tests.fakes.engine_api import BIG, NOON, approval, chat
from tests.support.on_screen import cut_off, entries

pytestmark = pytest.mark.whole_window


@pytest.fixture
def wordy(longer, bare):
    bare.window.resize(1280, 720)
    bare.attach()
    bare.api.holds.put(Hold(HoldScope.ALL, 0, "lunch", NOON))
    bare.api.put_fault("store", "The disk is full.", "Make room on it; nothing is sent meanwhile.")
    bare.api.costs.book(1.0)
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
    assert all("å" in menu.title() for name, menu in window.lazy.menu.menus.items() if name)
    assert all("å" in entry.title for entry in window.lazy.palette.commands())


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
    assert quoted("{words}") == "„{words}“"
    assert QLocale().toString(4096) == "4.096"
    assert (key_name("Ctrl+Shift+M"), key_name("Ctrl ↵"), key_name("A")) == ("Strg+Umschalt+M", "Strg ↵", "A")
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    field = SecondsField(Theme(), "s", most=100_000)
    for value, shown in ((0.2, "0,2 s"), (86_400.0, "86400 s")):
        field.setValue(value)
        assert (field.text(), field.valueFromText(field.text())) == (shown, value)


ENGLISH_NAMES = {
    ">layout": "Anordnung speichern …",
    ">freeze": "Alles anhalten oder Anhalten aufheben",
    ">approvals": "Freigaben",
    ">take over": "Übernehmen",
    ">übernehmen": "Übernehmen",
    ">without asking": "Vertrauensstufe: Automatik: ohne Rückfrage senden",
    ">mark read": "Als gelesen markieren",
    ">quiet hours none": "Ruhezeiten: Keine",
}


def test_a_german_palette_finds_commands_by_their_english_names_too(german, desktop, subtests):
    desktop.open_chat()
    palette = PaletteModel(desktop.models, desktop.window.lazy.palette.commands(), ())
    for typed, command in ENGLISH_NAMES.items():
        palette.set_query(typed)
        with subtests.test(typed):
            assert command in [entry.title for entry in palette.entries()]
    palette.deleteLater()


def test_german_preferences_are_found_by_their_english_names_too(german, desktop):
    desktop.window.show_pane("preferences")
    pane = desktop.window.panes["preferences"]
    for words, page in (("appearance", Page.LOOK), ("darstellung", Page.LOOK), ("undo time", Page.APPROVALS)):
        pane.search.setText(words)
        assert [one for one, section in pane.sections.items() if section.isVisibleTo(pane)] == [page]


@pytest.mark.parametrize("shown", [Show.NEEDS_YOU, Show.UNREAD])
def test_german_filters_without_room_are_in_a_menu_and_the_chosen_one_is_in_sight(german, desktop, popped, shown):
    desktop.window.resize(1280, 720)
    desktop.put_chat(chat(2, pending=3, unread=4))
    row = desktop.conversations.filter
    assert row.height() < 50
    assert cut_off(row) == []
    assert not row.buttons[Show.UNREAD].isVisible()
    row.more.click()
    assert list(entries(popped[0])) == [row.buttons[Show.UNREAD].accessibleName()]
    (popped[0].actions()[0].trigger if shown is Show.UNREAD else row.buttons[shown].click)()
    assert row.buttons[shown].isVisible()
    assert row.buttons[shown].isChecked()


def test_what_stands_beside_the_card_is_not_cut_in_german(german, desktop):
    desktop.window.resize(1280, 720)
    desktop.window.requests.send(MaximizePane("approvals"))
    desktop.settle()
    desktop.models.card._again.stop()
    desktop.models.card._load()
    desktop.settle()
    why = desktop.approvals.card.why
    assert why._decisions.link.text() == "Alle zeigen"
    assert why.visibleRegion().boundingRect().width() == why.width()


def test_the_buttons_of_a_card_are_as_wide_as_their_german_words_at_once(german, desktop):
    desktop.window.resize(1440, 900)
    desktop.window.requests.send(MaximizePane("approvals"))
    desktop.settle()
    desktop.window.resize(1280, 720)
    desktop.window.grab()  # no event comes between
    [bar] = [bar for bar in desktop.approvals.findChildren(ActionBar) if bar.isVisible()]
    shown = [button for button in bar.buttons.values() if button.isVisible()]
    assert [(one.text(), one.width()) for one in shown] == [(one.text(), one.sizeHint().width()) for one in shown]


def test_the_chosen_language_is_remembered_for_the_next_start(bare):
    bare.window.models.preferences_model.appearance.choose(Look.LANGUAGE, "de")
    assert bare.window.models.preferences_model.appearance.choice(Look.LANGUAGE) == "de"
    assert language_of(bare.window.models.preferences_model.appearance.choice(Look.LANGUAGE)) == "de"


WHITE = 0xFFFFFFFF


def unlike(one, other):
    """Return how much two pictures of one size differ."""
    places = [(x, y) for x in range(one.width()) for y in range(one.height())]
    return sum(abs(one.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness()) for x, y in places)


@pytest.fixture
def from_the_right(qapp):
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.fixture
def mirrored(from_the_right, bare):
    bare.api.chats[1] = chat(title="Marta Oliveira da Silva Santos", pending=2, unread=3)
    bare.attach()
    bare.open_chat()
    QApplication.sendPostedEvents()
    return bare


def painted(paint, width=200, height=40):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def columns(image, area=None):
    """Return which columns of a picture hold ink, the colour of the corner being the ground."""
    area = area or image.rect()
    ground = image.pixel(area.left(), area.top())
    return [
        x
        for x in range(area.left(), area.right() + 1)
        if any(image.pixel(x, y) != ground for y in range(area.top(), area.bottom() + 1))
    ]


def test_words_change_sides_and_stay_readable(qapp):
    theme = Theme()

    def words(painter):
        marks.draw_line(painter, theme.font(Face.BODY), QColor("black"), QPointF(10, 20), "2 waiting?")

    def turned(painter):
        mirror(painter, QRect(0, 0, 200, 40))
        assert is_turned(painter)
        words(painter)

    plain, other = painted(words), painted(turned)
    left, right = columns(plain), columns(other)
    assert right[-1] == pytest.approx(199 - left[0], abs=3)
    width = left[-1] - left[0] + 1
    first, second = plain.copy(left[0], 0, width, 40), other.copy(right[-1] - width + 1, 0, width, 40)
    assert unlike(first, second) < unlike(first.flipped(Qt.Orientation.Horizontal), second) / 2


@pytest.mark.parametrize(("name", "turns"), [("arrow-right", True), ("caret-right", True), ("search", False)])
def test_arrows_point_the_other_way_and_other_icons_do_not(qapp, name, turns):
    def icon(painter):
        icons.draw(painter, name, QColor("black"), QRectF(92, 12, 16, 16))

    def turned(painter):
        mirror(painter, QRect(0, 0, 200, 40))
        icon(painter)

    plain = painted(icon).copy(92, 12, 16, 16)
    assert painted(turned).copy(92, 12, 16, 16) == (plain.flipped(Qt.Orientation.Horizontal) if turns else plain)


def test_the_buttons_of_a_chat_leave_its_name_alone(mirrored):
    header = mirrored.conversations.header
    buttons = (header.trust, header.take_over, header.steps, header.search, header.more)
    assert max(one.geometry().right() for one in buttons) < header.width() / 2
    assert leading_edge(header.trust) == header.width() - header.trust.geometry().right() - 1
    image = header.grab().toImage()
    between = QRect(header.trust.geometry().right() + 3, 6, 8, header.height() - 12)
    assert columns(image, between) == [], "the name ends before the first button"
    assert columns(image, QRect(header.width() - 60, 6, 50, header.height() - 12)), "the circle stands at the right"


def test_the_rail_stands_at_the_right(mirrored):
    window = mirrored.window
    assert window.toolBarArea(window.rail) is Qt.ToolBarArea.RightToolBarArea


@pytest.mark.parametrize("size", ["100", "150"])
def test_in_german_a_countdown_keeps_its_buttons_and_keys_in_the_dock(german, bare, size):
    bare.attach()
    bare.window.appearance.choose_text_size(size)
    counting = {"task_status": TaskStatus.APPROVED, "decided_by": Rule.COUNTDOWN_TRUST}
    bare.put_approval(approval(7, due_at=NOON + timedelta(seconds=47), **counting))
    bare.window.resize(1280, 720)
    bare.approvals.list.select(BIG + 7)
    bare.settle()
    bar = bare.approvals.list.buttons.bar
    shown = {action: one for action, one in bar.buttons.items() if one.isVisibleTo(bar)}
    assert {Action.APPROVE, Action.EDIT, Action.REJECT, Action.HOLD} <= shown.keys()
    assert all(one._shows_key and bar.rect().contains(one.geometry()) for one in shown.values() if one._key)
    assert all(one.text() or one.toolTip() for one in shown.values() if one._key)
    if size == "100":  # and in the conversation, whose drafts are as wide as messages
        bare.window.resize(1440, 900)
        bare.window.requests.send(ShowChat(bare.api.approvals[BIG + 7].chat_id))
        bare.settle()
        rows = [one for one in bare.window.findChildren(DraftButtons) if one.isVisible()]
        keyed = [button for row in rows for button in row.by_action.values() if button.isVisibleTo(row) and button._key]
        assert len(keyed) == 3 + 4 + 3
        assert all(one._shows_key and (one.text() or one.toolTip()) for one in keyed)
