"""The tree of agents and chats under the operator's hand: filter, menu, keys, and what it says when it is empty."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from chimein_gui.domain.chats import ChatKind, ChatSettings, QuietHours, TriggerMode, TrustLevel
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import MessageId
from chimein_gui.ui.dialogs.quiet_hours import QuietHoursDialog
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.panes.conversations.chats.looks import agent_look, chat_look
from chimein_gui.ui.panes.conversations.chats.menu import NIGHTS, open_agent_menu, open_chat_menu
from chimein_gui.ui.panes.conversations.chats.update_throttle import UpdateThrottle
from chimein_gui.ui.widgets.rows.clocked_rows import rows_in_sight
from chimein_gui.viewmodels.chats.show import Show
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat
from tests.support.on_screen import entries

Key = Qt.Key


@pytest.fixture
def crowd(make_desktop):
    desktop = make_desktop()
    api = desktop.api
    api.agents[1], api.agents[2] = agent(), agent(2, "Jonas Weidt")
    api.chats[1] = chat(1, "Marta Oliveira", pending=1)
    api.chats[2] = chat(2, "Tiago Reis", unread=3)
    api.chats[3] = chat(3, "Elif Kaya", 2)
    api.approvals[BIG + 1] = approval(1)
    desktop.attach()
    return desktop


def rows(desktop):
    """Return what is in sight: agents and chats by name."""
    tree = desktop.conversations.tree
    index, names = tree.model().index(0, 0), []
    while index.isValid():
        if not tree.isRowHidden(index.row(), index.parent()):
            names.append(index.data(0).split(",")[0])
        index = tree.indexBelow(index)
    return names


def test_the_rail_counts_what_nobody_answers_and_tells_its_age(crowd, qtbot):
    button = crowd.window.rail.buttons["conversations"]
    unanswered = chat(4, "Rim", unread=1, newest_in_id=MessageId(9), last_at=NOON - timedelta(minutes=3))
    crowd.put_chat(replace(unanswered, last_at=NOON - timedelta(seconds=50)))
    assert button.accessibleName() == "Chats", "most messages are planned within a minute"
    crowd.put_chat(unanswered)
    qtbot.waitUntil(lambda: button.accessibleName() == "Chats, 1 waiting, oldest 3 min")
    assert not button._is_old
    crowd.time += timedelta(hours=2)
    crowd.models.clock.ticked.emit()
    assert button.accessibleName() == "Chats, 1 waiting, oldest 2 h"
    assert button._is_old
    for other in ({"planning": True}, {"pending": 1}, {"last_out": True}, {"planned_up_to": MessageId(9)}):
        crowd.put_chat(replace(unanswered, **other))
        qtbot.waitUntil(lambda: button.accessibleName() == "Chats")
        crowd.put_chat(unanswered)
        qtbot.waitUntil(lambda: button.accessibleName() == "Chats, 1 waiting, oldest 2 h")


def test_buttons_filter_and_agents_without_such_chats_are_not_in_the_way(crowd):
    row = crowd.conversations.filter
    assert rows(crowd) == ["Nora Vale", "Marta Oliveira", "Tiago Reis", "Jonas Weidt", "Elif Kaya"]
    assert row.buttons[Show.NEEDS_YOU].accessibleName() == "Needs you 1"
    row.buttons[Show.UNREAD].click()
    assert rows(crowd) == ["Nora Vale", "Tiago Reis"]
    crowd.put_chat(replace(crowd.api.chats[3], unread=1, last_at=NOON))
    assert rows(crowd) == ["Nora Vale", "Tiago Reis", "Jonas Weidt", "Elif Kaya"]
    assert row.buttons[Show.UNREAD].accessibleName() == "Unread 2"
    row.buttons[Show.ALL].click()
    assert len(rows(crowd)) == 5


def test_a_name_is_looked_for_with_the_keyboard(crowd, qtbot):
    pane = crowd.conversations
    pane.filter.begin_search()
    assert pane.filter.field.hasFocus()
    qtbot.keyClicks(pane.filter.field, "kay")
    qtbot.waitUntil(lambda: rows(crowd) == ["Jonas Weidt", "Elif Kaya"])
    qtbot.keyClick(pane.filter.field, Key.Key_Return)
    assert pane.tree.hasFocus()
    pane.filter.begin_search()
    qtbot.keyClick(pane.filter.field, Key.Key_Escape)
    assert not pane.filter.field.isVisible()
    assert pane.tree.hasFocus()
    assert len(rows(crowd)) == 5
    pane.filter.begin_search()
    qtbot.keyClicks(pane.filter.field, "kay")
    qtbot.keyClick(pane.filter.field, Key.Key_Return)
    qtbot.keyClick(pane.tree, Key.Key_Escape)
    assert len(rows(crowd)) == 5


def test_a_chat_is_pinned_muted_and_marked_as_read_by_keys_and_menu(crowd, qtbot, popped):
    pane, chats, alt = crowd.conversations, crowd.models.chats, Qt.KeyboardModifier.AltModifier
    assert rows(crowd) == ["Nora Vale", "Marta Oliveira", "Tiago Reis", "Jonas Weidt", "Elif Kaya"]
    chat_id = next(one.chat_id for one in chats.all_chats() if one.info.title == "Tiago Reis")
    other = next(one.chat_id for one in chats.all_chats() if one.info.title == "Marta Oliveira")
    crowd.put_chat(replace(crowd.api.chats[other], unread=3, newest_in_id=9))
    pane.tree.select_chat(chat_id)
    for key in (Key.Key_P, Key.Key_M):
        qtbot.keyClick(pane.tree, key, alt)
    crowd.settle()
    chats.moves.arrange()
    assert rows(crowd)[:3] == ["Nora Vale", "Tiago Reis", "Marta Oliveira"]
    menu = open_chat_menu(crowd.conversations._context, chats.chat(other), pane.tree, pane.pos())
    next(one for one in menu.actions() if one.text() == "Mark as read").trigger()
    assert chats.chat(other).unread == 0
    crowd.put_chat(replace(crowd.api.chats[other], unread=4, newest_in_id=10))
    assert chats.chat(other).unread == 1
    assert chat_look(crowd.models, chats.chat(chat_id), selected=False, hovered=False).marks == ("bell-off", "pin")
    spoken = chats.index_of_chat(chat_id).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "pinned, muted" in spoken
    menu = open_chat_menu(crowd.conversations._context, chats.chat(chat_id), pane.tree, pane.pos())
    for words in ("Unpin", "Show notifications"):
        next(one for one in menu.actions() if one.text() == words).trigger()
    assert not chats.marks.pinned | chats.marks.muted


@pytest.mark.parametrize(
    ("show", "words", "title"),
    [
        (Show.ALL, "nobody", "No chats match"),
        (Show.UNREAD, "", "Nothing is unread"),
        (Show.NEEDS_YOU, "", "All caught up"),
    ],
)
def test_a_filter_that_finds_nothing_says_so_and_offers_the_way_back(crowd, show, words, title):
    for number in (1, 2):
        crowd.api.put_chat(replace(crowd.api.chats[number], pending=0, unread=0))
    crowd.settle()
    pane = crowd.conversations
    crowd.models.chats.ask(show, words)
    assert not pane.tree.isVisible()
    assert crowd.sees(title, pane)
    pane.filter.clear()
    assert pane.tree.isVisible()
    assert not crowd.sees(title, pane)
    assert len(rows(crowd)) == 5


def test_the_open_chat_and_what_was_closed_survive_a_filter(crowd):
    pane, told = crowd.conversations, list[object]()
    crowd.open_chat(2)
    pane.tree.chat_chosen.connect(told.append)
    pane.tree.collapse(crowd.models.chats.index(1, 0))
    crowd.models.chats.ask(Show.ALL, "tiago")
    assert pane.tree.currentIndex().data(0).startswith("Tiago Reis")
    crowd.models.chats.ask(Show.NEEDS_YOU, "")
    assert crowd.models.transcript.chat.chat_id == 2
    crowd.models.chats.ask(Show.ALL, "")
    assert pane.tree.currentIndex().data(0).startswith("Tiago Reis")
    assert told == []  # it was open all the time
    assert "Elif Kaya" not in rows(crowd)


def move_hand(tree):
    """Move the pointer over the second row."""
    place, none = QPointF(20, 70), Qt.MouseButton.NoButton
    move = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(tree.viewport(), move)


def test_a_new_chat_comes_in_when_the_hand_rests_and_shifts_no_row_under_it(crowd):
    tree = crowd.conversations.tree
    move_hand(tree)
    crowd.put_chat(chat(4, "Bartholomew", last_at=NOON))
    assert rows(crowd)[:3] == ["Nora Vale", "Marta Oliveira", "Tiago Reis"]
    crowd.models.chats.moves.set_still(False)
    assert rows(crowd)[:3] == ["Nora Vale", "Bartholomew", "Marta Oliveira"]
    crowd.window.hide()


def test_chats_change_places_without_a_layout_and_the_cursor_follows_its_chat(crowd, monkeypatch, qtbot):
    crowd.window.show()
    tree, laid_out, painted = crowd.conversations.tree, [], []
    assert rows(crowd)[:3] == ["Nora Vale", "Marta Oliveira", "Tiago Reis"]
    tree.select_chat(crowd.api.chats[1].chat_id)
    crowd.settle()
    mark, top = QPersistentModelIndex(tree.currentIndex()), tree.visualRect(tree.currentIndex()).top()
    lay_out, draw = UpdateThrottle.lay_out, RowPictures.draw

    def count(throttle, really):
        laid_out.append(really)
        lay_out(throttle, really)

    def note(pictures, painter, rect, look, *how, **more):
        painted.append(look)
        draw(pictures, painter, rect, look, *how, **more)

    monkeypatch.setattr(UpdateThrottle, "lay_out", count)
    monkeypatch.setattr(RowPictures, "draw", note)
    crowd.put_chat(replace(crowd.api.chats[2], last_at=NOON + timedelta(minutes=1)))
    crowd.models.chats.moves.arrange()
    crowd.settle()
    assert rows(crowd)[:3] == ["Nora Vale", "Tiago Reis", "Marta Oliveira"]
    assert tree.currentIndex().data().split(",")[0] == "Marta Oliveira"
    assert mark == tree.currentIndex() == tree.selectedIndexes()[0]
    assert tree.visualRect(tree.currentIndex()).top() > top
    qtbot.waitUntil(lambda: {"Marta Oliveira", "Tiago Reis"} <= {getattr(look, "title", "") for look in painted})
    assert "Elif Kaya" not in {getattr(look, "title", "") for look in painted}, "it stays where it is"
    assert laid_out == []
    crowd.put_chat(chat(4, "Rim", last_at=NOON + timedelta(minutes=2)))
    crowd.settle()
    assert rows(crowd)[1:4] == ["Rim", "Tiago Reis", "Marta Oliveira"]
    assert laid_out, "a row more is laid out"


def test_the_rows_in_sight_are_those_that_lie_there(crowd):
    tree = crowd.conversations.tree
    for number in range(10, 40):
        crowd.put_chat(chat(number, f"Partner {number}", number % 2 + 1))
    crowd.window.show()
    crowd.settle()
    tree.verticalScrollBar().setValue(75)
    index, lie_there = tree.model().index(0, 0), []
    while index.isValid():
        if tree.visualRect(index).intersects(tree.viewport().rect()):
            lie_there.append(index)
        index = tree.indexBelow(index)
    assert list(rows_in_sight(tree)) == lie_there
    assert 5 < len(lie_there) < 32


def test_a_new_chat_that_is_asked_for_is_there_at_once(crowd):
    move_hand(crowd.conversations.tree)
    crowd.put_chat(chat(4, "Bartholomew", last_at=NOON))
    crowd.open_chat(4)
    assert crowd.models.transcript.chat.chat_id == 4
    crowd.window.hide()


def test_a_right_click_opens_no_chat(crowd, qtbot):
    crowd.open_chat(1)
    tree = crowd.conversations.tree
    place = tree.visualRect(crowd.models.chats.index_of_chat(3)).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.RightButton, pos=place)
    crowd.settle()
    assert crowd.models.transcript.chat.chat_id == 1
    assert crowd.models.chats.item(tree.currentIndex()).chat_id == 1
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    crowd.settle()
    assert crowd.models.transcript.chat.chat_id == 3
    crowd.window.hide()


@pytest.mark.usefixtures("popped")
def test_no_row_moves_while_a_menu_is_open_and_its_own_row_is_marked(crowd, qtbot):
    tree = crowd.conversations.tree
    crowd.open_chat(1)
    tree._throttle._rest.setInterval(0)
    row = tree.visualRect(crowd.models.chats.index_of_chat(2))
    before = tree.grab(row).toImage()
    tree.customContextMenuRequested.emit(row.center())
    assert tree.grab(row).toImage() != before
    QApplication.sendEvent(tree.viewport(), QEvent(QEvent.Type.Leave))
    crowd.put_chat(replace(crowd.api.chats[2], last_at=NOON))
    QApplication.processEvents()
    assert rows(crowd)[1:3] == ["Marta Oliveira", "Tiago Reis"]
    tree.findChild(QMenu).aboutToHide.emit()
    qtbot.waitUntil(lambda: rows(crowd)[1:3] == ["Tiago Reis", "Marta Oliveira"])
    crowd.window.hide()


def chat_menu(desktop, number=1):
    pane = desktop.conversations
    known = desktop.models.chats.chat(number)
    return open_chat_menu(pane._context, known, pane, pane.mapToGlobal(pane.rect().center()))


@pytest.mark.usefixtures("popped")
def test_the_menu_of_a_chat_reaches_everything_that_is_set_for_it(crowd):
    api = crowd.api
    group = crowd.api.chats[3]
    api.put_chat(replace(group, info=replace(group.info, kind=ChatKind.GROUP)))
    crowd.settle()
    for words in ("Take over", "Hold this chat", "Every message", "Reply to bots", "22:00 to 07:00"):
        menu = chat_menu(crowd, 3)
        entries(menu)[words].trigger()
        menu.close()
        crowd.settle()
    settings = api.chats[3].settings
    assert api.chats[3].takeover_until is not None
    assert [(hold.scope, hold.target) for hold in api.holds.holds] == [(HoldScope.CHAT, 3)]
    assert settings.triggers is TriggerMode.EVERY
    assert settings.allow_bots
    assert settings.quiet_hours == NIGHTS[0]
    menu = chat_menu(crowd, 3)
    found = entries(menu)
    assert {"Resume the agent", "Release this chat", "Only when mentioned or replied to"} <= found.keys()
    assert found["22:00 to 07:00"].isChecked()
    assert found["Every message"].isChecked()
    found["Release this chat"].trigger()
    menu.close()
    crowd.settle()
    assert api.holds.holds == ()


@pytest.mark.usefixtures("popped")
def test_other_quiet_hours_are_asked_for(crowd):
    menu = chat_menu(crowd)
    entries(menu)["Other hours…"].trigger()
    menu.close()
    dialog = crowd.window.findChild(QuietHoursDialog)
    dialog.begins.setTime(dialog.begins.time().addSecs(1800))
    dialog.set.click()
    crowd.settle()
    hours = crowd.api.chats[1].settings.quiet_hours
    assert isinstance(hours, QuietHours)
    assert (hours.begins.hour, hours.begins.minute, hours.ends.hour) == (22, 30, 7)


@pytest.mark.usefixtures("popped")
def test_an_account_is_held_stopped_and_released_from_its_row(crowd):
    pane = crowd.conversations

    def press(words):
        menu = open_agent_menu(pane._context, crowd.models.chats.agent(2), pane, pane.mapToGlobal(pane.pos()))
        entries(menu)[words].trigger()
        menu.close()
        crowd.settle()

    press("Hold this account")
    assert [(hold.scope, hold.target) for hold in crowd.api.holds.holds] == [(HoldScope.ACCOUNT, BIG + 2)]
    look = agent_look(crowd.models, crowd.models.chats.agent(2), expanded=True, first=False, hovered=False)
    assert look.label.word == "Held by you"
    press("Release this account")
    assert crowd.api.holds.holds == ()
    press("Stop")
    assert crowd.api.stopped == [2]


@pytest.mark.usefixtures("popped")
def test_the_menu_key_opens_the_menu_of_the_row_of_the_cursor(crowd):
    crowd.open_chat(2)
    tree = crowd.conversations.tree
    tree.customContextMenuRequested.emit(tree.viewport().rect().bottomRight() * 2)
    menu = tree.findChild(QMenu)
    entries(menu)["Copy the name"].trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == "Tiago Reis"


def test_a_held_chat_says_so_in_place_of_its_trust(crowd):
    crowd.api.holds.put(Hold(HoldScope.CHAT, 1, "", NOON))
    crowd.settle()
    label = chat_look(crowd.models, crowd.models.chats.chat(1), selected=False, hovered=False).label
    assert label is not None
    assert (label.word, label.icon) == ("Held", "hand")


def test_a_row_says_its_trust_only_where_it_is_not_the_default_of_its_agent(crowd):
    def words(number):
        label = chat_look(crowd.models, crowd.models.chats.chat(number), selected=False, hovered=False).label
        return label.word if label is not None else None

    crowd.put_chat(replace(crowd.api.chats[2], trust=TrustLevel.AUTO, settings=ChatSettings(trust=TrustLevel.AUTO)))
    assert [words(number) for number in (1, 2, 3)] == [None, "Auto", None]
    nora = agent()
    for confirmed, expected in ((False, [None, "Auto"]), (True, ["Review", None])):
        crowd.put_agent(replace(nora, spec=replace(nora.spec, trust=TrustLevel.AUTO), trust_confirmed=confirmed))
        assert [words(number) for number in (1, 2)] == expected
    in_an_hour = ChatSettings(trust=TrustLevel.AUTO, trust_until=NOON + timedelta(hours=1))
    crowd.put_chat(replace(crowd.models.chats.chat(2), settings=in_an_hour))
    assert words(2) == "Auto 60 min"  # it ends: not what the others do


def test_return_leads_from_the_tree_to_the_draft_and_else_to_the_field(crowd):
    crowd.open_chat(1)
    crowd.press(crowd.conversations.tree, Key.Key_Return)
    bubble = crowd.conversations.drafts.bubbles()[0]
    assert bubble.isAncestorOf(crowd.window.focusWidget())
    crowd.open_chat(2)
    crowd.press(crowd.conversations.tree, Key.Key_Return)
    assert crowd.conversations.writer.agent.editor.field.hasFocus()
    crowd.window.hide()


def test_a_collapsed_agent_shows_what_waits_in_its_chats(crowd):
    look = {
        expanded: agent_look(crowd.models, crowd.models.chats.agent(1), expanded=expanded, first=True, hovered=False)
        for expanded in (True, False)
    }
    assert (look[True].pending, look[False].pending) == (0, 1)


def test_a_countdown_in_the_tree_goes_on_with_the_clock(crowd):
    crowd.put_chat(replace(crowd.api.chats[2], takeover_until=NOON + timedelta(seconds=30)))
    tree, updated = crowd.conversations.tree, list[object]()
    crowd.models.clock.ticked.emit()
    tree.update = lambda index: updated.append(index.data(0).split(",")[0])
    crowd.models.clock.ticked.emit()
    assert updated == []
    crowd.time += timedelta(seconds=30)
    crowd.models.clock.ticked.emit()
    assert "Tiago Reis" in updated


def test_a_live_run_begins_with_who_waits_longest(crowd):
    assert crowd.models.transcript.chat.chat_id == 2


def test_who_waits_longest_is_one_press_away(make_desktop, qtbot):
    crowd = make_desktop(is_sandbox=True)
    crowd.api.agents[1] = agent()
    crowd.api.chats[2], crowd.api.chats[3] = chat(2, "Tiago Reis", unread=3), chat(3, "Elif Kaya")
    crowd.attach(sandbox=True)
    crowd.put_chat(chat(4, "Inês", unread=1, last_at=NOON - timedelta(days=2)))
    empty = crowd.conversations._empty
    wanted = "Select a chat. 2 chats have unread messages."
    # The buttons of the earlier words are deleted in a later event.
    qtbot.waitUntil(lambda: empty.accessibleName() == wanted and len(empty.findChildren(QPushButton)) == 2)
    button = next(one for one in empty.findChildren(QPushButton) if one.text() == "Oldest unread")
    crowd.put_chat(replace(crowd.api.chats[3], last_text="news"))
    assert button in empty.findChildren(QPushButton)  # it does not go under the hand
    button.click()
    crowd.settle()
    assert crowd.models.transcript.chat.chat_id == 4
