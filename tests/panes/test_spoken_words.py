"""What a screen reader hears: names, whole sentences, words in the operator's language, and roles that last."""

import gc
import re
from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from chimein_gui.domain.agents import AccountEvent, Health
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import TriggerMode, TrustLevel
from chimein_gui.domain.holds import Backlog, BacklogItem
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog
from chimein_gui.ui.panes.approvals.card.plan_chain import PlanChain
from chimein_gui.ui.requests import MaximizePane
from chimein_gui.ui.widgets.controls.spoken_role import (
    SpokenGuest,
    SpokenHost,
    speak_as_alert,
    speak_as_place,
    speak_as_words,
)
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat

pytestmark = pytest.mark.whole_window


class Loud(QTranslator):
    """A language in capitals: what is still in small letters was never translated."""

    def translate(self, _context, source, _disambiguation=None, _n=-1):
        return "".join(piece if piece.startswith("{") else piece.upper() for piece in re.split(r"(\{.*?\})", source))


@pytest.fixture
def loud(qapp, make_desktop):
    translator = Loud()
    qapp.installTranslator(translator)
    desktop = make_desktop()
    desktop.api.agents[1] = agent()
    desktop.api.chats[1] = chat(1, "Marta", pending=1)
    desktop.api.approvals[BIG + 1] = approval(1, "Text")
    desktop.attach()
    desktop.open_chat()
    yield desktop
    qapp.removeTranslator(translator)


def heard(window):
    """Return all that a screen reader can be told in a window."""
    for widget in (window, *window.findChildren(QWidget)):
        yield widget.accessibleName()
        yield widget.accessibleDescription()
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from rows_of(widget.model())


def rows_of(model, parent=None):
    for row in range(model.rowCount() if parent is None else model.rowCount(parent)):
        index = model.index(row, 0) if parent is None else model.index(row, 0, parent)
        yield str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")
        yield from rows_of(model, index)


def raw_in(desktop, kind):
    """Return where stored values of an enum are heard."""
    desktop.settle()
    QApplication.sendPostedEvents()
    values = "|".join(re.escape(member.value) for member in kind if member is not TaskKind.FILE)  # a word of its own
    return {text for text in heard(desktop.window) if re.search(rf"\b({values})\b", text)}


CHANGES = {
    Health: lambda it, health: it.put_agent(agent(health=health, next_try_at=NOON + timedelta(seconds=30))),
    AccountEvent: lambda it, event: it.put_agent(agent(last_event=event, last_event_at=NOON)),
    TrustLevel: lambda it, level: it.put_chat(with_settings(trust=level)),
    TriggerMode: lambda it, mode: it.put_chat(with_settings(triggers=mode)),
    TaskStatus: lambda it, status: it.put_approval(approval(1, "Text", task_status=status)),
    TaskKind: lambda it, kind: it.put_approval(approval(1, "Text", kind=kind)),
}


def with_settings(**changes):
    known = chat(1, "Marta", pending=1)
    return replace(known, settings=replace(known.settings, **changes))


@pytest.mark.parametrize("kind", CHANGES)
def test_no_stored_value_is_heard_of_accounts_chats_and_cards(loud, kind):
    for value in kind:
        CHANGES[kind](loud.api, value)
        assert raw_in(loud, kind) == set()


def test_why_a_card_asks(loud, qtbot, subtests):
    for reason in AskReason:
        item = approval(1, "Text", reasons=(reason,))
        loud.api.put_approval(item)
        loud.api.holds.backlog = Backlog((), (BacklogItem(item, ticked=False),))
        loud.models.holds.hold()
        loud.models.holds.release()
        loud.settle()
        qtbot.waitUntil(lambda: any(one.isVisible() for one in loud.window.findChildren(BacklogDialog)))
        (dialog,) = (one for one in loud.window.findChildren(BacklogDialog) if one.isVisible())
        shown = [line.why.text() for part in dialog.accounts for line in part._lines.values()]
        with subtests.test(reason.value):
            assert shown
            assert raw_in(loud, AskReason) == set()
            assert not any(re.search("[a-z]", words.replace("Marta Oliveira", "")) for words in shown)
        dialog.later.click()
        loud.settle()


