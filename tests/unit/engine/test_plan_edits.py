"""The operator edits a plan step by step; what arrives at the partner is exactly the plan as edited, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.adapters.files.outgoing import OutgoingCopies
from chimein_gui.domain.approvals import Approval, AskReason, Edit, Postpone, Reject
from chimein_gui.domain.chats import Chat, TrustLevel
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.outgoing_files import FileToSend
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import EditVerdict, StepAction, StepEdit, StepEditRequest
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.engine.operator.composer import FileCopies
from chimein_gui.engine.operator.plan_edits import PlanEdits
from chimein_gui.engine.operator.plan_history import PlanHistory
from chimein_gui.engine.ports import GraphStanding, Transaction
from chimein_gui.engine.tasks.saved_edits import save_edits
from chimein_gui.engine.tasks.transitions import back_to_review
from chimein_gui.engine.triggers.staleness import conversation_changed, message_came, message_changed
from tests.fakes.telegram import LOSE
from tests.support.async_tests import OpenedInLoop
from tests.support.plan_editing import Editing, plan_editing

A, K, S = StepAction, TaskKind, TaskStatus


@pytest.fixture
def editing(tmp_path: Path) -> OpenedInLoop:
    """Return a room with a chat and the operator's edits."""
    return OpenedInLoop(plan_editing(tmp_path))


def send(text: str) -> PlannedStep:
    return PlannedStep(TaskKind.SEND, text)


async def test_an_inserted_message_asks_like_any_other_and_is_sent_in_its_place(editing: Editing) -> None:
    one, two = await editing.plan("one", "two")
    added = await editing.done(A.INSERT, one, new=send("one and a half"))
    await editing.done(A.INSERT, one, new=send("zero"), is_before=True)
    assert await editing.words() == ["zero", "one", "one and a half", "two"]
    assert (await editing.card(added)).task_status is S.AWAITING_DECISION
    await editing.room.execute(two)
    assert editing.room.texts() == []
    await editing.approve_all()
    assert editing.room.texts() == ["zero", "one", "one and a half", "two"]


async def test_at_auto_an_inserted_message_is_approved_by_the_rule_and_what_follows_asks(editing: Editing) -> None:
    chat_id = await editing.room.chat(trust=TrustLevel.AUTO)
    one, two = await editing.room.plan(chat_id, "one", "two")
    await editing.room.lose_connection()
    assert await editing.room.status(one, two) == [S.APPROVED, S.APPROVED]
    editing.chat_id = chat_id
    added = await editing.done(A.INSERT, one, new=send("between"))
    assert (await editing.card(added)).task_status is S.APPROVED
    assert (await editing.card(added)).due_at is None
    assert await editing.room.status(one, two) == [S.APPROVED, S.AWAITING_DECISION]


async def test_an_inserted_message_counts_for_the_caps_and_asks_beyond_them(editing: Editing) -> None:
    live = editing.room.environment.live
    live.change(replace(editing.room.environment.preferences, chat_cap=1))
    editing.chat_id = await editing.room.chat(trust=TrustLevel.AUTO)
    (one,) = await editing.room.plan(editing.chat_id, "one")
    added = await editing.done(A.INSERT, one, new=send("two"))
    await editing.room.worked_off()
    await editing.pass_time(60)
    assert editing.room.texts() == ["one"]
    assert AskReason.CAP in (await editing.card(added)).reasons


@pytest.mark.parametrize(
    ("moved", "other", "is_before", "expected"),
    [(2, 0, True, "3 1 2 4"), (0, 2, False, "2 3 1 4"), (0, 3, False, "2 3 4 1"), (3, 1, False, "1 2 4 3")],
)
async def test_a_moved_step_is_sent_in_its_new_place(
    editing: Editing, moved: int, other: int, is_before: bool, expected: str
) -> None:
    cards = await editing.plan("1", "2", "3", "4")
    await editing.done(A.MOVE, cards[moved], other=cards[other].task_id, is_before=is_before)
    assert await editing.words() == expected.split()
    await editing.approve_all()
    assert editing.room.texts() == expected.split()


