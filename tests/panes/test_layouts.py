"""Where everything stands: remembered, named, moved by keyboard, and never off the screen or empty."""

import pytest
from PySide6.QtCore import QByteArray, QPoint, Qt
from PySide6.QtWidgets import QTabBar

from chimein_gui.domain.ids import ApprovalId, ChatId
from chimein_gui.ui.dialogs.ask_name import AskNameDialog
from chimein_gui.ui.requests import MaximizePane, SelectDraft, ShowChat, ShowDraft
from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
from tests.fakes.engine_api import BIG, approval, chat
from tests.support.bad_files import every_bad_file, no_file, spoil
from tests.support.transcript_room import many, shown

pytestmark = pytest.mark.with_panes()

RIGHT, LEFT = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.LeftDockWidgetArea


def test_one_pane_gets_all_the_room_and_gives_it_back(desktop):
    window = desktop.window
    width = window.docks["approvals"].width()
    window.requests.send(MaximizePane("approvals"))
    assert window.docks["approvals"].isVisible()
    assert window.docks["approvals"].width() > width * 2
    assert not window.panes["conversations"].isVisible()
    assert not window.docks["agents"].isVisible()
    window.requests.send(MaximizePane("approvals"))
    assert window.panes["conversations"].isVisible()
    assert window.docks["approvals"].width() == width


def test_the_key_maximises_the_pane_in_use(desktop):
    window = desktop.window
    assert window.action("maximise").shortcut().toString() == "Ctrl+Shift+M"
    window.show_pane("agents")
    window.action("maximise").trigger()
    assert window.dock_manager.maximizer.pane_id == "agents"
    window.action("maximise").trigger()
    assert window.dock_manager.maximizer.pane_id == ""
    window.show_pane("conversations")
    window.action("maximise").trigger()
    assert not any(dock.isVisible() for dock in window.docks.values())
    window.action("maximise").trigger()
    assert window.docks["agents"].isVisible() or window.docks["approvals"].isVisible()


def test_the_focus_is_where_it_was_once_the_room_is_given_back(desktop):
    window = desktop.window
    desktop.open_chat()
    field = desktop.conversations.writer.agent.editor.field
    field.setFocus()
    assert field.hasFocus()
    window.requests.send(MaximizePane("approvals"))
    assert not field.isVisible()
    window.requests.send(MaximizePane("approvals"))
    assert field.hasFocus()
    window.show_pane("approvals")
    window.action("maximise").trigger()
    desktop.approvals.list.setFocus()
    window.action("maximise").trigger()
    assert desktop.approvals.list.hasFocus()


def test_asking_for_another_pane_gives_the_room_back(desktop):
    window = desktop.window
    window.requests.send(MaximizePane("approvals"))
    window.requests.send(ShowChat(ChatId(1)))
    assert window.dock_manager.maximizer.pane_id == ""
    assert window.panes["conversations"].isVisible()


