"""What messages carry beside their text, in our words: files, forwards, reactions."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from telethon.tl import types

from chimein_gui.adapters.telegram.mapping.attachments import forward_of, media_of, reactions_of, waveform_of
from chimein_gui.adapters.telegram.mapping.media_kinds import media_kind
from chimein_gui.adapters.telegram.mapping.peers import PeerBook
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.messages import Forward, Media, Reaction

ME = AccountId(7_000_000_001)
HER = 7_000_005_001
WHEN = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
BIG = 2**62
SET = types.InputStickerSetID(1, 2)
TEA = types.TextWithEntities("Tea?", [])


def document(*attributes: Any, mime: str = "video/mp4", size: int = 700, **media: Any) -> Any:
    made = types.Document(BIG, 1, b"ref", WHEN, mime, size, 2, list(attributes))
    return types.MessageMediaDocument(document=made, **media)


def photo(*sizes: Any, **media: Any) -> Any:
    return types.MessageMediaPhoto(photo=types.Photo(BIG, 1, b"ref", WHEN, list(sizes), 2), **media)


def raw(**more: Any) -> Any:
    return types.Message(**{"id": 5, "peer_id": types.PeerUser(HER), "date": WHEN, "message": "", **more})


def test_a_photo_is_as_large_as_its_largest_size() -> None:
    sizes = [
        types.PhotoStrippedSize("i", b"xx"),
        types.PhotoSize("m", 320, 213, 20_000),
        types.PhotoSizeProgressive("y", 1280, 853, [1_000, 9_000, 180_000]),
        types.PhotoPathSize("j", b"path"),
        types.PhotoCachedSize("s", 90, 60, b"jpg"),
    ]
    assert media_of(photo(*sizes, spoiler=True)) == Media(BIG, size=180_000, width=1280, height=853, has_spoiler=True)


@pytest.mark.parametrize(
    ("media", "kind", "expected"),
    [
        (
            document(types.DocumentAttributeVideo(12.5, 640, 360), types.DocumentAttributeFilename("a/b.mp4")),
            "video",
            Media(BIG, "video/mp4", 700, 640, 360, 12.5, "a/b.mp4"),
        ),
        (
            document(types.DocumentAttributeVideo(7, 400, 400, round_message=True)),
            "round video",
            Media(BIG, "video/mp4", 700, 400, 400, 7.0),
        ),
        (
            document(types.DocumentAttributeVideo(2, 480, 270, nosound=True), types.DocumentAttributeAnimated()),
            "gif",
            Media(BIG, "video/mp4", 700, 480, 270, 2.0),
        ),
        (
            document(types.DocumentAttributeAudio(9, voice=True, waveform=bytes([0b11100001])), mime="audio/ogg"),
            "voice",
            Media(BIG, "audio/ogg", 700, duration_s=9.0, waveform=bytes([1])),
        ),
        (
            document(types.DocumentAttributeAudio(200, title="Waves", performer="The Lake"), mime="audio/mpeg"),
            "audio",
            Media(BIG, "audio/mpeg", 700, duration_s=200.0, title="The Lake – Waves"),
        ),
        (
            document(
                types.DocumentAttributeImageSize(512, 400),
                types.DocumentAttributeSticker(" 👋", types.InputStickerSetShortName("otter")),
                mime="application/x-tgsticker",
            ),
            "sticker",
            Media(BIG, "application/x-tgsticker", 700, 512, 400, emoji="👋", set_name="otter"),
        ),
        (
            document(types.DocumentAttributeCustomEmoji("🐸", SET), mime="video/webm"),
            "sticker",
            Media(BIG, "video/webm", 700, emoji="🐸", set_id=1, set_hash=2),
        ),
        (
            document(types.DocumentAttributeFilename("cake.pdf"), mime="application/pdf"),
            "document",
            Media(BIG, "application/pdf", 700, file_name="cake.pdf"),
        ),
        (types.MessageMediaContact("99966", "Ada", "Lind", "", 0), "contact", Media(title="Ada Lind")),
        (types.MessageMediaContact("99966", "", "", "", 0), "contact", Media(title="99966")),
        (types.MessageMediaGeo(types.GeoPointEmpty()), "location", Media()),
        (types.MessageMediaVenue(types.GeoPointEmpty(), "Café", "x", "", "", ""), "location", Media(title="Café")),
        (types.MessageMediaDice(3, "🎲"), "dice", Media(emoji="🎲")),
        (types.MessageMediaPhoto(ttl_seconds=10), "photo", Media()),
        (types.MessageMediaDocument(spoiler=True), "document", Media(has_spoiler=True)),
        (types.MessageMediaPoll(types.Poll(1, TEA, [], 0), types.PollResults()), "poll", Media(title="Tea?")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_kind_tells_what_it_knows(media: Any, kind: str, expected: Media) -> None:
    assert media_of(media) == expected
    assert media_kind(raw(media=media)) == kind


@pytest.mark.parametrize("media", [None, types.MessageMediaEmpty(), types.MessageMediaWebPage(types.WebPageEmpty(1))])
def test_no_media_and_a_preview_of_a_link_carry_nothing(media: Any) -> None:
    assert (media_of(media), media_kind(raw(media=media))) == (None, "")


def test_what_is_foreign_is_capped() -> None:
    hostile = document(
        types.DocumentAttributeFilename("x" * 9_000),
        types.DocumentAttributeVideo(-5, -1, 2**31 - 1),
        types.DocumentAttributeAudio(1, title="t" * 9_000, waveform=b"\xff" * 9_000),
        mime="m" * 9_000,
        size=-1,
    )
    made = media_of(hostile)
    assert made is not None
    assert (len(made.file_name), len(made.title), len(made.mime_type), len(made.waveform)) == (256, 256, 256, 100)
    assert (made.size, made.width, made.height) == (0, 0, 100_000)
    assert made.duration_s >= 0


def test_a_waveform_is_unpacked_to_bars_of_five_bits() -> None:
    bars = [0, 31, 7, 16, 1, 30, 2, 29]
    packed = sum(bar << place * 5 for place, bar in enumerate(bars)).to_bytes(5, "little")
    assert list(waveform_of(packed)) == bars
    assert waveform_of(b"") == b""


def test_a_forward_names_its_author_as_far_as_it_is_told() -> None:
    peers = PeerBook(ME)
    peers.learn([types.User(HER, first_name="Marta", access_hash=1)], [])

    def forward(**header: Any) -> Forward | None:
        return forward_of(types.MessageFwdHeader(WHEN, **header), peers)

    assert forward(from_id=types.PeerUser(HER)) == Forward("Marta", WHEN)
    assert forward(from_name="Somebody hidden") == Forward("Somebody hidden", WHEN)
    assert forward(from_id=types.PeerChannel(9), post_author="Ed") == Forward("Ed", WHEN)
    assert forward(from_id=types.PeerUser(4)) == Forward("", WHEN)
    long = forward(from_name="x" * 9_000)
    assert long is not None
    assert len(long.sender_name) < 200
    assert forward_of(None, peers) is None


def test_reactions_come_most_frequent_first_and_say_which_are_ours() -> None:
    results = [
        types.ReactionCount(types.ReactionEmoji("👍"), 1, chosen_order=1),
        types.ReactionCount(types.ReactionCustomEmoji(5), 2),
        types.ReactionCount(types.ReactionEmoji("🔥"), 7),
        types.ReactionCount(types.ReactionPaid(), 3),
    ]
    assert reactions_of(types.MessageReactions(results)) == (
        Reaction("🔥", 7),
        Reaction("⭐", 3),
        Reaction("", 2),
        Reaction("👍", 1, mine=True),
    )
    assert reactions_of(None) == ()
