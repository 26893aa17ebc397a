"""Which chats the tree lists, and that nothing moves under a hand that is in it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.viewmodels.chats.show import Show
from chimein_gui.viewmodels.core.roles import KeyRole
from tests.fakes.engine_api import NOON, agent, approval, chat


def listed(room):
    tree = room.models.chats
    parents = [tree.index(row, 0) for row in range(tree.rowCount())]
    return [tree.index(row, 0, parent).data(KeyRole) for parent in parents for row in range(tree.rowCount(parent))]


@pytest.fixture
def crowd(room):
    room.api.agents[2] = agent(2, "Jonas Weidt")
    room.api.chats[1] = chat(1, "Marta Oliveira", pending=2)
    room.api.chats[2] = chat(2, "Tiago Reis", unread=3)
    room.api.chats[3] = chat(
        3, "Inês Carvalhal", planning_problem=PlanningProblem(PlanningKind.NO_KEY, "the key is refused")
    )
    room.api.chats[3] = replace(room.api.chats[3], newest_in_id=MessageId(9))
    room.api.chats[4] = chat(4, "Elif Kaya", 2, unread=1, pending=1)
    room.api.chats[5] = chat(5, "Martha Jones", 2)
    room.attach()
    return room


@pytest.mark.parametrize(
    ("show", "words", "expected"),
    [
        (Show.ALL, "", [1, 2, 3, 4, 5]),
        (Show.NEEDS_YOU, "", [1, 3, 4]),
        (Show.UNREAD, "", [2, 4]),
        (Show.ALL, "mart", [1, 5]),
        (Show.ALL, "MART oli", [1]),
        (Show.ALL, "weidt", [4, 5]),
        (Show.UNREAD, "jonas", [4]),
        (Show.ALL, "nobody", []),
    ],
)
def test_the_filter_lists_what_is_asked_for(crowd, qtmodeltester, show, words, expected):
    crowd.models.chats.ask(show, words)
    assert listed(crowd) == expected
    assert crowd.models.chats.totals()[1] == 5
    qtmodeltester.check(crowd.models.chats)


def test_the_filters_count_the_chats_they_list(crowd):
    assert crowd.models.chats.needs() == (3, 2)
    crowd.put_chat(replace(crowd.api.chats[2], unread=0))
    assert crowd.models.chats.needs() == (3, 1)
    crowd.models.chats.ask(Show.UNREAD, "")
    assert crowd.models.chats.needs() == (3, 1)


def test_a_chat_whose_drafts_are_all_postponed_needs_nobody_until_the_time_comes(crowd):
    tree, later = crowd.models.chats, NOON + timedelta(minutes=5)
    tree.ask(Show.NEEDS_YOU, "")
    crowd.put_approval(approval(1, postponed_until=later))
    assert (tree.needs(), listed(crowd), tree.pending_of(1)) == ((3, 2), [1, 3, 4], 1)
    crowd.put_approval(approval(2, postponed_until=later))
    assert (tree.needs(), listed(crowd), tree.pending_of(1)) == ((2, 2), [3, 4], 0)
    crowd.put_chat(replace(crowd.api.chats[1], unread=1))  # the engine knows nothing of it
    assert (tree.needs(), tree.chat(1).pending, tree.chat(1).postponed) == ((2, 3), 0, 2)
    crowd.time = later
    crowd.models.clock.ticked.emit()
    tree.moves.arrange()
    assert (tree.needs(), listed(crowd), tree.pending_of(1)) == ((3, 3), [1, 3, 4], 2)


def test_a_chat_without_a_plan_is_counted_until_it_is_answered_and_a_remark_never(crowd):
    for number in (1, 4):
        crowd.api.put_chat(replace(crowd.api.chats[number], pending=0))
    crowd.settle()
    assert crowd.models.chats.needs()[0] == 1
    crowd.models.chats.ask(Show.NEEDS_YOU, "")
    assert listed(crowd) == [3]
    remark = PlanningProblem(PlanningKind.SILENT)
    answered = replace(crowd.api.chats[3], planning_problem=remark, planned_up_to=MessageId(9))
    crowd.put_chat(answered)
    assert crowd.models.chats.needs()[0] == 0
    assert listed(crowd) == []


def test_chatter_after_a_chosen_silence_needs_nobody(crowd):
    """In a group others go on, and what they write to each other is answered by nobody of ours."""
    silent = {"planning_problem": PlanningProblem(PlanningKind.SILENT), "newest_in_id": MessageId(12)}
    crowd.put_chat(replace(crowd.api.chats[3], **silent, planned_up_to=MessageId(9)))
    crowd.models.chats.ask(Show.NEEDS_YOU, "")
    assert 3 not in listed(crowd)


def test_chats_come_and_go_with_what_they_need(crowd, qtmodeltester):
    tree = crowd.models.chats
    tree.ask(Show.NEEDS_YOU, "")
    crowd.api.put_chat(replace(crowd.api.chats[1], pending=0))
    crowd.api.put_chat(replace(crowd.api.chats[5], pending=1, last_at=NOON))
    crowd.api.put_chat(chat(6, "New", 2, pending=1, last_at=NOON - timedelta(hours=1)))
    crowd.put_chat(chat(7, "Quiet", 2))
    assert listed(crowd) == [3, 5, 4, 6]
    assert tree.chat(7) is not None
    assert not tree.index_of_chat(7).isValid()
    qtmodeltester.check(tree)
    tree.ask(Show.ALL, "")
    assert listed(crowd) == [1, 2, 3, 5, 4, 7, 6]


def test_the_chat_of_the_cursor_stays_listed_until_the_cursor_leaves(crowd):
    tree = crowd.models.chats
    tree.ask(Show.UNREAD, "")
    tree.moves.keep(2)
    crowd.put_chat(replace(crowd.api.chats[2], unread=0))
    assert listed(crowd) == [2, 4]
    tree.moves.keep(4)
    tree.moves._arrange_again()
    assert listed(crowd) == [4]
    tree.moves.keep(3)  # opened from elsewhere: it gets a row although it is read
    assert 3 in listed(crowd)
