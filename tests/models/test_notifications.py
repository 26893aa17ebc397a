"""What the operator is told while he looks elsewhere: gathered, named or not, and withdrawn when it is over."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import AskReason, Rule
from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.notifications.model import FIRST_COUNTDOWN, REST
from chimein_gui.viewmodels.notifications.news import Notification
from chimein_gui.viewmodels.problems.words import BarVerb
from tests.fakes.console import NOON, agent, approval, chat


class Listener:
    """What the desktop was asked for, in order."""

    def __init__(self, room):
        self.room, self.model = room, room.models.notifications
        self.told, self.withdrawn, self.flashes = list[Notification](), list[str](), 0
        self.model.told.connect(self.told.append)
        self.model.withdrawn.connect(self.withdrawn.append)
        self.model.flashed.connect(self.flash)

    def flash(self):
        self.flashes += 1

    def gather(self):
        """Let the time pass that the model collects for; returns what was told in it as (key, title)."""
        self.room.settle()
        self.room.models.bars.gather()
        before = len(self.told)
        self.room.time += REST
        self.model.gather()
        return [(one.key, one.title.replace("\u2068", "").replace("\u2069", "")) for one in self.told[before:]]


@pytest.fixture
def desk(room):
    room.console.approvals[approval(90).approval_id] = approval(90, chat_id=ChatId(9))
    room.attach()
    room.models.approvals.send_status.stop()
    return Listener(room)


def countdown(number, **changes):
    return approval(
        number,
        task_status=TaskStatus.APPROVED,
        decided_by=Rule.COUNTDOWN_TRUST,
        decided_at=NOON,
        due_at=NOON + timedelta(hours=3),
        **changes,
    )


def prefer(desk, **values):
    desk.room.models.preferences_model.current = replace(Preferences(), **values)


def test_what_waited_before_is_no_news_and_a_new_draft_is_told_once(desk):
    assert desk.gather() == []
    desk.room.put_approval(approval(1))
    assert desk.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]
    assert desk.told[-1].body == "It opened again on 2 November."
    desk.room.put_approval(approval(1, version=2))
    assert desk.gather() == []


def test_of_a_muted_chat_nothing_is_told(desk):
    desk.room.models.chats.marks.toggle_muted(ChatId(1))
    desk.room.put_approval(approval(1))
    assert desk.gather() == []
    desk.room.put_approval(approval(3, chat_id=ChatId(2), chat_title="Friend"))
    assert desk.gather() == [("waiting", "Nora Vale: a message to Friend waits")]


def test_drafts_of_several_chats_share_one_notification(desk):
    for number, chat_id in ((1, 1), (2, 1), (3, 2)):
        desk.room.put_approval(approval(number, chat_id=ChatId(chat_id), chat_title=f"Friend {chat_id}"))
    assert desk.gather() == [("waiting", "3 drafts wait in 2 chats")]
    assert desk.told[-1].body.count("\n") == 1
    assert desk.told[-1].target.chat_id == 1
    desk.room.put_approval(approval(4, chat_id=ChatId(3)))
    assert desk.gather() == [("waiting", "4 drafts wait in 3 chats")]


def test_drafts_of_one_chat_are_told_with_their_number(desk):
    desk.room.put_approval(approval(1))
    desk.room.put_approval(approval(2))
    assert desk.gather() == [("waiting", "Nora Vale: 2 messages to Marta Oliveira wait")]


def test_a_storm_is_told_once_in_ten_seconds(desk):
    desk.room.put_approval(approval(1))
    assert len(desk.gather()) == 1
    desk.room.put_approval(approval(2))
    desk.room.settle()
    desk.model.gather()
    assert len(desk.told) == 1
    assert len(desk.gather()) == 1


def test_a_new_version_of_a_told_draft_takes_its_place_quietly(desk):
    desk.room.put_approval(approval(1))
    desk.gather()
    desk.room.put_approval(approval(1, task_status=TaskStatus.CANCELLED))
    desk.room.put_approval(approval(2, "Another text."))
    assert desk.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]
    assert desk.told[-1].is_quiet
    assert not desk.told[0].is_quiet
    desk.room.put_approval(approval(3))
    desk.gather()
    assert not desk.told[-1].is_quiet


def test_what_is_decided_is_withdrawn_and_what_is_over_before_is_not_told(desk):
    desk.room.put_approval(approval(1))
    desk.gather()
    desk.room.put_approval(approval(1, task_status=TaskStatus.CANCELLED))
    assert desk.withdrawn == ["waiting"]
    desk.room.put_approval(approval(2))
    desk.room.put_approval(approval(2, task_status=TaskStatus.CANCELLED))
    assert desk.gather() == []


def test_what_is_on_screen_is_never_told(desk):
    desk.model.in_sight = lambda item: item.chat_id == 1
    desk.room.put_approval(approval(1))
    desk.room.put_approval(approval(2, chat_id=ChatId(2)))
    assert desk.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]
    assert desk.told[-1].target.chat_id == 2


def test_everything_is_withdrawn_when_the_operator_comes(desk):
    desk.room.put_approval(approval(1))
    desk.gather()
    desk.model.look_up()
    assert desk.withdrawn == ["waiting"]
    desk.room.put_approval(approval(2))
    assert desk.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]


def test_the_first_countdown_of_an_hour_is_told_alone_and_flashes(desk):
    desk.room.put_approval(countdown(1))
    desk.room.put_approval(countdown(2, chat_id=ChatId(2)))
    desk.room.put_approval(countdown(3, chat_id=ChatId(3)))
    assert desk.gather() == [
        (FIRST_COUNTDOWN, "Nora Vale: a message to Marta Oliveira is about to be sent"),
        ("countdown", "2 countdowns run in 2 chats"),
    ]
    assert desk.flashes == 1
    assert desk.told[0].body.startswith("It is sent in ")
    desk.room.put_approval(countdown(4))
    assert [key for key, _ in desk.gather()] == ["countdown"]
    desk.room.time += timedelta(hours=1)
    desk.room.put_approval(countdown(5))
    assert [key for key, _ in desk.gather()] == [FIRST_COUNTDOWN]
    assert desk.flashes == 2


def test_a_countdown_that_ends_or_is_held_is_withdrawn(desk):
    desk.room.put_approval(countdown(1))
    desk.room.put_approval(countdown(2))
    desk.gather()
    desk.room.put_approval(approval(1, task_status=TaskStatus.SENDING))
    assert desk.withdrawn == [FIRST_COUNTDOWN]
    desk.room.models.holds.hold()
    desk.room.settle()
    assert desk.withdrawn == [FIRST_COUNTDOWN, "countdown"]
    desk.room.put_approval(countdown(3))
    assert desk.gather() == [], "under a hold no countdown runs, and what it brought back is no news"


@pytest.mark.parametrize(
    "item",
    [approval(1, task_status=TaskStatus.UNKNOWN), approval(1, reasons=(AskReason.NOT_DELIVERED, AskReason.REVIEW))],
)
def test_an_unknown_delivery_is_told(desk, item):
    desk.room.put_approval(item)
    assert desk.gather() == [("unknown", "Nora Vale: a message to Marta Oliveira may not have been delivered")]


def test_a_rule_that_lets_a_message_pass_is_nobodys_news(desk):
    desk.room.put_approval(approval(1, task_status=TaskStatus.APPROVED, decided_by=Rule.AUTO_TRUST, due_at=NOON))
    assert desk.gather() == []


def test_what_was_put_off_is_told_when_its_time_comes(desk):
    later = approval(1, postponed_until=NOON + timedelta(minutes=15))
    desk.room.put_approval(later)
    assert desk.gather() == []
    desk.room.time = NOON + timedelta(minutes=16)
    desk.model._take_up()
    assert desk.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]


def test_accounts_in_trouble_are_told_with_the_words_of_their_bars(desk):
    desk.room.put_agent(agent(health=Health.REVOKED))
    assert desk.gather() == [("account", "Nora Vale is logged out.")]
    assert desk.told[-1].target.verb is BarVerb.OPEN_AGENTS
    assert desk.gather() == []
    desk.room.put_agent(agent(2, health=Health.FROZEN))
    assert desk.gather() == [("account", "2 accounts need you")]
    desk.room.put_agent(agent())
    desk.room.put_agent(agent(2))
    desk.gather()
    assert desk.withdrawn == ["account"]


def test_a_limited_account_is_told_and_one_that_only_waits_is_not(desk):
    desk.room.put_agent(agent(limited="PEER_FLOOD"))
    assert desk.gather() == [("account", "Telegram limits Nora Vale.")]
    desk.model.look_up()
    desk.room.put_agent(agent(2, health=Health.WAITING, next_try_at=NOON))
    assert desk.gather() == []


def test_planning_that_failed_for_good_is_told_and_a_retry_is_not(desk):
    desk.room.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.RETRYING, "no network", 1)))
    assert desk.gather() == []
    desk.room.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.FAILED, "no network", 5)))
    assert desk.gather() == [("planning", "Couldn't plan a reply to Marta Oliveira.")]
    assert (desk.told[-1].target.verb, desk.told[-1].target.target) == (BarVerb.OPEN_CHAT, 1)


def test_bars_are_not_told_to_somebody_who_works_in_the_window(desk):
    desk.model.is_active = lambda: True
    desk.room.put_agent(agent(health=Health.REVOKED))
    assert desk.gather() == []
    desk.model.is_active = lambda: False
    assert desk.gather() == [], "it was on the screen"


def test_hidden_text_names_neither_partner_nor_words(desk):
    prefer(desk, notify_text=False)
    desk.room.put_approval(approval(1))
    desk.room.put_approval(countdown(2))
    desk.room.put_approval(approval(3, task_status=TaskStatus.UNKNOWN))
    desk.room.put_agent(agent(health=Health.REVOKED))
    desk.room.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.FAILED, "no network", 5)))
    assert desk.gather() == [
        (FIRST_COUNTDOWN, "Nora Vale: a countdown runs"),
        ("unknown", "Nora Vale: a message may not have been delivered"),
        ("waiting", "Nora Vale: a message waits"),
        ("account", "An account needs you"),
        ("planning", "Planning has failed"),
    ]
    assert {one.body for one in desk.told} == {""}


@pytest.mark.parametrize(
    ("begins", "ends", "is_quiet"), [(-1, 1, True), (1, 2, False), (1, -1, False), (-2, -3, True), (0, 0, False)]
)
def test_quiet_hours_of_the_operator_silence_everything(desk, begins, ends, is_quiet):
    here: datetime = NOON.astimezone()
    times = [f"{here + timedelta(hours=hours):%H:%M}" for hours in (begins, ends)]
    prefer(desk, notify_quiet_from=times[0], notify_quiet_to=times[1])
    desk.room.put_approval(countdown(1))
    assert bool(desk.gather()) is not is_quiet
    assert bool(desk.flashes) is not is_quiet
    prefer(desk)
    assert desk.gather() == [], "what came in the quiet is not told afterwards"


def test_nothing_is_told_to_who_wants_no_notifications(desk):
    prefer(desk, notify=False)
    desk.room.put_approval(approval(1))
    desk.room.put_agent(agent(AgentId(1), health=Health.REVOKED))
    assert desk.gather() == []


def test_news_are_told_by_the_clock_alone(desk, qtbot):
    desk.room.put_approval(approval(1))
    with qtbot.waitSignal(desk.model.told, timeout=20_000):
        pass
    desk.model.detach()
    assert desk.withdrawn == ["waiting"]