def test_the_steps_of_a_plan(loud):
    item = approval(1, "Text", graph_id=7)
    for kind, status in product(TaskKind, TaskStatus):
        other = approval(2, "Text", graph_id=7, kind=kind, task_status=status)
        loud.api.approvals[other.approval_id] = other
        chain = PlanChain(loud.conversations._context)
        chain.show_card(item, loud.api.cards._details(item), "FATE")
        assert any(not node.here and node.title == chain.nodes[-1].title for node in chain.nodes)
        assert not re.search("[a-z]", chain.accessibleName()), chain.accessibleName()
        chain.deleteLater()


ROLES = {
    speak_as_alert: QAccessible.Role.Notification,
    speak_as_words: QAccessible.Role.StaticText,
    speak_as_place: QAccessible.Role.Pane,
}


@pytest.fixture
def listening(qapp):
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def churn() -> list[bytearray]:
    """Collect, and use the memory of whatever went for something else."""
    gc.collect()
    return [bytearray(256) for _ in range(2_000)]


@pytest.mark.usefixtures("listening")
def test_what_python_made_for_a_screen_reader_outlives_every_collection(qtbot):
    whole = QWidget()
    qtbot.addWidget(whole)
    column = QHBoxLayout(whole)
    widgets = []
    for number, speak in enumerate(list(ROLES) * 20):
        widget = QWidget()
        speak(widget)
        widget.setAccessibleName(f"number {number}")
        column.addWidget(widget)
        widgets.append((widget, ROLES[speak], f"number {number}"))
    for _ in range(20):
        churn()
        for widget, role, name in widgets:
            interface = QAccessible.queryAccessibleInterface(widget)
            assert (interface.role(), interface.text(QAccessible.Text.Name)) == (role, name)
            assert interface.object() is widget


@pytest.mark.usefixtures("listening")
def test_a_host_tells_its_guests_after_every_collection(qtbot):
    host = SpokenHost()
    qtbot.addWidget(host)
    guests = [SpokenGuest() for _ in range(5)]
    for guest in guests:
        guest.setParent(host)
        host.take_in(guest)
    host.show()
    for _ in range(20):
        churn()
        interface = QAccessible.queryAccessibleInterface(host)
        assert interface.childCount() >= len(guests)
        for guest in guests:
            assert QAccessible.queryAccessibleInterface(guest).parent().object() is host


@pytest.fixture
def reading(desktop):
    QAccessible.setActive(True)
    desktop.open_chat()
    yield desktop
    QAccessible.setActive(False)


def test_every_control_has_a_name(reading):
    window = reading.window
    for kind in (QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit):
        for widget in window.findChildren(kind):
            if widget.isVisible() and not widget.objectName().startswith("qt_"):
                said = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
                assert said, widget


@pytest.mark.parametrize(
    ("pane", "words"),
    [
        ("approvals", "Nora Vale to Marta Oliveira, Waits for you, First draft, waits for 1 min"),
        ("agents", "Nora Vale, Online, Idle, +9996600001"),
    ],
)
def test_rows_are_whole_sentences(reading, pane, words):
    reading.window.show_pane(pane)
    view = reading.window.panes[pane].list
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.childCount() >= 1
    assert view.model().index(0, 0).data(11) == words


def test_messages_are_read_with_author_time_and_ticks(reading):
    model = reading.models.transcript
    assert model.rows.index(0, 0).data(11) == "Nora Vale: you up at five?, Today, 13:30, sent"
    assert model.rows.index(1, 0).data(11) == "Marta Oliveira: haha yes, 14:00, in reply to you up at five?"


def under(interface):
    yield interface
    for number in range(interface.childCount()):
        yield from under(interface.child(number))


def test_where_rows_are_shown_there_are_no_actions_on_cards(reading):
    reading.window.show_pane("approvals")
    reading.window.requests.send(MaximizePane("approvals"))
    reading.settle()
    whole = QAccessible.queryAccessibleInterface(reading.window)
    assert reading.approvals.list.buttons not in [one.object() for one in under(whole) if not one.state().invisible]
