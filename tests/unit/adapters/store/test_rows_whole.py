"""Whatever a row holds comes back from the file: every field of every kind of row."""

from dataclasses import fields, replace

import pytest

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import ChatSettings
from chimein_gui.domain.ids import LedgerId
from chimein_gui.domain.messages import Media, Message
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.ports import DecisionRecord, GraphStanding, MemoryEffect, NewApproval, NewGraph, NewRequest
from tests.unit.adapters.store.builders import approval_in, chat_in, graph_in, message, opened, planned_in
from tests.unit.adapters.store.other_values import changed, filled

OF_OTHERS = (
    *("approval_id", "task_id", "graph_id", "chat_id", "agent_id", "account_id", "peer_id", "agent_name", "chat_title"),
    *("task_status", "kind", "origin", "created_at", "parts", "message_id", "file", "context_held", "context_of"),
)
"""What a card shows of other rows, or has from its beginning; nobody saves it with the card."""


async def test_an_agent(tmp_path):
    wanted = filled(AgentSpec)
    async with opened(tmp_path) as store:
        agent = await store.transact(lambda tx: tx.agents.upsert(wanted))
    async with opened(tmp_path) as store:
        assert await store.read(lambda tx: tx.agents.all()) == (agent,)
    assert agent.spec == wanted
    assert type(agent.spec.trust) is type(wanted.trust)


def test_what_is_set_for_a_chat(tx):
    chat, settings = chat_in(tx), filled(ChatSettings)
    tx.chats.set_settings(chat.chat_id, settings)
    assert tx.chats.get(chat.chat_id).settings == settings
    tx.chats.set_settings(chat.chat_id, ChatSettings())
    assert tx.chats.get(chat.chat_id) == chat


@pytest.mark.parametrize("media", [Media(), Media(0, waveform=bytes(range(32))), Media(file_name="\ud83d\x00"), None])
async def test_a_message(store, media):
    not_stored = {"mentioned": False, "document_id": None, "is_automatic": False}
    wanted = filled(Message, key=message(1).key, **not_stored)
    wanted = wanted if media is None else replace(wanted, media=media)
    plain = message(2, sender_id=None)

    def work(tx):
        chat_id = chat_in(tx).chat_id
        return [tx.messages.put(chat_id, new) for new in (wanted, plain)]

    assert await store.transact(work) == [True, True]
    assert await store.read(lambda tx: [tx.messages.get(one.key) for one in (wanted, plain)]) == [wanted, plain]
    assert await store.read(lambda tx: tx.messages.get(message(3).key)) is None


def test_a_plan(tx):
    chat_id = chat_in(tx).chat_id
    new = filled(NewGraph, chat_id=chat_id, standing=GraphStanding.VARIANT, variant_of=graph_in(tx, chat_id))
    stored = tx.graphs.get(tx.graphs.add(new))
    assert [getattr(stored, one.name) for one in fields(new)] == [getattr(new, one.name) for one in fields(new)]
    saved = changed(stored, "graph_id", "chat_id", "origin", "variant_of", "instruction", "created_at")
    tx.graphs.save(saved)
    assert tx.graphs.get(stored.graph_id) == saved


def test_a_step(tx):
    chat_id = chat_in(tx).chat_id
    first = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.PENDING)
    second = tx.tasks.add(chat_id, TaskKind.WAIT, TaskStatus.PENDING)
    plain = tx.tasks.get(tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.PENDING, graph_id=graph_in(tx, chat_id)))
    saved = replace(changed(plain, "task_id", "chat_id", "graph_id", "kind"), depends_on=(first, second))
    tx.tasks.save(saved)
    assert tx.tasks.get(plain.task_id) == saved
    kept = ("graph_id", "depends_on", "position", "trigger_ids", "due_at", "wait_s", "window_began_at", "reason")
    told = {name: getattr(saved, name) for name in kept}
    again = tx.tasks.get(tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.PENDING, **told))
    assert again == replace(plain, task_id=again.task_id, **told)


async def test_a_card(store):

    def work(tx):
        chat_id = chat_in(tx).chat_id
        new = filled(NewApproval, task_id=planned_in(tx, chat_id))
        made = tx.approvals.add(new)
        saved = changed(made, *OF_OTHERS)
        tx.approvals.save(replace(saved, task_status=TaskStatus.DONE))
        return new, made, saved

    new, made, saved = await store.transact(work)
    assert [getattr(made, one.name) for one in fields(new)] == [getattr(new, one.name) for one in fields(new)]
    for find in (lambda tx: tx.approvals.get(made.approval_id), lambda tx: tx.approvals.of_task(made.task_id)):
        assert await store.read(find) == saved


def test_what_a_card_shows_of_other_rows(tx):
    chat = chat_in(tx)
    card = approval_in(tx, chat.chat_id, kind=TaskKind.STICKER)
    task, info = tx.tasks.get(card.task_id), chat.info
    assert (card.graph_id, card.chat_id, card.agent_id) == (task.graph_id, chat.chat_id, chat.agent_id)
    assert (card.account_id, card.peer_id, card.chat_title) == (info.account_id, info.peer_id, info.title)
    assert (card.agent_name, card.task_status, card.kind) == ("Ada", TaskStatus.AWAITING_DECISION, TaskKind.STICKER)
    assert (card.version, card.draft_text, card.origin) == (1, card.text, tx.graphs.get(task.graph_id).origin)


def test_a_request(tx):
    approval = replace(approval_in(tx, chat_in(tx).chat_id, kind=TaskKind.CLEAR_CONVERSATION), version=3)
    new = filled(NewRequest)
    row = tx.ledger.prepare(approval, new)
    assert [getattr(row, one.name) for one in fields(new)] == [getattr(new, one.name) for one in fields(new)]
    assert (row.approval_id, row.chat_id, row.version) == (approval.approval_id, approval.chat_id, 3)
    assert (row.kind, row.origin, row.reply_to_id) == (approval.kind, approval.origin, approval.reply_to_id)
    assert row.state is LedgerState.PREPARED
    saved = changed(row, *("ledger_id", "approval_id", "chat_id", "version", "kind", "origin", "reply_to_id"))
    saved = replace(saved, **{one.name: getattr(row, one.name) for one in fields(new)})
    tx.ledger.save(saved)
    assert tx.ledger.get(LedgerId(row.ledger_id)) == saved


def test_decisions_and_memories(tx):
    chat = chat_in(tx)
    approval = approval_in(tx, chat.chat_id)
    decision = filled(DecisionRecord, approval_id=approval.approval_id)
    tx.decisions.add(decision)
    assert tx.decisions.of_client(decision.client_id) == decision
    memory = filled(MemoryEffect, graph_id=approval.graph_id, agent_id=chat.agent_id, chat_id=chat.chat_id)
    tx.effects.add_memory(memory)
    assert tx.effects.memory(memory.graph_id, memory.index) == memory
