"""What the operator does beside cards: holds, settings, plans, his own messages."""

from __future__ import annotations

from dataclasses import replace
from datetime import time, timedelta

from chimein_gui.domain.approvals import Approve, Verdict
from chimein_gui.domain.chats import QuietHours, TrustLevel
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, PeerId, TaskId
from chimein_gui.domain.plans.outgoing_files import FileToSend
from chimein_gui.engine.ports import GraphRow, Transaction
from tests.fakes.telegram import ACCOUNT
from tests.unit.engine.state_machine.notebook import ANY
from tests.unit.engine.state_machine.outside import partner_writes, takes_over
from tests.unit.engine.state_machine.presses import note_decision
from tests.unit.engine.state_machine.town import PEERS, Town


async def writes_in_the_composer(town: Town, peer: PeerId | None = None) -> None:
    peer = peer or town.rng.choice(PEERS)
    chat, token = town.chats[peer], town.token("c")
    is_file, as_photo, confirm = (town.rng.random() < 0.5 for _ in range(3))
    file = FileToSend(token.encode(), token, as_photo) if is_file else None
    write = town.engine.composer.write
    written = await town.do(write(ChatId(chat), token, client_id=town.token("press"), confirm=confirm, attached=file))
    if written is not None and written.approval is not None:
        takes_over(town, chat, town.clock.now())


_UNSENT = frozenset({"awaiting_decision", "approved", "parked"})


async def sends_anyway(town: Town) -> None:
    fitting = [
        n
        for n, task in town.book.task_of.items()
        if town.book.tasks[task]["status"] in {"cancelled", "observed", "skipped"}
    ]
    if fitting:
        await asks_anew(town, town.rng.choice(sorted(fitting)))


async def asks_anew(town: Town, number: int) -> None:
    """Send this one, send anyway, or undo the rejection; what stood behind a rejected step stands behind it again."""
    book, old = town.book, town.book.cards[number]
    later = [n for n, one in book.tasks.items() if one["status"] in _UNSENT and old.task in book.steps_before(n)]
    ask = town.engine.resend.ask(ApprovalId(number), client_id=town.token("press"))
    anew = await town.do(ask)
    town.story.append(f"  anew {number} {old.text[:8]!r}: {anew and anew.approval_id}")
    if anew is None:
        return
    card = book.cards[int(anew.approval_id)]
    card.beside = book.tasks[card.task]["graph"] != book.tasks[old.task]["graph"]
    book.touched.add(card.approval)
    for one in later:
        if book.tasks[one]["status"] in _UNSENT and card.task not in book.steps_before(one):
            book.blame(f"{one} does not follow {card.task}, which came back in the place of {old.task}")


async def rewrites_the_plan(town: Town) -> None:
    """Regenerate, choose or discard."""
    chats = [ChatId(chat) for chat in town.chats.values()]
    variants = town.store.peek(lambda tx: _plans(tx, chats))
    if not variants:
        return
    graph = town.rng.choice(variants)
    if graph.standing == "variant":
        owner = town.engine.variants
        method = owner.choose if town.rng.random() < 0.7 else owner.discard
        await town.do(method(GraphId(graph.graph_id)))
    else:
        await town.do(town.engine.plans.regenerate(graph.graph_id, "shorter"))


def _plans(tx: Transaction, chats: list[ChatId]) -> list[GraphRow]:
    current = [graph for chat in chats if (graph := tx.graphs.current_of(chat)) is not None]
    return [one for graph in current for one in (graph, *tx.graphs.variants_of(graph.graph_id))]


async def skips_a_wait(town: Town) -> None:
    waits = {n: t["status"] for n, t in town.book.tasks.items() if t["kind"] == "wait"}
    asking = [number for number, status in waits.items() if status == "awaiting_operator"]
    others = [number for number, status in waits.items() if status in {"pending", "waiting"}]
    if asking or others:
        number = town.rng.choice(asking or others)
        plans = town.engine.plans
        method = plans.skip_wait if town.rng.random() < 0.5 else plans.let_wait_begin
        await town.do(method(TaskId(number)))
        if town.book.tasks[number]["status"] == "skipped":
            town.book.marked_tasks.add(number)


async def holds(town: Town) -> None:
    scope, target = _scope(town)
    job = town.do(town.engine.holds.hold(scope, target, "stop"))
    await job
    town.book.hold(str(scope), target)


