"""What the operator asks models for: one file anew, many within the budget, and sticker sets that nobody met."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.errors import NotConnectedError, RefusedError
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.media.library import MediaEntry, Sighting
from chimein_gui.domain.media.records import DescriptionStatus, MediaRecord
from chimein_gui.domain.media.requests import ASSUMED, DescribingProgress, estimate, set_name_of
from chimein_gui.domain.messages import Media, MessageKey
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.media.budget import PER_TICK
from chimein_gui.engine.media.requests import MediaRequests
from tests.support.media_room import media_room

NORA = AgentSpec("Nora", "+999660001", "Be kind.", ("Person",), ("You are a person.",))


class Sets:
    """A Telegram that knows sticker sets."""

    def __init__(self, **sets):
        self.sets = sets

    async def sticker_set(self, name):
        return self.sets.get(name, ())


class Progress:
    """Hears how far it is."""

    def __init__(self):
        self.last = DescribingProgress(0, 0, 0)
        self._stands = asyncio.Event()

    def hear(self, now):
        self.last = now
        if now.is_waiting or now.is_over:
            self._stands.set()

    async def stands(self):
        """Wait until the budget is spent, or everything is done; return how many have words."""
        await self._stands.wait()
        self._stands.clear()
        return self.last.done


def entry(number, **more):
    media = Media(number, "image/webp", emoji="🦦", set_name="otters")
    return MediaEntry(str(number), "sticker", "otters", "🦦", media, **more)


def requests_of(room, *gateways):
    connected = [(NORA, AccountId(7), gateway) for gateway in gateways]
    return MediaRequests(room.chain, room.budget, lambda: connected, Preferences)


async def test_many_files_keep_to_the_budget_of_each_tick(tmp_path):
    async with media_room(tmp_path) as room:
        progress, requests = Progress(), requests_of(room, Sets())
        described = MediaRecord("99", description="An otter.", status=DescriptionStatus.GENERATED)
        entries = [*(entry(number) for number in range(1, 21)), entry(99, generated=described)]
        job = room.begin(requests.describe_all(entries, progress.hear))
        assert await progress.stands() == PER_TICK
        room.tick()
        assert await progress.stands() == 2 * PER_TICK
        room.tick()
        over = await job
        assert (over.done, over.failed, over.count, over.is_over) == (20, 0, 20, True)


async def test_what_is_cancelled_stops_after_what_was_begun(tmp_path):
    async with media_room(tmp_path) as room:
        progress, requests = Progress(), requests_of(room, Sets())
        job = room.begin(requests.describe_all([entry(number) for number in range(1, 31)], progress.hear))
        await progress.stands()
        requests.cancel()
        over = await job
        assert (over.done, over.is_over) == (PER_TICK, True)


async def test_what_is_switched_off_meanwhile_ends(tmp_path):
    async with media_room(tmp_path) as room:
        progress, requests = Progress(), requests_of(room, Sets())
        job = room.begin(requests.describe_all([entry(number) for number in range(1, 31)], progress.hear))
        assert await progress.stands() == PER_TICK
        room.per_tick = 0
        room.tick()
        over = await job
        assert (over.done, over.is_over) == (PER_TICK, True)


async def test_a_set_is_listed_once_by_name_or_link_and_nothing_is_spent(tmp_path):
    async with media_room(tmp_path) as room:
        bears = tuple(StickerRef("Bears", "🐻", 900 + number, "🐻", "image/webp") for number in range(3))
        requests = requests_of(room, Sets(), Sets(Bears=bears))
        assert await requests.import_set("https://t.me/addstickers/Bears") == ("Bears", 3)
        assert await requests.import_set("Bears") == ("Bears", 0)
        known = await room.chain.known("Nora", ["900", "901", "902"])
        assert {one.status for one in known.values()} == {DescriptionStatus.PENDING}
        assert {one.sticker_set_name for one in known.values()} == {"Bears"}
        assert room.budget.left == PER_TICK
        with pytest.raises(RefusedError, match="no such set"):
            await requests.import_set("Nobody")
        with pytest.raises(RefusedError):
            await requests.import_set("what is this?")
        with pytest.raises(NotConnectedError):
            await requests_of(room).import_set("Bears")


async def test_a_sticker_that_was_met_keeps_its_set_and_the_model_is_named(tmp_path):
    async with media_room(tmp_path) as room:
        bear = StickerRef("Bears", "🐻", 900, "🐻", "image/webp")
        requests = requests_of(room, Sets(Bears=(bear,)))
        await requests.import_set("Bears")
        key = MessageKey(AccountId(7), PeerId(66), MessageId(5))
        met = Sighting("Nora", ChatId(1), "Marta", key, room.clock.now())
        by_number = Media(900, "image/webp", emoji="🐻", set_id=12)  # as messages name a set
        for seen in ((met,), ()):
            one = MediaEntry("900", "sticker", "Bears", "🐻", by_number if seen else None, seen=seen)
            record = await requests.describe_again(one)
            assert (record.sticker_set_name, record.sticker_name) == ("Bears", "🐻")
            assert record.rest["model"] == "gemini-2.5-flash"
        told = json.loads((room.cache / "900.json").read_text("utf-8"))
        assert (told["sticker_set_name"], told["model"]) == ("Bears", "gemini-2.5-flash")


async def test_that_many_are_described_shows_before_the_first_is(tmp_path):
    async with media_room(tmp_path) as room:
        progress, requests = Progress(), requests_of(room, Sets())
        room.describer.gate.clear()
        job = room.begin(requests.describe_all([entry(1), entry(2)], progress.hear))
        await room.describer.were_asked(1)
        assert (progress.last.done, progress.last.count, progress.last.is_over) == (0, 2, False)
        room.describer.gate.set()
        await job


async def test_one_file_is_described_again_though_it_has_words(tmp_path):
    async with media_room(tmp_path) as room:
        requests = requests_of(room, Sets())
        first = await requests.describe_again(entry(1))
        again = await requests.describe_again(replace(entry(1), generated=first), "shorter")
        assert first.has_words
        assert again.has_words
        with pytest.raises(NotConnectedError):
            await requests_of(room).describe_again(entry(1))


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Bears", "Bears"),
        (" https://t.me/addstickers/Bears_by_x ", "Bears_by_x"),
        ("t.me/addstickers/Bears/", "Bears"),
        ("tg://addstickers?set=Bears", "Bears"),
        ("https://t.me/addemoji/Bears", "Bears"),
        ("https://example.org/addstickers/Bears", ""),
        ("two words", ""),
        ("", ""),
        ("../etc", ""),
    ],
)
def test_a_set_is_known_by_its_name_or_link(typed, name):
    assert set_name_of(typed) == name


def test_the_cost_of_many_is_that_of_one_times_their_number():
    prices = Preferences().prices
    one, many = (estimate(count, "gemini-2.5-flash", prices, 8, 2.0) for count in (1, 100))
    assert one.usd is not None
    assert many.usd == pytest.approx(100 * one.usd)
    assert estimate(5, "unheard-of", prices, 8, 2.0).usd is None
    twice = Usage(2 * ASSUMED.prompt_tokens, 2 * ASSUMED.reply_tokens)
    assert estimate(1, "gemini-2.5-flash", prices, 8, 2.0, twice).usd == pytest.approx(2 * one.usd)
