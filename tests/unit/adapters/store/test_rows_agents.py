"""Agents: keyed by folded name, coloured by the next free identity."""

from chimein_gui.domain.chats import TrustLevel
from tests.unit.adapters.store.builders import ACCOUNT, PEER, chat_in, spec, sql_of


async def test_a_name_is_the_same_in_any_case_and_normal_form(store):
    first = await store.transact(lambda tx: tx.agents.upsert(spec("Zoë Straße")))
    second = await store.transact(lambda tx: tx.agents.upsert(spec("ZOE\u0308 STRASSE")))
    everybody = await store.read(lambda tx: tx.agents.all())
    assert second.agent_id == first.agent_id
    assert [agent.spec.name for agent in everybody] == ["ZOE\u0308 STRASSE"]


async def test_a_new_agent_gets_the_smallest_free_identity(store):
    await store.transact(lambda tx: [tx.agents.upsert(spec(name)) for name in "abc"])
    await store.transact(lambda tx: sql_of(tx).run("DELETE FROM agents WHERE name = 'b'").rowcount)
    await store.transact(lambda tx: [tx.agents.upsert(spec(name)) for name in "de"])
    everybody = await store.read(lambda tx: tx.agents.all())
    assert {agent.spec.name: agent.identity for agent in everybody} == {"a": 0, "c": 2, "d": 1, "e": 3}
    assert [agent.agent_id for agent in everybody] == sorted(agent.agent_id for agent in everybody)


async def test_an_account_that_moves_to_another_agent_takes_its_chats_along(store):
    chat = await store.transact(chat_in)
    new = await store.transact(lambda tx: tx.agents.upsert(spec("Renamed")))
    bound = await store.transact(lambda tx: tx.agents.bind_account(new.agent_id, ACCOUNT))
    old, _ = await store.read(lambda tx: tx.agents.all())
    moved = await store.read(lambda tx: tx.chats.find(ACCOUNT, PEER))
    assert bound.account_id == ACCOUNT
    assert old.account_id is None
    assert moved is not None
    assert (moved.chat_id, moved.agent_id) == (chat.chat_id, new.agent_id)


async def test_a_spec_of_another_version_is_still_read(store):
    await store.transact(lambda tx: tx.agents.upsert(spec()))
    changed = "UPDATE agents SET spec = json_set(json_remove(spec, '$.model'), '$.later', 'x')"
    await store.transact(lambda tx: sql_of(tx).run(changed).rowcount)
    (agent,) = await store.read(lambda tx: tx.agents.all())
    assert agent.spec == spec()


def test_trust_is_confirmed_for_the_level_it_was_confirmed_for(tx):
    agent_id = tx.agents.upsert(spec(trust=TrustLevel.COUNTDOWN)).agent_id
    seen = [tx.agents.confirm_trust(agent_id, confirmed=True).trust_confirmed]
    seen.append(tx.agents.upsert(spec(trust=TrustLevel.COUNTDOWN, model="other")).trust_confirmed)
    seen.append(tx.agents.upsert(spec(trust=TrustLevel.AUTO)).trust_confirmed)
    tx.agents.confirm_trust(agent_id, confirmed=True)
    seen.append(tx.agents.upsert(spec()).trust_confirmed)
    tx.agents.upsert(spec(trust=TrustLevel.AUTO))
    tx.agents.confirm_trust(agent_id, confirmed=True)
    seen.append(tx.agents.confirm_trust(agent_id, confirmed=False).trust_confirmed)
    assert seen == [True, True, False, False, False]
