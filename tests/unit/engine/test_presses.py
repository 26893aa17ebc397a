"""A press has one meaning: its client id, used again for something else, never says "done"."""

from __future__ import annotations

import pytest

from chimein_gui.domain.approvals import Approve, ApproveEdited, Decision, DecisionRequest, Reject, Undo, Verdict
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import TaskStatus
from tests.support.decision_room import DecisionRoom
from tests.support.engine_room import Room

S, V = TaskStatus, Verdict


async def test_the_press_of_one_card_does_not_decide_on_another(room: DecisionRoom) -> None:
    one, two = await room.plan("one", "two")
    await room.press(one, client_id="x")
    outcome = await room.press(two, client_id="x")
    assert (outcome.verdict, outcome.approval) == (V.OUTDATED, two)
    assert (await room.press(two)).verdict is V.ACCEPTED


@pytest.mark.parametrize("other", [Undo(), Reject("no"), ApproveEdited("mine")])
async def test_another_decision_with_the_same_press_decides_nothing(room: DecisionRoom, other: Decision) -> None:
    card = await room.one()
    approved = (await room.press(card, client_id="x")).approval
    assert (await room.press(card, other, client_id="x")).verdict is V.OUTDATED
    assert await room.now(card) == approved


async def test_a_batch_with_a_card_twice_decides_on_it_once(room: DecisionRoom) -> None:
    card = await room.one()
    press = DecisionRequest(card.approval_id, card.version, Approve(), card.seen_up_to, "x")
    other = DecisionRequest(card.approval_id, card.version, Approve(), card.seen_up_to, "y")
    outcomes = await room.deciding.decide_many((press, press, other))
    assert [outcome.verdict for outcome in outcomes] == [V.ACCEPTED, V.ACCEPTED, V.CLOSED]
    assert len(await room.rows(card)) == 1


async def test_a_message_is_not_swallowed_by_the_press_of_another(room: Room) -> None:
    room.telegram.partner_writes("hello")
    chat_id = (await room.approval(S.AWAITING_DECISION)).chat_id
    await room.engine.composer.write(chat_id, "one", client_id="a")
    lost = await room.engine.composer.write(chat_id, "two", client_id="a")
    assert (lost.approval, lost.explanation) == (None, Note(Reason.OTHER_PRESS))
    same = await room.engine.composer.write(chat_id, "one ", client_id="a")
    assert same.approval is not None
