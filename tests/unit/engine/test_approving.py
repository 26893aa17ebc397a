"""Approving and editing: what leaves, and when."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import ApproveEdited, AskReason, Decision, Edit, Undo, Verdict
from chimein_gui.domain.chats import ChatKind, TrustLevel
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskKind, TaskStatus
from tests.support.decision_room import DecisionRoom, decision_room, said

S, L, R, V = TaskStatus, LedgerState, AskReason, Verdict


async def test_an_approval_commits_its_exact_bytes(room: DecisionRoom) -> None:
    approval = await room.approved("**Hello** there")
    assert (approval.state, approval.task_status) == (ApprovalState.APPROVED, S.APPROVED)
    assert (approval.decided_by, approval.decided_at) == ("operator", room.clock.now())
    (row,) = await room.rows(approval)
    assert (row.text, row.state, row.version, row.origin) == ("Hello there", L.PREPARED, 1, Origin.PLAN)
    assert [entity.kind for entity in row.entities] == ["bold"]
    assert row.random_id != 0


@pytest.mark.parametrize(("typing_s", "due_s"), [(2.0, 5.0), (9.0, 9.0)], ids=["undo is longer", "typing is longer"])
async def test_it_leaves_after_undo_and_typing(tmp_path: Path, typing_s: float, due_s: float) -> None:
    preferences = Preferences(undo_s=5, typing_base_s=typing_s, typing_s_per_60=0)
    async with decision_room(tmp_path, preferences=preferences) as room:
        assert (await room.approved()).due_at == room.clock.now() + timedelta(seconds=due_s)


async def test_a_stale_card_needs_an_acknowledgement(room: DecisionRoom) -> None:
    shown = await room.conversation_changes(await room.one())
    refused = await room.press(shown)
    assert said(refused) == (V.CHANGED, True)
    assert refused.approval.task_status is S.AWAITING_DECISION
    assert await room.rows(shown) == ()
    accepted = await room.press(shown, seen_up_to=shown.changed_at)
    assert accepted.verdict is V.ACCEPTED
    assert accepted.approval.seen_up_to == shown.changed_at
    assert (await room.claim(accepted.approval)).claim is not None


async def test_an_acknowledgement_is_good_for_what_was_seen_only(room: DecisionRoom) -> None:
    seen = await room.conversation_changes(await room.one())
    newer = await room.conversation_changes(seen)
    assert (await room.press(newer, seen_up_to=seen.changed_at)).verdict is V.CHANGED


async def test_nobody_acknowledges_what_is_yet_to_come(room: DecisionRoom) -> None:
    approved = (await room.press(await room.one(), seen_up_to=Revision(10**9))).approval
    await room.conversation_changes(approved)
    assert (await room.claim(approved)).claim is None


@pytest.mark.parametrize(("kind", "answered"), [(ChatKind.DM, 5), (ChatKind.GROUP, 4)])
async def test_what_the_operator_acknowledged_in_a_dm_is_answered_by_what_he_approves(
    tmp_path: Path, kind: ChatKind, answered: int
) -> None:
    async with decision_room(tmp_path, kind=kind) as room:
        shown = await room.one(triggers=(4,))
        for message_id in (4, 5):
            await room.written(message_id, out=False)
        assert (await room.press(await room.one("another", triggers=(4,)))).approval.covers_up_to == 4
        stale = await room.conversation_changes(shown)
        approved = (await room.press(stale, seen_up_to=stale.changed_at)).approval
        assert approved.covers_up_to == answered


async def test_after_twelve_hours_a_draft_has_to_be_looked_at_again(room: DecisionRoom) -> None:
    shown = await room.one()
    room.clock.advance(12 * 3600 - 1)
    assert (await room.press(await room.one("another"))).verdict is V.ACCEPTED
    room.clock.advance(1)
    refused = await room.press(shown)
    assert said(refused) == (V.CHANGED, True)
    old = refused.approval
    assert (R.OLD in old.reasons, old.is_stale, old.version) == (True, True, shown.version + 1)
    assert (await room.press(old)).verdict is V.CHANGED
    assert (await room.press(old, seen_up_to=old.changed_at)).verdict is V.ACCEPTED
    assert (await room.claim(old)).claim is not None


async def test_the_operators_own_message_does_not_grow_old(room: DecisionRoom) -> None:
    await room.hold()
    mine = await room.beside("hello", origin=Origin.OPERATOR)
    room.clock.advance(12 * 3600)
    await room.do(lambda tx: tx.holds.release(HoldScope.ALL, 0))
    approved = (await room.press(mine)).approval
    assert (approved.task_status, approved.note) == (S.APPROVED, None)
    assert (await room.claim(approved)).claim is not None


async def test_an_edited_text_is_a_new_version_with_its_own_bytes(room: DecisionRoom) -> None:
    shown = await room.one()
    approved = (await room.press(shown, ApproveEdited("  mine \n"))).approval
    assert (approved.text, approved.draft_text, approved.version) == ("mine", "hello", shown.version + 1)
    (row,) = await room.rows(approved)
    assert (row.text, row.version) == ("mine", approved.version)
    assert (await room.claim(approved)).claim is not None


@pytest.mark.parametrize("text", ["", " \n ", "a\x00b", "\ud800"])
async def test_a_text_that_cannot_be_sent_is_refused(room: DecisionRoom, text: str) -> None:
    shown = await room.one()
    try:
        outcome = await room.press(shown, ApproveEdited(text))
    except UnicodeEncodeError:
        pytest.fail("it must not get as far as the database")
    assert said(outcome) == (V.INVALID, True)
    assert await room.now(shown) == shown


async def test_a_blank_draft_cannot_be_approved_as_it_is(room: DecisionRoom) -> None:
    shown = await room.one(" ")
    assert R.UNSENDABLE in shown.reasons
    assert said(await room.press(shown)) == (V.INVALID, True)
    assert (await room.press(shown, ApproveEdited("mine"))).verdict is V.ACCEPTED


@pytest.mark.parametrize("decision", [ApproveEdited("mine"), Edit("mine")])
async def test_only_messages_can_be_edited(room: DecisionRoom, decision: Decision) -> None:
    (block,) = await room.plan(PlannedStep(TaskKind.BLOCK))
    assert said(await room.press(block, decision)) == (V.INVALID, True)
    assert await room.now(block) == block


async def test_a_typed_edit_is_kept_without_a_decision(room: DecisionRoom) -> None:
    shown = await room.one()
    edited = (await room.press(shown, Edit("min "))).approval
    assert (edited.text, edited.draft_text, edited.version) == ("min ", "hello", shown.version + 1)
    assert (edited.task_status, await room.rows(shown)) == (S.AWAITING_DECISION, ())
    assert (await room.press(shown)).verdict is V.OUTDATED
    same = (await room.press(edited, Edit("min "))).approval
    assert same == edited
    approved = (await room.press(edited)).approval
    assert [row.text for row in await room.rows(approved)] == ["min"]


async def test_an_edit_that_makes_it_sendable_takes_the_reason_away(room: DecisionRoom) -> None:
    await room.trust(TrustLevel.AUTO)
    shown = await room.one(" ")
    assert shown.reasons == (R.UNSENDABLE,)
    half = (await room.press(shown, Edit(""))).approval
    assert half.reasons == (R.UNSENDABLE,)
    assert (await room.press(half, Edit("mine"))).approval.reasons == (R.REVIEW,)


async def test_steps_behind_an_edited_one_are_told(room: DecisionRoom) -> None:
    await room.trust(TrustLevel.AUTO)
    one, two, three = await room.plan("one", "two", "three")
    opened = (await room.press(one, Undo())).approval
    back_two = (await room.press(two, Undo())).approval
    await room.press(opened, ApproveEdited("mine"))
    marked, automatic = await room.now(back_two), await room.now(three)
    assert (marked.version, R.EARLIER_STEP in marked.reasons) == (back_two.version + 1, True)
    assert (automatic.task_status, R.EARLIER_STEP in automatic.reasons) == (S.AWAITING_DECISION, True)
    assert marked.note == automatic.note == Note(NoteKind.EARLIER_EDITED)
