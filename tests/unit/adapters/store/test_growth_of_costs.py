"""What a question costs grows with its answer, not with all that is stored; counted in SQLite's own steps."""

from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from tests.unit.adapters.store.builders import ACCOUNT, chat_in, connection_of, message, opened
from tests.unit.adapters.store.sql_work import SqlWork, counted

OTHERS = AccountId(ACCOUNT + 1)


def fill(tx, *, account, agent, first, chats):
    """Chats with three messages each, the last of them answered in every second one."""
    for number in range(first, first + chats):
        peer = 1_000 + number
        chat = chat_in(tx, peer=peer, account=account, agent=agent)
        for message_id in (1, 2, 3):
            tx.messages.put(chat.chat_id, message(message_id, peer=peer, account=account))
        if number % 2:
            tx.chats.set_planned_up_to(chat.chat_id, MessageId(5))


async def work_of(store, question) -> SqlWork:
    """What a question costs the reader, asked for the first time."""

    def work(tx):
        with counted(connection_of(tx)) as cost:
            question(tx)
        return cost

    return await store.read(work)


async def test_what_an_account_must_catch_up_with_costs_nothing_of_the_others(tmp_path):
    async with opened(tmp_path) as store:
        await store.transact(lambda tx: fill(tx, account=ACCOUNT, agent="Ada", first=0, chats=4))
        known = await store.read(lambda tx: tx.chats.known_up_to(ACCOUNT))
        alone = await work_of(store, lambda tx: tx.chats.known_up_to(ACCOUNT))
        await store.transact(lambda tx: fill(tx, account=OTHERS, agent="Bea", first=0, chats=300))
        beside = await work_of(store, lambda tx: tx.chats.known_up_to(ACCOUNT))
        nobody = await store.read(lambda tx: tx.chats.known_up_to(AccountId(3)))
    assert known == {PeerId(1_000): 3, PeerId(1_001): 5, PeerId(1_002): 3, PeerId(1_003): 5}
    assert nobody == {}
    assert beside.statements == 1
    assert beside.steps <= alone.steps + 2


async def test_chats_of_an_account_that_another_agent_runs_now_begin_anew(tmp_path):
    """As the window shows them: a chat counts for an agent once it is told of to its account."""
    async with opened(tmp_path) as store:

        def work(tx):
            fill(tx, account=ACCOUNT, agent="Ada", first=0, chats=2)
            ada = tx.agents.owner_of(ACCOUNT)
            tx.agents.bind_account(ada.agent_id, OTHERS)
            return tx.chats.known_up_to(ACCOUNT), tx.chats.with_news(ada.agent_id)

        assert await store.transact(work) == ({}, ())


async def test_the_chats_with_news_are_found_among_those_of_the_agent(tmp_path):
    async with opened(tmp_path) as store:
        await store.transact(lambda tx: fill(tx, account=ACCOUNT, agent="Ada", first=0, chats=4))
        owner = await store.read(lambda tx: tx.agents.owner_of(ACCOUNT))
        assert owner is not None
        ada = owner.agent_id
        news = await store.read(lambda tx: [tx.chats.get(one).info.peer_id for one in tx.chats.with_news(ada)])
        alone = await work_of(store, lambda tx: tx.chats.with_news(ada))
        await store.transact(lambda tx: fill(tx, account=OTHERS, agent="Bea", first=0, chats=300))
        beside = await work_of(store, lambda tx: tx.chats.with_news(ada))
    assert news == [1_000, 1_002]
    assert beside.statements == 1
    assert beside.steps <= alone.steps + 2
