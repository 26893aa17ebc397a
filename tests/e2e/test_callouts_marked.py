"""Callouts that no text shows: marked by Telegram, or an answer to what is older than the history."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from telethon import TelegramClient, functions, types

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import TriggerMode
from chimein_gui.engine.planning import backfill
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.e2e.restarts import Place, Product, place_of, product
from tests.sandbox.clients import MARTA, NORA, nora_for, sandbox, send

GROUP = "The jetty"
OLD, ANSWER = "I have planks.", "How many?"


@dataclass
class Here:
    """A group in which Nora wrote before the product knew it, and Marta's device.

    Attributes:
        old_id: What Nora wrote, as Marta's device knows it.
    """

    place: Place
    marta: TelegramClient
    group: Any
    old_id: int

    async def answers(self, text: str, message_id: int) -> None:
        """Marta answers a message."""
        await send(self.marta, self.group, text, reply_to=types.InputReplyToMessage(message_id))


@asynccontextmanager
async def jetty(folder: Path) -> AsyncIterator[Here]:
    """Run a sandbox whose group is longer than what is fetched of it."""
    async with sandbox(folder / "world", DEFAULT_SEED) as server:
        place = place_of(server)
        async with place.device(MARTA) as marta, place.device(NORA) as phone:
            made = await marta(functions.messages.CreateChatRequest([await nora_for(marta)], GROUP))
            group = types.InputPeerChat(made.updates.chats[0].id)
            await send(phone, group, OLD)
            for number in range(4):
                await send(marta, group, f"Rain, day {number}.")
            found = await marta.get_messages(group, limit=10)
            old_id = next(one.id for one in found if one.raw_text == OLD)
            await place.console.inject(FaultRule(FaultKind.SHORT_HISTORY, times=0))
            yield Here(place, marta, group, old_id)


async def of_the_group(app: Product) -> tuple[Any, list[str]]:
    """Return the chat of the group, and the texts that are stored of it."""
    (chat,) = (chat for chat in (await app.engine.queries.chats()).rows if chat.info.title == GROUP)
    rows = (await app.engine.transcripts.before(chat.chat_id, None, 100)).rows
    return chat, [row.text for row in rows if not row.is_service]


async def draft_in_group(app: Product) -> Approval:
    """Wait for the draft of the group."""

    async def found() -> Approval | None:
        rows = (await app.engine.queries.approvals()).rows
        return next((row for row in rows if row.chat_title == GROUP), None)

    approval: Approval = await app.until(found)
    return approval


@pytest.mark.parametrize("marked", [True, False], ids=["marked", "unmarked"])
async def test_an_answer_to_what_is_not_stored_is_a_callout(tmp_path: Path, marked: bool) -> None:
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        if not marked:
            await here.place.console.inject(FaultRule(FaultKind.UNMARKED_MENTIONS, account_id=NORA, times=0))
        assert OLD not in (await of_the_group(app))[1]
        await here.answers(ANSWER, here.old_id)
        await draft_in_group(app)
        assert OLD in (await of_the_group(app))[1]


async def test_an_answer_to_somebody_else_s_old_message_stays_chatter(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here:
        await send(here.marta, here.group, "day 4")
        found = await here.marta.get_messages(here.group, ids=here.old_id + 1)
        async with product(tmp_path, here.place) as app:
            assert found.raw_text not in (await of_the_group(app))[1]
            await here.answers("still raining", found.id)
            await app.heard(GROUP, "still raining")

            async def fetched() -> bool:
                return found.raw_text in (await of_the_group(app))[1]

            await app.until(fetched)
            chat, _ = await of_the_group(app)
            await app.engine.chat_settings.set_triggers(chat.chat_id, TriggerMode.EVERY)
            await send(here.marta, here.group, "and now?")  # asked by itself, and in order behind what came before
            draft = await draft_in_group(app)
            assert draft.covers_up_to >= chat.newest_in_id


async def test_an_answer_that_came_while_the_parent_could_not_be_fetched_is_heard_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "AGAIN_S", 0.1)
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        await here.place.console.inject(FaultRule(FaultKind.UNMARKED_MENTIONS, account_id=NORA, times=0))
        drop = FaultRule(FaultKind.DROP_BEFORE, "messages.getHistory", NORA)
        await here.place.console.inject(drop)
        await here.answers(ANSWER, here.old_id)
        await draft_in_group(app)


@pytest.mark.parametrize("call", ["@nora_vale_box", "@nora_vale_box_too"])
async def test_every_bought_user_name_calls(tmp_path: Path, call: str) -> None:
    async with jetty(tmp_path) as here:
        await here.place.console.inject(FaultRule(FaultKind.COLLECTIBLE_NAMES, account_id=NORA))
        async with product(tmp_path, here.place) as app:
            await here.place.console.inject(FaultRule(FaultKind.UNMARKED_MENTIONS, account_id=NORA, times=0))
            await send(here.marta, here.group, f"what does {call} say?")
            await draft_in_group(app)


async def test_a_partner_with_bought_user_names_is_shown_by_the_first(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here:
        await here.place.console.inject(FaultRule(FaultKind.COLLECTIBLE_NAMES, account_id=MARTA))
        async with product(tmp_path, here.place) as app:
            names = {chat.info.title: chat.info.username for chat in (await app.engine.queries.chats()).rows}
            assert names["Marta Oliveira"] == "marta_oliveira_box"
