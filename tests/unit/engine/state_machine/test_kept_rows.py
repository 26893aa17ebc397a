"""What the writer keeps of its rows is what the file holds, whatever the engine did, and whatever was taken back.

The same interleavings as everywhere in this folder. Now and then a transaction is taken back and run again, as after a
failed commit; and behind it everything that can be asked for is asked of the writer, and of rows that keep nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from chimein_gui.adapters.store.jobs import Job
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.engine.ports import Transaction
from tests.unit.engine.state_machine import town
from tests.unit.engine.state_machine.inline_store import InlineStore, Move
from tests.unit.engine.state_machine.play import play, template_file

T = TypeVar("T")
Answers = Iterator[tuple[str, object]]

GATE = range(700_000, 700_008)
CAMPAIGN = range(710_000, 710_300)
ROLLED_BACK_SHARE = 0.1
LOOKED_AT = 0.08


class _RolledBackError(Exception):
    """Ends a transaction whose work is run again at once."""


class ComparedStore(InlineStore):
    """Takes some transactions back, and looks behind some at everything."""

    def __init__(self, path: Path, now: Callable[[], datetime], watch: Callable[[list[Move]], None]) -> None:
        super().__init__(path, now, watch)
        self._now = now
        self._random = random.Random(path.parent.name)

    def _run(self, work: Callable[[Transaction], T]) -> T:
        if self._random.random() < ROLLED_BACK_SHARE:
            self._roll_back(work)
        looks = self._random.random() < LOOKED_AT

        def looked_at(tx: Transaction) -> T:
            result = work(tx)
            if looks:
                self._compare(tx)
            return result

        return super()._run(looked_at)

    def _roll_back(self, work: Callable[[Transaction], T]) -> None:
        def never_mind(tx: Transaction) -> None:
            work(tx)
            raise _RolledBackError

        self._writer.run([Job(never_mind)])

    def _compare(self, tx: Transaction) -> None:
        never_asked = self._now() - timedelta(microseconds=self._random.randrange(10**9))
        tx.approvals.resolved_since(never_asked, limit=1)  # what waits to be written is written for it
        now, file = self._now(), SqliteTransaction(Sql(self._connection), self._now)  # it knows nothing yet
        for (question, kept), (_, plain) in zip(self._answers(tx, now), self._answers(file, now), strict=True):
            assert kept == plain, f"{question}: the writer says {kept!r}, the file {plain!r}"

    def _answers(self, tx: Any, now: datetime) -> Answers:
        for (agent,) in self._numbers("SELECT account_id FROM agents WHERE account_id IS NOT NULL"):
            yield f"owner of {agent}", tx.agents.owner_of(agent)
            yield f"limited {agent}", tx.accounts.limited(agent)
        for chat_id, account, peer in self._numbers("SELECT chat_id, account_id, peer_id FROM chats"):
            yield f"chat {chat_id}", tx.chats.get(chat_id)
            yield f"chat with {peer}", tx.chats.find(account, peer)
            yield f"settings of {chat_id}", tx.chats.settings_of(chat_id)
            yield f"open steps of {chat_id}", tx.tasks.current_of_chat(chat_id)
            yield f"received of {chat_id}", tx.tasks.open_received(chat_id)
            yield f"plan of {chat_id}", tx.graphs.current_of(chat_id)
            yield f"cards of {chat_id}", tx.approvals.of_chat(chat_id)
            yield f"in doubt of {chat_id}", tx.ledger.in_doubt(chat_id)
            yield f"given up in {chat_id}", tx.ledger.given_up(chat_id, now - timedelta(days=1))
            yield f"hold over {chat_id}", tx.holds.over(account, chat_id)
            yield f"wait of {chat_id}", tx.waits.over(account, chat_id, "send_text", now)
            yield f"nameless in {chat_id}", tx.ledger.nameless(chat_id, now - timedelta(days=1))
            yield f"given up in {chat_id}", tx.ledger.given_up(chat_id, now - timedelta(days=1))
            yield f"rejection in {chat_id}", tx.decisions.last_rejection(chat_id, now - timedelta(days=1))
            yield from self._messages(tx, account, peer, now)
        for (graph_id,) in self._numbers("SELECT graph_id FROM graphs"):
            yield f"plan {graph_id}", tx.graphs.get(graph_id)
            yield f"steps of {graph_id}", tx.tasks.of_graph(graph_id)
            yield f"cards of plan {graph_id}", tx.approvals.of_graph(graph_id)
            yield f"variants of {graph_id}", tx.graphs.variants_of(graph_id)
        for (task_id,) in self._numbers("SELECT task_id FROM tasks"):
            yield f"step {task_id}", tx.tasks.get(task_id)
        for approval_id, task_id in self._numbers("SELECT approval_id, task_id FROM approvals"):
            yield f"card {approval_id}", tx.approvals.get(approval_id)
            yield f"card of {task_id}", tx.approvals.of_task(task_id)
            yield f"requests of {approval_id}", tx.ledger.of_approval(approval_id)
        yield "waiting", tx.approvals.waiting()
        yield "work", tx.tasks.chats_with_work()
        yield "chats with steps", tx.tasks.chats_with_steps()
        yield "holds", tx.holds.all()

    def _messages(self, tx: Any, account: int, peer: int, now: datetime) -> Answers:
        yield f"newest of {peer}", tx.messages.newest_id(account, peer)
        yield f"newest ids of {peer}", tx.messages.newest_ids(account, peer, limit=50)
        yield f"history of {peer}", tx.messages.before(account, peer, before_id=None, limit=30)
        yield f"incoming of {peer}", tx.messages.incoming_above(account, peer, above_id=0, limit=100)
        yield f"outgoing of {peer}", tx.messages.has_outgoing(account, peer)
        yield f"count of {peer}", tx.messages.count_in(account, peer, above_id=0)
        yield f"automatic to {peer}", tx.ledger.automatic_since(now - timedelta(hours=1), account_id=account)

    def _numbers(self, statement: str) -> list[tuple[int, ...]]:
        return self._connection.execute(statement).fetchall()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return template_file(tmp_path_factory.mktemp("template"))


def _play_all(seeds: range, template: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(town, "InlineStore", ComparedStore)
    for seed in seeds:
        wrong = play(seed, template, folder)
        assert not wrong, f"seed {seed}:\n" + "\n".join(wrong)


def test_what_is_kept_is_what_is_stored(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _play_all(GATE, template, tmp_path, monkeypatch)


@pytest.mark.campaign
def test_what_is_kept_is_what_is_stored_in_many(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _play_all(CAMPAIGN, template, tmp_path, monkeypatch)
