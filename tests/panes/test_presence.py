"""Outside the window: the tray by its actions, notifications as they are handed out, the window fetched and hidden."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from chimein_gui.domain.agents import Health
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.shell.notifications.badge import SIZES, badged_icon, words_of
from chimein_gui.ui.shell.notifications.presence import Presence
from chimein_gui.ui.widgets.theme.theme import Scheme, Theme
from chimein_gui.viewmodels.preferences.catalogue import Page
from tests.fakes.engine_api import BIG, agent, approval, chat, run_now

pytestmark = pytest.mark.qt_log_ignore("plugin does not support raise")


class Service:
    """A notification service that is there, or not, and keeps what it is given."""

    def __init__(self, *, is_there=True):
        self.is_there, self.shown, self.closed = is_there, [], []

    async def run(self, found, pressed):
        self.pressed = pressed
        found(self.is_there)

    def show(self, notification):
        self.shown.append(notification)

    def close(self, key):
        self.closed.append(key)


class Outside(Presence):
    """With a service of the test's."""

    def __init__(self, window, **how):
        super().__init__(window, **how)
        self.service = Service()


@pytest.fixture
def outside(desktop):
    desktop.window.activateWindow()
    made = Outside(desktop.window, has_tray=lambda: True)
    made.attach(made.service, run_now)
    desktop.settle()
    return made


def prefer(desktop, **values):
    desktop.models.preferences_model.current = replace(Preferences(), **values)


def leave(desktop, qtbot):
    """Let the operator look elsewhere."""
    desktop.window.hide()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is None, timeout=10_000)


def tell(desktop, number=7, **changes):
    desktop.put_approval(approval(number, **changes))
    desktop.models.notifications.gather()


def test_a_notification_is_tamed_and_offers_open_and_hold(desktop, outside, qtbot):
    leave(desktop, qtbot)
    tell(desktop, text="<img src=x>\u202eevil", chat_title="Eve\u202e\nRoot")
    (shown,) = outside.service.shown
    assert shown.title == "Nora Vale: a message to Eve Root waits"
    assert "\u202e" not in shown.body
    assert [name for name, _ in shown.actions] == ["default", "open", "hold"]
    assert not shown.has_sound


def test_open_brings_the_window_with_chat_and_card(desktop, outside, qtbot):
    desktop.put_chat(chat(2, title="Ben"))
    leave(desktop, qtbot)
    tell(desktop, chat_id=ChatId(2))
    outside.service.pressed("waiting", "open", "token-7")
    desktop.settle()
    assert desktop.window.isVisible()
    assert desktop.models.transcript.chat.chat_id == 2
    assert desktop.approvals.list.current().approval_id == BIG + 7
    assert os.environ.pop("XDG_ACTIVATION_TOKEN") == "token-7"


def test_open_shows_the_account_in_trouble(desktop, outside, qtbot):
    leave(desktop, qtbot)
    desktop.put_agent(agent(health=Health.REVOKED))
    desktop.models.bars.gather()
    desktop.models.notifications.gather()
    outside.service.pressed("account", "default", "")
    desktop.settle()
    assert desktop.window.dock_manager.focus.last == "agents"


def test_hold_holds_everything_and_leaves_the_window_where_it_is(desktop, outside, qtbot):
    leave(desktop, qtbot)
    tell(desktop)
    outside.service.pressed("waiting", "hold", "")
    desktop.settle()
    assert desktop.models.holds.everything() is not None
    assert desktop.window.isHidden()


def test_what_can_be_seen_is_not_told_and_what_was_told_goes_when_the_operator_comes(desktop, outside, qtbot):
    desktop.open_chat()
    qtbot.waitUntil(desktop.window.isActiveWindow, timeout=10_000)
    tell(desktop)
    assert outside.service.shown == []
    leave(desktop, qtbot)
    tell(desktop, 8)
    assert len(outside.service.shown) == 1
    outside.bring_to_front()
    # The offscreen platform activates no window twice.
    QApplication.sendEvent(desktop.window, QEvent(QEvent.Type.WindowActivate))
    assert outside.service.closed == ["waiting"]


def test_a_draft_of_another_chat_out_of_sight_is_told_though_the_window_is_in_use(desktop, outside, qtbot):
    qtbot.waitUntil(desktop.window.isActiveWindow, timeout=10_000)
    desktop.window.docks["approvals"].hide()
    tell(desktop, chat_id=ChatId(2))
    assert len(outside.service.shown) == 1


def test_a_sound_is_made_where_it_is_wanted(desktop, outside, qtbot):
    prefer(desktop, notify_sound=True)
    leave(desktop, qtbot)
    tell(desktop)
    assert outside.service.shown[0].has_sound


def test_without_a_service_the_tray_tells_and_its_message_opens(desktop, qtbot, monkeypatch):
    presence = Presence(desktop.window, has_tray=lambda: True)
    told = []
    monkeypatch.setattr(presence.tray, "can_tell", lambda: True)
    monkeypatch.setattr(presence.tray, "tell", lambda *words: told.append(words))
    presence.attach(Service(is_there=False), run_now)
    desktop.settle()
    assert desktop.models.notifications.has_service
    leave(desktop, qtbot)
    tell(desktop)
    assert told == [("Nora Vale: a message to Marta Oliveira waits", "It opened again on 2 November.")]
    presence.tray.icon.messageClicked.emit()
    assert desktop.window.isVisible()


