"""Agents: keyed by folded name, coloured by the next free identity."""

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.ids import AccountId, AgentId
from tests.unit.adapters.store.builders import ACCOUNT, PEER, chat_in, opened, spec, sql_of


async def test_an_agent_comes_back_as_it_was_stored(tmp_path):
    wanted = spec("Zoë ", timezone="Europe/Berlin", model="gemini", source="/a/Zoë.md")
    async with opened(tmp_path) as store:
        agent = await store.transact(lambda tx: tx.agents.upsert(wanted))
    async with opened(tmp_path) as store:
        (again,) = await store.read(lambda tx: tx.agents.all())
    assert again == agent
    assert again.spec == wanted
    assert (again.account_id, again.identity, again.health) == (None, 0, Health.STOPPED)


async def test_a_name_is_the_same_in_any_case_and_normal_form(tmp_path):
    async with opened(tmp_path) as store:
        first = await store.transact(lambda tx: tx.agents.upsert(spec("Zoë Straße")))
        second = await store.transact(lambda tx: tx.agents.upsert(spec("ZOE\u0308 STRASSE")))
        everybody = await store.read(lambda tx: tx.agents.all())
    assert second.agent_id == first.agent_id
    assert [agent.spec.name for agent in everybody] == ["ZOE\u0308 STRASSE"]


async def test_a_new_agent_gets_the_smallest_free_identity(tmp_path):
    async with opened(tmp_path) as store:
        await store.transact(lambda tx: [tx.agents.upsert(spec(name)) for name in "abc"])
        await store.transact(lambda tx: sql_of(tx).run("DELETE FROM agents WHERE name = 'b'").rowcount)
        await store.transact(lambda tx: [tx.agents.upsert(spec(name)) for name in "de"])
        everybody = await store.read(lambda tx: tx.agents.all())
    assert {agent.spec.name: agent.identity for agent in everybody} == {"a": 0, "c": 2, "d": 1, "e": 3}
    assert [agent.agent_id for agent in everybody] == sorted(agent.agent_id for agent in everybody)


async def test_an_account_that_moves_to_another_agent_takes_its_chats_along(tmp_path):
    async with opened(tmp_path) as store:
        chat = await store.transact(chat_in)
        new = await store.transact(lambda tx: tx.agents.upsert(spec("Renamed")))
        bound = await store.transact(lambda tx: tx.agents.bind_account(new.agent_id, ACCOUNT))
        old, _ = await store.read(lambda tx: tx.agents.all())
        moved = await store.read(lambda tx: tx.chats.find(ACCOUNT, PEER))
    assert bound.account_id == ACCOUNT
    assert old.account_id is None
    assert moved is not None
    assert (moved.chat_id, moved.agent_id) == (chat.chat_id, new.agent_id)


async def test_an_unknown_agent_cannot_be_bound(tmp_path):
    async with opened(tmp_path) as store:
        with pytest.raises(LookupError, match="no agent 5"):
            await store.transact(lambda tx: tx.agents.bind_account(AgentId(5), AccountId(1)))


async def test_a_spec_of_another_version_is_still_read(tmp_path):
    async with opened(tmp_path) as store:
        await store.transact(lambda tx: tx.agents.upsert(spec()))
        changed = "UPDATE agents SET spec = json_set(json_remove(spec, '$.model'), '$.later', 'x')"
        await store.transact(lambda tx: sql_of(tx).run(changed).rowcount)
        (agent,) = await store.read(lambda tx: tx.agents.all())
    assert agent.spec == spec()
