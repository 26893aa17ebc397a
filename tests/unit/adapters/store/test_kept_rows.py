"""What the writer knows of its rows is what the file holds, whatever was done before and whoever wrote last."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import time
from pathlib import Path

import pytest

from chimein_gui.adapters.store import memo
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.domain.approvals import Approval, AskReason, Verdict
from chimein_gui.domain.chats import Chat, ChatSettings, QuietHours, TrustLevel
from chimein_gui.domain.errors import NotFoundError, StoreError
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, MessageId, PeerId, RandomId, Revision, TaskId
from chimein_gui.domain.messages import Reaction
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.prompt.spans import ContextChoice, PromptSpan
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.tasks import ApprovalState, LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.ports import DecisionRecord, GraphStanding, NewGraph, NewRequest, Transaction
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    approval_in,
    chat_in,
    connection_of,
    later,
    message,
    opened,
    spec,
    sql_of,
)

PEERS = (PeerId(1), PeerId(2))
WORDS = ("", "plain", "half a \ud83d smile", "两个", "a \x00 b")
STICKER = StickerRef("set", "«smile»", 7, "☺", "image/webp")
SPANS = (
    PromptSpan(),
    PromptSpan(MessageId(1), MessageId(4), (MessageId(9),)),
    PromptSpan(
        MessageId(1), MessageId(4), (), (MessageId(3),), (ContextChoice(MessageId(2), False, 12, "another thread"),)
    ),
)


class RolledBackError(Exception):
    """What a transaction did is undone."""


def afresh(tx: Transaction) -> SqliteTransaction:
    """Rows over the same connection that know nothing yet."""
    return SqliteTransaction(Sql(connection_of(tx)), lambda: NOW)


class Chances:
    """Does what can happen to the plans and messages of chats, one thing at a time."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.numbers = iter(range(1, 10**6))
        self.newest = 0
        self.chats: list[ChatId] = []
        self.graphs: list[GraphId] = []
        self.approvals: list[ApprovalId] = []

    def actions(self) -> list[Callable[[Transaction], object]]:
        doing = [self.plan, self.send, self.send, self.save, self.save, self.step, self.prepare, self.request]
        doing += [self.request, self.standing, self.decide, self.come, self.come, self.edit, self.delete]
        return [*doing, self.react, self.settings, self.mark, self.mark, self.receive, self.receive, self.agent]

    def number(self) -> MessageId:
        """Return the number of a message that is there, or is to come."""
        return MessageId(self.chance.randrange(1, self.newest + 2))

    def one_of(self, tx: Transaction) -> Approval | None:
        """Return a send that was not taken back."""
        known = [one for one in self.approvals if _is_there(tx, one)]
        return tx.approvals.get(self.chance.choice(known)) if known else None

    def plan(self, tx: Transaction) -> None:
        chat_id = self.chance.choice(self.chats)
        own = self.graphs_of(tx, chat_id)
        standing = self.chance.choice((GraphStanding.CURRENT, GraphStanding.CURRENT, *GraphStanding))
        variant = self.chance.choice(own) if own and standing is GraphStanding.VARIANT else None
        words, span = self.chance.choice(WORDS), self.chance.choice(SPANS)
        new = NewGraph(
            chat_id,
            later(self.chance.randrange(9)),
            standing=standing,
            variant_of=variant,
            trigger_ids=(MessageId(3),),
            span=span,
            instruction=words,
            problems=(ReplyProblem(ReplyFault.OTHER, said=(words,)),),
        )
        self.graphs.append(tx.graphs.add(new))

    def graphs_of(self, tx: Transaction, chat_id: ChatId) -> list[GraphId]:
        there = {row[0] for row in sql_of(tx).all("SELECT graph_id FROM graphs WHERE chat_id = ?", chat_id)}
        return [one for one in self.graphs if one in there]

    def standing(self, tx: Transaction) -> None:
        own = self.graphs_of(tx, self.chance.choice(self.chats))
        if own:
            graph = tx.graphs.get(self.chance.choice(own))
            tx.graphs.save(
                replace(graph, standing=self.chance.choice(tuple(GraphStanding)), failed=Note(NoteKind.OTHER, "why"))
            )

    def send(self, tx: Transaction) -> None:
        chat_id = self.chance.choice(self.chats)
        own = self.graphs_of(tx, chat_id)
        graph_id = self.chance.choice(own) if own else None
        words = self.chance.choice(WORDS)
        state = self.chance.choice((ApprovalState.OPEN, ApprovalState.OPEN, ApprovalState.OBSERVED))
        approval = approval_in(
            tx, chat_id, graph_id=graph_id, text=words, note=Note(NoteKind.OTHER, words), state=state
        )
        self.approvals.append(approval.approval_id)

    def save(self, tx: Transaction) -> None:
        approval = self.one_of(tx)
        if approval is not None:
            tx.approvals.save(
                replace(
                    approval,
                    state=self.chance.choice(tuple(ApprovalState)),
                    version=approval.version + 1,
                    text=self.chance.choice(WORDS),
                    note=self.chance.choice((None, Note(NoteKind.REFUSED, self.chance.choice(WORDS), 2))),
                    reasons=tuple(self.chance.sample(tuple(AskReason), 2)),
                    seen_up_to=Revision(self.chance.randrange(9)),
                    sticker=self.chance.choice((None, STICKER)),
                    due_at=self.chance.choice((None, NOW)),
                    decided_at=self.chance.choice((None, later(1))),
                    decided_by=self.chance.choice(("", "operator")),
                )
            )

    def step(self, tx: Transaction) -> None:
        approval = self.one_of(tx)
        if approval is None:
            return
        task, own = tx.tasks.get(approval.task_id), self.graphs_of(tx, approval.chat_id)
        changed = replace(
            task,
            status=self.chance.choice((TaskStatus.AWAITING_DECISION, *TaskStatus)),
            graph_id=self.chance.choice(own) if own and self.chance.random() < 0.2 else task.graph_id,
            reason=self.chance.choice((None, Note(NoteKind.REFUSED, self.chance.choice(WORDS), 2))),
            attempts=self.chance.randrange(5),
            crashes=self.chance.randrange(3),
            restarts=self.chance.randrange(3),
            due_at=self.chance.choice((None, NOW, later(0.000001))),
            window_began_at=self.chance.choice((None, later(3))),
            wait_s=self.chance.choice((None, 0, 2, 2.5)),
            trigger_ids=(self.number(),),
            position=self.chance.choice((task.position, task.position, 7)),
        )
        tx.tasks.save(changed)

    def prepare(self, tx: Transaction) -> None:
        approval = self.one_of(tx)
        if approval is not None:
            part, words = self.chance.randrange(3), self.chance.choice(WORDS)
            request = NewRequest(part, RandomId(next(self.numbers)), words, sticker=self.chance.choice((None, STICKER)))
            tx.ledger.prepare(approval, request)

    def request(self, tx: Transaction) -> None:
        approval = self.one_of(tx)
        rows = tx.ledger.of_approval(approval.approval_id) if approval is not None else ()
        if rows:
            row = self.chance.choice(rows)
            claimed_at, number = self.chance.choice((None, NOW)), self.chance.choice((None, MessageId(4)))
            state = self.chance.choice(tuple(LedgerState))
            tx.ledger.save(replace(row, state=state, claimed_at=claimed_at, message_id=number))

    def decide(self, tx: Transaction) -> None:
        approval = self.one_of(tx)
        if approval is not None:
            client_id, at = f"press {next(self.numbers)}", later(self.chance.randrange(99))
            name, verdict = self.chance.choice(("Approve", "Reject", "RejectPlan")), self.chance.choice(tuple(Verdict))
            tx.decisions.add(DecisionRecord(client_id, approval.approval_id, 1, name, "no", verdict, at))

    def come(self, tx: Transaction) -> None:
        number = self.chance.choice((self.newest + 1, self.newest + 1, self.chance.randrange(1, self.newest + 2)))
        self.newest = max(self.newest, number)
        flags = {"out": self.chance.random() < 0.4, "is_service": self.chance.random() < 0.2}
        peer = self.chance.choice(PEERS)
        words, is_gone = self.chance.choice(WORDS), self.chance.random() < 0.1
        came = message(number, words, peer=peer, document_id=3, deleted=is_gone, **flags)
        tx.messages.put(self.chats[PEERS.index(peer)], came)

    def edit(self, tx: Transaction) -> None:
        number, peer = self.number(), self.chance.choice(PEERS)
        tx.messages.edit(message(number, "edited", peer=peer, edited_at=later(number)))

    def delete(self, tx: Transaction) -> None:
        if self.chance.random() < 0.3:
            tx.messages.mark_deleted(
                ACCOUNT, self.chance.choice((None, *PEERS)), (self.number(), MessageId(self.newest))
            )

    def react(self, tx: Transaction) -> None:
        key = message(self.number(), peer=self.chance.choice(PEERS)).key
        tx.messages.set_reactions(key, (Reaction("+", self.number()),))

    def settings(self, tx: Transaction) -> None:
        quiet = self.chance.choice((None, QuietHours(time(22), time(7))))
        trust = self.chance.choice((None, *TrustLevel))
        tx.chats.set_settings(self.chance.choice(self.chats), ChatSettings(trust=trust, quiet_hours=quiet))

    def mark(self, tx: Transaction) -> None:
        number, chats, chat_id = self.number(), tx.chats, self.chance.choice(self.chats)
        problem = PlanningProblem(PlanningKind.FAILED, f"problem {number}")
        marks = (
            lambda: chats.set_read_up_to(chat_id, number),
            lambda: chats.set_planned_up_to(chat_id, number),
            lambda: chats.set_answered_up_to(chat_id, number),
            lambda: chats.set_partner_read_up_to(chat_id, number),
            lambda: chats.set_agent_turns(chat_id, number),
            lambda: chats.set_takeover(chat_id, self.chance.choice((None, NOW))),
            lambda: chats.set_may_write(chat_id, may_write=self.chance.random() < 0.5),
            lambda: chats.set_planning_problem(chat_id, problem),
        )
        self.chance.choice(marks)()

    def receive(self, tx: Transaction) -> None:
        chat_id = self.chance.choice(self.chats)
        task = tx.tasks.open_received(chat_id)
        if task is None:
            tx.tasks.add(chat_id, TaskKind.RECEIVED, self.chance.choice((TaskStatus.READY, TaskStatus.RUNNING)))
        else:
            tx.tasks.save(replace(task, status=self.chance.choice((TaskStatus.RUNNING, TaskStatus.DONE))))

    def agent(self, tx: Transaction) -> None:
        chat = tx.chats.get(self.chance.choice(self.chats))
        info = replace(chat.info, title=f"Title {self.number()}")
        tx.chats.ensure(chat.agent_id, info, planned_up_to=MessageId(0))
        tx.agents.upsert(spec("Ada", trust=self.chance.choice(tuple(TrustLevel))))
        tx.agents.confirm_trust(chat.agent_id, confirmed=self.chance.random() < 0.5)


