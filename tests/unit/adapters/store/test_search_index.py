"""Words in long chats: found by the index as they are text by text, at a cost that does not grow with the chat."""

import sqlite3
from contextlib import closing

import pytest

from chimein_gui.adapters.store import opening, search_index
from chimein_gui.adapters.store.search_words import as_indexed, pieces_of
from chimein_gui.domain.ids import MessageId
from chimein_gui.engine.ports import IndexUse, MessageQuery
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    OTHER,
    PEER,
    WORDS,
    chat_in,
    fill,
    ids,
    later,
    message,
    opened,
    sql_of,
)
from tests.unit.adapters.store.old_file import old_file
from tests.unit.adapters.store.sql_work import counted

SHORT_WORDS = [
    ("да, конечно", "ДА", True),
    ("ну да", "да", True),
    ("дом", "да", False),
    ("ok", "K", True),
    ("明日", "日", True),
    ("at 5日", "5日", True),
    ("don’t", "’t", True),
    ("well ❤", "❤", True),
    ("ab\x1fcd", "b\x1fc", True),
]

FILTERED = [case for case in (*WORDS, *SHORT_WORDS) if case[1] != "K"]
"""The index is not asked for a single Latin letter."""


@pytest.fixture(autouse=True)
def _short_chats_are_long(monkeypatch):
    monkeypatch.setattr(search_index, "ENOUGH_TO_INDEX", 1)


def index(tx, limit=1_000):
    """Put all chats into the index."""
    sql_of(tx).run("UPDATE chats SET unindexed = 2000")
    while tx.search.has_work():
        tx.search.index_some(limit)


def search(tx, *words, below=None, among=5_000, peer=PEER):
    found, go_on = tx.transcripts.matching(ACCOUNT, peer, words=words, below_id=below, among=among)
    return ids(found), go_on


@pytest.mark.parametrize(("text", "words", "is_found"), WORDS + SHORT_WORDS)
def test_the_index_finds_what_is_found_text_by_text(tx, text, words, is_found):
    fill(tx, "before", text, "after")
    plain = search(tx, *words.split(" "))
    index(tx)
    indexed = search(tx, *words.split(" "))
    assert plain == indexed == ([2] if is_found else [], None)


def test_what_is_newer_than_the_index_older_or_edited_is_found_too(tx):
    fill(tx, *["tea for two"] * 5, first=10)
    fill(tx, *["tea elsewhere"] * 9, peer=OTHER)
    index(tx, limit=2)
    fill(tx, "newer tea", "no", first=20)
    fill(tx, "older tea", first=3)
    assert tx.messages.edit(message(12, "coffee now", edited_at=later(1)))
    assert tx.messages.edit(message(12, "cocoa now", edited_at=later(2)))
    assert tx.messages.edit(message(21, "cocoa, too", edited_at=later(2)))
    tea = search(tx, "TEA")
    coffee = search(tx, "coffee")
    cocoa = search(tx, "cocoa")
    below = search(tx, "tea", below=MessageId(13))
    assert tea == ([20, 14, 13, 11, 10, 3], None)
    assert coffee == ([], None)
    assert cocoa == ([21, 12], None)
    assert below == ([11, 10, 3], None)


async def test_a_common_word_comes_in_pieces(store):

    def work(tx):
        fill(tx, *["tea"] * 450)
        index(tx)
        fill(tx, *["tea"] * 3, first=451)
        pieces, below = [], None
        while True:
            found, below = search(tx, "tea", below=below, among=200)
            pieces.append(found)
            if below is None:
                return pieces

    pieces = await store.transact(work)
    assert [len(piece) for piece in pieces] == [203, 200, 50]
    assert [number for piece in pieces for number in piece] == list(range(453, 0, -1))


@pytest.mark.parametrize("word", ["absent", "отсутствует", "不在", "ъы"])
async def test_an_absent_word_costs_the_same_in_a_chat_four_times_as_long(store, word):
    costs = []
    for first in (1, 1_001):

        def work(tx, first=first):
            fill(tx, *(f"слово {number} и ещё word {number}" for number in range(1_000 if first == 1 else 3_000)))
            index(tx)
            with counted(sql_of(tx)._connection) as cost:
                assert search(tx, word) == ([], None)
            return cost.steps

        costs.append(await store.transact(work))
    assert max(costs) < 1_000


def resembling(tx, *words, among=4, **query):
    wanted = MessageQuery(words, **query)
    found, go_on = tx.transcripts.resembling(ACCOUNT, PEER, wanted, below_id=None, among=among, limit=9)
    return ids(found), go_on