async def test_undo_of_a_move_restores_the_order(editing: Editing) -> None:
    cards = await editing.plan("1", "2", "3", "4")
    before = [(one.task_id, one.depends_on) for one in await editing.steps()]
    await editing.done(A.MOVE, cards[0], other=cards[2].task_id)
    await editing.done(A.MOVE, cards[3], other=cards[1].task_id, is_before=True)
    await editing.done(A.UNDO, cards[0])
    await editing.done(A.UNDO, cards[0])
    assert [(one.task_id, one.depends_on) for one in await editing.steps()] == before
    assert await editing.refused(A.UNDO, cards[0]) == Note(Reason.NOTHING_TO_UNDO)
    await editing.approve_all()
    assert editing.room.texts() == ["1", "2", "3", "4"]


async def test_a_branch_that_was_split_off_waits_for_no_other_and_a_joined_step_for_both(editing: Editing) -> None:
    one, two, three, four = await editing.plan("1", "2", "3", "4")
    await editing.done(A.SPLIT_OFF, three)
    await editing.done(A.JOIN, four, other=two.task_id)
    assert (await editing.steps())[3].depends_on == (two.task_id, three.task_id)
    await editing.room.execute(four, three)
    assert editing.room.texts() == ["3"]
    await editing.room.execute(one)
    assert editing.room.texts() == ["3", "1"]
    await editing.room.execute(two)
    assert editing.room.texts() == ["3", "1", "2", "4"]


async def test_no_step_can_wait_for_itself(editing: Editing) -> None:
    one, two, three = await editing.plan("1", "2", "3")
    for step, other in ((one, three), (one, one), (two, three)):
        assert await editing.refused(A.JOIN, step, other=other.task_id) == Note(Reason.WOULD_WAIT_FOR_ITSELF)


async def test_a_skipped_message_is_rejected_and_its_undo_asks_again_in_the_same_place(editing: Editing) -> None:
    one, two, three = await editing.plan("1", "2", "3")
    await editing.room.approve(two)
    await editing.done(A.SKIP, two, reason="too much")
    assert await editing.room.status(two) == [S.SKIPPED]
    assert await editing.words() == ["1", "3"]
    await editing.done(A.UNDO, one)
    assert await editing.words() == ["1", "2", "3"]
    again = (await editing.steps())[2]
    assert (again.status, again.depends_on) == (S.AWAITING_DECISION, (one.task_id,))
    assert (await editing.steps())[3].depends_on == (again.task_id,)
    await editing.approve_all()
    assert editing.room.texts() == ["1", "2", "3"]
    assert three.task_id != again.task_id


async def test_a_cancelled_step_takes_with_it_what_depends_on_it_and_undo_brings_all_back(editing: Editing) -> None:
    one, two, _three = await editing.plan("1", "2", "3")
    await editing.done(A.INSERT, two, new=PlannedWait(60))
    await editing.done(A.CANCEL, two)
    assert await editing.words() == ["1"]
    await editing.done(A.UNDO, one)
    assert await editing.words() == ["1", "2", "60", "3"]
    await editing.approve_all()
    assert editing.room.texts() == ["1", "2"]
    await editing.pass_time(61)
    assert editing.room.texts() == ["1", "2", "3"]