def _is_there(tx: Transaction, approval_id: ApprovalId) -> bool:
    with suppress(NotFoundError):
        tx.approvals.get(approval_id)
        return True
    return False


def answers(tx: Transaction, chances: Chances, looked_at: list[ApprovalId], ids: range) -> list[object]:
    """Ask everything that may be known without a look."""
    found: list[object] = []
    for approval_id in looked_at:
        approval = tx.approvals.get(approval_id)
        rows = tx.ledger.of_approval(approval_id)
        found += [approval, tx.approvals.of_task(approval.task_id), rows]
        found.append(tx.tasks.get(approval.task_id))
        found += [tx.ledger.get(row.ledger_id) for row in rows]
        graph = tx.graphs.get(approval.graph_id)
        found += [graph, tx.graphs.variants_of(graph.graph_id), tx.tasks.of_graph(graph.graph_id)]
    for chat_id, peer in zip(chances.chats, PEERS, strict=True):
        found += [tx.graphs.current_of(chat_id), tx.tasks.current_of_chat(chat_id), tx.chats.get(chat_id)]
        found += [tx.chats.find(ACCOUNT, peer), tx.chats.settings_of(chat_id), tx.tasks.open_received(chat_id)]
        found += [tx.decisions.last_rejection(chat_id, later(since)) for since in (0, 50)]
        found += [tx.ledger.nameless(chat_id, later(0)), tx.ledger.given_up(chat_id, later(0))]
        for limit in (1, 3, 99):
            found.append(tx.messages.before(ACCOUNT, peer, before_id=None, limit=limit))
            found.append(tx.messages.newest_ids(ACCOUNT, peer, limit=limit))
            for number in ids:
                found.append(tx.messages.before(ACCOUNT, peer, before_id=MessageId(number), limit=limit))
                found.append(tx.messages.incoming_above(ACCOUNT, peer, above_id=MessageId(number), limit=limit))
        found += [tx.messages.newest_id(ACCOUNT, peer), tx.messages.has_outgoing(ACCOUNT, peer)]
        found += [tx.messages.get(message(number, peer=peer).key) for number in ids]
    return found


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("room", [1, 10_000])
async def test_what_is_known_is_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, room: int
) -> None:
    monkeypatch.setattr(memo, "MOST_ANSWERS", room)
    chances = Chances(seed)

    def work(tx: Transaction) -> None:
        for _ in range(12):
            chances.chance.choice(chances.actions())(tx)
            there = [one for one in chances.approvals if _is_there(tx, one)]
            looked_at = chances.chance.sample(there, min(2, len(there)))
            ids = range(max(1, chances.newest - 3), chances.newest + 2)
            assert answers(tx, chances, looked_at, ids) == answers(afresh(tx), chances, looked_at, ids)
        if chances.chance.random() < 0.3:
            raise RolledBackError

    async with opened(tmp_path) as store:
        chances.chats = await store.transact(lambda tx: [chat_in(tx, peer=peer).chat_id for peer in PEERS])
        for _ in range(12):
            with suppress(RolledBackError):
                await store.transact(work)


