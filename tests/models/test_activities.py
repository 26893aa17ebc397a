"""What an account does and what is new in a chat, in words."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import Qt

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.ids import AccountId, MessageId, Revision
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.viewmodels.accounts.activities import shown_phone
from chimein_gui.viewmodels.chats.preview_kinds import NewsKind
from chimein_gui.viewmodels.chats.previews import chat_preview_of, trust_words
from chimein_gui.viewmodels.panes.agents import make_activities
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat


def does(room, number=1):
    room.settle()
    activities, agent = room.models.own(make_activities), room.models.agents.find(number)
    return activities.of(agent).words.translate({0x2068: None, 0x2069: None})


def leaving(**changes):
    made = approval(1, "short", state=ApprovalState.APPROVED, task_status=TaskStatus.APPROVED)
    return replace(made, **changes)


def test_planning_typing_sending_and_rest(room):
    room.attach()
    assert does(room) == "Idle"
    room.api.put_chat(chat(planning=True))
    assert does(room) == "Plans for Marta Oliveira"
    room.api.put_chat(chat(2, "Elif Kaya", planning=True))
    assert does(room) == "Plans for Marta Oliveira and 1 more"
    room.api.put_chat(chat())
    room.api.put_chat(chat(2, "Elif Kaya"))
    room.api.put_approval(leaving(due_at=NOON + timedelta(seconds=20)))
    assert does(room) == "Sends to Marta Oliveira in 0:20"
    room.time = NOON + timedelta(seconds=19)
    assert does(room) == "Types to Marta Oliveira"
    room.api.put_approval(leaving(task_status=TaskStatus.SENDING))
    assert does(room) == "Sends to Marta Oliveira"
    room.api.put_approval(leaving(task_status=TaskStatus.DONE))
    room.api.put_chat(chat(last_out=True, last_at=NOON))
    assert does(room).startswith("Last active ")


def test_what_a_rule_sends_is_told_too_though_no_list_shows_it(room):
    room.attach()
    room.api.put_approval(leaving(task_status=TaskStatus.SENDING, decided_by="auto trust"))
    assert room.models.approvals.items() == ()
    assert does(room) == "Sends to Marta Oliveira"


def test_a_wait_of_telegrams_runs_down(room):
    room.attach()
    until = NOON + timedelta(seconds=161)
    room.api.publish(ev.ServerWaitBegan(AccountId(BIG + 1), None, "messages.SendMessage", until, Revision(9)))
    assert does(room) == "Telegram rate limit, 2:41"
    room.time = until
    assert does(room) == "Idle"


def test_who_is_not_connected_does_nothing(room):
    room.api.agents[1] = agent(health=Health.STOPPED)
    room.api.chats[1] = chat(planning=True)
    room.attach()
    assert does(room) == ""


@pytest.mark.parametrize(
    ("phone", "shown"), [("+9996600001", "+9996600001"), ("+999" + "5500001", "+99 … 01"), ("12345", "12345")]
)
def test_numbers_are_shown_without_their_middle(phone, shown):
    assert shown_phone(phone) == shown


def test_what_was_approved_before_the_start_is_told(room):
    made = leaving(due_at=NOON + timedelta(seconds=20), decided_by="auto trust")
    room.api.approvals[made.approval_id] = made
    room.attach()
    assert does(room) == "Sends to Marta Oliveira in 0:20"


OWED = {"newest_in_id": MessageId(4)}
CAPPED, UNPRICED = Note(ModelFault.CAP_REACHED, "all", 1_400), Note(ModelFault.NO_PRICE, "acme-1")

COUNTDOWN: dict[str, Any] = {
    "task_status": TaskStatus.APPROVED,
    "decided_by": Rule.COUNTDOWN_TRUST,
    "decided_at": NOON,
    "due_at": NOON + timedelta(seconds=47),
}


@pytest.mark.parametrize(
    ("settled", "drafts", "kind", "words", "text"),
    [
        ({"last_text": "hi", "last_out": True}, [], NewsKind.MESSAGE, "", "You: hi"),
        ({"last_media": "photo"}, [], NewsKind.MESSAGE, "", "Photo"),
        ({"planning": True}, [], NewsKind.PLANNING, "Planning a reply…", ""),
        (
            {"planning_problem": PlanningProblem(PlanningKind.FAILED, "the key"), **OWED},
            [],
            NewsKind.PROBLEM,
            "No plan:",
            "the key",
        ),
        (
            {"planning_problem": PlanningProblem(PlanningKind.CAP, fault=CAPPED), **OWED},
            [],
            NewsKind.PAUSED,
            "Paused:",
            "Today's cap of $0.0014 for everything is reached. Planning continues when you add to it, or after"
            " midnight.",
        ),
        (
            {"planning_problem": PlanningProblem(PlanningKind.CAP, fault=UNPRICED), **OWED},
            [],
            NewsKind.PAUSED,
            "Paused:",
            "“acme-1” has no price, so no cap can limit its cost. Planning continues when it gets a price, or is"
            " permitted for today.",
        ),
        (
            {"planning_problem": PlanningProblem(PlanningKind.OTHER, "Not to answer."), "last_text": "hi"},
            [],
            NewsKind.NOTED,
            "About the plan:",
            "Not to answer.",
        ),
        (
            {"takeover_until": NOON + timedelta(minutes=28), "last_text": "hi"},
            [],
            NewsKind.TAKEN_OVER,
            "You · 28 min",
            "hi",
        ),
        ({"pending": 1}, [{"text": "It opened"}], NewsKind.PLANNED, "Planned", "It opened"),
        ({"pending": 1}, [{}, COUNTDOWN], NewsKind.COUNTDOWN, "Sends in 0:47", "It opened again on 2 November."),
        (
            {"pending": 1, "planning_problem": PlanningProblem(PlanningKind.OTHER, "x")},
            [{"task_status": TaskStatus.FAILED, "note": Note(NoteKind.REFUSED, "USER_BANNED")}, {}],
            NewsKind.FAILED,
            "Failed:",
            "Telegram refused: USER_BANNED.",
        ),
    ],
)
def test_what_is_special_comes_first(room, settled, drafts, kind, words, text):
    room.api.chats[1] = chat(**settled)
    for number, changes in enumerate(drafts, 1):
        room.api.approvals[BIG + number] = approval(number, **changes)
    room.attach()
    news = chat_preview_of(room.models, room.models.chats.chat(1))
    assert news == (kind, words, text)


def test_what_was_typed_and_not_sent_is_kept_in_sight(room):
    room.attach()
    room.models.composer.type(1, "half a thou")
    assert chat_preview_of(room.models, room.models.chats.chat(1)) == (NewsKind.UNSENT, "Draft kept", "half a thou")


def test_a_screen_reader_hears_the_news_too(room):
    room.api.chats[1] = chat(takeover_until=NOON + timedelta(minutes=28))
    room.api.approvals[BIG + 1] = approval(1, chat_id=2, **COUNTDOWN)
    room.api.chats[2] = chat(2, "Tiago")
    room.attach()
    said = [room.models.chats.index_of_chat(key).data(Qt.ItemDataRole.AccessibleTextRole) for key in (1, 2)]
    assert "you took over, 28 min left" in said[0]
    assert "Sends in 0:47" in said[1]


@pytest.mark.parametrize(
    ("level", "minutes", "short", "long"),
    [
        (TrustLevel.REVIEW, None, "Review", "Review"),
        (TrustLevel.COUNTDOWN, None, "90 s", "Countdown 90 s"),
        (TrustLevel.AUTO, None, "Auto", "Auto"),
        (TrustLevel.AUTO, 38, "Auto 38 min", "Auto 38 min"),
        (TrustLevel.AUTO, -1, "Review", "Review"),
        (TrustLevel.OBSERVE, None, "Observe", "Observe"),
        (TrustLevel.OFF, None, "Off", "Off"),
    ],
)
def test_the_mark_says_how_long_it_lasts(room, level, minutes, short, long):
    room.api.preferences = Preferences(countdown_s=90)
    room.attach()
    until = NOON + timedelta(minutes=minutes) if minutes is not None else None
    one = replace(chat(), trust=level, settings=ChatSettings(trust_until=until))
    now = trust_now(one, room.models.clock.now())
    assert trust_words(room.models, one, now, short=True) == short
    assert trust_words(room.models, one, now, short=False) == long
