"""Things that happen to one chat in quick succession, and what nobody should do at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from chimein_gui.domain.approvals import Approve, Postpone, Reject
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import SlowModeError
from chimein_gui.domain.ids import ChatId, PeerId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.tasks.next_action import AT_ONCE, Send
from tests.fakes.crowd import BEN, LATER
from tests.fakes.telegram import MARTA
from tests.unit.engine.state_machine.outside import (
    lets_looks_end,
    mutes_or_unmutes,
    operator_on_the_phone,
    partner_writes,
)
from tests.unit.engine.state_machine.presses import press
from tests.unit.engine.state_machine.settings import asks_anew, sets_trust, writes_in_the_composer
from tests.unit.engine.state_machine.town import Town


async def changes_his_mind(town: Town) -> None:
    """The operator approves, and before it leaves something else happens in that very chat."""
    town.look()
    waiting = [card for card, _ in town.last.values() if card.task_status == "awaiting_decision"]
    if not waiting:
        return
    card = town.rng.choice(waiting)
    peer = next(peer for peer, chat in town.chats.items() if chat == card.chat_id)
    if town.rng.random() < 0.3:
        later = town.clock.now() + timedelta(seconds=60)
        await press(town, int(card.approval_id), Postpone(later), acknowledged=True)
        town.look()
    if int(card.approval_id) not in town.last:
        return  # it was taken back meanwhile
    await press(town, int(card.approval_id), Approve(), acknowledged=True)
    await town.passes(town.rng.choice((0, 2)))
    happens = town.rng.choice((operator_on_the_phone, sets_trust, writes_in_the_composer, partner_writes, nothing))
    await happens(town, peer)
    if town.rng.random() < 0.5:
        town.crowd.script.append(LATER)
    await town.passes(7)
    await claims_out_of_turn(town)


async def switches_off_in_flight(town: Town) -> None:
    """A send is on its way while the chat is set to `off` or `observe`; then Telegram wants it to wait."""
    town.look()
    waiting = [card for card, _ in town.last.values() if card.task_status == "awaiting_decision"]
    if not waiting or town.crowd.script:
        return
    card = town.rng.choice(waiting)
    town.crowd.script.append(LATER)
    await press(town, int(card.approval_id), Approve(), acknowledged=True)
    await town.passes(12, 2)
    peer = next(peer for peer, chat in town.chats.items() if chat == card.chat_id)
    await sets_trust(town, peer, town.rng.choice((TrustLevel.OBSERVE, TrustLevel.OBSERVE, TrustLevel.REVIEW)))
    for track in list(town.crowd.track):
        town.crowd.answer(track, SlowModeError("slow", 10.0))
    await town.passes(20, 4)


async def mutes_beside_an_open_editor(town: Town) -> None:
    """A DM in which something leaves by itself is muted while the operator writes at a draft there."""
    peers = [peer for peer in (MARTA, BEN) if town.book.level(town.chats[peer]) in {"auto", "countdown"}]
    if not peers:
        return
    peer = town.rng.choice(peers)
    chat = town.chats[peer]
    town.crowd.look_ups = "told"
    lets_looks_end(town)
    await partner_writes(town, peer)
    await town.passes(1.5)
    if chat not in town.book.editing:
        town.book.editing.add(chat)
        town.services.editors.begin(ChatId(chat))
        await town.settled()
    if town.crowd.muted.get(peer, town.clock.now()) <= town.clock.now():
        await mutes_or_unmutes(town, peer)
    await town.passes(town.rng.choice((0, 3)))
    town.book.editing.discard(chat)
    town.services.editors.end(ChatId(chat))
    await town.passes(40, 8)


async def nothing(town: Town, peer: PeerId | None = None) -> None:
    """Nothing happens."""
    del town, peer


async def rejects_and_takes_it_back(town: Town) -> None:
    """The operator rejects a step, perhaps the next one too, and brings both back, in either order."""
    town.look()
    waiting = sorted(number for number, (card, _) in town.last.items() if card.task_status == "awaiting_decision")
    gone = waiting[town.rng.randrange(len(waiting)) :][: town.rng.choice((1, 2))] if waiting else []
    for number in gone:
        town.look()
        if number in town.last:
            await press(town, number, Reject())
        await town.passes(town.rng.choice((0, 0, 1, 7)))
    for number in gone if town.rng.random() < 0.5 else gone[::-1]:
        await asks_anew(town, number)


async def claims_out_of_turn(town: Town) -> None:
    """Somebody asks for a claim that is not due, or not allowed: the claim alone decides."""
    approved = town.cards(TaskStatus.APPROVED)
    if not approved:
        return
    card = town.rng.choice(approved)
    work = Send(card.chat_id, card.account_id, card.approval_id, AT_ONCE)

    async def claim() -> None:
        # Like the scheduler: what the chat has to do next is known only when the answer is there, perhaps much later.
        await town.services.outbox.send(work)
        town.services.wake(card.chat_id)

    await town.do(claim())
    await town.settled()


async def changes_a_card_behind_its_back(town: Town) -> None:
    """An approved card has another text all at once: what was approved must not leave."""
    town.store.no_race()
    approved = [
        card
        for card in town.cards(TaskStatus.APPROVED)
        if card.kind == "send" and all(part.state == "prepared" for part in card.parts)
    ]
    if not approved:
        return
    card = town.rng.choice(approved)
    other = replace(card, text=f"{card.text.split()[0]} {town.token('e')}", version=card.version + 1)
    town.book.yes.pop(int(card.approval_id), None)
    town.book.touched.add(int(card.approval_id))
    town.book.reworded.add(int(card.approval_id))
    await town.store.transact(lambda tx: tx.approvals.save(other))
    town.services.wake(card.chat_id)
    await town.settled()