async def test_a_hold_of_another_transaction_is_seen(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)
    hold = Hold(HoldScope.CHAT, chat_id, "wait", NOW)
    seen = []
    for change in (None, lambda tx: tx.holds.put(hold), lambda tx: tx.holds.release(HoldScope.CHAT, chat_id)):
        if change is not None:
            await store.transact(change)
        seen.append(await store.transact(lambda tx: tx.holds.over(ACCOUNT, chat_id)))
    assert seen == [None, hold, None]


async def test_what_another_connection_wrote_is_seen(tmp_path: Path, store) -> None:
    """Nobody should, but the file lies in the open. A reader knows nothing of the time before."""

    def begin(tx: Transaction) -> Chat:
        chat = chat_in(tx)
        tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, TaskStatus.READY)
        tx.tasks.current_of_chat(chat.chat_id)
        return tx.chats.get(chat.chat_id)

    chat = await store.transact(begin)
    assert await store.read(lambda tx: tx.chats.get(chat.chat_id)) == chat
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as other:
        other.execute("UPDATE chats SET title = 'Another'")
        other.execute("UPDATE tasks SET status = 'running'")
        other.commit()
    now = await store.transact(lambda tx: tx.chats.get(chat.chat_id))
    assert (chat.info.title, chat.planning) == ("Partner 77", False)
    assert (now.info.title, now.planning) == ("Another", True)
    assert await store.read(lambda tx: tx.chats.get(chat.chat_id)) == now


