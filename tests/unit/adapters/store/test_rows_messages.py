"""Messages: stored once, edited in order, deleted with and without a peer."""

from dataclasses import replace

import pytest

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Media, Reaction, TextEntity
from tests.unit.adapters.store.builders import ACCOUNT, PEER, chat_in, later, message, opened

CHANNEL = -1000000000001
GROUP = -999999999999


def test_a_message_is_stored_once(tx):
    chat_id = chat_in(tx).chat_id
    tx.messages.put(chat_id, message(1, "first"))
    tx.messages.mark_deleted(ACCOUNT, PEER, (MessageId(1),))
    new = tx.messages.put(chat_id, message(1, "second"))
    stored = tx.messages.get(message(1).key)
    assert new is False
    assert stored == message(1, "first", deleted=True)


async def test_a_message_needs_its_chat(store):
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        await store.transact(lambda tx: tx.messages.put(ChatId(4), message(1)))


def test_an_edit_changes_what_it_says_and_only_forwards(tx):
    first = message(1, "old")
    bold = (TextEntity("bold", 0, 3),)
    newer = replace(first, text="new", entities=bold, edited_at=later(50))
    tx.messages.put(chat_in(tx).chat_id, first)
    *answers, stored = [
        tx.messages.edit(message(2, "nobody")),
        tx.messages.edit(first),
        tx.messages.edit(replace(newer, sender_name="ignored")),
        tx.messages.edit(newer),
        tx.messages.edit(replace(first, text="late", edited_at=later(40))),
        tx.messages.edit(replace(first, text="undated")),
        tx.messages.get(first.key),
    ]
    assert answers == [False, False, True, False, False, False]
    assert stored == newer


def test_deleting_with_a_peer_touches_that_peer_alone(tx):
    ids = {}
    for peer in (PEER, GROUP, CHANNEL):
        ids[peer] = chat_in(tx, peer=peer).chat_id
        tx.messages.put(ids[peer], message(1, peer=peer))
    first = tx.messages.mark_deleted(ACCOUNT, PeerId(CHANNEL), (MessageId(1), MessageId(2)))
    again = tx.messages.mark_deleted(ACCOUNT, PeerId(CHANNEL), (MessageId(1),))
    untouched = tx.messages.get(message(1).key)
    assert first == ((ids[CHANNEL], message(1, peer=CHANNEL, deleted=True)),)
    assert again == ()
    assert untouched == message(1)


def test_deleting_without_a_peer_goes_over_all_but_channels(tx):
    ids = {}
    for number, peer in enumerate((PEER, GROUP, CHANNEL, CHANNEL + 1), start=1):
        ids[peer] = chat_in(tx, peer=peer).chat_id
        tx.messages.put(ids[peer], message(number, peer=peer))
        tx.messages.put(ids[peer], message(10 + number, peer=peer))
    other = chat_in(tx, peer=PEER, account=5, agent="Eve")
    tx.messages.put(other.chat_id, message(1, account=5))
    gone = tx.messages.mark_deleted(ACCOUNT, None, tuple(map(MessageId, (1, 2, 3, 4, 99))))
    others = tx.messages.get(message(1, account=5).key)
    channels = tx.messages.get(message(3, peer=CHANNEL).key)
    # -1000000000000 itself is no basic group: they end above it.
    assert gone == ((ids[PEER], message(1, deleted=True)), (ids[GROUP], message(2, peer=GROUP, deleted=True)))
    assert others == message(1, account=5)
    assert channels == message(3, peer=CHANNEL)


async def test_history_is_paged_backwards_and_read_forwards(store):

    def fill(tx):
        chat_id = chat_in(tx).chat_id
        for number in (5, 1, 4, 2, 3):
            tx.messages.put(chat_id, message(number))
        tx.messages.put(chat_in(tx, peer=1).chat_id, message(9, peer=1))

    await store.transact(fill)

    async def page(before_id, limit):
        rows = await store.read(lambda tx: tx.messages.before(ACCOUNT, PEER, before_id=before_id, limit=limit))
        return [row.key.message_id for row in rows]

    assert await page(None, 2) == [4, 5]
    assert await page(MessageId(4), 2) == [2, 3]
    assert await page(MessageId(2), 9) == [1]
    assert await page(MessageId(1), 9) == []
    assert await page(None, 0) == []
    assert await page(None, -1) == []
    assert await store.read(lambda tx: tx.messages.newest_id(ACCOUNT, PEER)) == 5
    assert await store.read(lambda tx: tx.messages.newest_id(AccountId(1), PEER)) == 0
    assert (await store.read(lambda tx: tx.messages.newest_ids(ACCOUNT, PEER, limit=1))) == (5,)
    assert await store.read(lambda tx: tx.messages.newest_ids(AccountId(1), PEER, limit=9)) == ()


def test_our_own_messages_are_known(tx):
    chat_id = chat_in(tx).chat_id
    tx.messages.put(chat_id, message(1))
    before = tx.messages.has_outgoing(ACCOUNT, PEER)
    tx.messages.put(chat_id, message(2, out=True))
    assert (before, tx.messages.has_outgoing(ACCOUNT, PEER)) == (False, True)


def test_newer_ones_are_counted_without_ours_and_the_deleted(tx):
    chat_id = chat_in(tx).chat_id
    for number in range(1, 8):
        tx.messages.put(chat_id, message(number, out=number == 4, deleted=number == 6))
    other = chat_in(tx, peer=5)
    tx.messages.put(other.chat_id, message(9, peer=5))
    assert [tx.messages.count_in(ACCOUNT, PEER, above_id=MessageId(above)) for above in (0, 2, 5, 7)] == [5, 3, 1, 0]


async def test_an_edit_may_bring_another_file(tmp_path):
    before, after = message(1, media_kind="photo", media=Media(5)), message(1, media_kind="video", media=Media(6, "v"))
    async with opened(tmp_path) as store:

        def work(tx):
            tx.messages.put(chat_in(tx).chat_id, before)
            return tx.messages.edit(replace(after, edited_at=later(9))), tx.messages.edit(replace(before))

        assert await store.transact(work) == (True, False)
        stored = await store.read(lambda tx: tx.messages.get(before.key))
    assert stored == replace(after, edited_at=later(9))


async def test_reactions_are_replaced_and_nothing_else(store):
    given, wanted = (Reaction("👍", 2, mine=True),), message(1, edited_at=later(5), media=Media(5))

    def work(tx):
        tx.messages.put(chat_in(tx).chat_id, wanted)
        set_to = [tx.messages.set_reactions(wanted.key, reactions) for reactions in (given, given, (), ())]
        last = tx.messages.set_reactions(wanted.key, given)
        return [*set_to, last], tx.messages.set_reactions(message(2).key, given)

    assert await store.transact(work) == ([True, False, True, False, True], False)
    assert await store.read(lambda tx: tx.messages.get(wanted.key)) == replace(wanted, reactions=given)
