"""The window of a transcript: pages both ways, jumps, albums, quotes from outside, the unread line, hidden steps."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chimein_gui.domain import events as ev
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import ChatId, GraphId, MessageId, Revision, TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.plans.graphs import TaskGraph
from chimein_gui.domain.plans.hidden_steps import HiddenKind, HiddenStep
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.transcript.list import FIRST_ROWS, PAGE_ROWS, WINDOW_ROWS
from chimein_gui.viewmodels.transcript.rows import Parent, StepRow
from chimein_gui.viewmodels.transcript.words import row_sentence
from tests.fakes.engine_api import NOON, chat, message


def fill(room, count, **changes):
    room.api.messages[1] = {
        number: message(number, f"m{number}", minutes_ago=(count - number) / 60, **changes)
        for number in range(1, count + 1)
    }


def open_chat(room, **changes):
    room.api.chats[1] = chat(**changes)
    room.attach()
    room.models.transcript.open(room.api.chats[1], "Nora Vale")
    room.settle()
    return room.models.transcript


def ids(model):
    return [one.key.message_id for row in range(model.rows.rowCount()) for one in model.rows.row_at(row).messages]


def heard(signal):
    found = list[Any]()
    signal.connect(found.append)
    return found


def test_a_jump_brings_a_message_far_away_and_pages_lead_both_ways_to_both_ends(room, qtmodeltester):
    fill(room, 1000)
    model = open_chat(room)
    jumped = heard(model.jumped)
    model.jump_to(MessageId(400))
    assert jumped == []
    room.settle()
    assert jumped == [400]
    assert not model.rows.at_newest
    assert ids(model) == list(range(ids(model)[0], ids(model)[-1] + 1))
    assert ids(model)[0] < 400 < ids(model)[-1] < 500
    for _ in range(60):
        model.load_newer()
        room.settle()
        assert model.rows.rowCount() <= WINDOW_ROWS
    assert model.rows.at_newest
    assert ids(model) == list(range(1001 - WINDOW_ROWS, 1001))
    for _ in range(60):
        model.load_older()
        room.settle()
        assert model.rows.rowCount() <= WINDOW_ROWS
    assert ids(model) == list(range(1, WINDOW_ROWS + 1))
    assert not model.rows.at_newest
    qtmodeltester.check(model.rows)
    model.load_newest()
    room.settle()
    assert ids(model) == list(range(1001 - FIRST_ROWS, 1001))


def test_a_jump_to_what_is_not_stored_leaves_the_window_as_it_is(room):
    fill(room, 200)
    model = open_chat(room)
    before, missed = ids(model), heard(model.missed)
    model.jump_to(MessageId(7777))
    room.settle()
    assert missed == [7777]
    assert ids(model) == before
    room.put_message(1, message(201, "still alive"))
    assert ids(model)[-1] == 201


def test_what_happens_while_a_page_is_on_its_way_is_not_lost(room):
    fill(room, 200)
    model = open_chat(room)
    model.load_older()
    edited = ids(model)[0] - 1
    room.put_message(1, replace(room.api.messages[1][edited], text="better", edited_at=NOON))
    assert model.rows.message(edited).text == "better"


def test_after_a_failed_page_one_can_ask_again(room, monkeypatch):
    fill(room, 200)
    model = open_chat(room)
    fine = room.api.transcripts.before

    async def broken(*_args, **_named):
        raise StoreError(Note(FaultReason.SYSTEM, "The disk is gone"))

    monkeypatch.setattr(room.api.transcripts, "before", broken)
    failed = heard(model.failed)
    model.load_older()
    room.settle()
    assert failed == ["The disk is gone."]
    monkeypatch.setattr(room.api.transcripts, "before", fine)
    model.load_older()
    room.settle()
    assert model.rows.rowCount() == FIRST_ROWS + PAGE_ROWS


def test_new_messages_are_told_also_while_the_window_is_elsewhere(room):
    fill(room, 500)
    model = open_chat(room)
    arrived = heard(model.arrived)
    model.jump_to(MessageId(20))
    room.settle()
    shown = ids(model)
    room.api.put_message(1, message(501, "new"))
    room.api.put_message(1, replace(room.api.messages[1][400], text="old news", edited_at=NOON))
    room.put_message(1, message(502, "newer"))
    assert [one.key.message_id for one in arrived] == [501, 502]
    assert ids(model) == shown


def test_an_album_is_one_row_however_its_messages_come(room):
    fill(room, FIRST_ROWS + 30)
    total = FIRST_ROWS + 30
    for number in (total - FIRST_ROWS, total - FIRST_ROWS + 1, total - FIRST_ROWS + 2):  # cut by the page's border
        old = room.api.messages[1][number]
        room.api.messages[1][number] = replace(old, grouped_id=5, media_kind="photo")
    model = open_chat(room)
    assert len(model.rows.row_at(0).album) == 2
    model.load_older()
    room.settle()
    row = model.rows.row_of(total - FIRST_ROWS)
    assert row == model.rows.row_of(total - FIRST_ROWS + 2)
    assert len(model.rows.row_at(row).album) == 3
    rows = model.rows.rowCount()
    for number in (total + 1, total + 2, total + 3):
        room.api.put_message(1, message(number, "", grouped_id=9, media_kind="photo"))
    room.settle()
    assert model.rows.rowCount() == rows + 1
    assert [one.key.message_id for one in model.rows.row_at(rows).album] == [total + 1, total + 2, total + 3]
    room.put_message(1, message(total + 2, "", grouped_id=9, media_kind="photo", deleted=True))
    assert model.rows.rowCount() == rows + 1
    assert model.rows.row_at(rows).album[1].deleted
    assert "Album of 3" in model.rows.index(rows, 0).data()


def test_a_quoted_message_outside_of_the_window_is_fetched_once_and_followed(room, monkeypatch):
    fill(room, 300)
    room.api.messages[1][299] = message(299, "answer", reply_to_id=3)
    room.api.messages[1][300] = message(300, "answer too", reply_to_id=3)
    room.api.messages[1][298] = message(298, "to nobody", reply_to_id=100_000)
    asked = []
    fetch = room.api.transcripts.messages

    async def counted(chat_id, wanted):
        asked.append(tuple(wanted))
        return await fetch(chat_id, wanted)

    monkeypatch.setattr(room.api.transcripts, "messages", counted)
    model = open_chat(room)
    assert asked == [(3, 100_000)]
    last = model.rows.row_at(model.rows.rowCount() - 1)
    assert (last.reply_to.text, last.parent) == ("m3", Parent.FOUND)
    gone = model.rows.row_at(model.rows.rowCount() - 3)
    assert (gone.reply_to, gone.parent) == (None, Parent.GONE)
    assert "in reply to a deleted message" in model.rows.index(model.rows.rowCount() - 3, 0).data()
    room.put_message(1, replace(message(3, "m3 better"), edited_at=NOON))
    assert model.rows.row_at(model.rows.rowCount() - 1).reply_to.text == "m3 better"
    room.put_message(1, message(301, "again", reply_to_id=3))
    assert asked == [(3, 100_000)]
    assert model.rows.message(MessageId(3)).text == "m3 better"


def test_the_unread_line_stands_until_the_chat_is_left(room):
    fill(room, 30)
    model = open_chat(room, unread=4, read_up_to=MessageId(26))
    lines = {
        ids(model)[row]: model.rows.row_at(row).unread
        for row in range(model.rows.rowCount())
        if model.rows.row_at(row).unread
    }
    assert lines == {27: True}
    assert "unread from here on" in model.rows.index(model.rows.row_of(27), 0).data()
    service = replace(model.rows.row_at(model.rows.row_of(27)), message=replace(message(27, ""), is_service=True))
    assert row_sentence(service).endswith("unread from here on")
    room.api.put_message(1, message(31, "more"))
    room.put_chat(replace(room.api.chats[1], unread=0, read_up_to=MessageId(31)))
    assert model.rows.row_at(model.rows.row_of(27)).unread
    room.api.chats[2] = chat(2, "Other")
    model.open(room.api.chats[2], "Nora Vale")
    room.settle()
    model.open(room.api.chats[1], "Nora Vale")
    room.settle()
    assert not any(model.rows.row_at(row).unread for row in range(model.rows.rowCount()))


def test_the_unread_line_stands_above_what_others_wrote_and_only_once(room):
    fill(room, 12)
    for own in (9, 11):  # one's own are never unread
        room.api.messages[1][own] = message(own, "mine", out=True)
    model = open_chat(room, unread=2, read_up_to=MessageId(8))
    lines = {
        ids(model)[row]: model.rows.row_at(row).unread
        for row in range(model.rows.rowCount())
        if model.rows.row_at(row).unread
    }
    assert lines == {10: True}


def step(after, text="Marta climbs", **changes):
    remembered, done = HiddenKind.REMEMBERED, TaskStatus.DONE
    return HiddenStep(TaskId(after), GraphId(1), remembered, done, text, NOON, MessageId(after), **changes)


def test_hidden_steps_stand_between_the_messages_when_shown(room, qtmodeltester):
    fill(room, 5)
    room.api.transcripts.hidden[1] = (step(2), step(4, "likes plums"))
    model = open_chat(room)
    assert model.rows.rowCount() == 5
    model.set_steps_shown(True)
    room.settle()
    kinds = [isinstance(model.rows.row_at(row), StepRow) for row in range(model.rows.rowCount())]
    assert kinds == [False, False, True, False, False, True, False]
    assert model.rows.index(2, 0).data() == f"remembered “Marta climbs”, {room.models.clock.clock(NOON)}"
    assert model.rows.row_of(3) == 3
    assert model.rows.message(MessageId(5)).text == "m5"
    qtmodeltester.check(model.rows)
    room.api.transcripts.hidden[1] = (step(2), step(5, "came later"))
    graph = TaskGraph(GraphId(1), ChatId(1), NOON, (), (), ())
    room.api.publish(ev.TaskGraphReplaced(graph, Revision(room.api.revision + 5)))
    room.settle()
    room.settle()
    kinds = [isinstance(model.rows.row_at(row), StepRow) for row in range(model.rows.rowCount())]
    assert kinds == [False, False, True, False, False, False, True]
    model.set_steps_shown(False)
    assert ids(model) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("secrets", [False, True])
def test_what_is_opened_stays_so_until_the_chat_is_left(room, secrets):
    fill(room, 3)
    model = open_chat(room)
    before = model.rows.row_at(1)
    model.rows.reveal(1, secrets=secrets, whole=not secrets)
    after = model.rows.row_at(1)
    assert after is not before
    assert (after.opened.secrets, after.opened.whole) == (secrets, not secrets)
    room.put_message(1, replace(room.api.messages[1][2], text="better", edited_at=NOON + timedelta(1)))
    assert model.rows.row_at(1).opened == after.opened
