"""What earlier versions kept of refusals as sentences is kept by name since the fourteenth migration."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chimein_gui.adapters.store import schema
from chimein_gui.adapters.store.migrations.words.refusals import note_of_refusal
from chimein_gui.adapters.store.rows.values import note_from_text, note_to_text
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.notes import Note, NoteKind
from tests.unit.adapters.store.builders import ACCOUNT, opened
from tests.unit.adapters.store.old_file import old_file

K = NoteKind
BLOCKED = "The partner has blocked this account."
LIMITED = "Telegram limits this account for the time being: it may not write to strangers."
FROZEN = (
    "Appeal: write to @SpamBot in Telegram. Telegram has frozen this account: until then it can read, but not write."
)
SENTENCES = {
    "The partner takes messages from strangers only for payment.": "ALLOW_PAYMENT_REQUIRED",
    "This account may not write in this chat.": "CHAT_WRITE_FORBIDDEN",
    "The message does not exist any more.": "MESSAGE_ID_INVALID",
    BLOCKED: "USER_IS_BLOCKED",
    "Telegram no longer has this sticker.": "STICKER_ID_INVALID",
    "This can't be said in Telegram's language: required argument is not an integer.": "NOT_ENCODABLE",
    "Telegram refused: SOMETHING_NEW.": "SOMETHING_NEW",
}
"""Some of the sentences that version 13 stored of a refusal of one send, and each of their forms."""

NOTES = {
    Note(K.REFUSED, "words of nobody", 2): Note(K.REFUSED, "", 2, Note(K.OTHER, "words of nobody")),
    Note(K.REPEAT_REFUSED, BLOCKED): Note(K.REPEAT_REFUSED, "USER_IS_BLOCKED"),
    Note(K.REPEAT_REFUSED, "words of nobody"): Note(K.REPEAT_REFUSED, cause=Note(K.OTHER, "words of nobody")),
    Note(K.LIMITED, LIMITED): Note(K.LIMITED, "PEER_FLOOD"),
    Note(K.LIMITED, FROZEN): Note(K.LIMITED, "FROZEN_METHOD_INVALID"),
    Note(K.OTHER, LIMITED): Note(K.LIMITED, "PEER_FLOOD"),
    Note(K.OTHER, BLOCKED): Note(K.REFUSED, "USER_IS_BLOCKED"),
    Note(K.OTHER, "words of nobody"): Note(K.OTHER, "words of nobody"),
    Note(K.NOT_FOUND, cause=Note(K.OTHER, BLOCKED)): Note(K.NOT_FOUND, cause=Note(K.REFUSED, "USER_IS_BLOCKED")),
    Note(K.REJECTED, BLOCKED): Note(K.REJECTED, BLOCKED),
    Note(K.HELD): Note(K.HELD),
    Note(K.CAP_OF_CHAT, number=20): Note(K.CAP_OF_CHAT, number=20),
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_old_sentence_has_its_name(sentence: str) -> None:
    for number in (0, 2):
        old, new = Note(K.REFUSED, sentence, number), Note(K.REFUSED, SENTENCES[sentence], number)
        assert note_from_text(note_of_refusal(note_to_text(old))) == new


@pytest.mark.parametrize("note", NOTES, ids=str)
def test_every_note_of_a_refusal_has_its_name(note: Note) -> None:
    assert note_from_text(note_of_refusal(note_to_text(note))) == NOTES[note]


async def test_an_old_file_is_read_with_its_limited_accounts(tmp_path: Path) -> None:
    path = old_file(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.migrate(connection, schema.MIGRATIONS[:13])
        for account, words in ((ACCOUNT, LIMITED), (ACCOUNT + 1, "Too many requests"), (ACCOUNT + 2, "")):
            connection.execute(
                "INSERT INTO accounts (account_id, limited) VALUES (?1, ?2)"
                " ON CONFLICT (account_id) DO UPDATE SET limited = ?2",
                (account, words),
            )
    async with opened(tmp_path) as store:
        accounts = [AccountId(ACCOUNT + more) for more in range(3)]
        limited = await store.read(lambda tx: [tx.accounts.limited(account) for account in accounts])
    assert limited == ["PEER_FLOOD", "PEER_FLOOD", ""]