async def test_a_wait_is_shortened_ended_and_brought_back(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    wait = await editing.done(A.INSERT, one, new=PlannedWait(600))
    assert await editing.refused(A.RUN_NOW, wait) == Note(Reason.WAIT_NOT_BEGUN)
    await editing.room.lose_connection()
    await editing.room.back_online()
    await editing.room.execute(one, two)
    began = editing.room.clock.now()
    await editing.done(A.CHANGE_DELAY, wait, delay_s=100.0)
    assert (await editing.steps())[1].due_at == began + timedelta(seconds=100)
    await editing.done(A.UNDO, wait)
    assert (await editing.steps())[1].due_at == began + timedelta(seconds=600)
    assert await editing.refused(A.CHANGE_DELAY, wait, delay_s=86_401.0) == Note(Reason.BAD_DELAY)
    assert await editing.refused(A.MOVE, wait, other=two.task_id) == Note(Reason.WAIT_HAS_BEGUN)
    assert editing.room.texts() == ["1"]
    await editing.done(A.RUN_NOW, wait)
    await editing.room.worked_off()
    assert editing.room.texts() == ["1", "2"]
    assert await editing.refused(A.UNDO, wait) == Note(Reason.UNDO_TOO_LATE)


async def test_a_wait_that_began_after_its_edit_counts_from_there_when_the_edit_is_undone(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    wait = await editing.done(A.INSERT, one, new=PlannedWait(600))
    await editing.done(A.CHANGE_DELAY, wait, delay_s=5.0)
    began = editing.room.clock.now()
    await editing.room.execute(one)
    await editing.done(A.UNDO, two)
    step = (await editing.steps())[1]
    assert (step.status, step.wait_s) == (S.WAITING, 600)
    assert step.due_at is not None
    assert step.due_at >= began + timedelta(seconds=600)


async def test_a_long_wait_asks_again_when_its_shorter_time_is_undone(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    wait = await editing.done(A.INSERT, one, new=PlannedWait(600))
    await editing.room.store.transact(lambda tx: tx.tasks.save(replace(tx.tasks.get(wait), wait_s=100_000.0)))
    await editing.room.execute(one)
    asking = (await editing.steps())[1]
    assert asking.status is S.AWAITING_OPERATOR
    await editing.done(A.CHANGE_DELAY, wait, delay_s=5.0)
    assert (await editing.steps())[1].status is S.WAITING
    await editing.done(A.UNDO, two)
    assert (await editing.steps())[1] == asking


async def test_ending_a_wait_can_be_undone_while_nothing_has_left(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    wait = await editing.done(A.INSERT, one, new=PlannedWait(600))
    await editing.room.execute(one)
    due_at = (await editing.steps())[1].due_at
    await editing.done(A.RUN_NOW, wait)
    await editing.done(A.UNDO, two)
    again = (await editing.steps())[2]
    assert (again.kind, again.status, again.due_at) == (TaskKind.WAIT, S.WAITING, due_at)
    await editing.room.execute(two)
    assert editing.room.texts() == ["1"]
    await editing.pass_time(601)
    assert editing.room.texts() == ["1", "2"]


async def test_a_duplicate_is_a_message_of_its_own_and_undo_takes_it_out(editing: Editing) -> None:
    one, _two = await editing.plan("1", "2")
    copy = await editing.done(A.DUPLICATE, one)
    assert await editing.words() == ["1", "1", "2"]
    await editing.room.approve(await editing.card(copy))
    await editing.done(A.UNDO, one)
    assert await editing.words() == ["1", "2"]
    await editing.approve_all()
    assert editing.room.texts() == ["1", "2"]


async def test_an_edit_of_what_has_changed_meanwhile_changes_nothing(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    await editing.done(A.DUPLICATE, one)
    assert await editing.refused(A.DUPLICATE, one, expected_edits=0) == Note(Reason.PLAN_EDITED)
    assert await editing.refused(A.SKIP, two, expected_version=1) == Note(Reason.PLAN_EDITED)
    await editing.plan("new")
    assert await editing.refused(A.DUPLICATE, one) == Note(Reason.PLAN_REPLACED)


async def test_a_request_that_is_repeated_changes_nothing_more(editing: Editing) -> None:
    one, _two = await editing.plan("1", "2")
    first = await editing.do(A.INSERT, one, new=send("x"), client_id="same")
    again = await editing.do(A.INSERT, one, new=send("x"), client_id="same")
    assert (again.verdict, again.added) == (EditVerdict.ACCEPTED, first.added)
    assert await editing.words() == ["1", "x", "2"]


async def test_what_was_sent_or_decided_is_refused_with_its_reason(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    await editing.room.execute(one)
    for action in (A.SKIP, A.CANCEL, A.MOVE, A.SPLIT_OFF, A.DUPLICATE):
        assert await editing.refused(action, one, other=two.task_id) == Note(Reason.STEP_IS_OVER)
    assert await editing.refused(A.RUN_NOW, two) == Note(Reason.NOT_A_WAIT)
    assert await editing.refused(A.INSERT, two, new=send("  ")) == Note(Reason.NOTHING_TO_SEND)
    block = PlannedStep(TaskKind.BLOCK)
    assert await editing.refused(A.INSERT, two, new=block) == Note(Reason.NOT_REPEATABLE)
    await editing.room.decide(two, Reject())
    assert await editing.refused(A.INSERT, one, new=send("late")) == Note(Reason.PLAN_IS_OVER)


async def test_a_message_after_a_sent_one_waits_for_nothing_else(editing: Editing) -> None:
    one, _two = await editing.plan("1", "2")
    await editing.room.execute(one)
    added = await editing.done(A.INSERT, one, new=send("1b"))
    await editing.room.execute(await editing.card(added))
    assert editing.room.texts() == ["1", "1b"]
    await editing.approve_all()
    assert editing.room.texts() == ["1", "1b", "2"]


@pytest.mark.parametrize("action", [A.SKIP, A.CANCEL])
async def test_what_has_perhaps_arrived_is_neither_copied_nor_brought_back(
    editing: Editing, action: StepAction
) -> None:
    one, _two = await editing.plan("1", "2")
    editing.room.telegram.script.append(LOSE)
    await editing.room.execute(one)
    await editing.room.lose_connection()
    await editing.room.worked_off()
    await editing.room.store.transact(lambda tx: doubted(tx, one))
    assert await editing.room.status(one) == [S.AWAITING_DECISION]
    assert await editing.refused(A.DUPLICATE, one) == Note(Reason.PARTS_LEFT)
    await editing.done(action, one)
    assert await editing.refused(A.UNDO, one) == Note(Reason.PARTS_LEFT)


def doubted(tx: Transaction, approval: Approval) -> None:
    """Return a send without an answer to review, as the look-up does that finds nothing."""
    back_to_review(tx, tx.approvals.get(approval.approval_id), AskReason.NOT_DELIVERED, None)


@pytest.mark.parametrize(("action", "decision"), [(A.SKIP, "Reject"), (A.CANCEL, "RejectPlan")])
async def test_what_a_plan_loses_is_among_the_decisions(editing: Editing, action: StepAction, decision: str) -> None:
    one, _two = await editing.plan("1", "2")
    await editing.done(action, one, client_id="press")
    record = await editing.room.store.read(lambda tx: tx.decisions.of_client("press"))
    assert record is not None
    assert (record.approval_id, record.decision) == (one.approval_id, decision)


async def test_beside_the_operators_own_message_nothing_is_added_because_it_would_not_ask(editing: Editing) -> None:
    values = {"standing": GraphStanding.BESIDE, "origin": Origin.OPERATOR}
    await editing.room.lose_connection()
    (own,) = await editing.room.plan(editing.chat_id, "my own", **values)
    assert await editing.refused(A.INSERT, own, new=send("more")) == Note(Reason.PLAN_REPLACED)


async def test_a_postponed_message_is_tried_at_once_and_undo_postpones_it_again(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    until = editing.room.clock.now() + timedelta(hours=1)
    await editing.room.decide(one, Postpone(until))
    assert await editing.refused(A.RETRY, two) == Note(Reason.NOTHING_TO_RETRY)
    await editing.done(A.RETRY, one)
    assert (await editing.card(one.task_id)).postponed_until is None
    await editing.done(A.UNDO, two)
    assert (await editing.card(one.task_id)).postponed_until == until
    await editing.room.approve(await editing.card(one.task_id))
    await editing.room.worked_off()
    assert editing.room.texts() == []
    await editing.done(A.RETRY, one)
    await editing.room.worked_off()
    assert editing.room.texts() == ["1"]
    assert await editing.refused(A.UNDO, two) == Note(Reason.UNDO_TOO_LATE)
    assert await editing.refused(A.RETRY, one) == Note(Reason.STEP_IS_OVER)


async def test_a_plan_in_the_making_is_tried_once_for_a_press(editing: Editing) -> None:
    room, later = editing.room, editing.room.clock.now() + timedelta(seconds=9)
    task = await room.store.transact(
        lambda tx: tx.tasks.add(
            editing.chat_id, TaskKind.RECEIVED, S.WAITING, trigger_ids=(MessageId(1),), due_at=later
        )
    )
    await room.store.transact(lambda tx: tx.tasks.save(replace(tx.tasks.get(task), attempts=3)))
    request = StepEditRequest(StepEdit(A.RETRY, task), 2, None, "press")
    outcome = await editing.edits.edit(request)
    assert (outcome.verdict, outcome.note) == (EditVerdict.OUTDATED, Note(Reason.TRIED_MEANWHILE))
    for _ in range(2):
        assert (await editing.edits.edit(replace(request, expected_edits=3))).verdict is EditVerdict.ACCEPTED
        assert (await room.store.read(lambda tx: tx.tasks.get(task))).due_at == room.clock.now()
        await room.store.transact(lambda tx: tx.tasks.save(replace(tx.tasks.get(task), attempts=4)))


STICKER = StickerRef("FoxPack", "🦊", 77, "🦊", "image/webp")


async def test_an_inserted_sticker_and_file_leave_in_their_places_and_undo_takes_them_out(
    editing: Editing, tmp_path: Path
) -> None:
    (source := tmp_path / "map.txt").write_text("map")
    store = OutgoingCopies(tmp_path / "outgoing")
    editing.edits = PlanEdits(editing.room.deciding._unit, editing.room.environment, FileCopies(store))
    one, _two = await editing.plan("1", "2")
    file, sticker = PlannedStep(TaskKind.FILE, "the way"), PlannedStep(TaskKind.STICKER, "🦊", sticker=STICKER)
    added = await editing.done(A.INSERT, one, new=sticker, is_before=True)
    press = {"new": file, "file": FileToSend(source, "map.txt"), "client_id": "same", "expected_edits": 1}
    with_file = await editing.done(A.INSERT, one, **press)
    assert await editing.done(A.INSERT, one, **press) == with_file
    copy = (await editing.card(with_file)).file
    assert copy is not None
    assert [path.name for path in (tmp_path / "outgoing").iterdir()] == [copy.stored_as]
    assert [one.kind.value for one in await editing.steps()] == ["sticker", "send", "file", "send"]
    assert {(await editing.card(one)).task_status for one in (added, with_file)} == {S.AWAITING_DECISION}
    for _ in range(2):
        await editing.done(A.UNDO, one)
    assert await editing.words() == ["1", "2"]
    await editing.done(A.INSERT, one, new=sticker)
    await editing.approve_all()
    assert editing.room.texts() == ["1", "", "2"]


def _rewritten(tx: Transaction, chat: Chat, message: Message) -> None:
    message_changed(tx, chat, replace(message, text="something else", deleted=True))


def _written_by_operator(tx: Transaction, chat: Chat, _message: Message) -> None:
    conversation_changed(tx, chat)


def _written(tx: Transaction, chat: Chat, message: Message) -> None:
    message_came(tx, chat, message)


@pytest.mark.parametrize("action", [A.SKIP, A.CANCEL])
@pytest.mark.parametrize("happens", [_rewritten, _written_by_operator, _written, None])
async def test_what_undo_brings_back_knows_what_changed_meanwhile(
    editing: Editing, action: StepAction, happens: Callable[[Transaction, Chat, Message], None] | None
) -> None:
    room, chat_id = editing.room, editing.chat_id
    (message,) = room.telegram.messages[-1:]
    seen = PromptSpan(message.key.message_id, message.key.message_id)
    _one, two = await room.plan(chat_id, "1", "2", span=seen)
    await editing.done(action, two)
    if happens is not None:
        await room.store.transact(lambda tx: happens(tx, tx.chats.get(chat_id), message))
    again = await editing.card(await editing.done(A.UNDO, two))
    assert (AskReason.CHANGED in again.reasons, again.is_stale) == (happens is not None, happens is not None)
    assert (await editing.room.get(two)).version == two.version, "the old card does not ask again"


async def test_what_the_operator_added_takes_no_drafts_place_when_a_new_plan_comes(editing: Editing) -> None:
    one, two = await editing.plan("1", "2")
    added = await editing.done(A.INSERT, one, new=send("mine"))
    await editing.room.decide(two, Edit("two"))
    cards = await editing.room.store.read(lambda tx: tx.approvals.of_graph(one.graph_id))
    new = await editing.plan("A", "B")
    await editing.room.store.transact(lambda tx: save_edits(tx, cards, new, editing.room.clock.now()))
    kept = await editing.room.store.read(lambda tx: tx.saved_edits.of_chat(editing.chat_id))
    assert {(edit.mine, edit.paired_with) for edit in kept} == {("mine", None), ("two", new[1].approval_id)}
    old = await PlanHistory(editing.room.store).plan(one.graph_id)
    assert (old.added, old.brought_back) == (frozenset({added}), frozenset())
