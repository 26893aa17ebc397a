"""The holds in the window's models, and what new events do to its rows."""

from collections.abc import Coroutine
from dataclasses import replace
from datetime import timedelta
from typing import Any

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import Health
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import ChatId, GraphId, Revision, TaskId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.send_status import HoldReason
from chimein_gui.viewmodels.core.bridge import coalescing_key
from tests.fakes.engine_api import BIG, NOON, agent, approval, run_now


def test_brakes_of_the_last_run_are_known_at_the_start(room):
    room.api.holds.holds = (Hold(HoldScope.ACCOUNT, BIG + 1, "", NOON),)
    room.attach()
    assert room.models.holds.everything() is None
    assert room.models.holds.over(BIG + 1, 1) is not None
    assert room.models.holds.over(BIG + 2, 2) is None


def test_an_approved_card_says_that_it_is_held(room):
    item = approval(task_status=TaskStatus.APPROVED, due_at=NOON + timedelta(seconds=9), decided_at=NOON)
    room.api.approvals[item.approval_id] = item
    room.attach()
    model = room.models.approvals
    assert model.status_words_of(item) == "Sends in 9 s"
    room.models.holds.hold()
    room.settle()
    assert model.status_words_of(item) == "Approved, held"
    room.models.holds.release()
    room.settle()
    assert model.status_words_of(model.find(item.approval_id)) == "Waits for you", "a release sends nothing"


def test_a_second_press_on_the_same_backlog_is_the_same_press(room):
    room.attach()
    asked: list[Coroutine[Any, Any, None]] = []

    def keep(job: Coroutine[Any, Any, None], *, name: str) -> None:
        asked.append(job)

    item = approval()
    room.models.holds.attach(room.api, keep)
    run_now(asked.pop(), name="the holds, loaded again")
    room.models.holds.confirm(item.account_id, (item,))
    room.models.holds.confirm(item.account_id, (item,))
    (first,) = asked
    run_now(first, name="the first press")
    room.settle()
    room.models.holds.confirm(item.account_id, (item,))  # the first has its answer: this is another press
    run_now(asked[1], name="another press")
    room.settle()
    assert room.api.backlog.confirmed == [(item.account_id, (item.approval_id,))] * 2


def test_what_waits_for_a_step_or_was_postponed_says_so(room):
    room.attach()
    model = room.models.approvals
    waits = approval(task_status=TaskStatus.APPROVED, decided_at=NOON)
    assert model.status_words_of(waits) == "Waiting for the step before"
    later = approval(postponed_until=NOON + timedelta(minutes=5))
    assert model.status_words_of(later).startswith("Postponed")
    assert model.status_words_of(replace(later, postponed_until=NOON)) == "Waits for you"


def test_what_happened_once_is_never_coalesced():
    call = ModelCall("m", "plan", NOON, 1.0, CallEnd.ANSWERED, Usage(1, 1))
    first, second = ev.ModelCallBooked(ChatId(1), call, Revision(1)), ev.ModelCallBooked(ChatId(1), call, Revision(1))
    assert coalescing_key(first) != coalescing_key(second)
    waits = [
        ev.StepChanged(ChatId(1), TaskId(number), TaskKind.WAIT, TaskStatus.WAITING, None, None, 0, Revision(1))
        for number in (1, 2, 1)
    ]
    assert coalescing_key(waits[0]) == coalescing_key(waits[2]) != coalescing_key(waits[1])
    assert coalescing_key(ev.HoldsChanged((), Revision(0))) == coalescing_key(ev.HoldsChanged((), Revision(1)))


def test_a_parked_draft_is_in_no_list(room):
    room.attach()
    room.put_approval(approval(task_status=TaskStatus.PARKED, graph_id=GraphId(9)))
    assert room.models.approvals.rowCount() == 0


def test_a_wait_of_telegrams_counts_down_on_the_card(room):
    item = approval(task_status=TaskStatus.APPROVED, due_at=NOON, decided_at=NOON)
    room.api.approvals[item.approval_id] = item
    room.attach()
    model = room.models.approvals
    assert model.status_words_of(item) == "Sending…"
    until = NOON + timedelta(seconds=9)
    room.api.publish(ev.ServerWaitBegan(item.account_id, None, "send_text", until, Revision(99)))
    room.settle()
    assert model.status_words_of(item) == "Sends in 9 s"
    room.time = until
    assert model.status_words_of(item) == "Sending…"


def test_what_cannot_leave_for_another_reason_does_not_say_that_it_is_being_sent(room):
    """A wait of Telegram's from before a restart is known from the card's note only."""
    told = approval(task_status=TaskStatus.APPROVED, due_at=NOON, decided_at=NOON, note=Note(NoteKind.SERVER_WAIT))
    room.attach()
    send_status = room.models.approvals.send_status
    assert (send_status.words(told), send_status.hold_reason_of(told)) == ("Waits to be sent", HoldReason.WAIT)
    silent = replace(told, note=None)
    assert (send_status.words(silent), send_status.hold_reason_of(silent)) == ("Sending…", HoldReason.NONE)
    room.time = NOON + timedelta(seconds=4)
    assert (send_status.words(silent), send_status.hold_reason_of(silent)) == ("Waits to be sent", HoldReason.WAIT)
    room.models.holds.hold()
    room.settle()
    assert (send_status.words(silent), send_status.hold_reason_of(silent)) == ("Approved, held", HoldReason.HOLD)


def test_what_a_logged_out_account_has_to_send_waits_for_it_from_the_beginning(room):
    item = approval(task_status=TaskStatus.APPROVED, due_at=NOON, decided_at=NOON)
    room.api.agents[item.agent_id] = agent(item.agent_id, health=Health.REVOKED)
    room.attach()
    send_status = room.models.approvals.send_status
    assert (send_status.words(item), send_status.hold_reason_of(item)) == ("Waits for the account", HoldReason.WAIT)
    assert send_status.words(replace(item, due_at=NOON + timedelta(seconds=5))) == "Waits for the account"
    room.put_agent(agent(item.agent_id))
    assert send_status.words(item) == "Sending…"
