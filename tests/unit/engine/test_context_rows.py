"""What the choice of context knows of a stored message."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from chimein_gui.domain.context import HistoryRow
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Forward, Message, MessageKey, TextEntity
from chimein_gui.engine.context.prepared_rows import SelfIdentity, _finder, rows_of

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
ME = SelfIdentity("77", ("nora_vale", "Nora", "bot"), _finder(("nora_vale", "Nora")))
SAID = Message(
    MessageKey(AccountId(77), PeerId(-4711), MessageId(12)),
    UserId(2**40),
    "Ana 🦊",
    out=False,
    sent_at=AT,
    text="look at that",
)
ROW = HistoryRow(12, AT.timestamp(), str(2**40), "look at that", "Ana 🦊")


def entity(kind: str, offset: int, length: int, argument: str = "") -> tuple[TextEntity, ...]:
    return (TextEntity(kind, offset, length, argument),)


@pytest.mark.parametrize(
    ("message", "row"),
    [
        ({}, {}),
        ({"sender_id": None}, {"sender": "name Ana 🦊"}),
        ({"out": True}, {"sender": "77", "out": True, "aliases": ("nora_vale", "Nora", "bot")}),
        ({"reply_to_id": MessageId(3)}, {"reply_to": 3}),
        ({"thread_id": 2**41}, {"thread_id": 2**41}),
        ({"is_bot": True}, {"is_bot": True}),
        ({"is_service": True, "media_kind": "photo"}, {"is_service": True}),
        ({"media_kind": "sticker", "text": ""}, {"media_kind": "sticker", "text": ""}),
        ({"edited_at": AT}, {"edited": True}),
        ({"deleted": True}, {"deleted": True}),
        ({"forward": Forward("", AT)}, {"forwarded": True}),
        ({"text": "Nora, and @nora_vale?"}, {"text": "@bot and @bot?"}),
        ({"text": "Noras, nora_vale2"}, {"text": "Noras, nora_vale2"}),
        ({"text": "I am Nora", "out": True}, {"text": "I am Nora", "sender": "77", "out": True, "aliases": ME.names}),
        (
            {"text": "hey you", "entities": entity("mention_name", 4, 3, "4712")},
            {"text": "hey you", "mentions": ("4712",)},
        ),
        ({"text": "🦊🦊 @ben_l", "entities": entity("mention", 5, 6)}, {"text": "🦊🦊 @ben_l", "mentions": ("ben_l",)}),
        ({"text": "so bold", "entities": entity("bold", 3, 4)}, {"text": "so bold"}),
        ({"text": "@x", "entities": entity("mention", 900, 6)}, {"text": "@x"}),
    ],
)
def test_a_row_has_all_that_is_stored_of_a_message(message: dict[str, Any], row: dict[str, Any]) -> None:
    assert rows_of([replace(SAID, **message)], ME) == [replace(ROW, **row)]
