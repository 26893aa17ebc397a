"""One undo, one countdown: every place tells the same time, at the same speed, in the same colour."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QColor

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.ui.panes.approvals.card.words import labels_of
from chimein_gui.ui.panes.conversations.chats.looks import chat_look
from chimein_gui.viewmodels.approvals.queue import CardSort
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat

SHORT = Preferences(typing_base_s=1.2, typing_s_per_60=0)


@pytest.fixture
def leaving(make_desktop):
    """A window with one send that leaves in 5 s, seen in its chat and in the list."""

    def make(decided_by="operator", left_s=5.0):
        desktop = make_desktop()
        desktop.furnish()
        desktop.api.chats[1] = chat(pending=0)
        del desktop.api.approvals[BIG + 2]
        desktop.api.approvals[BIG + 1] = approval(
            1,
            "It opened again.",
            state=ApprovalState.APPROVED,
            task_status=TaskStatus.APPROVED,
            decided_by=decided_by,
            decided_at=NOON,
            due_at=NOON + timedelta(seconds=left_s),
        )
        desktop.attach()
        desktop.models.preferences_model.current = SHORT
        desktop.open_chat()
        return desktop

    return make


def pass_time(desktop, seconds):
    desktop.time = NOON + timedelta(seconds=seconds)
    desktop.models.approvals.send_status._steps.timeout.emit()
    desktop.settle()


def shares(desktop):
    """Return the lengths of the bars, in the chat, in the list and on the card."""
    card = desktop.approvals.card
    card.show_card(desktop.approvals.list.current())
    list_bar = painted_bar(desktop)
    return desktop.conversations.drafts.bubbles()[0].bar.share, list_bar, card.header._bar


def painted_bar(desktop):
    """Measure the bar on the card of the list, from its end to the gap before it: the words there have its colour."""
    view, theme = desktop.approvals.list, desktop.window.theme
    image = view.viewport().grab(view.visualRect(view.currentIndex())).toImage()
    full, empty = (QColor(theme.color(name)).rgb() for name in ("attention", "track"))
    rows = [[image.pixel(x, y) for x in range(image.width())] for y in range(image.height())]
    row = max(rows, key=lambda row: row.count(full) + row.count(empty))
    ground = QColor(theme.color("card")).rgb()
    while row[-1] not in (full, empty):
        row.pop()
    bar = row[len(row) - row[::-1].index(ground) :] if ground in row else row
    return 1 - bar.count(empty) / len(bar)


def words(desktop):
    """Return what becomes of it, in the chat, in the list, and in the row of the chat."""
    models, item = desktop.models, desktop.approvals.list.current()
    send_status = models.approvals.send_status
    row = chat_look(models, desktop.api.chats[1], selected=False, hovered=False).news
    assert row is not None
    label = labels_of(item, send_status.words(item), send_status.hold_reason_of(item))[0]
    return [desktop.conversations.drafts.bubbles()[0]._status_words.text(), label.word, row.word], (
        label.token,
        row.token,
    )


@pytest.mark.parametrize("seconds", [0, 0.9, 2.45, 3.5])
def test_the_bars_are_as_long_as_each_other_at_every_moment(leaving, seconds):
    desktop = leaving()
    pass_time(desktop, seconds)
    in_chat, in_list, on_card = shares(desktop)
    assert in_chat == on_card == pytest.approx((5 - seconds) / 5)
    assert in_list == pytest.approx(in_chat, abs=0.02)


def test_the_words_turn_with_the_second_not_with_the_clock_of_the_window(leaving):
    desktop = leaving()
    for seconds, said in ((0.9, "Sends in 5 s"), (2.45, "Sends in 3 s"), (3.5, "Sends in 2 s")):
        pass_time(desktop, seconds)
        told, tokens = words(desktop)
        assert told == [said] * 3
        assert tokens == ("attention", "attention")
        assert "Sends in" not in desktop.approvals.list.buttons.accessibleName()  # a name is not told every second


def test_the_last_part_is_typed_and_everybody_says_so(leaving):
    desktop = leaving()
    pass_time(desktop, 3.9)
    assert words(desktop)[0] == ["Typing, sends in 2 s"] * 3
    desktop.put_agent(replace(agent(), health=Health.CONNECTING))
    pass_time(desktop, 4.0)
    assert words(desktop)[0] == ["Sends in 1 s"] * 3


def test_until_a_card_is_chosen_the_most_urgent_one_is_current(leaving):
    desktop = leaving(Rule.COUNTDOWN_TRUST, 30)
    view = desktop.approvals.list
    desktop.conversations.setFocus()
    later: dict[str, Any] = {"state": ApprovalState.APPROVED, "task_status": TaskStatus.APPROVED, "decided_at": NOON}
    for number, seconds, current in ((5, 12, 5), (6, 20, 5), (7, 5, 7)):
        due_at = NOON + timedelta(seconds=seconds)
        desktop.put_approval(approval(number, decided_by=Rule.COUNTDOWN_TRUST, due_at=due_at, **later))
        assert view.current().approval_id == BIG + current
    view.selectionModel().select(  # as a screen reader chooses
        view.model().index(view.model().row_of(BIG + 6), 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    desktop.put_approval(approval(8, decided_by=Rule.COUNTDOWN_TRUST, due_at=NOON + timedelta(seconds=3), **later))
    assert view.current().approval_id == BIG + 6


def test_a_countdown_is_amber_stands_first_and_is_counted(leaving):
    desktop = leaving(Rule.COUNTDOWN_TRUST, 30)
    for number in (3, 4):
        desktop.api.put_approval(approval(number, created_at=NOON - timedelta(minutes=number)))
    later: dict[str, Any] = {"state": ApprovalState.APPROVED, "task_status": TaskStatus.APPROVED, "decided_at": NOON}
    desktop.put_approval(approval(5, decided_by=Rule.COUNTDOWN_TRUST, due_at=NOON + timedelta(seconds=12), **later))
    for sort in (CardSort.OLDEST, CardSort.NEWEST):
        desktop.of_approvals.queue.arrange(sort_by=sort)
        assert [one.approval_id - BIG for one in desktop.of_approvals.queue.items()][:2] == [5, 1]
    desktop.approvals.list.select(BIG + 1)
    told, tokens = words(desktop)
    assert told[1] == "Sends in 0:30"
    assert tokens == ("attention", "attention")
    assert desktop.models.approvals.waiting_count == 4
    assert "4 waiting" in desktop.window.top_bar.queue.accessibleName()
