"""The quiet end of an interleaving: everybody is reachable again, time passes, and nothing may be lost."""

from __future__ import annotations

from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import AccountId, ChatId
from tests.fakes.crowd import BEN
from tests.fakes.telegram import HANG, MARTA
from tests.unit.engine.state_machine.notebook import OVER
from tests.unit.engine.state_machine.outside import lets_looks_end
from tests.unit.engine.state_machine.presses import approves_all
from tests.unit.engine.state_machine.spec_tables import PLANNED_KINDS
from tests.unit.engine.state_machine.town import PEERS, Town

OTHER = AccountId(7_000_000_002)
WAITS_FOR_SOMEBODY = {"awaiting_decision", "awaiting_operator", "parked", "observed"}


async def come_to_an_end(town: Town) -> None:
    """Take every obstacle away, let time pass, then look."""
    town.story.append("the end")
    town.crowd.script.clear()
    town.model.slow = False
    for one in list(town.model.thinking):
        one.set()
    for track in list(town.crowd.track):
        town.crowd.answer(track, None)
    await town.settled()
    for hold in [hold for hold in town.book.holds if hold["to"] is None]:
        town.book.release(hold["scope"], hold["target"])
        await town.do(town.engine.holds.release(HoldScope(hold["scope"]), hold["target"]))
    for chat in list(town.book.editing):
        town.book.editing.discard(chat)
        town.services.editors.end(ChatId(chat))
    town.crowd.uploads.clear()
    town.crowd.let_uploads_end()
    town.crowd.look_ups = "told"
    lets_looks_end(town)
    for seconds, steps in ((8, 4), (60, 12), (300, 10), (1500, 6)):
        await town.passes(seconds, steps)
    for peer in (MARTA, BEN):
        if town.chats[peer] in town.muted_once:
            town.book.mutes_told.pop(town.chats[peer], None)
            town.crowd.mutes(peer, None)
    for seconds, steps in ((2000, 5), (120, 4), (600, 3)):
        await town.passes(seconds, steps)
    _nothing_is_lost(town)
    _nothing_came_twice(town)


async def another_account_logs_in(town: Town) -> None:
    """Another ending: the agent has another account now; what was planned for the old one is over, nothing leaves."""
    town.story.append("another account")
    if town.rng.random() < 0.6:
        await _leave_something_in_doubt(town)
    town.crowd.account = OTHER
    town.crowd.missed.clear()
    town.crowd.unanswered.clear()
    await town.crowd.drop(executed=False)
    requests = len(town.crowd.requests)
    await town.passes(1500, 10)
    for number, task in town.book.tasks.items():
        if task["status"] not in OVER:
            town.book.blame(f"of the old account: {task['kind']} {number} is {task['status']}")
    if len(town.crowd.requests) != requests:
        town.book.blame("something left for the old account")


async def _leave_something_in_doubt(town: Town) -> None:
    town.crowd.script.clear()
    town.crowd.script.append(HANG)
    await approves_all(town)
    await town.passes(8, 4)


def _nothing_is_lost(town: Town) -> None:
    book = town.book
    for number, task in book.tasks.items():
        if task["status"] in OVER | WAITS_FOR_SOMEBODY:
            continue
        if task["kind"] == "received" and _why_it_waits(town, task["chat"]):
            continue
        card = next((card for card in book.cards.values() if card.task == number), None)
        if card is not None and _may_still_wait(town, card.approval):
            continue
        if task["kind"] == "wait" and _is_waited_for(town, number):
            continue
        if task["kind"] in PLANNED_KINDS and task["status"] == "approved" and book.settled_at(number) is None:
            continue
        book.blame(f"lost: {task['kind']} {number} is {task['status']} for ever ({task['reason']})")
    for peer in PEERS:
        _every_trigger_has_an_answer(town, town.chats[peer], int(peer))


def _why_it_waits(town: Town, chat: int) -> str:
    info = town.store.peek(lambda tx: tx.chats.get(ChatId(chat)))
    return str(info.planning_problem or "") or ("off" if info.trust == "off" else "")


def _may_still_wait(town: Town, approval: int) -> bool:
    book, chat = town.book, town.book.cards[approval].chat
    times = [book.postponed.get(approval), book.quiet_until.get(chat), *book.told_to_wait.values()]
    return any(until is not None and until > book.now() for until in times)


def _is_waited_for(town: Town, task: int) -> bool:
    row = town.store.peek(lambda tx: tx.tasks.get(task))  # type: ignore[arg-type]
    if row.status == "waiting":
        return row.due_at is not None and row.due_at > town.clock.now()
    return row.status == "pending"


def _every_trigger_has_an_answer(town: Town, chat: int, peer: int) -> None:
    """The newest message that asks for a plan is in a prompt that was answered, or somebody wrote after it."""
    book = town.book
    if book.level(chat) == "off" or chat in town.ever_off:
        return
    asking = [
        one
        for one in book.happenings.get(chat, [])
        if one.kind == "new" and (chat not in book.groups or one.calls) and _is_there(town, one.token)
    ]
    if not asking:
        return
    token = asking[-1].token
    message = next(one for one in town.crowd.messages if one.text.split()[:1] == [token])
    later = [one for one in town.crowd.messages if one.out and int(one.key.peer_id) == peer]
    if any(one.key.message_id > message.key.message_id for one in later):
        return
    if any(token in saw for saw in town.answered) or _why_it_waits(town, chat):
        return
    received = [task for task in book.tasks.values() if task["chat"] == chat and task["kind"] == "received"]
    book.blame(f"nobody answers {token} in chat {chat}: {[(one['status'], one['reason']) for one in received[-3:]]}")


def _is_there(town: Town, token: str) -> bool:
    return any(one.text.split()[:1] == [token] and not one.deleted for one in town.crowd.messages)


def _nothing_came_twice(town: Town) -> None:
    """Each part of what was approved came at most once; a second copy needs a second yes after "perhaps"."""
    came: dict[tuple[int, int, str], set[int]] = {}
    for row in town.book.rows.values():
        if row["random_id"] in town.crowd.random_ids:
            came.setdefault((row["approval"], row["part"], row["text"]), set()).add(row["random_id"])
    for (approval, part, text), random_ids in came.items():
        if len(random_ids) > 1:
            town.book.blame(f"twice: part {part} of approval {approval}, {text[:20]!r}")
    known = {row["random_id"]: row for row in town.book.rows.values()}
    for random_id in town.crowd.random_ids:
        if random_id not in known:
            town.book.blame(f"a partner got what no ledger row knows: {random_id}")
        elif known[random_id]["state"] not in {"sent", "unknown", "void"}:
            town.book.blame(f"a partner got {known[random_id]['text'][:12]!r}, the ledger says otherwise")