@pytest.mark.whole_window
def test_where_nothing_can_tell_preferences_say_so(desktop):
    desktop.window.show_pane("preferences")
    pane = desktop.window.panes["preferences"]
    section = pane.sections[Page.NOTIFICATIONS]
    assert section.nobody.isHidden()
    Presence(desktop.window).attach(None, run_now)
    assert not section.nobody.isHidden()
    assert section.nobody.text() == "No notification service found"


@pytest.mark.whole_window
def test_switches_and_times_are_set_in_preferences(desktop):
    desktop.window.show_pane("preferences")
    pane = desktop.window.panes["preferences"]
    pane.show_page(Page.NOTIFICATIONS)
    rows = {row.setting.name: row for row in pane.sections[Page.NOTIFICATIONS].rows}
    desktop.click(desktop.button("Off", rows["notify_text"]))
    desktop.click(desktop.button("On", rows["keep_in_tray"]))
    field = rows["notify_quiet_from"].time
    field.setTime(field.time().addSecs(22 * 3600 + 1800))
    field.editingFinished.emit()
    desktop.settle()
    wanted = Preferences(notify_text=False, keep_in_tray=True, notify_quiet_from="22:30")
    assert desktop.api.preferences == wanted
    desktop.click(rows["keep_in_tray"].reset)
    assert desktop.api.preferences == replace(wanted, keep_in_tray=False)


def test_the_tray_says_how_much_waits_and_is_drawn_anew_only_then(desktop, outside):
    tray = outside.tray
    assert tray.icon.toolTip() == "Chimein: 2 messages wait."
    drawn = tray.icon.icon().cacheKey()
    desktop.put_approval(approval(1, "Another text", version=2))
    assert tray.icon.icon().cacheKey() == drawn
    desktop.put_approval(approval(1, task_status=TaskStatus.CANCELLED))
    assert tray.icon.toolTip() == "Chimein: 1 message waits."
    assert tray.icon.icon().cacheKey() != drawn
    desktop.put_approval(approval(2, task_status=TaskStatus.CANCELLED))
    assert tray.icon.toolTip() == "Chimein: Nothing to approve."


def test_the_tray_holds_releases_opens_and_quits(desktop, outside, qtbot):
    tray = outside.tray
    assert [action.text() for action in tray.menu.actions() if action.text()] == ["Hold everything", "Open", "Quit"]
    tray.hold.trigger()
    desktop.settle()
    assert tray.hold.text() == "Release…"
    assert tray.icon.toolTip().endswith("Everything is held.")
    desktop.window.hide()
    tray.hold.trigger()
    desktop.settle()
    assert desktop.models.holds.everything() is None
    assert desktop.window.isVisible(), "a release opens its review"
    desktop.window.hide()
    tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert desktop.window.isVisible()
    prefer(desktop, keep_in_tray=True)
    with qtbot.waitSignal(desktop.window.close_guard.requested):
        tray.quit.trigger()


@pytest.mark.parametrize("scheme", list(Scheme))
def test_the_badge_differs_by_number_and_scheme(qapp, scheme):
    theme = Theme(scheme)
    pictures = [badged_icon(theme, number).pixmap(32, 32).toImage() for number in (0, 3, 44, 500)]
    assert all(one != other for place, one in enumerate(pictures) for other in pictures[:place])
    amber = theme.color("attention").rgba()
    found = [badged_icon(theme, 3).pixmap(size, size).toImage() for size in SIZES]
    assert all(any(one.pixel(x, round(one.height() * 0.7)) == amber for x in range(one.width())) for one in found)
    assert words_of(500) == "99+"


@pytest.mark.parametrize(
    ("keeps", "has_tray", "hides"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_closing_hides_only_where_that_is_wanted_and_the_window_can_be_fetched(desktop, qtbot, keeps, has_tray, hides):
    Presence(desktop.window, has_tray=lambda: has_tray)
    prefer(desktop, keep_in_tray=keeps)
    asked = []
    desktop.window.close_guard.requested.connect(lambda: asked.append(1))
    desktop.window.close()
    assert (desktop.window.isHidden(), asked) == ((True, []) if hides else (False, [1]))
    desktop.window.action("quit").trigger()
    assert len(asked) == (1 if hides else 2)


def test_hidden_without_a_tray_is_minimised_and_said_once(make_desktop, qtbot):
    desktop = make_desktop(show=False)
    presence = Presence(desktop.window, has_tray=lambda: False)
    presence.start_hidden()
    assert desktop.window.isMinimized()
    assert desktop.models.toasts.current is None
    presence.bring_to_front()
    toasts = desktop.models.toasts
    qtbot.waitUntil(lambda: toasts.current is not None, timeout=10_000)
    assert toasts.current.text == "No system tray found, so Chimein started minimised"
    desktop.models.toasts.detach()
    presence.start_hidden()
    presence.bring_to_front()
    qtbot.waitUntil(desktop.window.isActiveWindow, timeout=10_000)
    assert desktop.models.toasts.current is None


def test_hidden_with_a_tray_shows_no_window(make_desktop):
    desktop = make_desktop(show=False)
    Presence(desktop.window, has_tray=lambda: True).start_hidden()
    assert desktop.window.isHidden()


def test_the_first_countdown_of_an_hour_flashes_the_window(desktop, outside, qtbot, monkeypatch):
    alerted = list[object]()
    monkeypatch.setattr("chimein_gui.ui.shell.notifications.presence.QApplication.alert", alerted.append)
    leave(desktop, qtbot)
    due = desktop.time + timedelta(minutes=1)
    tell(desktop, task_status=TaskStatus.APPROVED, decided_by="countdown trust", decided_at=desktop.time, due_at=due)
    assert alerted == [desktop.window]
