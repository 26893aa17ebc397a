"""Who in a group speaks to the agent: mention, alias, reply."""

from __future__ import annotations

import pytest

from chimein_gui.domain.messages import TextEntity
from chimein_gui.engine.triggers.mentions import CallNames, folded, has_word, is_called
from tests.support.ingest_room import ACCOUNT, GROUP, PAUL, SISTER, IngestRoom


@pytest.mark.parametrize(
    ("alias", "text", "called"),
    [
        ("Nora", "nora, are you there?", True),
        ("Nora", "Noras house", False),
        ("Nora", "Elenora", False),
        ("Nora", "nora_vale", False),
        ("Nora", "elenora and nora!", True),
        ("Nora", "\uff2e\uff4f\uff52\uff41\uff1f", True),
        ("Miss Vale", "dear miss\n  vale", True),
        ("Zoë", "ZOE\u0308!", True),
        ("Zoe", "Zoe\u0308", False),
        ("Straße", "STRASSE", True),
        ("ญาดา", "สวัสดีญาดาครับ", True),
        ("空", "空さん、こんにちは", True),
        ("空", "空港で待つ", False),
        ("ノラ", "ノラさん", True),
        ("ノラ", "ノラネコ", False),
        ("ريم", "يا ريم، كيف حالك", True),
        ("ريم", "كريم هنا", False),
        ("", "anything", False),
    ],
)
def test_an_alias_calls_as_a_whole_word(alias: str, text: str, called: bool) -> None:
    assert has_word(folded(text), folded(alias)) is called


NAMES = CallNames(ACCOUNT, ("nora_vale", "vale"), ("Nora",))


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("hey @nora_vale", True),
        ("hey @Vale", True),
        ("hey vale", False),
        ("@nora_vale2", False),
        ("mail me at x@nora_vale.org", False),
    ],
)
async def test_the_user_name_calls_behind_an_at(room: IngestRoom, text: str, called: bool) -> None:
    assert is_called(room.message(text, peer=GROUP), NAMES) is called


async def test_a_mention_without_a_user_name_calls(room: IngestRoom) -> None:
    hers = (TextEntity("mention_name", 0, 4, str(ACCOUNT)),)
    others = (TextEntity("mention_name", 0, 4, str(SISTER)),)
    assert is_called(room.message("she there", peer=GROUP, entities=hers), NAMES)
    assert not is_called(room.message("she there", peer=GROUP, entities=others), NAMES)


async def asked_after(room: IngestRoom, text: str, **fields: object) -> bool:
    before = await room.asked(GROUP)
    message = await room.says(text, peer=GROUP, by=PAUL, **fields)
    return int(message.key.message_id) in set(await room.asked(GROUP)) - set(before)


async def test_a_reply_to_the_agent_is_a_callout_and_one_to_others_is_not(room: IngestRoom) -> None:
    mine = await room.says("from my phone", peer=GROUP, by=ACCOUNT)
    theirs = await room.says("something", peer=GROUP, by=PAUL)
    assert await asked_after(room, "really?", reply_to_id=mine.key.message_id)
    assert not await asked_after(room, "really?", reply_to_id=theirs.key.message_id)
