"""What each agent is doing now."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import Health
from chimein_gui.domain.ids import AccountId, Revision
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.viewmodels.accounts.activities import shown_phone
from tests.fakes.console import BIG, NOON, agent, approval, chat


def does(room, number=1):
    room.settle()
    return room.models.activities.of(room.models.agents.find(number)).words.translate({0x2068: None, 0x2069: None})


def leaving(**changes):
    made = approval(1, "short", state=ApprovalState.APPROVED, task_status=TaskStatus.APPROVED)
    return replace(made, **changes)


def test_planning_typing_sending_and_rest(room):
    room.attach()
    assert does(room) == "Idle"
    room.console.put_chat(chat(planning=True))
    assert does(room) == "Plans for Marta Oliveira"
    room.console.put_chat(chat(2, "Elif Kaya", planning=True))
    assert does(room) == "Plans for Marta Oliveira and 1 more"
    room.console.put_chat(chat())
    room.console.put_chat(chat(2, "Elif Kaya"))
    room.console.put_approval(leaving(due_at=NOON + timedelta(seconds=20)))
    assert does(room) == "Sends to Marta Oliveira in 0:20"
    room.time = NOON + timedelta(seconds=19)
    assert does(room) == "Types to Marta Oliveira"
    room.console.put_approval(leaving(task_status=TaskStatus.SENDING))
    assert does(room) == "Sends to Marta Oliveira"
    room.console.put_approval(leaving(task_status=TaskStatus.DONE))
    room.console.put_chat(chat(last_out=True, last_at=NOON))
    assert does(room).startswith("Last active ")


def test_what_a_rule_sends_is_told_too_though_no_list_shows_it(room):
    room.attach()
    room.console.put_approval(leaving(task_status=TaskStatus.SENDING, decided_by="auto trust"))
    assert room.models.approvals.items() == ()
    assert does(room) == "Sends to Marta Oliveira"


def test_a_wait_of_telegrams_runs_down(room):
    room.attach()
    until = NOON + timedelta(seconds=161)
    room.console.publish(ev.ServerWaitBegan(AccountId(BIG + 1), None, "messages.SendMessage", until, Revision(9)))
    assert does(room) == "Waits for Telegram, 2:41"
    room.time = until
    assert does(room) == "Idle"


def test_who_is_not_connected_does_nothing(room):
    room.console.agents[1] = agent(health=Health.STOPPED)
    room.console.chats[1] = chat(planning=True)
    room.attach()
    assert does(room) == ""


@pytest.mark.parametrize(
    ("phone", "shown"), [("+9996600001", "+9996600001"), ("+999" + "5500001", "+99 … 01"), ("12345", "12345")]
)
def test_numbers_are_shown_without_their_middle(phone, shown):
    assert shown_phone(phone) == shown


def test_what_was_approved_before_the_start_is_told(room):
    made = leaving(due_at=NOON + timedelta(seconds=20), decided_by="auto trust")
    room.console.approvals[made.approval_id] = made
    room.attach()
    assert does(room) == "Sends to Marta Oliveira in 0:20"
