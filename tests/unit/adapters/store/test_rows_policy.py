"""Holds, waits, limited accounts, saved edits."""

from dataclasses import replace

from chimein_gui.domain.accounts.group_moves import GroupMove, KnownGroups
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import AccountId, ChatId, PeerId
from chimein_gui.engine.ports import ServerWait
from tests.unit.adapters.store.builders import ACCOUNT, approval_in, chat_in, later, opened, spec

EVERYTHING = Hold(HoldScope.ALL, 0, "lunch", later(3))
THE_ACCOUNT = Hold(HoldScope.ACCOUNT, ACCOUNT, "odd", later(2))
THE_CHAT = Hold(HoldScope.CHAT, 5, "hers", later(1))


async def test_holds_are_kept_by_scope_and_target(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            for hold in (EVERYTHING, THE_CHAT, THE_ACCOUNT):
                tx.holds.put(hold)
            tx.holds.put(replace(THE_CHAT, reason="mine", since=later(9)))
            return tx.holds.all()

        stored = await store.transact(work)
    async with opened(tmp_path) as store:
        assert await store.read(lambda tx: tx.holds.all()) == stored
        assert stored == (THE_ACCOUNT, EVERYTHING, replace(THE_CHAT, reason="mine", since=later(9)))
        assert await store.transact(lambda tx: tx.holds.release(HoldScope.ACCOUNT, ACCOUNT))
        assert not await store.transact(lambda tx: tx.holds.release(HoldScope.ACCOUNT, ACCOUNT))
        assert [hold.scope for hold in await store.read(lambda tx: tx.holds.all())] == ["all", "chat"]


def test_the_widest_hold_over_a_chat_is_named(tx):
    seen = [tx.holds.over(ACCOUNT, ChatId(5))]
    # The same number as the target of another scope holds nothing here.
    tx.holds.put(Hold(HoldScope.CHAT, ACCOUNT, "", later(0)))
    tx.holds.put(Hold(HoldScope.ACCOUNT, 5, "", later(0)))
    seen.append(tx.holds.over(ACCOUNT, ChatId(5)))
    for hold in (THE_CHAT, THE_ACCOUNT, EVERYTHING):
        tx.holds.put(hold)
        seen.append(tx.holds.over(ACCOUNT, ChatId(5)))
    elsewhere = tx.holds.over(AccountId(1), ChatId(1))
    assert seen == [None, None, THE_CHAT, THE_ACCOUNT, EVERYTHING]
    assert elsewhere == EVERYTHING


async def test_a_wait_counts_for_its_method_or_for_the_whole_of_its_chat(store):
    chat, other = ChatId(5), ChatId(6)
    of_account = ServerWait(ACCOUNT, None, "send_text", later(20))
    of_chat = ServerWait(ACCOUNT, chat, "send_text", later(10))

    def over(tx, *, seconds=0.0, whose=ACCOUNT, where=chat, method="send_text"):
        return tx.waits.over(whose, where, method, later(seconds))

    def work(tx):
        nothing = over(tx)
        tx.waits.put(of_chat)
        tx.waits.put(of_account)
        return nothing, [
            over(tx),
            over(tx, method="send_sticker"),
            over(tx, where=other),
            over(tx, where=other, method="send_sticker"),
            over(tx, whose=AccountId(1)),
            over(tx, seconds=10, method="send_sticker"),
            over(tx, seconds=19.9),
            over(tx, seconds=20),
        ]

    nothing, seen = await store.transact(work)
    assert nothing is None
    assert seen == [of_account, of_chat, of_account, None, None, None, of_account, None]

    def prolong(tx):
        for seconds in (40, 30):
            tx.waits.put(replace(of_chat, until=later(seconds)))
        return over(tx)

    assert await store.transact(prolong) == replace(of_chat, until=later(40))


def test_a_limited_account_is_shown_at_its_agent(tx):
    agent_id = chat_in(tx).agent_id
    tx.agents.upsert(spec("Eve"))
    words = [tx.accounts.limited(ACCOUNT)]
    for text in ("Too many requests", "PEER_FLOOD", ""):
        tx.accounts.set_limited(ACCOUNT, text)
        words.append(tx.accounts.limited(ACCOUNT))
        assert {agent.agent_id: agent.limited for agent in tx.agents.all()}[agent_id] == text
        assert tx.agents.all()[1].limited == ""
    assert words == ["", "Too many requests", "PEER_FLOOD", ""]


def test_user_names_and_a_limit_are_kept_apart(tx):
    seen = [tx.accounts.usernames(ACCOUNT)]
    tx.accounts.set_usernames(ACCOUNT, ("ada", "lovelace"))
    tx.accounts.set_limited(ACCOUNT, "PEER_FLOOD")
    seen.append(tx.accounts.usernames(ACCOUNT))
    tx.accounts.set_usernames(ACCOUNT, ("lovelace",))
    assert [*seen, tx.accounts.usernames(ACCOUNT), tx.accounts.limited(ACCOUNT)] == [
        (),
        ("ada", "lovelace"),
        ("lovelace",),
        "PEER_FLOOD",
    ]


def test_blocked_people_are_kept_by_account(tx):
    tx.accounts.set_blocked(ACCOUNT, frozenset({PeerId(7), PeerId(8)}))
    tx.accounts.set_blocked(AccountId(ACCOUNT + 1), frozenset({PeerId(9)}))
    tx.accounts.note_block(ACCOUNT, PeerId(7), is_blocked=True)
    tx.accounts.note_block(ACCOUNT, PeerId(8), is_blocked=False)
    asked = [tx.accounts.has_blocked(ACCOUNT, PeerId(number)) for number in (7, 8, 9)]
    before = tx.accounts.blocked(ACCOUNT)
    tx.accounts.set_blocked(ACCOUNT, frozenset())
    assert (asked, before, tx.accounts.blocked(ACCOUNT), tx.accounts.blocked(AccountId(ACCOUNT + 1))) == (
        [True, False, False],
        {7},
        frozenset(),
        {9},
    )


def test_saved_edits_stay_until_they_are_removed(tx):
    chat_id, other = chat_in(tx).chat_id, chat_in(tx, peer=5).chat_id
    draft = approval_in(tx, chat_id).approval_id
    values = {"base": "theirs", "mine": "mine", "created_at": later(2)}
    first = tx.saved_edits.add(chat_id, position=1, paired_with=draft, **values)
    second = tx.saved_edits.add(chat_id, position=0, paired_with=None, **values)
    tx.saved_edits.add(other, position=0, paired_with=None, **values)
    before = tx.saved_edits.of_chat(chat_id)
    assert before == (first, second)
    tx.saved_edits.pair(first.saved_edit_id, None)
    tx.saved_edits.pair(second.saved_edit_id, draft)
    paired = tx.saved_edits.of_chat(chat_id)
    for one in (first, second):
        tx.saved_edits.keep_result(one.saved_edit_id, "{}")
    assert [one.result for one in tx.saved_edits.of_chat(chat_id)] == ["{}", "{}"]
    tx.saved_edits.keep_result(second.saved_edit_id, "")
    tx.saved_edits.keep_result(type(first.saved_edit_id)(99), "{}")
    tx.saved_edits.remove(first.saved_edit_id)
    (first, second) = before
    left = tx.saved_edits.of_chat(chat_id)
    assert (first.base, first.mine, first.position, first.paired_with) == ("theirs", "mine", 1, draft)
    assert first.created_at == later(2)
    assert paired == (replace(first, paired_with=None), replace(second, paired_with=draft))
    assert left == (replace(second, paired_with=draft),)


async def test_a_group_that_moved_is_known_after_a_restart(tmp_path):
    move = GroupMove(ACCOUNT, PeerId(-77), PeerId(-1_000_000_000_042))
    async with opened(tmp_path) as store:

        def work(tx):
            chat_in(tx, peer=PeerId(-1_000_000_000_043))
            chat_in(tx, peer=PeerId(-78))
            tx.accounts.note_move(move)
            tx.accounts.note_move(move)

        await store.transact(work)
    async with opened(tmp_path) as store:
        known = await store.read(lambda tx: tx.accounts.groups())
    apart, basic = {(ACCOUNT, PeerId(-1_000_000_000_043))}, {(ACCOUNT, PeerId(-78))}
    assert known == KnownGroups((move,), frozenset(apart), frozenset(basic))
