"""An edit is open while the partner writes again: nothing is lost, nothing leaves unseen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.approvals import ApproveEdited, AskReason, Edit, Verdict
from chimein_gui.domain.tasks import TaskStatus
from tests.support.engine_room import QUICK, engine_room

SLOW_TO_PLAN = replace(QUICK, debounce_s=5)


async def test_the_edit_is_refused_then_kept_beside_the_new_draft_and_applied(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=SLOW_TO_PLAN) as room:
        room.telegram.partner_writes("shall we meet at four?")
        draft = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        room.engine.editors.begin(draft.chat_id)
        assert (await room.decide(draft, Edit("at four, by the"))).verdict is Verdict.ACCEPTED
        typed = room.newest(draft)
        room.telegram.partner_writes("or at five?")
        await room.worked_off()

        stale = await room.decide(typed, ApproveEdited("at four, by the lake"))
        assert stale.verdict is Verdict.OUTDATED
        assert stale.approval.text == "at four, by the"
        assert AskReason.CHANGED in stale.approval.reasons
        unseen = await room.decide(stale.approval, ApproveEdited("at four, by the lake"))
        assert unseen.verdict is Verdict.CHANGED

        fresh = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION, "answer 2"))
        [kept] = (await room.engine.saved_edits.load(draft.chat_id)).rows
        assert (kept.base, kept.mine, kept.paired_with) == (draft.text, "at four, by the", fresh.approval_id)
        applied = await room.engine.saved_edits.apply(
            kept.saved_edit_id, expected_version=fresh.version, seen_up_to=fresh.seen_up_to, client_id="apply"
        )
        assert applied.verdict is Verdict.ACCEPTED
        room.engine.editors.end(draft.chat_id)
        await room.approval(TaskStatus.DONE, "at four, by the")
        assert room.telegram.delivered() == ["at four, by the"]
        assert (await room.engine.saved_edits.load(draft.chat_id)).rows == ()


async def test_acknowledged_in_time_the_edit_answers_both_messages(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=SLOW_TO_PLAN) as room:
        room.telegram.partner_writes("shall we meet at four?")
        draft = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        room.telegram.partner_writes("or at five?")
        await room.worked_off()
        stale = room.newest(draft)
        outcome = await room.decide(stale, ApproveEdited("at five"), seen_up_to=stale.changed_at)
        assert outcome.verdict is Verdict.ACCEPTED
        await room.pass_time(60)
        assert room.telegram.delivered() == ["at five"]
        assert len(room.model.prompts) == 1, "the operator has answered what he saw"
