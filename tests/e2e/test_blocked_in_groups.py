"""Whom an account has blocked is not heard in groups; where nobody knows who that is, no rule decides."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from telethon import TelegramClient, functions, types

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import Chat, TrustLevel
from chimein_gui.sandbox.rpc import registry
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.e2e.restarts import Place, Product, place_of, product
from tests.sandbox.clients import MARTA, NORA, marta_for, nora_for, sandbox, send
from tests.sandbox.company import OTTO, PEOPLE

GROUP = "The jetty"


@dataclass
class Here:
    """A group of Nora, Marta and Otto; a device of each of the two, and Nora's phone."""

    place: Place
    marta: TelegramClient
    otto: TelegramClient
    phone: TelegramClient
    group: Any

    async def block(self) -> None:
        """Nora blocks Marta on her phone."""
        await self.phone(functions.contacts.BlockRequest(await marta_for(self.phone)))

    async def unblock(self) -> None:
        """Nora unblocks Marta on her phone."""
        await self.phone(functions.contacts.UnblockRequest(await marta_for(self.phone)))


@asynccontextmanager
async def jetty(folder: Path) -> AsyncIterator[Here]:
    """Run a sandbox with a group in which Nora has written."""
    async with sandbox(folder / "world", PEOPLE) as server:
        place = place_of(server)
        place.keys[OTTO] = server.auth_key_for(OTTO)
        async with place.device(MARTA) as marta, place.device(NORA) as phone, place.device(OTTO) as otto:
            people = [await nora_for(marta), await marta.get_input_entity("otto_lind_box")]
            made = await marta(functions.messages.CreateChatRequest(people, GROUP))
            group = types.InputPeerChat(made.updates.chats[0].id)
            await send(phone, group, "Hello, all.")
            yield Here(place, marta, otto, phone, group)


async def chat_of(app: Product) -> Chat:
    """Return the chat of the group."""
    (chat,) = (chat for chat in (await app.engine.queries.chats()).rows if chat.info.title == GROUP)
    return chat


async def drafts(app: Product) -> list[Approval]:
    """Return the drafts of the group."""
    return [row for row in (await app.engine.queries.approvals()).rows if row.chat_title == GROUP]


async def draft(app: Product) -> Approval:
    """Wait for a draft of the group."""

    async def found() -> Approval | None:
        return next(iter(await drafts(app)), None)

    approval: Approval = await app.until(found)
    return approval


async def triggers_of(app: Product, approval: Approval) -> list[str]:
    """Return what the plan of a draft answers."""
    rows = (await app.engine.transcripts.before(approval.chat_id, None, 100)).rows
    texts = {row.key.message_id: row.text for row in rows}
    store = app.engine._services.store
    graph = await store.read(lambda tx: tx.graphs.current_of(approval.chat_id))
    assert graph is not None
    return [texts[number] for number in graph.trigger_ids]


@pytest.mark.operation("a blocked person in a common group", "their words arrive there")
async def test_a_blocked_person_asks_for_nothing_in_a_group(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here:
        await here.block()
        async with product(tmp_path, here.place) as app:
            await send(here.marta, here.group, "nora, who mends the jetty?")
            await send(here.otto, here.group, "nora, and when?")
            assert await triggers_of(app, await draft(app)) == ["nora, and when?"]


async def test_somebody_blocked_on_the_phone_just_now_asks_for_nothing(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        await send(here.otto, here.group, "nora, are you there?")  # the list is known from now on
        first = await draft(app)
        await here.block()
        await send(here.marta, here.group, "nora, who mends the jetty?")
        await app.heard(GROUP, "nora, who mends the jetty?")
        assert [one.approval_id for one in await drafts(app)] == [first.approval_id]
        assert await triggers_of(app, first) == ["nora, are you there?"]
        await here.unblock()
        await send(here.marta, here.group, "nora, again?")

        async def is_heard() -> bool:
            rows = await drafts(app)
            return bool(rows) and "nora, again?" in await triggers_of(app, rows[0])

        await app.until(is_heard)


async def test_a_callout_of_somebody_unblocked_while_the_account_was_away_is_heard(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here:
        await here.block()
        async with product(tmp_path, here.place) as app:
            await send(here.otto, here.group, "nora, are you there?")
            await draft(app)
        await here.unblock()
        await send(here.marta, here.group, "nora, who mends the jetty?")
        async with product(tmp_path, here.place) as app:

            async def is_heard() -> bool:
                rows = await drafts(app)
                return bool(rows) and "nora, who mends the jetty?" in await triggers_of(app, rows[0])

            await app.until(is_heard)


async def test_where_the_list_cannot_be_read_no_rule_decides(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        chat = await chat_of(app)
        await app.engine.chat_settings.set_trust(chat.chat_id, TrustLevel.AUTO)
        refused = FaultRule(FaultKind.RPC_ERROR, "contacts.getBlocked", NORA, code=500, message="INTERNAL", times=0)
        await here.place.console.inject(refused)
        await send(here.otto, here.group, "nora, who mends the jetty?")
        assert AskReason.BLOCK_UNKNOWN in (await draft(app)).reasons
        assert len([one for one in await here.otto.get_messages(here.group, limit=9) if one.raw_text]) == 2


async def test_the_list_is_asked_for_once_and_not_for_each_message(tmp_path: Path, monkeypatch: Any) -> None:
    asked = []
    handler = registry._HANDLERS[functions.contacts.GetBlockedRequest]

    def answer(call: Any, query: Any) -> Any:
        asked.append(call.user_id)
        return handler(call, query)

    monkeypatch.setitem(registry._HANDLERS, functions.contacts.GetBlockedRequest, answer)
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        for number in range(5):
            await send(here.otto, here.group, f"nora, are you there? {number}")

        async def all_answered() -> bool:
            rows = await drafts(app)
            return bool(rows) and len(await triggers_of(app, rows[0])) == 5

        await app.until(all_answered)
        assert asked == [NORA]