async def test_what_is_known_of_a_chat_outlives_what_is_written_of_others(store) -> None:
    def ask(tx: Transaction) -> int:
        chats = [chat_in(tx, peer=peer) for peer in PEERS]
        steps = [tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, TaskStatus.READY) for chat in chats]
        known = tx.chats.get(chats[0].chat_id), tx.tasks.current_of_chat(chats[0].chat_id)
        tx.tasks.save(replace(tx.tasks.get(steps[1]), attempts=1))
        tx.messages.put(chats[1].chat_id, message(1, peer=PEERS[1]))
        ran: list[str] = []
        connection_of(tx).set_trace_callback(ran.append)
        assert known == (tx.chats.get(chats[0].chat_id), tx.tasks.current_of_chat(chats[0].chat_id))
        assert tx.tasks.get(steps[1]).attempts == 1
        connection_of(tx).set_trace_callback(None)
        return len(ran)

    assert await store.transact(ask) == 0


async def test_a_request_is_known_as_changed_whatever_else_of_its_card_was_known(store) -> None:
    """What is known is replaced only where all of it is known; else it is read."""

    def work(tx: Transaction) -> None:
        approval = approval_in(tx, chat_in(tx).chat_id)
        row = tx.ledger.prepare(approval, NewRequest(0, RandomId(1), "hello"))
        for look in (
            lambda: tx.ledger.get(row.ledger_id),
            lambda: tx.ledger.of_approval(approval.approval_id),
            lambda: (tx.ledger.of_approval(approval.approval_id), tx.ledger.get(row.ledger_id)),
        ):
            for state in (LedgerState.SENDING, LedgerState.UNKNOWN):
                sql_of(tx).forget()
                look()
                changed = replace(row, state=state, claimed_at=NOW)
                tx.ledger.save(changed)
                assert tx.ledger.get(row.ledger_id) == changed
                assert tx.ledger.of_approval(approval.approval_id) == (changed,)

    await store.transact(work)


async def test_what_a_refused_change_would_have_changed_is_as_before(store) -> None:
    """Whoever changes a step replaces what is known of it; after a refusal that is as in the file, too."""

    def work(tx: Transaction) -> None:
        chat_id = chat_in(tx).chat_id
        tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)
        task = tx.tasks.current_of_chat(chat_id)[0]
        with pytest.raises(StoreError):
            tx.tasks.save(replace(task, status=TaskStatus.RUNNING, graph_id=GraphId(999)))
        assert tx.tasks.get(task.task_id) == task
        assert tx.tasks.current_of_chat(chat_id) == (task,)
        with pytest.raises(StoreError):
            tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.READY, depends_on=(TaskId(999),))
        looked, kept = afresh(tx).tasks.current_of_chat(chat_id), tx.tasks.current_of_chat(chat_id)
        assert kept == looked

    await store.transact(work)
