"""The Preferences pane with real keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.spending.caps import EVERYTHING, CapDay
from chimein_gui.engine.ports import SecretPlace, StoredSecret
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY
from chimein_gui.ui.dialogs.keys import KeyDialog
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.panes.preferences.pane import PreferencesPane
from chimein_gui.ui.requests import ShowCosts
from chimein_gui.ui.widgets.theme.theme import Scheme
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.preferences.keys import Key, KeyState

pytestmark = pytest.mark.with_panes("preferences")

GOOD = "good-key-of-the-operator-7Qf2"
HASH = "0123456789abcdef0123456789abcdef"


def opened(desktop):
    desktop.window.show_pane("preferences")
    desktop.settle()
    pane = desktop.window.panes["preferences"]
    assert isinstance(pane, PreferencesPane)
    return pane


@pytest.fixture
def pane(desktop):
    return opened(desktop)


def row(pane, name):
    """Return the row of a value, with its page in sight."""
    rows = ((section, row) for section in pane.sections.values() for row in section.rows if hasattr(row, "setting"))
    section, found = next((section, row) for section, row in rows if row.setting.name == name)
    pane.show_page(section.page)
    return found


def dialog_of(desktop, kind):
    desktop.settle()
    return next(one for one in desktop.window.findChildren(kind) if one.isVisible())


def test_it_stands_aside_until_it_is_asked_for_and_gives_its_room_back(desktop, qtbot):
    window = desktop.window
    assert not window.docks["preferences"].isVisible()
    assert window.action("show_preferences").shortcut() == QKeySequence("Ctrl+,")
    pane = opened(desktop)
    assert pane.isVisible()
    assert not window.docks["approvals"].isVisible()
    qtbot.keyClick(pane, Qt.Key.Key_Escape)
    assert not pane.isVisible()
    assert window.docks["approvals"].isVisible()
    opened(desktop)
    window.show_pane("approvals")
    assert not pane.isVisible()
    assert desktop.conversations.isVisible()


def test_a_number_is_typed_and_holds_with_return(desktop, pane, qtbot):
    field = row(pane, "undo_s").field
    seen, middle = field.grab().toImage(), field.height() // 2
    assert seen.pixelColor(0, middle) == seen.pixelColor(seen.width() - 1, middle), "half of its frame is covered"
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "8")
    row(pane, "undo_s").refresh()  # as whenever another preference changes
    assert field.cleanText() == "8"
    assert desktop.api.preferences.undo_s == 5
    desktop.strike(field, Qt.Key.Key_Return)
    assert desktop.api.preferences.undo_s == 8
    assert row(pane, "undo_s").reset.isVisible()
    assert row(pane, "undo_s").reset.text() == "Reset to 5 s"
    assert desktop.sees("Changed from default: 1", pane)
    assert pane._changed.text() == row(pane, "undo_s").title
    assert not row(pane, "countdown_s").reset.isVisible()
    assert not desktop.sees("Default", pane)


def test_one_page_is_in_sight_and_all_of_them_where_none_can_be_marked(desktop, pane):
    for page in Page:
        pane.pages.setCurrentIndex(pane.pages.model().index(list(Page).index(page), 0))
        assert [shown for shown, section in pane.sections.items() if section.isVisible()] == [page]
    pane.resize(500, 700)
    assert all(section.isVisibleTo(pane) for section in pane.sections.values())


@pytest.mark.parametrize("where", ["the pages", "the field"])
def test_ctrl_z_takes_the_last_change_back(desktop, pane, where):
    field = row(pane, "undo_s").field
    field.setFocus()
    desktop.strike(field, Qt.Key.Key_Up)
    assert desktop.api.preferences.undo_s == 6
    target = field if where == "the field" else pane.pages
    target.setFocus()
    desktop.strike(target, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desktop.api.preferences.undo_s == 5
    assert field.value() == 5
    assert not pane.undo.isEnabled()


def test_a_page_is_reset_whole_and_a_toast_takes_that_back(desktop, pane):
    row(pane, "chat_cap").field.setValue(7)
    row(pane, "account_cap").field.setValue(9)
    row(pane, "takeover_s").field.setValue(45)
    desktop.settle()
    limits = pane.sections[Page.LIMITS]
    pane.show_page(Page.LIMITS)
    assert limits.reset.accessibleName() == "Reset page Limits and caps"
    limits.reset.setFocus()
    desktop.click(limits.reset)
    assert desktop.api.preferences == Preferences(takeover_s=2700)
    assert not limits.reset.isVisible()
    assert limits.isAncestorOf(desktop.window.focusWidget())
    assert desktop.models.toasts.current.text == "Limits and caps: reset to defaults"
    desktop.models.toasts.act()
    desktop.settle()
    assert desktop.api.preferences == Preferences(takeover_s=2700, chat_cap=7, account_cap=9)
    assert limits.reset.isVisible()
    assert [page for page, one in pane.sections.items() if one.reset.isVisibleTo(one)] == [Page.LIMITS, Page.APPROVALS]


def test_a_page_of_which_a_search_hides_rows_is_not_reset(desktop, pane):
    row(pane, "chat_cap").field.setValue(7)
    desktop.settle()
    pane.search.setText("one account")
    assert not pane.sections[Page.LIMITS].reset.isVisible()
    pane.search.setText("limits")
    assert pane.sections[Page.LIMITS].reset.isVisible()


def test_a_refused_value_says_why_at_its_field(desktop, pane, qtbot):
    model = row(pane, "model")
    model.field.lineEdit().setFocus()
    model.field.lineEdit().selectAll()
    qtbot.keyClicks(model.field.lineEdit(), "nonsense")
    desktop.strike(model.field.lineEdit(), Qt.Key.Key_Return)
    assert desktop.sees("There is no model “nonsense”; see the list.", model)
    assert not desktop.sees("There is no model “nonsense”; see the list.", row(pane, "history_limit"))


def test_the_wheel_scrolls_the_page_and_changes_nothing(desktop, pane):
    field = row(pane, "undo_s").field
    pane.pages.setFocus()
    middle = QPointF(field.rect().center())
    event = QWheelEvent(
        middle, field.mapToGlobal(middle), QPoint(0, 0), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(field, event)
    desktop.settle()
    assert desktop.api.preferences.undo_s == 5


def test_the_search_leaves_what_matches(desktop, pane, qtbot):
    pane.search.setFocus()
    qtbot.keyClicks(pane.search, "typing")
    desktop.settle()
    shown = {name for section in pane.sections.values() for one in section.rows if one.isVisible() for name in [one.setting.name]}  # fmt: skip # noqa: E501
    assert shown == {"typing_base_s", "typing_s_per_60", "typing_max_s"}
    assert [page for page, section in pane.sections.items() if section.isVisible()] == [Page.APPROVALS]
    assert pane.pages.page() is Page.APPROVALS
    qtbot.keyClicks(pane.search, " of the moon")
    assert desktop.sees("No matching settings", pane)
    qtbot.keyClick(pane.search, Qt.Key.Key_Escape)
    assert [page for page, section in pane.sections.items() if section.isVisible()] == [Page.APPROVALS]


@pytest.mark.with_panes("preferences", "costs")
def test_the_page_of_limits_leads_to_the_caps_on_money(desktop, pane, qtbot):
    asked: list[object] = []
    desktop.window.requests.sent.connect(asked.append)
    pane.show_page(Page.LIMITS)
    assert desktop.sees("Caps on money a day, for everything, an agent or a chat, are set in Costs.", pane)
    assert desktop.sees("Today: $0.00, no daily cap", pane)
    desktop.api.costs.put_cap(CapDay(EVERYTHING, 3.0, spent_usd=0.84))
    desktop.settle()
    assert desktop.sees("Today for everything: $0.84 of $3.00", pane)
    desktop.button("Daily cap…", pane).click()
    assert asked == [ShowCosts(EVERYTHING)]
    desktop.window.show_pane("preferences")
    qtbot.keyClicks(pane.search, "money")
    desktop.settle()
    assert [page for page, section in pane.sections.items() if section.isVisible()] == [Page.LIMITS]
    assert desktop.sees("Caps on money", pane)
    pane.search.setText("typing")
    desktop.settle()
    assert not desktop.sees("Caps on money", pane)


def test_looks_are_chosen_here_and_in_the_menu_alike(desktop, pane):
    pane.show_page(Page.LOOK)
    colours = pane.sections[Page.LOOK].looks[0]
    desktop.window.action("colours_dark").trigger()
    assert colours.choice.current() == 2
    desktop.click(desktop.button("Light", colours))
    assert desktop.window.theme.scheme is Scheme.LIGHT
    assert desktop.window.action("colours_light").isChecked()
    desktop.models.preferences_model.undo()
    assert desktop.window.theme.tokens.dark
    keys = pane.sections[Page.LOOK].looks[4]
    desktop.click(desktop.button("Off", keys))
    assert not desktop.models.single_keys.enabled


def test_keys_are_never_in_sight(desktop, pane):
    desktop.api.keys.secrets[MODEL_KEY] = StoredSecret(GOOD, SecretPlace.KEYCHAIN)
    desktop.api.keys.secrets[API_ID] = StoredSecret("20914377", SecretPlace.ENVIRONMENT)
    desktop.api.keys.secrets[API_HASH] = StoredSecret(HASH, SecretPlace.ENVIRONMENT)
    desktop.models.keys.refresh()
    card = pane.keys.cards[Key.MODEL]
    assert desktop.sees("•••• 7Qf2 · keychain", card)
    said = [text for one in pane.findChildren(QWidget) for text in (one.accessibleName(), one.accessibleDescription(), one.toolTip())]  # fmt: skip # noqa: E501
    assert not any(
        secret in text for text in (*said, *hand.words_in_sight(pane)) for secret in (GOOD, HASH, "20914377")
    )
    desktop.click(card.test)
    assert card.chip.accessibleName() == "Works"
    application = pane.keys.cards[Key.APPLICATION]
    assert not application.replace.isEnabled()
    assert application.replace.accessibleDescription() == "Set by an environment variable. Change it there"


def test_a_key_is_replaced_in_a_dialog_and_removed_after_a_question(desktop, pane, qtbot):
    qtbot.mouseClick(pane.keys.cards[Key.MODEL].replace, Qt.MouseButton.LeftButton)
    dialog = dialog_of(desktop, KeyDialog)
    assert not dialog.keep.isEnabled()
    qtbot.keyClicks(dialog.form.field.line, "short")
    assert desktop.sees("This key looks too short: 5 characters.", dialog)
    dialog.form.field.line.clear()
    qtbot.keyClicks(dialog.form.field.line, GOOD)
    desktop.click(dialog.form.check)
    assert desktop.sees("The key works with 3 models.", dialog)
    desktop.click(dialog.keep)
    assert desktop.models.keys.row(Key.MODEL).state is KeyState.STORED
    assert not any(one.isVisible() for one in desktop.window.findChildren(KeyDialog))
    qtbot.mouseClick(pane.keys.cards[Key.MODEL].remove, Qt.MouseButton.LeftButton)
    question = dialog_of(desktop, QuestionDialog)
    desktop.click(question.action)
    assert desktop.api.keys.secrets == {}


def test_a_connection_to_postgresql_is_kept_without_showing_its_end(desktop, pane, qtbot):
    card = pane.keys.cards[Key.POSTGRES]
    desktop.click(card.replace)
    dialog = dialog_of(desktop, KeyDialog)
    qtbot.keyClicks(dialog.form.field.line, "host=db password=s3cret99")
    assert desktop.sees("It looks like postgresql://user:password@host/database, without spaces.", dialog)
    assert not dialog.keep.isEnabled()
    dialog.form.field.line.clear()
    qtbot.keyClicks(dialog.form.field.line, "postgresql://me@db/x?password=s3cret99")
    desktop.click(dialog.keep)
    assert desktop.api.keys.secrets["memory-postgres"].value.endswith("s3cret99")
    assert desktop.sees("•••• · keychain", card)
    assert not any("t99" in words for words in hand.words_in_sight(pane))
    desktop.click(card.remove)
    desktop.click(dialog_of(desktop, QuestionDialog).action)
    assert desktop.api.keys.secrets == {}


def test_what_finds_memories_is_chosen_with_its_price(desktop, pane):
    choice, folder = (
        next(row for row in pane.sections[Page.MODELS].rows if row.setting.name == name)
        for name in ("memory_embedding", "memory_model_dir")
    )
    pane.show_page(Page.MODELS)
    assert choice.price.text() == "costs nothing"
    desktop.click(desktop.button("Gemini", choice))
    assert desktop.models.preferences_model.current.memory_embedding == "gemini"
    assert choice.price.text() == "$0.15 a million tokens"
    folder.path.setText("/models/bge")
    folder.path.editingFinished.emit()
    desktop.settle()
    assert desktop.models.preferences_model.current.memory_model_dir == "/models/bge"


def test_a_place_that_is_no_keychain_is_warned_of_in_words(desktop, pane):
    desktop.api.keys.where = SecretPlace.FILE
    desktop.api.keys.place_said = Note(KeyReason.IN_FILE, "/state/secrets.toml")
    desktop.models.keys.refresh()
    assert desktop.sees("No system keychain found", pane.keys)
    assert desktop.sees(
        "Secrets are kept in the file /state/secrets.toml, unencrypted: only you can read it.", pane.keys
    )


def test_every_field_says_what_it_is_and_what_it_does(pane):
    for section in pane.sections.values():
        for one in section.rows:
            field = getattr(one, "field", None)
            if field is not None:
                assert field.accessibleName()
                assert "Default: " in field.accessibleDescription()


def test_a_toast_covers_nothing_at_the_foot_of_the_pages(desktop, pane):
    desktop.window.models.toasts.show("Rejected for Marta Oliveira", "Undo", lambda: None)
    desktop.settle()
    toast, foot = desktop.window.toast, pane._foot
    assert toast.isVisible()
    place = QRect(foot.mapTo(desktop.window, QPoint()), foot.size())
    assert not place.isEmpty()
    assert not toast.geometry().intersects(place)
    assert desktop.window.rect().contains(toast.geometry())
