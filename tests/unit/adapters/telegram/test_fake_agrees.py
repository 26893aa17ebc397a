"""The engine's tests talk to a fake gateway: it answers as the real one does."""

from pathlib import Path

from chimein_gui.domain.errors import GatewayError
from chimein_gui.domain.ids import MessageId, RandomId
from chimein_gui.engine.ports import SentReceipt, StickerRequest, TelegramGateway
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import FakeGateway, FakeTelegram
from tests.unit.adapters.telegram.support import MARTA, NORA, Recorder, request, stage


async def story(gateway: TelegramGateway) -> list[object]:
    """Do a bit of everything; returns what can be seen of it, without ids and times."""
    seen: list[object] = []
    first = await gateway.send_text(request("first", random_id=101))
    seen.append(first.message_id is not None)
    seen.append(await gateway.send_text(request("first", random_id=101)) == SentReceipt(None, None))
    second = await gateway.send_text(request("second", random_id=102, reply_to_id=first.message_id))
    sticker = await gateway.find_sticker("harbour_otter", "👋")
    seen.append(None if sticker is None else (sticker.set_name, sticker.name, sticker.emoji))
    seen.append(await gateway.find_sticker("harbour_otter", "🦀"))
    if sticker is not None:
        sent = await gateway.send_sticker(StickerRequest(MARTA, sticker, None, RandomId(103)))
        seen.append(await gateway.send_sticker(StickerRequest(MARTA, sticker, None, RandomId(103))))
        [newest] = await gateway.history(MARTA, limit=1)
        seen.append((newest.media_kind, newest.document_id == sticker.document_id, newest.text))
        seen.append(newest.key.message_id == sent.message_id)
    assert first.message_id is not None
    assert second.message_id is not None
    await gateway.edit_text(MARTA, second.message_id, "second, edited")
    await gateway.edit_text(MARTA, second.message_id, "second, edited")
    seen.append([one.text for one in await gateway.history(MARTA, limit=2)])
    await gateway.delete_messages(MARTA, (second.message_id,))
    await gateway.delete_messages(MARTA, (second.message_id,))
    seen.append([one.text for one in await gateway.history(MARTA, limit=2)])
    await gateway.clear_conversation(MARTA, MessageId(first.message_id))
    seen.append([(one.text, one.media_kind) for one in await gateway.history(MARTA, limit=9)])
    await gateway.block(MARTA)
    seen.append((await gateway.is_blocked(MARTA), await gateway.blocked()))
    await gateway.unblock(MARTA)
    seen.append((await gateway.is_blocked(MARTA), await gateway.muted_until(MARTA)))
    await gateway.disconnect()
    try:
        await gateway.block(MARTA)
    except GatewayError as error:
        seen.append(type(error))
    return seen


async def test_fake_and_real_gateway_tell_the_same_story(tmp_path: Path) -> None:
    telegram = FakeTelegram(VirtualClock())
    telegram.put_sticker("harbour_otter", "👋")
    fake = FakeGateway(telegram)
    assert (await fake.connect(Recorder())).account_id == NORA
    async with stage(tmp_path) as it:
        real, _ = await it.ready()
        assert await story(real) == await story(fake)
