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
from chimein_gui.viewmodels.problems.words import ProblemCommand
from tests.fakes.engine_api import NOON, agent, approval, chat


class Listener:
    """What the desktop was asked for, in order."""

    def __init__(self, room):
        self.room, self.model = room, room.models.notifications
        self.notified, self.withdrawn, self.flashes = list[Notification](), list[str](), 0
        self.model.notified.connect(self.notified.append)
        self.model.withdrawn.connect(self.withdrawn.append)
        self.model.flashed.connect(self.flash)

    def flash(self):
        self.flashes += 1

    def gather(self):
        """Let the time pass that the model collects for; returns what was told in it as (key, title)."""
        self.room.settle()
        self.room.models.bars.gather()
        before = len(self.notified)
        self.room.time += REST
        self.model.gather()
        return [(one.key, one.title.replace("\u2068", "").replace("\u2069", "")) for one in self.notified[before:]]


@pytest.fixture
def editor(room):
    room.api.approvals[approval(90).approval_id] = approval(90, chat_id=ChatId(9))
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


def prefer(editor, **values):
    editor.room.models.preferences_model.current = replace(Preferences(), **values)


def test_what_waited_before_is_no_news_and_a_new_draft_is_told_once(editor):
    assert editor.gather() == []
    editor.room.put_approval(approval(1))
    assert editor.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]
    assert editor.notified[-1].body == "It opened again on 2 November."
    editor.room.put_approval(approval(1, version=2))
    assert editor.gather() == []


def test_of_a_muted_chat_nothing_is_told(editor):
    editor.room.models.chats.marks.toggle_muted(ChatId(1))
    editor.room.put_approval(approval(1))
    assert editor.gather() == []
    editor.room.put_approval(approval(3, chat_id=ChatId(2), chat_title="Friend"))
    assert editor.gather() == [("waiting", "Nora Vale: a message to Friend waits")]


def test_drafts_of_several_chats_share_one_notification(editor):
    for number, chat_id in ((1, 1), (2, 1), (3, 2)):
        editor.room.put_approval(approval(number, chat_id=ChatId(chat_id), chat_title=f"Friend {chat_id}"))
    assert editor.gather() == [("waiting", "3 drafts wait in 2 chats")]
    assert editor.notified[-1].body.count("\n") == 1
    assert editor.notified[-1].target.chat_id == 1
    editor.room.put_approval(approval(4, chat_id=ChatId(3)))
    assert editor.gather() == [("waiting", "4 drafts wait in 3 chats")]


def test_drafts_of_one_chat_are_told_with_their_number(editor):
    editor.room.put_approval(approval(1))
    editor.room.put_approval(approval(2))
    assert editor.gather() == [("waiting", "Nora Vale: 2 messages to Marta Oliveira wait")]


def test_a_storm_is_told_once_in_ten_seconds(editor):
    editor.room.put_approval(approval(1))
    assert len(editor.gather()) == 1
    editor.room.put_approval(approval(2))
    editor.room.settle()
    editor.model.gather()
    assert len(editor.notified) == 1
    assert len(editor.gather()) == 1


def test_a_new_version_of_a_told_draft_takes_its_place_quietly(editor):
    editor.room.put_approval(approval(1))
    editor.gather()
    editor.room.put_approval(approval(1, task_status=TaskStatus.CANCELLED))
    editor.room.put_approval(approval(2, "Another text."))
    assert editor.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]
    assert editor.notified[-1].is_quiet
    assert not editor.notified[0].is_quiet
    editor.room.put_approval(approval(3))
    editor.gather()
    assert not editor.notified[-1].is_quiet


def test_what_is_decided_is_withdrawn_and_what_is_over_before_is_not_told(editor):
    editor.room.put_approval(approval(1))
    editor.gather()
    editor.room.put_approval(approval(1, task_status=TaskStatus.CANCELLED))
    assert editor.withdrawn == ["waiting"]
    editor.room.put_approval(approval(2))
    editor.room.put_approval(approval(2, task_status=TaskStatus.CANCELLED))
    assert editor.gather() == []


def test_what_is_on_screen_is_never_told(editor):
    editor.model.in_sight = lambda item: item.chat_id == 1
    editor.room.put_approval(approval(1))
    editor.room.put_approval(approval(2, chat_id=ChatId(2)))
    assert editor.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]
    assert editor.notified[-1].target.chat_id == 2


def test_everything_is_withdrawn_when_the_operator_comes(editor):
    editor.room.put_approval(approval(1))
    editor.gather()
    editor.model.look_up()
    assert editor.withdrawn == ["waiting"]
    editor.room.put_approval(approval(2))
    assert editor.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]


def test_the_first_countdown_of_an_hour_is_told_alone_and_flashes(editor):
    editor.room.put_approval(countdown(1))
    editor.room.put_approval(countdown(2, chat_id=ChatId(2)))
    editor.room.put_approval(countdown(3, chat_id=ChatId(3)))
    assert editor.gather() == [
        (FIRST_COUNTDOWN, "Nora Vale: a message to Marta Oliveira is about to be sent"),
        ("countdown", "2 countdowns run in 2 chats"),
    ]
    assert editor.flashes == 1
    assert editor.notified[0].body.startswith("It is sent in ")
    editor.room.put_approval(countdown(4))
    assert [key for key, _ in editor.gather()] == ["countdown"]
    editor.room.time += timedelta(hours=1)
    editor.room.put_approval(countdown(5))
    assert [key for key, _ in editor.gather()] == [FIRST_COUNTDOWN]
    assert editor.flashes == 2