@pytest.mark.parametrize(("text", "words", "is_found"), FILTERED)
def test_what_resembles_a_query_is_found_however_old_it_is(tx, text, words, is_found):
    fill(tx, "before", text, *["after"] * 30)
    index(tx)
    fill(tx, "newer", first=99)
    assert resembling(tx, *words.split(" ")) == ([2] if is_found else [], None)


def test_all_words_count_more_than_newer_messages_and_times_and_senders_hold(tx):
    fill(tx, "tea at five", "five", *["tea"] * 300)
    index(tx)
    fill(tx, "tea now", first=400)
    found, go_on = resembling(tx, "tea", "five")
    assert (found[:3], go_on, len(found)) == ([400, 1, 2], None, 10)
    assert resembling(tx, "tea", before=later(4))[0] == [3, 1]
    assert resembling(tx, "tea", after=later(302)) == ([400, 302], None)
    assert resembling(tx, "tea", sender="nobody") == ([], None)
    assert resembling(tx, "absent", "不在") == ([], None)


@pytest.mark.parametrize(("text", "words", "is_found"), FILTERED)
def test_a_rare_word_is_found_in_the_index_of_all_chats_at_once(tx, text, words, is_found):
    asked = words.split(" ")
    assert tx.transcripts.few_matching(asked, most=9, limit=9) is None, "nothing is indexed"
    chats = [fill(tx, "before", text, peer=peer) for peer in (PEER, OTHER)]
    index(tx)
    fill(tx, text, first=9)
    found = tx.transcripts.few_matching(asked, most=9, limit=9)
    places = [(one.chat_id, one.message.key.message_id) for one in found]
    assert sorted(places) == ([(chat_id, 2) for chat_id in sorted(chats)] if is_found else [])
    beside, _ = tx.transcripts.matching(ACCOUNT, PEER, words=asked, below_id=None, among=9, index=IndexUse.LEFT_OUT)
    assert ids(beside) == ([9] if is_found else [])
    if is_found:
        assert tx.transcripts.few_matching(asked, most=1, limit=9) is None


def test_chats_too_short_for_the_index_are_looked_at_once(tx, monkeypatch):
    monkeypatch.setattr(search_index, "ENOUGH_TO_INDEX", 5)
    short, long = fill(tx, *["tea"] * 4), fill(tx, *["tea"] * 5, peer=OTHER)
    index(tx)
    counts = sql_of(tx).all("SELECT chat_id, unindexed FROM chats ORDER BY chat_id")
    marks = sql_of(tx).all("SELECT chat_id, up_to FROM search_marks")
    assert dict(counts) == {short: 4, long: 0}
    assert list(marks) == [(long, 5)]


async def test_the_chats_of_an_old_file_come_into_the_index(tmp_path):
    old_file(tmp_path)
    async with opened(tmp_path) as store:
        assert await store.read(lambda tx: tx.search.has_work())


async def test_without_the_module_chats_are_searched_text_by_text_and_the_index_begins_anew(tmp_path, monkeypatch):
    async with opened(tmp_path) as store:
        await store.transact(lambda tx: (fill(tx, "tea", "no"), index(tx)))
    with monkeypatch.context() as patched:
        for module in (opening, search_index):
            patched.setattr(module, "has_trigrams", lambda: False)
        async with opened(tmp_path) as store:

            def work(tx):
                fill(tx, "old tea", first=1)
                tx.messages.edit(message(2, "now tea", edited_at=later(1)))
                return search(tx, "tea"), tx.search.has_work()

            assert await store.transact(work) == (([2, 1], None), False)
    async with opened(tmp_path) as store:

        def anew(tx):
            marks = sql_of(tx).all("SELECT * FROM search_marks")
            index(tx)
            return list(marks), search(tx, "tea")

        assert await store.transact(anew) == ([], ([2, 1], None))


async def test_work_that_is_taken_back_leaves_the_index_sound(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            fill(tx, "tea")
            index(tx)
            raise ArithmeticError

        with pytest.raises(ArithmeticError):
            await store.transact(work)
        await store.transact(lambda tx: (chat_in(tx), fill(tx, "tea", "no")))
        await store.transact(index)
        assert await store.read(lambda tx: search(tx, "tea")) == ([1], None)
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as connection:
        connection.execute("INSERT INTO search_index (search_index) VALUES ('integrity-check')")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_the_pieces_of_a_part_are_among_those_of_the_whole():
    text = "Straße 5日 今日は良い don’t ΟΔΥΣΣΕΥΣ ❤️❤ İx ﬁne"
    whole = as_indexed(text)
    pieces = {whole[at : at + 3] for at in range(len(whole))}
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            assert set(pieces_of(text[start:end])) <= pieces
