"""What a screen reader is told of the parts of a window: words can be read, choices and menus say what they are."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QSplitterHandle, QWidget

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.ui.dialogs.message_details import MessageDetails
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.panes.approvals.card.last_messages import MessageLine
from chimein_gui.ui.panes.approvals.card.section import Section
from chimein_gui.ui.requests import MaximizePane
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.preferences.catalogue import Page
from tests.e2e.screen_reader import Role, Thing, things
from tests.fakes.engine_api import NOON, approval

pytestmark = [pytest.mark.whole_window, pytest.mark.qt_log_ignore("plugin does not support")]


@pytest.fixture
def reading(desktop):
    QAccessible.setActive(True)
    desktop.open_chat()
    desktop.api.put_approval(approval(1, "See you at the boathouse at nine."))
    desktop.settle()
    yield desktop
    if (menu := QApplication.activePopupWidget()) is not None:
        menu.close()
    QAccessible.setActive(False)


WORDS = {Role.StaticText, Role.Graphic}
MANY = 10


def told(reading) -> list[Thing]:
    return list(things(QAccessible.queryAccessibleInterface(reading.window)))


def of(widget: QWidget):
    return QAccessible.queryAccessibleInterface(widget)


def named(reading, role: Role, beginning: str) -> Thing:
    return next(one for one in told(reading) if one.role is role and one.name.startswith(beginning))


def test_nothing_with_words_is_told_as_a_mere_area(reading):
    reading.window.requests.send(MaximizePane("approvals"))
    reading.settle()
    assert [one.name for one in told(reading) if one.role is Role.Client and one.name] == []


def test_the_wide_card_can_be_read(reading, qtbot):
    reading.window.requests.send(MaximizePane("approvals"))
    reading.approvals.list.setCurrentIndex(reading.approvals.list.model().index(0, 0))
    card = reading.approvals.card

    def is_read():
        reading.settle()
        return reading.models.card.details is not None and bool(card.chain.nodes)

    qtbot.waitUntil(is_read)  # they are read again a moment after the chat has changed
    assert of(card.header).role() is Role.StaticText
    assert of(card.preview).role() is Role.StaticText
    assert of(card.preview).text(QAccessible.Text.Name) == "See you at the boathouse at nine."
    assert of(card.chain).role() is Role.StaticText
    assert {of(line).role() for line in card.findChildren(MessageLine) if line.isVisible()} <= {Role.StaticText}
    assert {of(part).role() for part in card.findChildren(Section) if part.isVisible()} == {Role.Grouping}
    said = of(card.body).text(QAccessible.Text.Description)
    assert "Nora Vale to Marta Oliveira" in said
    assert "See you at the boathouse at nine." in said
    assert card.why.reasons
    assert card.why.reasons in said


def test_a_draft_in_the_conversation_can_be_read(reading):
    draft = named(reading, Role.Grouping, "Planned, not sent")
    words = [one.name for one in things(draft.node) if one.role is Role.StaticText]
    assert "See you at the boathouse at nine." in words


def test_the_menu_of_trust_is_in_the_tree_with_a_name_and_the_level_in_force(reading):
    trust = named(reading, Role.Button, "Trust: ")
    assert trust.node.state().hasPopup
    trust.node.actionInterface().doAction("Press")
    [menu] = [one for one in told(reading) if one.role is Role.PopupMenu]
    assert menu.name == "Trust of Marta Oliveira"
    opened = menu.node.object()
    assert isinstance(opened, QMenu)
    assert opened.activeAction() is next(one for one in opened.actions() if one.isChecked())
    assert {one.actionGroup().isExclusive() for one in opened.actions()} == {True}
    [item] = [one for one in things(menu.node) if one.name.startswith("Observe")]
    item.node.actionInterface().doAction("Press")
    reading.settle()
    assert reading.api.chat_settings.calls[-1] == (1, TrustLevel.OBSERVE, None)
    assert not [one for one in told(reading) if one.role is Role.PopupMenu]


def test_buttons_with_a_menu_say_so(reading):
    told_of = {one.name: bool(one.node.state().hasPopup) for one in told(reading) if one.role is Role.Button}
    beginnings = ("Trust: ", "More about this chat", "More: ", "Order: ", "Menu", "Inspect", "Tools")
    assert {name for name, opens in told_of.items() if name.startswith(beginnings) and not opens} == set()
    assert {one for one in beginnings if not any(name.startswith(one) for name in told_of)} == set()
    assert not told_of["Take over"]


def test_exclusive_choices_are_radio_buttons_in_a_named_group(reading):
    group = named(reading, Role.Grouping, "Which chats")
    choices = [one for one in things(group.node) if one.role is Role.RadioButton]
    assert [one.name.split(" ")[0] for one in choices] == ["All", "Needs", "Unread"]
    assert [one.checked for one in choices] == [True, False, False]


def test_the_rail_tells_which_pane_is_in_use(reading):
    reading.window.show_pane("approvals")
    reading.approvals.list.setFocus(Qt.FocusReason.TabFocusReason)
    reading.settle()
    tabs = [one for one in things(of(reading.window.rail)) if one.role is Role.PageTab]
    assert [one.name.split(",")[0] for one in tabs if one.node.state().selected] == ["Approvals"]


def test_a_rejection_says_what_it_asks_and_what_its_field_is_for(reading):
    reading.approvals.list.setFocus()
    reading.approvals.list.press("R")
    reading.settle()
    asks = QApplication.focusWidget()
    assert asks is not None
    assert asks.accessibleName() == "Reject, no reason"
    assert plain(asks.accessibleDescription()) == "Reject, Nora Vale to Marta Oliveira"
    assert (
        plain(reading.approvals.editor.fields.field.accessibleName()) == "Reason, optional, Nora Vale to Marta Oliveira"
    )


def test_the_row_of_a_card_tells_its_age_and_a_trust_that_is_not_the_usual_one(reading):
    model, known = reading.approvals.list.model(), reading.api.chats[1]
    assert "trust" not in model.index(0, 0).data(11)
    reading.put_chat(replace(known, trust=TrustLevel.AUTO))
    reading.api.put_approval(approval(1, "Later", created_at=NOON - timedelta(minutes=20), version=2))
    reading.settle()
    said = model.index(0, 0).data(11)
    assert "trust Auto" in said
    assert "waits for " in said


def test_no_area_is_told_as_something_that_it_is_not(reading):
    roles = {one.role for one in told(reading)}
    assert Role.LayeredPane not in roles
    assert {of(one).role() for one in reading.window.findChildren(QSplitterHandle)} == {Role.Separator}
    assert [one.name for one in told(reading) if one.role is Role.StatusBar] == ["Status"]


def test_what_stands_above_the_chats_is_called_so_and_not_by_a_number(reading):
    heads = of(reading.conversations.tree).child(0)
    assert (heads.role(), heads.text(QAccessible.Text.Name)) == (Role.ColumnHeader, "Chats")


def unclean(told_of: Iterable[Thing]) -> list[str]:
    kinds = QAccessible.Text.Name, QAccessible.Text.Description
    texts = (one.node.text(kind) for one in told_of for kind in kinds)
    return [text for text in texts if plain(text) != text]


def test_no_name_has_invisible_marks(reading):
    reading.window.requests.send(MaximizePane("approvals"))
    reading.approvals.list.setFocus()
    reading.approvals.list.press("E")
    reading.settle()
    names = [one.name for one in told(reading)]
    assert "Your text, Nora Vale to Marta Oliveira" in names
    assert unclean(told(reading)) == []


def test_no_pane_tells_invisible_marks_or_labels_without_a_word(reading):
    found: dict[str, tuple[list[str], list[str]]] = {}
    for pane_id in reading.window.docks:
        reading.window.show_pane(pane_id)
        reading.settle()
        told_of = told(reading)
        empty = [str(one.node.object()) for one in told_of if one.role in WORDS and not one.name]
        found[pane_id] = unclean(told_of), empty
    assert len(found) > MANY
    assert {pane_id: bad for pane_id, bad in found.items() if bad != ([], [])} == {}


def test_no_dialog_tells_invisible_marks(reading):
    window, name = reading.window, foreign_text.isolated("Nora Vale")
    context, row = reading.conversations._context, reading.models.transcript.rows.row_at(0)
    question = QuestionDialog(window.theme, f"Log {name} out?", f"{name} is logged out.", f"Stop {name}", window)
    details = MessageDetails(context, reading.models.transcript.chat.chat_id, row, window)
    for dialog in (question, details):
        dialog.open()
        told_of = list(things(of(dialog)))
        assert any("Nora Vale" in one.name for one in told_of)
        assert unclean(told_of) == []
        dialog.close()


def test_of_the_preferences_only_the_page_that_is_shown_is_told(reading):
    reading.window.show_pane("preferences")
    reading.settle()
    pane = reading.window.panes["preferences"]
    pages = {one.node.object() for one in things(of(pane)) if one.role is Role.Grouping} & {*pane.sections.values()}
    assert pages == {pane.sections[Page.KEYS]}
    pane.show_page(Page.LOOK)
    pages = {one.node.object() for one in things(of(pane)) if one.role is Role.Grouping} & {*pane.sections.values()}
    assert pages == {pane.sections[Page.LOOK]}


def test_that_nothing_waits_is_said_once(make_desktop):
    desktop = make_desktop()
    desktop.furnish()
    desktop.api.approvals.clear()
    desktop.attach()
    QAccessible.setActive(True)
    desktop.window.show_pane("approvals")
    desktop.settle()
    focus = desktop.approvals.focus_widget()
    said = [one.name for one in things(of(focus)) if one.name]
    QAccessible.setActive(False)
    assert said[0] == "All caught up. Planned messages appear here before they are sent."
    assert [one for one in said[1:] if one in said[0]] == []


def test_a_reason_of_a_moment_is_not_told_while_a_button_has_the_focus(qtbot):
    page, theme = QWidget(), Theme()
    row = QHBoxLayout(page)
    button, other = ActionButton(theme, "Approve", key="A"), ActionButton(theme, "Edit")
    row.addWidget(button)
    row.addWidget(other)
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    button.allow("Saving your decision…")
    assert other.hasFocus()
    assert button.accessibleDescription() == "Key A"
    qtbot.waitUntil(lambda: button.accessibleDescription() == "Saving your decision…")
    button.allow()
    assert button.accessibleDescription() == "Key A"
    button.setFocus()
    button.setAccessibleDescription("A moment")
    assert button.accessibleDescription() == "Key A"
    other.setFocus()
    qtbot.waitUntil(lambda: button.accessibleDescription() == "A moment")


def plain(words: str) -> str:
    return words.translate(dict.fromkeys(range(0x2066, 0x206A)))