def test_a_layout_is_saved_applied_and_deleted_by_name(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    desktop = make_desktop(settings_path=path)
    window = desktop.window
    window.show_pane("agents")
    window.action("move_left").trigger()
    assert window.dockWidgetArea(window.docks["agents"]) is LEFT
    assert window.layouts.save_as("  Agents   at the left / 100 % ")
    window.layouts.apply("Everyday")
    assert window.dockWidgetArea(window.docks["agents"]) is RIGHT
    window.close()
    again = make_desktop(settings_path=path).window
    assert again.layouts.names() == ("Agents at the left / 100 %",)
    again.layouts.apply("Agents at the left / 100 %")
    assert again.dockWidgetArea(again.docks["agents"]) is LEFT
    again.layouts.delete("Agents at the left / 100 %")
    assert again.layouts.names() == ()


def test_our_names_and_too_many_are_refused(desktop):
    layouts = desktop.window.layouts
    assert not layouts.save_as("Everyday")
    assert not layouts.save_as("   ")
    assert all(layouts.save_as(f"Layout {place}") for place in range(20))
    assert not layouts.save_as("one too many")
    assert layouts.save_as("Layout 3")


def test_a_name_is_asked_for(desktop, qtbot):
    window = desktop.window
    window.lazy.layout_menu.ask_name()
    (dialog,) = window.findChildren(AskNameDialog)
    assert not dialog.keep.isEnabled()
    qtbot.keyClicks(dialog.field, "Everyday")
    dialog.keep.click()
    assert dialog.isVisible()
    dialog.field.setText("Mine")
    dialog.keep.click()
    assert window.layouts.names() == ("Mine",)
    desktop.models.toasts.detach()


@pytest.mark.qt_log_ignore("plugin does not support")  # a floating dock is a window of its own
def test_panes_move_by_keyboard(desktop):
    window = desktop.window
    window.show_pane("agents")
    window.action("move_left").trigger()
    assert window.dockWidgetArea(window.docks["agents"]) is LEFT
    assert window.docks["agents"].isAncestorOf(window.focusWidget())
    window.layouts.tab_with("approvals")
    assert window.docks["approvals"] in window.tabifiedDockWidgets(window.docks["agents"])
    window.action("float_pane").trigger()
    assert window.docks["agents"].isFloating()
    window.action("float_pane").trigger()
    assert not window.docks["agents"].isFloating()
    window.action("close_pane").trigger()
    assert not window.docks["agents"].isVisible()
    window.show_pane("agents")
    assert window.docks["agents"].isVisible()


def test_the_central_pane_stays_where_it_is(desktop):
    window = desktop.window
    window.show_pane("conversations")
    for command in ("move_left", "move_right", "move_down", "float_pane", "close_pane"):
        window.action(command).trigger()
    assert window.panes["conversations"].isVisible()
    window.lazy.layout_menu.fill()
    assert not window.action("move_left").isEnabled()


@pytest.mark.parametrize("state", [b"", b"nonsense", b"\x00\x00\x00\xff" * 40])
def test_a_broken_layout_leaves_the_window_whole(make_desktop, tmp_path, state):
    path = tmp_path / "window.ini"
    memory = LayoutMemory(path)
    for key in ("state", "geometry", "inside/conversations", "inside/approvals", "inside/agents"):
        memory.remember(key, QByteArray(state))
    for key in ("maximised", "scheme", "motion", "text_size", "layouts/names", "palette/recent"):
        memory.remember(key, "{nonsense")
    memory.write()
    window = make_desktop(settings_path=path, scheme=None).window
    assert window.panes["conversations"].isVisible()
    assert window.top_bar.isVisible()
    assert window.rail.isVisible()
    assert not window.docks["approvals"].isHidden()
    assert window.dock_manager.maximizer.pane_id == ""
    assert window.layouts.names() == ()


@every_bad_file
def test_whatever_stands_in_its_place_leaves_the_window_whole(make_desktop, tmp_path, kind):
    path = tmp_path / "window.ini"
    untouched = spoil(path, kind, b"[General]\nscheme=dark\ntext_size=150\nstate=@ByteArray(\\0\\0\\0)\n")
    window = make_desktop(settings_path=path).window
    assert window.panes["conversations"].isVisible()
    assert window.top_bar.isVisible()
    window.layouts.remember()
    assert kind not in no_file or kind == "a link to itself" or untouched()


def test_a_window_of_a_larger_screen_comes_into_sight(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    first = make_desktop(settings_path=path).window
    first.move(QPoint(9000, 7000))
    first.close()
    second = make_desktop(settings_path=path).window
    screen = second.screen().availableGeometry()
    assert screen.intersects(second.frameGeometry())
    assert screen.contains(second.geometry().topLeft())


def test_a_layout_that_hid_the_bars_does_not(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    first = make_desktop(settings_path=path).window
    first.top_bar.hide()
    first.rail.hide()
    first.close()
    second = make_desktop(settings_path=path).window
    assert second.top_bar.isVisible()
    assert second.rail.isVisible()


def test_the_pane_that_opens_a_request_is_raised_and_shows_it(desktop):
    window, second = desktop.window, ApprovalId(BIG + 2)
    window.show_pane("agents")
    window.requests.send(SelectDraft(second))
    assert not window.dock_manager.focus.in_sight("approvals"), "it is only put under the cursor"
    window.requests.send(ShowDraft(second))
    assert window.dock_manager.focus.in_sight("approvals")
    assert window.dock_manager.focus.last == "approvals"
    assert desktop.approvals.list.current().approval_id == second


@pytest.mark.qt_log_ignore("plugin does not support")  # a floating dock is a window of its own
def test_a_group_of_tabs_has_one_head_row_with_the_buttons_of_the_dock_in_front(desktop, qtbot):
    window = desktop.window
    front, behind = window.docks["approvals"], window.docks["agents"]
    front.raise_()
    qtbot.waitUntil(lambda: front.buttons.isVisible() and not behind.buttons.isVisible())
    assert front.buttons.geometry().bottom() <= front.geometry().top()
    assert front.buttons.geometry().right() == front.geometry().right()
    assert front.titleBarWidget().height() == 0
    desktop.put_fault("store", "The disk is full.", "Make room.")
    for size in ((1280, 720), (1400, 900)):  # in the same turn of the loop: no painting comes in between
        window.resize(*size)
        window.layout().activate()
        assert front.buttons.geometry().top() > window.fault_bar.geometry().bottom()
        assert front.buttons.geometry().right() == front.geometry().right() == window.width() - 1
    window.addDockWidget(LEFT, behind)
    qtbot.waitUntil(lambda: front.titleBarWidget().height() > 0)
    assert front.titleBarWidget().isAncestorOf(front.buttons)
    assert window.corner(Qt.Corner.BottomRightCorner) is Qt.DockWidgetArea.RightDockWidgetArea


def test_no_word_of_a_tab_is_cut_while_its_sides_have_room(sandbox, qtbot):
    for number in range(3, 12):
        sandbox.put_approval(approval(number))
    bar = next(one for one in sandbox.window.findChildren(QTabBar) if one.isVisible())
    assert bar.count() == 3
    qtbot.waitUntil(lambda: bar.tabText(0).endswith("11") and bar.sizeHint().width() <= bar.width())


def test_in_a_narrow_window_the_panes_at_the_right_lie_over_the_transcript(desktop, qtbot):
    window, overlay = desktop.window, desktop.window.dock_manager.overlay
    desktop.open_chat()
    transcript = window.panes["conversations"]
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: not window.docks["approvals"].isVisible())
    qtbot.waitUntil(lambda: transcript.width() > window.width() - window.rail.width() - 20)
    before = transcript.width()
    window.rail.buttons["approvals"].click()
    assert desktop.approvals.isVisible()
    assert overlay.geometry().left() > transcript.geometry().right() - overlay.width()  # it is on its way
    qtbot.waitUntil(lambda: overlay.geometry().right() == transcript.geometry().right())
    assert transcript.width() == before
    assert window.dock_manager.focus.here() == "approvals"
    desktop.press(desktop.approvals.focus_widget(), Qt.Key.Key_Escape)
    assert not overlay.isVisible()
    assert window.dock_manager.focus.last == "conversations"
    window.theme.set_reduced_motion(reduced=True)
    window.rail.buttons["agents"].click()
    assert overlay.geometry().right() == transcript.geometry().right()
    assert desktop.agents.isVisible()
    window.rail.buttons["agents"].click()
    assert not overlay.isVisible()
    window.requests.send(ShowDraft(ApprovalId(BIG + 1)))
    assert desktop.approvals.isVisible()
    window.requests.send(MaximizePane("approvals"))
    assert window.docks["approvals"].isAncestorOf(desktop.approvals)
    assert not transcript.isVisible()
    window.requests.send(MaximizePane("approvals"))
    qtbot.waitUntil(transcript.isVisible)
    window.requests.send(ShowChat(ChatId(1)))
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: window.docks["approvals"].isVisible() or window.docks["agents"].isVisible())
    assert window.docks["approvals"].isAncestorOf(desktop.approvals)


def test_a_narrow_window_remembers_the_docks_of_a_wide_one(make_desktop, tmp_path, qtbot):
    first = make_desktop(settings_path=tmp_path / "layout.ini")
    first.window.resize(1000, 700)
    first.window.layouts.remember()
    second = make_desktop(settings_path=tmp_path / "layout.ini")
    second.window.resize(1440, 900)
    qtbot.waitUntil(second.window.docks["approvals"].isVisible)


def in_sight(desktop):
    view = desktop.conversations.transcript
    index = view.indexAt(QPoint(view.width() // 2, 1))
    return view.model().row_at(index.row()).message.key.message_id, view.visualRect(index).top()


@pytest.mark.parametrize("whole", [True, False])
def test_the_chat_its_place_and_the_overlay_of_the_last_end_are_back(make_desktop, tmp_path, whole):
    path, messages = tmp_path / "window.ini", {one.key.message_id: one for one in many(300)}
    first = make_desktop(settings_path=path)
    first.furnish()
    first.api.messages[1] = messages
    first.attach()
    first.window.resize(1000, 700)
    first.open_chat()
    first.models.chats.marks.toggle_pinned(ChatId(1))
    first.window.show_pane("approvals")
    shown(first)
    first.conversations.transcript.show_message(200)
    shown(first)
    before = in_sight(first)
    first.window.close()
    again = make_desktop(settings_path=path, whole=whole)
    if not whole:
        again.window.fill()
    again.furnish()
    again.api.messages[1] = messages
    again.attach()
    shown(again)
    assert again.models.transcript.chat.chat_id == 1
    assert again.models.chats.marks.pinned == {1}
    assert in_sight(again) == before
    assert again.window.dock_manager.overlay.pane_id == "approvals"
    assert not again.approvals.isAncestorOf(again.window.focusWidget())


def test_another_chat_that_was_opened_first_stays_open(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    memory = LayoutMemory(path)
    memory.remember("place/conversations", '{"at": [2, 7, -20]}')
    memory.write()
    desktop = make_desktop(settings_path=path)
    desktop.furnish()
    desktop.attach()
    desktop.open_chat(1)
    desktop.api.put_chat(chat(2))
    desktop.settle()
    assert desktop.models.transcript.chat.chat_id == 1


@pytest.mark.parametrize("spoilt", ['{"at": [1, 7]}', "{", '["a"]', '{"at": [1, 99999, 0], "pinned": "all"}'])
def test_a_spoilt_place_is_passed_over(make_desktop, tmp_path, spoilt):
    path = tmp_path / "window.ini"
    memory = LayoutMemory(path)
    memory.remember("place/conversations", spoilt)
    memory.write()
    desktop = make_desktop(settings_path=path)
    desktop.furnish()
    desktop.attach()
    shown(desktop)
    assert desktop.models.toasts.current is None
