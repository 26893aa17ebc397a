"""Sticker sets, by name and by id."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, sandbox

OTTER = types.InputStickerSetShortName("harbour_otter")


def get_set(wanted, known: int = 0):
    return functions.messages.GetStickerSetRequest(wanted, known)


@pytest.mark.operation("messages.getStickerSet: by name and by id", "two accounts get the same stickers by own hashes")
async def test_a_set_is_found_by_name_and_by_id():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        found, theirs = await nora(get_set(OTTER)), await marta(get_set(OTTER))
        assert (found.set.title, found.set.count) == ("Harbour Otter", 4)
        assert [pack.emoticon for pack in found.packs] == ["👋", "😂", "❤️", "😴"]
        assert [one.id for one in found.documents] == [one.id for one in theirs.documents]
        assert found.set.access_hash != theirs.set.access_hash
        again = await nora(get_set(types.InputStickerSetID(found.set.id, found.set.access_hash)))
        assert [one.id for one in again.documents] == [one.id for one in found.documents]
        known = await nora(get_set(OTTER, found.set.hash))
        assert isinstance(known, types.messages.StickerSetNotModified)
        with pytest.raises(errors.StickersetInvalidError):
            await nora(get_set(types.InputStickerSetID(found.set.id, theirs.set.access_hash)))


@pytest.mark.operation("messages.getStickerSet: STICKERSET_INVALID", "a known set is still given")
@pytest.mark.parametrize(
    "wanted",
    [
        types.InputStickerSetShortName("no_such_set"),
        types.InputStickerSetAnimatedEmoji(),
        types.InputStickerSetID(1, 2),
    ],
)
async def test_a_set_that_does_not_exist_is_refused(wanted):
    async with sandbox() as server, client_of(server, NORA) as nora:
        with pytest.raises(errors.StickersetInvalidError):
            await nora(get_set(wanted))
        assert (await nora(get_set(OTTER))).set.count == 4
