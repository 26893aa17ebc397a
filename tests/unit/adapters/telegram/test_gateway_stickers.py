"""Stickers: found by set and name, sent once, also when what was known of them has expired."""

from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.adapters.telegram.stickers import known_set
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.ids import MessageId, PeerId, RandomId
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.engine.ports import SentReceipt, StickerRequest
from chimein_gui.sandbox_api import DuplicateMode, FaultKind, FaultRule
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, stage, tap

SEND = functions.messages.SendMediaRequest
LOOK_UP = functions.messages.GetStickerSetRequest
HER_CHAT = PeerId(NORA)


async def wave(gateway: Any) -> StickerRef:
    found = await gateway.find_sticker("harbour_otter", "👋")
    assert isinstance(found, StickerRef)
    return found


def sending(sticker: StickerRef, *, random_id: int = 1, reply_to_id: int | None = None) -> StickerRequest:
    reply_to = None if reply_to_id is None else MessageId(reply_to_id)
    return StickerRequest(MARTA, sticker, reply_to, RandomId(random_id))


async def stickers_of(it: Stage) -> list[str]:
    """Return the media that Marta received from Nora."""
    return [delivery.media for delivery in await it.server.console.mailbox(MARTA) if delivery.media]


async def test_the_partner_receives_the_sticker(it: Stage) -> None:
    gateway, _ = await it.ready()
    phone, heard = await it.ready("phone")
    marta = await it.partner()
    sticker = await wave(gateway)
    receipt = await gateway.send_sticker(sending(sticker, reply_to_id=3, random_id=-(2**63)))
    [told] = await marta.history(HER_CHAT, limit=1)
    assert (told.media_kind, told.document_id, told.text) == ("sticker", sticker.document_id, "")
    await heard.until(lambda: bool(heard.of("arrived")))
    [(_, own)] = heard.of("arrived")
    assert (own.key.message_id, own.sent_at, own.reply_to_id) == (receipt.message_id, receipt.sent_at, 3)
    assert (own.out, own.document_id) == (True, sticker.document_id)
    [fetched] = await phone.history(MARTA, limit=1)
    assert fetched.document_id == sticker.document_id


async def test_what_was_found_is_remembered_and_what_was_not_is_asked_for_again(
    it: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = tap(monkeypatch, LOOK_UP)
    gateway, _ = await it.ready()
    found = [await gateway.find_sticker("harbour_otter", name) for name in ("👋", "😂", "👋")]
    assert (None not in found, len(calls)) == (True, 1)
    for expected in (2, 3):
        assert await gateway.find_sticker("harbour_otter", "🦀") is None
        assert len(calls) == expected
        assert calls[-1].hash  # an unchanged set is not sent again
    for expected in (4, 5):
        assert await gateway.find_sticker("no_such_set", "👋") is None
        assert len(calls) == expected


async def test_after_a_restart_the_set_is_fetched_before_the_sticker_leaves(it: Stage) -> None:
    first, _ = await it.ready()
    sticker = await wave(first)
    await first.disconnect()
    gateway, _ = await it.ready()
    receipt = await gateway.send_sticker(sending(sticker))
    assert receipt.message_id is not None
    assert await stickers_of(it) == ["sticker"]


async def test_an_expired_reference_is_renewed_and_the_same_name_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sends, look_ups = tap(monkeypatch, SEND), tap(monkeypatch, LOOK_UP)
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        sticker = await wave(gateway)
        it.server.media.expire_file_references()
        it.settle()
        receipt = await gateway.send_sticker(sending(sticker, random_id=77))
        assert receipt.message_id is not None
        assert [query.random_id for query in sends] == [77, 77]
        assert [query.hash for query in look_ups] == [0, 0]
        assert await stickers_of(it) == ["sticker"]


@pytest.mark.parametrize("code", ["FILE_REFERENCE_EXPIRED", "FILE_REFERENCE_INVALID", "FILE_REFERENCE_EMPTY"])
async def test_a_reference_that_stays_refused_is_tried_twice_and_no_more(it: Stage, code: str) -> None:
    gateway, _ = await it.ready()
    sticker = await wave(gateway)
    rule = FaultRule(FaultKind.RPC_ERROR, "messages.sendMedia", code=400, message=code, times=0)
    fault = await it.server.console.inject(rule)
    with pytest.raises(SendRefusedError) as caught:
        await gateway.send_sticker(sending(sticker))
    assert caught.value.code == code
    [active] = (await it.server.console.rehearsal()).faults
    assert (active.fault_id, active.hits) == (fault, 2)
    assert await stickers_of(it) == []


async def test_a_sticker_that_is_gone_is_refused_and_nothing_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = tap(monkeypatch, SEND)
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        for gone in (StickerRef("harbour_otter", "👋", 4_711, "👋"), StickerRef("no_such_set", "👋", 1, "👋")):
            with pytest.raises(SendRefusedError) as caught:
                await gateway.send_sticker(sending(gone))
            assert caught.value.code == "STICKER_ID_INVALID"
    assert calls == []


async def test_the_same_random_id_again_counts_as_sent_and_arrives_once(it: Stage) -> None:
    gateway, _ = await it.ready()
    sticker = await wave(gateway)
    first = await gateway.send_sticker(sending(sticker, random_id=7))
    assert await gateway.send_sticker(sending(sticker, random_id=7)) == SentReceipt(None, None)
    await it.server.console.set_duplicate_mode(DuplicateMode.SAME)
    await gateway.send_sticker(sending(sticker, random_id=8))
    again = await gateway.send_sticker(sending(sticker, random_id=8))
    assert (first.message_id or 0) + 1 == again.message_id
    assert await stickers_of(it) == ["sticker", "sticker"]


def document(document_id: int, emoji: str) -> Any:
    attribute = types.DocumentAttributeSticker(emoji, types.InputStickerSetEmpty())
    return types.Document(document_id, 9, b"ref", None, "image/webp", 1, 2, [attribute])


def test_stickers_of_the_same_emoji_are_counted_and_further_emoji_lead_to_them_too() -> None:
    named = types.StickerSet(1, 2, "Pond", "pond", 6, 99)
    documents = [
        document(1, "👋"),
        document(2, "👋"),
        document(3, "❤️"),
        document(4, "❤"),
        document(5, ""),
        document(6, ""),
    ]
    packs = [types.StickerPack("👋", [1, 2]), types.StickerPack("🖐", [2, 1]), types.StickerPack("🐸", [7])]
    known = known_set(types.messages.StickerSet(named, packs, [], [*documents, types.DocumentEmpty(8)]))
    names = {sticker.document_id: sticker.name for sticker in known.by_name.values()}
    assert names == {1: "👋", 2: "👋 #2", 3: "❤️", 4: "❤ #2", 5: "#1", 6: "#2"}
    assert known.by_name["👋#2"].document_id == 2
    assert known.by_name["🖐"].document_id == 2
    assert "🐸" not in known.by_name
    assert set(known.documents) == {1, 2, 3, 4, 5, 6}