async def releases(town: Town) -> None:
    on = [one for one in town.book.holds if one["to"] is None]
    if not on:
        return
    town.store.no_race()
    one = town.rng.choice(on)
    town.book.release(one["scope"], one["target"])
    backlog = await town.do(town.engine.holds.release(HoldScope(one["scope"]), one["target"]))
    if backlog is None or town.rng.random() < 0.4:
        return
    order = town.book.order
    town.last |= {int(item.approval.approval_id): (item.approval, order) for item in backlog.items}
    ticked = [item.approval for item in backlog.items if item.ticked]
    for outcome in await town.engine.backlog.confirm(ACCOUNT, ticked, client_id=town.token("press")):
        if outcome.verdict is Verdict.ACCEPTED:
            note_decision(town, int(outcome.approval.approval_id), Approve(), 0)
    await town.settled()


def _scope(town: Town) -> tuple[HoldScope, int]:
    scope = town.rng.choice(tuple(HoldScope))
    if scope is HoldScope.ALL:
        return scope, 0
    return scope, int(ACCOUNT) if scope is HoldScope.ACCOUNT else town.chats[town.rng.choice(PEERS)]


async def sets_trust(town: Town, peer: PeerId | None = None, level: TrustLevel | None = None) -> None:
    chat = town.chats[peer or town.rng.choice(PEERS)]
    level = level or town.rng.choice((*TrustLevel, TrustLevel.AUTO, TrustLevel.COUNTDOWN, TrustLevel.COUNTDOWN))
    for_s = 600.0 if level is TrustLevel.AUTO and town.rng.random() < 0.3 else None
    until = town.clock.now() + timedelta(seconds=for_s) if for_s else None
    town.book.trust[chat] = (str(level), until)
    if level is TrustLevel.OFF:
        town.ever_off.add(chat)
    town.book.undoing = ANY
    await town.do(town.engine.chat_settings.set_trust(ChatId(chat), level, for_s=for_s))
    town.book.undoing = 0


async def a_quiet_hour_begins(town: Town) -> None:
    """Quiet hours begin where drafts leave by themselves, and the partner goes on writing."""
    peers = [peer for peer in PEERS if town.book.level(town.chats[peer]) in {"auto", "countdown"}]
    if peers:
        peer = town.rng.choice(peers)
        if town.rng.random() < 0.3:
            await sets_quiet_hours(town, peer)
            await partner_writes(town, peer)
        else:
            await partner_writes(town, peer)
            await town.passes(1.5)
            await sets_quiet_hours(town, peer, is_dated_anew=town.rng.random() < 0.5)
        await town.passes(45, 9)


async def sets_quiet_hours(town: Town, peer: PeerId | None = None, *, is_dated_anew: bool = True) -> None:
    """Set them, or take them back; not dated anew is a send that was due before they began and could not leave."""
    chat, now = town.chats[peer or town.rng.choice(PEERS)], town.clock.now()
    if peer is None and town.rng.random() < 0.4:
        town.book.quiet_until.pop(chat, None)
        await town.do(town.engine.chat_settings.set_quiet_hours(ChatId(chat), None))
        return
    ends = (now + timedelta(minutes=10)).replace(second=0, microsecond=0)
    hours = QuietHours(time(now.hour, now.minute), time(ends.hour, ends.minute))
    town.book.quiet_until[chat] = town.book.was_quiet_until[chat] = ends
    if is_dated_anew:
        await town.do(town.engine.chat_settings.set_quiet_hours(ChatId(chat), hours))
        return
    town.store.no_race()
    await town.store.transact(lambda tx: _without_dating_anew(tx, ChatId(chat), hours))
    town.services.wake(ChatId(chat))
    await town.settled()


def _without_dating_anew(tx: Transaction, chat_id: ChatId, hours: QuietHours) -> None:
    tx.chats.set_settings(chat_id, replace(tx.chats.get(chat_id).settings, quiet_hours=hours))


async def opens_or_closes_an_editor(town: Town) -> None:
    chat = town.chats[town.rng.choice(PEERS)]
    if chat in town.book.editing:
        town.book.editing.discard(chat)
        town.services.editors.end(ChatId(chat))
    else:
        town.book.editing.add(chat)
        town.services.editors.begin(ChatId(chat))
    await town.settled()


async def resumes(town: Town) -> None:
    chat = town.chats[town.rng.choice(PEERS)]
    town.book.takeover.pop(chat, None)
    await town.do(town.engine.takeovers.resume(ChatId(chat)))
    town.book.takeover.pop(chat, None)  # what the operator wrote in between is over as well
