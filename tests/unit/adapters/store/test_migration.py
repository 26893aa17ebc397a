"""A file of version 1 goes on with everything that is in it."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from chimein_gui.adapters.store import SqliteStore, opening, schema
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approval, AskReason, Part
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, GraphId, MessageId, PeerId, Revision, TaskId
from chimein_gui.domain.messages import Media, Reaction
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.ports import GraphStanding
from tests.unit.adapters.store.builders import ACCOUNT, NOW, later, opened
from tests.unit.adapters.store.old_file import SENDS, not_final, old_file

pytestmark = pytest.mark.usefixtures("migrations_in_earnest")


@pytest.fixture
def old(tmp_path):
    old_file(tmp_path)
    return tmp_path


def approvals_of(tx):
    return {number: tx.approvals.get(ApprovalId(number)) for number in range(1, len(SENDS) + 1)}


async def read(old, work):
    async with opened(old) as store:
        return await store.read(work)


async def test_the_file_is_of_this_version_and_sound(old):
    async with opened(old) as store:
        assert await store.transact(lambda tx: tx.revision) == 4712
    with closing(sqlite3.connect(old / "chimein.db")) as connection:
        assert schema.version_of(connection) == len(schema.MIGRATIONS)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_an_old_file_has_the_tables_of_a_new_one(old, tmp_path):
    (tmp_path / "new").mkdir()
    layouts = []
    for directory in (old, tmp_path / "new"):
        async with opened(directory):
            pass
        with closing(sqlite3.connect(directory / "chimein.db")) as connection:
            layouts.append(connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall())
    assert layouts[0] == layouts[1]
    assert len(layouts[0]) > 30


async def test_a_migration_cut_off_leaves_the_old_file(old):
    path = old / "chimein.db"
    broken = f"{schema.MIGRATIONS[1]}\nINSERT INTO nothing VALUES (1);"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        before = connection.execute("SELECT name, sql FROM sqlite_master").fetchall()
        with pytest.raises(sqlite3.OperationalError, match="nothing"):
            schema.migrate(connection, (schema.MIGRATIONS[0], broken))
        assert connection.execute("SELECT name, sql FROM sqlite_master").fetchall() == before
        assert schema.version_of(connection) == 1
    assert len(await read(old, lambda tx: tx.chats.all())) == 4


async def test_a_full_disk_during_the_migration_is_said_and_leaves_the_old_file(old, monkeypatch):
    connect = opening._connect

    def full(path, mode):
        connection = connect(path, mode)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(opening, "_connect", full)
        with pytest.raises(StoreWriteError, match="free space"):
            await SqliteStore.open(old / "chimein.db", now=lambda: NOW)
    with closing(sqlite3.connect(old / "chimein.db")) as connection:
        assert schema.version_of(connection) == 1
    assert len(await read(old, approvals_of)) == len(SENDS)


async def test_agents_and_chats_keep_what_they_had(old):
    (agent,), chats = await read(old, lambda tx: (tx.agents.all(), {chat.chat_id: chat for chat in tx.chats.all()}))
    assert agent.spec == AgentSpec(
        "Ada", "+999", "Be kind.", ("Base",), ("base text",), timezone="Europe/Berlin", source="/agents/Ada.md"
    )
    assert (agent.account_id, agent.trust_confirmed, agent.limited) == (ACCOUNT, False, "")
    assert [chats[ChatId(number)].trust for number in (1, 2)] == [TrustLevel.REVIEW, TrustLevel.AUTO]
    assert chats[ChatId(1)].settings == ChatSettings(trust=TrustLevel.REVIEW)
    first = chats[ChatId(1)]
    assert (first.planned_up_to, first.last_text, first.pending, first.may_write) == (7, "hello", 2, True)
    assert chats[ChatId(4)].planning


async def test_drafts_keep_their_text_and_what_speaks_against_them(old):
    approvals = await read(old, approvals_of)
    assert approvals[4] == Approval(
        approval_id=ApprovalId(4),
        task_id=TaskId(4),
        graph_id=GraphId(3),
        chat_id=ChatId(1),
        agent_id=AgentId(1),
        account_id=ACCOUNT,
        peer_id=PeerId(1),
        agent_name="Ada",
        chat_title="Partner 1",
        state=ApprovalState.OPEN,
        task_status=TaskStatus.AWAITING_DECISION,
        version=3,
        text="text 4",
        draft_text="draft",
        reply_to_id=MessageId(8),
        reasons=(AskReason.FIRST_MESSAGE, AskReason.REVIEW),
        seen_up_to=Revision(0),
        created_at=NOW,
        covers_up_to=MessageId(400),
        note=Note(NoteKind.OTHER, "note"),
    )
    assert {number: approval.covers_up_to for number, approval in approvals.items()} == {
        number: 100 * number for number in approvals
    }


async def test_a_draft_whose_conversation_changed_is_stale_until_it_is_looked_at(old):
    approvals = await read(old, approvals_of)
    assert [number for number, approval in approvals.items() if approval.is_stale] == [5]
    assert (approvals[5].changed_at, approvals[5].seen_up_to) == (1, 0)
    # The operator approved this one in spite of it.
    assert (approvals[6].changed_at, approvals[6].seen_up_to) == (1, 1)
    assert {(approval.changed_at, approval.seen_up_to) for number, approval in approvals.items() if number < 5} == {
        (0, 0)
    }


async def test_what_was_on_its_way_keeps_its_requests(old):
    def work(tx):
        requests = {number: tx.ledger.of_approval(ApprovalId(number)) for number in range(1, len(SENDS) + 1)}
        return approvals_of(tx), requests, tx.ledger.in_doubt(ChatId(1)), tx.ledger.in_doubt(ChatId(3))

    approvals, requests, first, third = await read(old, work)
    states = {number: [row.state for row in rows] for number, rows in requests.items() if rows}
    assert states == {1: ["sent"], 2: ["unknown"], 6: ["prepared"], 7: ["prepared"], 10: ["sending"]}
    [row] = requests[7]
    assert (row.kind, row.origin, row.text, row.version, row.part) == (TaskKind.SEND, Origin.PLAN, "text 7", 3, 0)
    assert (row.entities, row.sticker, row.up_to, row.by_rule, row.chat_id) == ((), None, 0, False, ChatId(2))
    assert approvals[1].parts == (Part(0, LedgerState.SENT, MessageId(9)),)
    assert approvals[1].message_id == 9
    assert approvals[9].parts == (Part(0, LedgerState.FAILED),)
    assert [row.approval_id for row in first] == [2]
    assert [row.approval_id for row in third] == [10]


async def test_what_left_by_a_rule_still_counts_for_the_caps(old):
    def work(tx):
        return tx.ledger.automatic_since(NOW, account_id=ACCOUNT), [
            tx.ledger.automatic_since(NOW, account_id=ACCOUNT, chat_id=ChatId(number)) for number in (1, 2, 3)
        ]

    assert await read(old, work) == (2, [1, 0, 1])


async def test_plans_have_their_standing_their_triggers_and_a_span(old):
    def work(tx):
        return [tx.graphs.get(GraphId(number)) for number in range(1, 8)], tx.graphs.current_of(ChatId(1))

    graphs, current = await read(old, work)
    standings = {graph.graph_id: graph.standing for graph in graphs}
    assert {number for number, standing in standings.items() if standing is GraphStanding.CURRENT} == {3, 4, 6, 7}
    assert set(standings.values()) == {GraphStanding.CURRENT, GraphStanding.PAST}
    assert current == graphs[2]
    assert (current.trigger_ids, current.problems, current.origin) == (
        (6, 8),
        (ReplyProblem(ReplyFault.OTHER, said=("line 3",)),),
        Origin.PLAN,
    )
    assert (current.span, graphs[6].span, graphs[6].trigger_ids) == (
        PromptSpan(MessageId(1), MessageId(500)),
        PromptSpan(),
        (),
    )


async def test_the_lists_hold_what_they_held(old):
    def work(tx):
        waiting = [int(approval.approval_id) for approval in tx.approvals.waiting()]
        resolved = {int(approval.approval_id) for approval in tx.approvals.resolved_since(NOW, limit=99)}
        recover = [(task.kind, task.status) for task in tx.tasks.to_recover()]
        return waiting, resolved, recover, dict(tx.tasks.chats_with_work())

    waiting, resolved, recover, working = await read(old, work)
    numbers = range(1, len(SENDS) + 1)
    assert waiting == [number for number in numbers if not_final(number)]
    assert resolved == {number for number in numbers if SENDS[number - 1][4] != "open"}
    assert recover == [(TaskKind.SEND, TaskStatus.SENDING), (TaskKind.RECEIVED, TaskStatus.RUNNING)]
    assert working == {1: NOW, 2: NOW, 3: NOW, 4: None}


async def test_the_decision_log_goes_on(old):
    def work(tx):
        return tx.decisions.of_client("a"), tx.decisions.last_rejection(ChatId(2), NOW)

    record, reason = await read(old, work)
    assert (record.by, record.at, record.text) == ("operator", later(5), "too long")
    assert reason == "too long"


async def test_messages_of_before_carry_nothing_until_they_are_told_anew(old):
    async with opened(old) as store:

        def work(tx):
            chat = tx.chats.get(ChatId(1)).info
            [stored] = tx.messages.before(chat.account_id, chat.peer_id, before_id=None, limit=1)
            assert (stored.media, stored.forward, stored.reactions) == (None, None, ())
            assert tx.messages.edit(replace(stored, media_kind="photo", media=Media(5)))
            assert tx.messages.set_reactions(stored.key, (Reaction("👍", 1),))
            return tx.messages.get(stored.key)

        told = await store.transact(work)
    assert (told.media, told.reactions) == (Media(5), (Reaction("👍", 1),))


async def test_what_old_plans_did_invisibly_is_found(old):
    steps = await read(old, lambda tx: tx.transcripts.hidden_steps(ChatId(2), since_id=MessageId(0), limit=9))
    assert [(step.kind, step.status, step.text) for step in steps] == [("send", "skipped", "text 8")]
    assert steps[0].after_message_id == 800
