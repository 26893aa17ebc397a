"""What the writer knows of its chats is what the file holds, at every moment, whoever wrote last."""

import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import time
from pathlib import Path

import pytest

from chimein_gui.adapters import store as package
from chimein_gui.adapters.store import kept_chats
from chimein_gui.adapters.store.rows_chats import BY_ID, _chat
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind, ChatSettings, QuietHours, TrustLevel
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import AgentId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Reaction
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports import Durability, Transaction
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    approval_in,
    chat_in,
    connection_of,
    counting,
    later,
    message,
    moved,
    opened,
    put_in,
    spec,
    sql_of,
)

PEERS = (1, 2, 3)


def stored(tx: Transaction, chat_id: ChatId) -> Chat:
    """Look past what is known."""
    (row,) = connection_of(tx).execute(BY_ID, (chat_id,))
    return _chat.__wrapped__(row)


class TakenBackError(Exception):
    """What a transaction did is undone."""


class Chances:
    """Does what can happen to chats, one thing at a time."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.newest = 0

    def move(self, tx: Transaction, chat: Chat) -> None:
        deeds: list[Callable[[Transaction, Chat], object]] = [
            self.message,
            self.message,
            self.edit,
            self.delete,
            self.react,
            self.settings,
            self.marks,
            self.draft,
            self.plan,
            self.title,
            self.agent,
        ]
        self.chance.choice(deeds)(tx, chat)

    def _number(self) -> int:
        """Return the number of a message, of one of the newest more often than not."""
        lowest = max(1, self.newest - 3) if self.chance.random() < 0.7 else 1
        return self.chance.randrange(lowest, self.newest + 2)

    def message(self, tx: Transaction, chat: Chat) -> None:
        self.newest += 1
        number, out = self.chance.choice((self.newest, self._number())), self.chance.random() < 0.5
        tx.messages.put(chat.chat_id, message(number, f"text {number}", peer=chat.info.peer_id, out=out))

    def edit(self, tx: Transaction, chat: Chat) -> None:
        number = self._number()
        tx.messages.edit(message(number, "edited", peer=chat.info.peer_id, edited_at=later(number)))

    def delete(self, tx: Transaction, chat: Chat) -> None:
        peer = self.chance.choice((chat.info.peer_id, None))
        tx.messages.mark_deleted(ACCOUNT, peer, (MessageId(self._number()), MessageId(self.newest)))

    def react(self, tx: Transaction, chat: Chat) -> None:
        key = message(self._number(), peer=chat.info.peer_id).key
        tx.messages.set_reactions(key, (Reaction("+", self._number()),))

    def settings(self, tx: Transaction, chat: Chat) -> None:
        quiet = self.chance.choice((None, QuietHours(time(22), time(7))))
        trust = self.chance.choice((None, *TrustLevel))
        tx.chats.set_settings(chat.chat_id, ChatSettings(trust=trust, quiet_hours=quiet))

    def marks(self, tx: Transaction, chat: Chat) -> None:
        number, chats = MessageId(self._number()), tx.chats
        self.chance.choice(
            (
                lambda: chats.set_read_up_to(chat.chat_id, number),
                lambda: chats.set_planned_up_to(chat.chat_id, number),
                lambda: chats.set_answered_up_to(chat.chat_id, number),
                lambda: chats.set_partner_read_up_to(chat.chat_id, number),
                lambda: chats.set_agent_turns(chat.chat_id, number),
                lambda: chats.set_takeover(chat.chat_id, self.chance.choice((None, NOW))),
                lambda: chats.set_may_write(chat.chat_id, may_write=self.chance.random() < 0.5),
                lambda: chats.set_planning_problem(
                    chat.chat_id, PlanningProblem(PlanningKind.FAILED, f"problem {number}")
                ),
            )
        )()

    def draft(self, tx: Transaction, chat: Chat) -> None:
        approval = approval_in(tx, chat.chat_id, reasons=(AskReason.REVIEW,))
        moved(tx, approval.approval_id, self.chance.choice((TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED)))

    def plan(self, tx: Transaction, chat: Chat) -> None:
        task = tx.tasks.open_received(chat.chat_id)
        if task is None:
            tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, self.chance.choice((TaskStatus.READY, TaskStatus.RUNNING)))
        else:
            tx.tasks.save(replace(task, status=self.chance.choice((TaskStatus.RUNNING, TaskStatus.DONE))))

    def title(self, tx: Transaction, chat: Chat) -> None:
        info = replace(chat.info, title=f"Title {self._number()}")
        tx.chats.ensure(chat.agent_id, info, planned_up_to=MessageId(0))

    def agent(self, tx: Transaction, chat: Chat) -> None:
        tx.agents.upsert(spec("Ada", trust=self.chance.choice(tuple(TrustLevel))))
        tx.agents.confirm_trust(chat.agent_id, confirmed=self.chance.random() < 0.5)


@pytest.mark.parametrize("seed", range(6))
async def test_what_is_known_is_what_is_stored(store, seed: int) -> None:
    chances = Chances(seed)

    ids = await store.transact(lambda tx: [chat_in(tx, peer=peer).chat_id for peer in PEERS])

    def work(tx: Transaction) -> None:
        for _ in range(12):
            chances.move(tx, tx.chats.get(chances.chance.choice(ids)))
            for chat_id in chances.chance.sample(ids, 2):
                tx.tasks.current_of_chat(chat_id)
                known = stored(tx, chat_id)
                assert tx.chats.get(chat_id) == known
                assert tx.chats.find(ACCOUNT, known.info.peer_id) == known
                assert tx.chats.settings_of(chat_id) == known.settings
        if chances.chance.random() < 0.3:
            raise TakenBackError

    for _ in range(15):
        with suppress(TakenBackError):
            await store.transact(work)
        reads = await store.read(lambda tx: [(tx.chats.get(one), stored(tx, one)) for one in ids])
        assert all(known == there for known, there in reads)


async def test_a_chat_that_nobody_touched_costs_no_look_in_the_next_transaction(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)

    def look(tx: Transaction) -> Chat:
        tx.tasks.current_of_chat(chat_id)
        tx.holds.over(ACCOUNT, chat_id)
        return tx.chats.get(chat_id)

    def look_again(tx: Transaction) -> tuple[Chat, list[str]]:
        seen = counting(tx)
        return look(tx), seen

    before = await store.transact(look)
    again, seen = await store.transact(look_again)
    assert again is before
    assert not [statement for statement in seen if statement.lstrip().startswith("SELECT")]


async def test_a_hold_of_another_transaction_is_seen(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)
    hold = Hold(HoldScope.CHAT, chat_id, "wait", NOW)
    seen = []
    for change in (None, lambda tx: tx.holds.put(hold), lambda tx: tx.holds.lift(HoldScope.CHAT, chat_id)):
        if change is not None:
            await store.transact(change)
        seen.append(await store.transact(lambda tx: tx.holds.over(ACCOUNT, chat_id)))
    assert seen == [None, hold, None]


async def test_what_another_connection_wrote_is_seen(tmp_path: Path, store) -> None:
    """Nobody should, but the file lies in the open."""

    def begin(tx: Transaction) -> Chat:
        chat = chat_in(tx)
        tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, TaskStatus.READY)
        tx.tasks.current_of_chat(chat.chat_id)
        return tx.chats.get(chat.chat_id)

    chat = await store.transact(begin)
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as other:
        other.execute("UPDATE chats SET title = 'Another'")
        other.execute("UPDATE tasks SET status = 'running'")
        other.commit()
    now = await store.transact(lambda tx: tx.chats.get(chat.chat_id))
    assert (chat.info.title, chat.planning) == ("Partner 77", False)
    assert (now.info.title, now.planning) == ("Another", True)


def test_what_other_rows_of_the_same_connection_wrote_is_seen(tx) -> None:
    others = SqliteTransaction(sql_of(tx), lambda: NOW)
    chat_id = chat_in(tx).chat_id
    task_id = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY)
    for one, another in ((tx, others), (others, tx), (tx, others)):
        assert one.tasks.current_of_chat(chat_id) == another.tasks.current_of_chat(chat_id)
        assert one.chats.get(chat_id) == another.chats.get(chat_id)
        task = one.tasks.get(task_id)
        status = TaskStatus.READY if task.status is TaskStatus.RUNNING else TaskStatus.RUNNING
        one.tasks.save(replace(task, status=status))
        one.chats.set_agent_turns(chat_id, one.chats.get(chat_id).agent_turns + 1)
        assert another.tasks.get(task_id).status is status
        assert another.chats.get(chat_id) == stored(tx, chat_id)


async def test_a_batch_that_could_not_be_committed_leaves_nothing_known(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)

    def spoil(tx: Transaction) -> None:
        """SQLite ends a transaction by itself like this when the disk fails."""
        tx.chats.set_agent_turns(chat_id, 7)
        put_in(tx, chat_id, 3)
        tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.RUNNING)
        assert (tx.chats.get(chat_id).agent_turns, tx.chats.get(chat_id).planning) == (7, True)
        sql_of(tx)._connection.rollback()

    with pytest.raises(Exception, match="ended a transaction on its own"):
        await store.transact(spoil, durability=Durability.FULL)
    chat, steps = await store.transact(lambda tx: (tx.chats.get(chat_id), tx.tasks.current_of_chat(chat_id)))
    assert (chat.agent_turns, chat.unread, chat.planning, steps) == (0, 0, False, ())


async def test_no_more_are_kept_than_are_worth_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_chats, "MOST_CHATS", 2)
    async with opened(tmp_path) as store:

        def work(tx: Transaction) -> list[bool]:
            ids = [chat_in(tx, peer=peer).chat_id for peer in range(1, 6)]
            return [tx.chats.get(one) == stored(tx, one) for one in (*ids, *ids)]

        assert all(await store.transact(work))
        kept = await store.transact(lambda tx: tx.chats._kept.chats)  # type: ignore[attr-defined]
    assert len(kept._chats) <= 2
    assert len(kept._by_peer) <= 2


def test_a_new_chat_is_known_by_its_peer(tx: Transaction) -> None:
    agent_id = AgentId(chat_in(tx).agent_id)
    info = ChatInfo(ACCOUNT, PeerId(500), ChatKind.DM, "New")
    assert tx.chats.find(ACCOUNT, PeerId(500)) is None
    made, _ = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(4))
    found = tx.chats.find(ACCOUNT, PeerId(500))
    assert found == made


def test_only_those_write_who_tell() -> None:
    """A statement that is not announced forgets all chats, which is right but slow; one in a new place may not be."""
    folder = Path(str(package.__file__)).parent
    writers = {
        path.name
        for path in folder.glob("*.py")
        if re.search(r"(UPDATE|INTO|DELETE FROM)\s+(chats|messages|agents)\b", path.read_text(encoding="utf-8"))
    }
    assert {name for name in writers if not name.startswith("schema")} == {
        "message_columns.py",
        "rows_agents.py",
        "rows_chats.py",
        "rows_messages.py",
        "rows_retention.py",  # once an hour, while nothing else runs
        "search_index.py",
    }
