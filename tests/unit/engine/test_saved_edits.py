"""Saved edits: an edit outlives its draft, until it is applied, used or discarded."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approval, Approve, ApproveEdited, Edit, Outcome, SavedEdit, Verdict
from chimein_gui.domain.errors import NotFoundError, Refusal, RefusedError
from chimein_gui.domain.events import ApprovalResolved, SavedEditsChanged
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from tests.support.engine_room import Room, engine_room

TWO = "# «send»\none\n# «send»\ntwo"


async def kept(room: Room) -> tuple[SavedEdit, ...]:
    chat_id = (await room.engine.queries.chats()).rows[0].chat_id
    return (await room.engine.saved_edits.load(chat_id)).rows


async def edited_and_replaced(room: Room, mine: str = "mine", reply: str = "# «send»\nnew") -> Approval:
    """Have an edited draft replaced by another plan; returns the old draft as it was edited."""
    draft = await room.drafted()
    edited = (await room.decide(draft, Edit(mine))).approval
    room.model.script.append(reply)
    room.telegram.partner_writes("and another thing")
    await room.approval(TaskStatus.CANCELLED, mine)
    return edited


async def beside(room: Room) -> tuple[Approval, SavedEdit]:
    """Have an edit kept beside the draft that replaced its own; returns both."""
    await edited_and_replaced(room)
    new = await room.approval(TaskStatus.AWAITING_DECISION, "new")
    (edit,) = await kept(room)
    return new, edit


async def apply(room: Room, edit: SavedEdit, card: Approval, **changes: Any) -> Outcome:
    """Apply an edit to a card as it is shown."""
    press: dict[str, Any] = {"expected_version": card.version, "seen_up_to": card.seen_up_to, **changes}
    return await room.engine.saved_edits.apply(edit.saved_edit_id, client_id=str(press), **press)


async def test_edits_pair_by_the_order_of_sends_and_move_on_with_the_next_plan(room: Room) -> None:
    room.model.script.extend([TWO, "# «wait»\n1\n# «send»\nuno\n# «send»\ndos", "# «send»\neins", TWO])
    room.telegram.partner_writes("hello")
    await room.decide(await room.approval(TaskStatus.AWAITING_DECISION, "two"), Edit("my two"))
    second = await room.drafted("more", "dos")
    (edit,) = await kept(room)
    assert (edit.base, edit.position, edit.paired_with) == ("two", 1, second.approval_id)
    await room.drafted("even more", "eins")
    (edit,) = await kept(room)
    assert (edit.base, edit.mine, edit.paired_with) == ("two", "my two", None)


async def test_without_a_send_it_is_kept_and_can_be_used_as_a_message(room: Room) -> None:
    await edited_and_replaced(room, reply="# «think»\nbetter not")
    (edit,) = await kept(room)
    assert edit.paired_with is None
    with pytest.raises(RefusedError) as refused:
        await apply(room, edit, room.approvals()[0])
    assert refused.value.refusal is Refusal.NOTHING_BESIDE
    written = await room.engine.saved_edits.use_as_message(edit.saved_edit_id, client_id="b")
    assert written.approval is not None
    await room.approval(TaskStatus.DONE, "mine")
    assert room.telegram.delivered() == ["mine"]
    assert await kept(room) == ()


async def test_applying_it_approves_the_new_draft_with_the_operators_text(room: Room) -> None:
    new, edit = await beside(room)
    assert (edit.base, edit.mine, edit.position, edit.paired_with) == ("answer 1", "mine", 0, new.approval_id)
    assert [e.edits for e in room.events if isinstance(e, SavedEditsChanged)] == [(edit,)]
    assert (await apply(room, edit, new, expected_version=new.version + 1)).verdict is Verdict.OUTDATED
    assert await kept(room) == (edit,)
    seen: list[object] = []

    def at_the_decision(event: object) -> None:
        if isinstance(event, ApprovalResolved | SavedEditsChanged):
            seen.append(event.revision)

    room.engine.subscribe(at_the_decision)
    assert (await apply(room, edit, new)).verdict is Verdict.ACCEPTED
    assert len(seen) == 2
    assert len(set(seen)) == 1, "both of the same commit"
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == ["mine"]
    assert await kept(room) == ()


@pytest.mark.parametrize("result", ["mine and new", "new"])
async def test_what_was_made_of_both_is_sent_in_place_of_the_edit(room: Room, result: str) -> None:
    new, edit = await beside(room)
    assert (await apply(room, edit, new, text=result, expected_version=new.version + 1)).verdict is Verdict.OUTDATED
    assert await kept(room) == (edit,)
    assert (await apply(room, edit, new, text=result)).verdict is Verdict.ACCEPTED
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == [result]
    assert await kept(room) == ()


async def test_a_discarded_edit_comes_back_beside_its_draft_while_that_waits(room: Room) -> None:
    new, edit = await beside(room)
    for decided in (False, True):
        (edit,) = await kept(room)
        await room.engine.saved_edits.discard(edit.saved_edit_id)
        assert await kept(room) == ()
        if decided:
            await room.decide(new, Approve())
        for _again in range(2):
            await room.engine.saved_edits.restore(edit)
        (back,) = await kept(room)
        assert (back.base, back.mine, back.position, back.created_at) == (edit.base, "mine", 0, edit.created_at)
        assert back.paired_with == (None if decided else new.approval_id)


async def test_applying_it_to_a_changed_conversation_needs_the_acknowledgement(room: Room) -> None:
    new, edit = await beside(room)
    room.telegram.partner_edits(room.telegram.messages[0], "hullo")
    await room.until(lambda: room.newest(new).changed_at)
    changed = room.newest(new)
    assert (await apply(room, edit, changed)).verdict is Verdict.CHANGED
    assert await kept(room) == (edit,)
    assert (await apply(room, edit, changed, seen_up_to=changed.changed_at)).verdict is Verdict.ACCEPTED


async def test_an_approved_edit_is_kept_too_when_another_plan_comes(tmp_path: Path) -> None:
    slow = Preferences(debounce_s=0, undo_s=60, typing_base_s=0, typing_s_per_60=0)
    async with engine_room(tmp_path, preferences=slow) as room:
        draft = await room.drafted()
        await room.decide(draft, ApproveEdited("mine"))
        room.telegram.partner_writes("wait")
        await room.approval(TaskStatus.CANCELLED, "mine")
        assert [edit.mine for edit in await kept(room)] == ["mine"]


async def test_discarding_it_is_the_only_other_way_out(room: Room) -> None:
    _, edit = await beside(room)
    await room.engine.saved_edits.discard(edit.saved_edit_id)
    assert await kept(room) == ()
    with pytest.raises(NotFoundError):
        await room.engine.saved_edits.discard(edit.saved_edit_id)


async def test_beside_a_decided_draft_it_says_what_else_can_be_done(room: Room) -> None:
    new, edit = await beside(room)
    outcome = await apply(room, edit, await room.delivered(new, "new"))
    assert outcome.verdict is Verdict.CLOSED
    assert outcome.explanation == Note(Reason.USE_AS_MESSAGE, cause=Note(Reason.WAS_SENT))
    assert await kept(room) == (edit,)


@pytest.mark.parametrize(
    ("text", "carried", "goes"), [("mine, and more", {"mine"}, True), ("mine", (), True), ("something else", (), False)]
)
async def test_what_was_carried_over_to_the_new_draft_goes_with_its_approval(
    room: Room, text: str, carried: Collection[str], goes: bool
) -> None:
    new, edit = await beside(room)
    accepted = await room.decide(new, ApproveEdited(text, frozenset(carried)))
    assert accepted.verdict is Verdict.ACCEPTED
    assert await kept(room) == (() if goes else (edit,))
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == [text]
