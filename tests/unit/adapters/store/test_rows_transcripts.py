"""One chat as the window reads it: windows by id, words in any script, and what plans did invisibly."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from chimein_gui.domain.ids import ChatId, MessageId, RandomId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.hidden_steps import HiddenKind
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.ports import GraphStanding, MemoryEffect, MemoryState, MessageQuery, NewRequest
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    OTHER,
    PEER,
    approval_in,
    chat_in,
    fill,
    graph_in,
    ids,
    later,
    message,
)

ACTIONS = ((TaskKind.BLOCK, TaskStatus.DONE), (TaskKind.SHUTDOWN, TaskStatus.SKIPPED))
LEFT_OUT = (
    ReplyProblem(ReplyFault.STICKER_UNKNOWN, 1, said=("🦊", "Foxes")),
    ReplyProblem(ReplyFault.UNKNOWN_TYPE, 4, said=("dance",)),
)


def test_a_window_upwards_and_single_messages(tx):
    fill(tx, *"abcdef")
    fill(tx, *"xyz", peer=OTHER)
    rows = tx.transcripts
    above = [ids(rows.above(ACCOUNT, PEER, above_id=MessageId(at), limit=n)) for at, n in ((0, 2), (4, 9), (6, 9))]
    assert above == [[1, 2], [5, 6], []]
    assert rows.above(ACCOUNT, PEER, above_id=MessageId(0), limit=-1) == ()
    assert ids(rows.of_ids(ACCOUNT, PEER, [MessageId(n) for n in (5, 99, 1, 5)])) == [1, 5]


def test_a_piece_tells_where_to_go_on_and_leaves_other_chats_alone(tx):
    fill(tx, *("tea" if number % 2 else "no" for number in range(1, 10)))
    fill(tx, *["tea"] * 9, peer=OTHER)
    pieces: list[list[MessageId]] = []
    below = None
    while not pieces or below is not None:
        found, below = tx.transcripts.matching(ACCOUNT, PEER, words=["TEA"], below_id=below, among=4)
        pieces.append(ids(found))
    assert pieces == [[9, 7], [5, 3], [1]]


# --- what resembles a query


def resembling(tx, *words, limit=9, below=None, among=99, **query):
    below_id = None if below is None else MessageId(below)
    wanted = MessageQuery(words, **query)
    found, go_on = tx.transcripts.resembling(ACCOUNT, PEER, wanted, below_id=below_id, among=among, limit=limit)
    return ids(found), go_on


def test_what_holds_more_of_the_words_comes_first_and_the_newest_of_equal_ones(tx):
    fill(tx, "tea at five", "the Straße", "ÜBUNG and tea", "coffee", "tea", "TEA at FIVE")
    fill(tx, *["tea at five"] * 4, peer=OTHER)
    assert resembling(tx, "tea", "five") == ([6, 1, 5, 3], None)
    assert resembling(tx, "tea", "five", limit=2) == ([6, 1], None)
    assert resembling(tx, "übung", "strasse") == ([2, 3], None)
    assert resembling(tx, "straxe") == resembling(tx, "%") == ([], None)
    assert resembling(tx, limit=2) == ([6, 5], None)
    assert resembling(tx, "tea", among=4) == ([6, 5, 3], 3)
    assert resembling(tx, "tea", among=4, below=3) == ([1], None)


def test_senders_times_and_what_nobody_can_read_any_more(tx):
    chat_id = chat_in(tx).chat_id
    written: tuple[dict[str, Any], ...] = (
        {"sender_name": "Märta Olsen", "sender_id": 5},
        {"sender_name": "Ben", "sender_id": 6},
        {"sender_name": "Ben", "sender_id": 6, "deleted": True},
        {"sender_name": "Ben", "sender_id": 6, "is_service": True},
        {"sender_name": "5", "sender_id": None},
    )
    for number, changes in enumerate(written, start=1):
        tx.messages.put(chat_id, replace(message(number, "tea", **changes), sent_at=later(number)))
    for query, found in (
        ({"sender": "mÄRTA"}, [1]),
        ({"sender": "5"}, [1]),
        ({"sender": "ben"}, [2]),
        ({"sender": "%"}, []),
        ({"sender": "9" * 30}, []),
        ({"after": later(2), "before": later(5)}, [2]),
        ({"after": datetime.max.replace(tzinfo=UTC)}, []),
        ({"before": datetime.min.replace(tzinfo=UTC)}, []),
    ):
        assert resembling(tx, "tea", **query)[0] == found, query


# --- hidden steps


def plan_in(tx, chat_id, high, **changes):
    """A stored plan whose prompt held messages up to `high`, with its `received` task."""
    graph_id = graph_in(tx, chat_id, span=PromptSpan(MessageId(1), MessageId(high)), **changes)
    tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.DONE, graph_id=graph_id)
    return graph_id


def steps_of(tx, chat_id, since=0, limit=99):
    found = tx.transcripts.hidden_steps(ChatId(chat_id), since_id=MessageId(since), limit=limit)
    return [(step.kind, step.status, step.text, step.after_message_id) for step in found]


def test_what_a_plan_did_stands_where_it_happened(tx):
    chat_id = fill(tx, "hi")
    plan = plan_in(tx, chat_id, 10)
    sent = approval_in(tx, chat_id, status=TaskStatus.DONE, graph_id=plan, position=0, text="sent")
    row = tx.ledger.prepare(sent, NewRequest(0, RandomId(5), "sent"))
    tx.ledger.save(replace(row, state=LedgerState.SENT, message_id=MessageId(12)))
    tx.tasks.add(chat_id, TaskKind.WAIT, TaskStatus.DONE, graph_id=plan, position=1, wait_s=90, due_at=later(5))
    approval_in(tx, chat_id, status=TaskStatus.CANCELLED, graph_id=plan, position=2, text="came to nothing")
    approval_in(tx, chat_id, status=TaskStatus.AWAITING_DECISION, graph_id=plan, position=3, text="a card")
    tx.tasks.add(chat_id, TaskKind.WAIT, TaskStatus.PENDING, graph_id=plan, position=4, wait_s=5)
    for place, (kind, status) in enumerate((*ACTIONS, (TaskKind.UNBLOCK, TaskStatus.APPROVED)), start=5):
        approval_in(tx, chat_id, graph_id=plan, position=place, kind=kind, status=status, text="")
    agent_id = tx.chats.get(chat_id).agent_id
    for place, state in enumerate((MemoryState.WRITTEN, MemoryState.UNDONE, MemoryState.PARKED)):
        tx.effects.add_memory(MemoryEffect(plan, place, agent_id, chat_id, f"fact {place}", state, NOW))
    for standing in (GraphStanding.VARIANT, GraphStanding.BESIDE):  # none of what the agent did
        beside = plan_in(tx, chat_id, 1, standing=standing)
        approval_in(tx, chat_id, graph_id=beside, position=1, status=TaskStatus.FAILED)
    plan_in(tx, fill(tx, "hi", peer=OTHER), 1)
    wait = tx.transcripts.hidden_steps(ChatId(1), since_id=MessageId(12), limit=1)[0]
    assert steps_of(tx, chat_id) == [
        ("remembered", "done", "fact 0", 10),
        ("remembered", "cancelled", "fact 1", 10),
        ("wait", "done", "", 12),
        ("send", "cancelled", "came to nothing", 12),
        *((kind, status, "", 12) for kind, status in ACTIONS),
    ]
    assert (wait.kind, wait.wait_s, wait.at, wait.task_id) == (HiddenKind.WAIT, 90, later(5), 3)


def test_plans_that_failed_kept_silent_or_left_something_out(tx):
    chat_id = fill(tx, "hi")
    plan_in(tx, chat_id, 1)
    approval_in(tx, chat_id, graph_id=plan_in(tx, chat_id, 2, problems=LEFT_OUT), position=1)
    failed = tx.graphs.get(graph_in(tx, chat_id, span=PromptSpan(MessageId(1), MessageId(3))))
    tx.graphs.save(replace(failed, failed=Note(NoteKind.MODEL_FAILED, "overloaded")))
    tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.FAILED, graph_id=failed.graph_id)
    approval_in(tx, chat_id, graph_id=plan_in(tx, chat_id, 4), position=1, status=TaskStatus.DONE)
    _, left_out, without = tx.transcripts.hidden_steps(chat_id, since_id=MessageId(0), limit=9)
    assert left_out.problems == LEFT_OUT
    assert without.reason == Note(NoteKind.MODEL_FAILED, "overloaded")
    assert steps_of(tx, chat_id) == [("plan", "done", "", 1), ("plan", "done", "", 2), ("plan", "failed", "", 3)]


def test_only_what_stands_at_or_below_a_message_is_given_and_no_more_than_asked_for(tx):
    chat_id = fill(tx, "hi")
    for high in range(1, 41):
        plan_in(tx, chat_id, high)
    found = [
        [step[3] for step in steps_of(tx, chat_id, since=since, limit=limit)]
        for since, limit in ((0, 3), (38, 9), (41, 9), (5, 0), (5, -1))
    ]
    assert found == [[1, 2, 3], [38, 39, 40], [], [], []]