def test_a_countdown_that_ends_or_is_held_is_withdrawn(editor):
    editor.room.put_approval(countdown(1))
    editor.room.put_approval(countdown(2))
    editor.gather()
    editor.room.put_approval(approval(1, task_status=TaskStatus.SENDING))
    assert editor.withdrawn == [FIRST_COUNTDOWN]
    editor.room.models.holds.hold()
    editor.room.settle()
    assert editor.withdrawn == [FIRST_COUNTDOWN, "countdown"]
    editor.room.put_approval(countdown(3))
    assert editor.gather() == [], "under a hold no countdown runs, and what it brought back is no news"


@pytest.mark.parametrize(
    "item",
    [approval(1, task_status=TaskStatus.UNKNOWN), approval(1, reasons=(AskReason.NOT_DELIVERED, AskReason.REVIEW))],
)
def test_an_unknown_delivery_is_told(editor, item):
    editor.room.put_approval(item)
    assert editor.gather() == [("unknown", "Nora Vale: a message to Marta Oliveira may not have been delivered")]


def test_a_rule_that_lets_a_message_pass_is_nobodys_news(editor):
    editor.room.put_approval(approval(1, task_status=TaskStatus.APPROVED, decided_by=Rule.AUTO_TRUST, due_at=NOON))
    assert editor.gather() == []


def test_what_was_put_off_is_told_when_its_time_comes(editor):
    later = approval(1, postponed_until=NOON + timedelta(minutes=15))
    editor.room.put_approval(later)
    assert editor.gather() == []
    editor.room.time = NOON + timedelta(minutes=16)
    editor.model._take_up()
    assert editor.gather() == [("waiting", "Nora Vale: a message to Marta Oliveira waits")]


def test_accounts_in_trouble_are_told_with_the_words_of_their_bars(editor):
    editor.room.put_agent(agent(health=Health.REVOKED))
    assert editor.gather() == [("account", "Nora Vale is logged out.")]
    assert editor.notified[-1].target.command is ProblemCommand.OPEN_AGENTS
    assert editor.gather() == []
    editor.room.put_agent(agent(2, health=Health.FROZEN))
    assert editor.gather() == [("account", "2 accounts need you")]
    editor.room.put_agent(agent())
    editor.room.put_agent(agent(2))
    editor.gather()
    assert editor.withdrawn == ["account"]


def test_a_limited_account_is_told_and_one_that_only_waits_is_not(editor):
    editor.room.put_agent(agent(limited="PEER_FLOOD"))
    assert editor.gather() == [("account", "Telegram limits Nora Vale.")]
    editor.model.look_up()
    editor.room.put_agent(agent(2, health=Health.WAITING, next_try_at=NOON))
    assert editor.gather() == []


def test_planning_that_failed_for_good_is_told_and_a_retry_is_not(editor):
    editor.room.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.RETRYING, "no network", 1)))
    assert editor.gather() == []
    editor.room.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.FAILED, "no network", 5)))
    assert editor.gather() == [("planning", "Couldn't plan a reply to Marta Oliveira.")]
    assert (editor.notified[-1].target.command, editor.notified[-1].target.target) == (ProblemCommand.OPEN_CHAT, 1)


def test_bars_are_not_told_to_somebody_who_works_in_the_window(editor):
    editor.model.is_active = lambda: True
    editor.room.put_agent(agent(health=Health.REVOKED))
    assert editor.gather() == []
    editor.model.is_active = lambda: False
    assert editor.gather() == [], "it was on the screen"


def test_hidden_text_names_neither_partner_nor_words(editor):
    prefer(editor, notify_text=False)
    editor.room.put_approval(approval(1))
    editor.room.put_approval(countdown(2))
    editor.room.put_approval(approval(3, task_status=TaskStatus.UNKNOWN))
    editor.room.put_agent(agent(health=Health.REVOKED))
    editor.room.put_chat(chat(planning_problem=PlanningProblem(PlanningKind.FAILED, "no network", 5)))
    assert editor.gather() == [
        (FIRST_COUNTDOWN, "Nora Vale: a countdown runs"),
        ("unknown", "Nora Vale: a message may not have been delivered"),
        ("waiting", "Nora Vale: a message waits"),
        ("account", "An account needs you"),
        ("planning", "Planning has failed"),
    ]
    assert {one.body for one in editor.notified} == {""}


@pytest.mark.parametrize(
    ("begins", "ends", "is_quiet"), [(-1, 1, True), (1, 2, False), (1, -1, False), (-2, -3, True), (0, 0, False)]
)
def test_quiet_hours_of_the_operator_silence_everything(editor, begins, ends, is_quiet):
    here: datetime = NOON.astimezone()
    times = [f"{here + timedelta(hours=hours):%H:%M}" for hours in (begins, ends)]
    prefer(editor, notify_quiet_from=times[0], notify_quiet_to=times[1])
    editor.room.put_approval(countdown(1))
    assert bool(editor.gather()) is not is_quiet
    assert bool(editor.flashes) is not is_quiet
    prefer(editor)
    assert editor.gather() == [], "what came in the quiet is not told afterwards"


def test_nothing_is_told_to_who_wants_no_notifications(editor):
    prefer(editor, notify=False)
    editor.room.put_approval(approval(1))
    editor.room.put_agent(agent(AgentId(1), health=Health.REVOKED))
    assert editor.gather() == []


def test_news_are_told_by_the_clock_alone(editor, qtbot):
    editor.room.put_approval(approval(1))
    with qtbot.waitSignal(editor.model.notified, timeout=20_000):
        pass
    editor.model.detach()
    assert editor.withdrawn == ["waiting"]
