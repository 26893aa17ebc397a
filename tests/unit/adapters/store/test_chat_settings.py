"""What the operator sets for a chat, and the trust level that follows from it and from the agent."""

from dataclasses import replace

import pytest

from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.ids import AccountId
from tests.unit.adapters.store.builders import ACCOUNT, chat_in, later, spec


@pytest.mark.parametrize("level", TrustLevel)
@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("here", [None, TrustLevel.OBSERVE, TrustLevel.AUTO])
async def test_trust_is_what_is_set_here_else_what_the_agent_may_have(store, level, confirmed, here):

    def work(tx):
        chat = chat_in(tx)
        tx.agents.upsert(spec(trust=level))
        tx.agents.confirm_trust(chat.agent_id, confirmed=confirmed)
        tx.chats.set_settings(chat.chat_id, ChatSettings(trust=here))
        return tx.chats.get(chat.chat_id).trust, tx.chats.all()[0].trust

    automatic = level in {TrustLevel.AUTO, TrustLevel.COUNTDOWN}
    of_agent = TrustLevel.REVIEW if automatic and not confirmed else level
    assert await store.transact(work) == (here or of_agent,) * 2


def test_a_chat_keeps_its_takeover_its_turns_and_whether_it_may_write(tx):
    chat = chat_in(tx)
    tx.chats.set_takeover(chat.chat_id, later(1800))
    tx.chats.set_agent_turns(chat.chat_id, 3)
    tx.chats.set_may_write(chat.chat_id, may_write=False)
    during = tx.chats.get(chat.chat_id)
    tx.chats.set_takeover(chat.chat_id, None)
    tx.chats.set_agent_turns(chat.chat_id, 0)
    tx.chats.set_may_write(chat.chat_id, may_write=True)
    after = tx.chats.get(chat.chat_id)
    assert (chat.takeover_until, chat.agent_turns, chat.may_write) == (None, 0, True)
    assert during == replace(chat, takeover_until=later(1800), agent_turns=3, may_write=False)
    assert after == chat


def test_the_chats_of_an_account(tx):
    mine = [chat_in(tx, peer=peer).chat_id for peer in (9, 3)]
    chat_in(tx, peer=3, account=8, agent="Eve")
    found = tx.chats.of_account(ACCOUNT)
    none = tx.chats.of_account(AccountId(1))
    assert (list(found), none) == (mine, ())
