"""The newest messages of a chat are known further on, and answer what they cover."""

import random

import pytest

from chimein_gui.adapters.store.memo import MOST_ROWS
from chimein_gui.domain.ids import MessageId
from tests.unit.adapters.store.builders import ACCOUNT, PEER, chat_in, later, message
from tests.unit.adapters.store.statements import traced

HISTORY = 20


def before(tx, end, limit):
    return tx.messages.before(ACCOUNT, PEER, before_id=end, limit=limit)


def above(tx, number, limit):
    return tx.messages.incoming_above(ACCOUNT, PEER, above_id=MessageId(number), limit=limit)


@pytest.mark.parametrize("first_limit", [1, 5, HISTORY, 2 * MOST_ROWS])
@pytest.mark.parametrize("stored_at_first", [0, 1, 4, HISTORY, MOST_ROWS + 9])
def test_whatever_arrives_in_whatever_order_the_answers_are_those_of_the_table(tx, first_limit, stored_at_first):
    chance = random.Random(f"{first_limit} {stored_at_first}")
    chat_id = chat_in(tx).chat_id
    numbers = chance.sample(range(1, 400), stored_at_first + MOST_ROWS + 20)
    messages = {number: message(number, f"text {number}", out=number % 3 == 0) for number in numbers}
    there = []
    for at, number in enumerate(numbers):
        if at == stored_at_first:
            before(tx, None, first_limit)
        tx.messages.put(chat_id, messages[number])
        there.append(number)
        if at < stored_at_first:
            continue
        rising, end, limit = sorted(there), chance.randrange(1, 402), chance.choice((0, 1, 3, HISTORY, MOST_ROWS + 5))
        older = [messages[one] for one in rising if one < end]
        newer = [messages[one] for one in rising if one > end and not messages[one].out]
        assert before(tx, MessageId(end), limit) == tuple(older[max(0, len(older) - limit) :])
        assert before(tx, None, limit) == tuple(messages[one] for one in rising[max(0, len(rising) - limit) :])
        assert above(tx, end, limit) == tuple(newer[max(0, len(newer) - limit) :])
        assert tx.messages.newest_ids(ACCOUNT, PEER, limit=limit) == tuple(rising[::-1][:limit])


def test_a_chat_that_was_read_is_not_read_again_for_what_arrives(tx):
    chat_id = chat_in(tx).chat_id
    for number in range(1, 2 * MOST_ROWS):
        tx.messages.put(chat_id, message(number))
    before(tx, None, HISTORY)
    tx.messages.has_outgoing(ACCOUNT, PEER)

    def arrives(tx):
        tx.messages.put(chat_id, message(1000))
        before(tx, None, HISTORY)
        before(tx, MessageId(1000), HISTORY)
        above(tx, 999, HISTORY)
        tx.messages.newest_id(ACCOUNT, PEER)

    assert not [one for one in traced(tx, arrives) if one.startswith("SELECT") and "FROM messages" in one]


def test_what_is_changed_or_stored_in_other_words_is_read(tx):
    chat_id = chat_in(tx).chat_id
    tx.messages.put(chat_id, message(1))
    before(tx, None, HISTORY)
    tx.messages.edit(message(1, "edited", edited_at=later(1)))
    assert [one.text for one in before(tx, None, HISTORY)] == ["edited"]
    tx.messages.mark_deleted(ACCOUNT, PEER, (MessageId(1),))
    assert [one.deleted for one in before(tx, None, HISTORY)] == [True]
    tx.messages.put(chat_id, message(2, "half a \ud83d smile"))
    assert [one.text for one in before(tx, None, HISTORY)] == ["edited", "half a � smile"]
    assert tx.messages.put(chat_id, message(2, "twice")) is False
    assert [one.text for one in before(tx, None, HISTORY)] == ["edited", "half a � smile"]
