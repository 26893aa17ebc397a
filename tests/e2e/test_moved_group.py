"""A group that migrates stays one chat with two peers, whatever is under way in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from telethon import TelegramClient, functions, types

from chimein_gui.domain.accounts.group_moves import RAISED_BY
from chimein_gui.domain.approvals import Approval, Approve
from chimein_gui.domain.messages import Message
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.viewmodels.words.notes import note_words
from tests.e2e.restarts import Place, Product, place_of, product
from tests.sandbox.clients import MARTA, NORA, nora_for, sandbox, send

GROUP = "The jetty"
FIRST, SECOND = "nora, who mends the jetty?", "nora, and when?"


@dataclass
class Here:
    """Marta's device and the group she shares with Nora."""

    place: Place
    marta: TelegramClient
    group: Any
    supergroup: Any = None

    async def migrate(self) -> None:
        """Make the group a supergroup."""
        answer = await self.marta(functions.messages.MigrateChatRequest(self.group.chat_id))
        (channel,) = (chat for chat in answer.chats if isinstance(chat, types.Channel))
        self.supergroup = types.InputPeerChannel(channel.id, channel.access_hash)

    async def say(self, text: str) -> None:
        """Write in the group, wherever it is now."""
        await send(self.marta, self.supergroup or self.group, text)

    async def seen(self) -> list[tuple[str, int | None]]:
        """Return what stands in the supergroup: the text and what it answers; a service message has no text."""
        messages = await self.marta.get_messages(self.supergroup, limit=100)
        return [
            (one.message, one.reply_to.reply_to_msg_id if one.reply_to else None)
            for one in reversed(messages)
            if not one.action
        ]


@asynccontextmanager
async def jetty(folder: Path) -> AsyncIterator[Here]:
    """Run a sandbox in which Marta has made a group with Nora."""
    async with sandbox(folder / "world", DEFAULT_SEED) as server:
        place = place_of(server)
        async with place.device(MARTA) as marta:
            invited = await marta(functions.messages.CreateChatRequest([await nora_for(marta)], GROUP))
            yield Here(place, marta, types.InputPeerChat(invited.updates.chats[0].id))


async def the_chat(product_: Product) -> tuple[Any, tuple[Message, ...]]:
    """Return the one chat of the group, and its messages but for Telegram's own."""
    (chat,) = (chat for chat in (await product_.engine.queries.chats()).rows if chat.info.title == GROUP)
    rows = (await product_.engine.transcripts.before(chat.chat_id, None, 100)).rows
    return chat, tuple(one for one in rows if not one.is_service)


async def draft_answering(product_: Product, text: str) -> Approval:
    """Wait for the draft that answers a message."""

    async def found() -> Approval | None:
        _, messages = await the_chat(product_)
        ids = [one.key.message_id for one in messages if one.text == text]
        rows = [row for row in (await product_.engine.queries.approvals()).rows if row.chat_title == GROUP]
        return next((row for row in rows if ids and row.covers_up_to >= ids[0]), None)

    approval: Approval = await product_.until(found)
    return approval


@pytest.mark.operation("messages.migrateChat", "what is said before and afterwards stands in one chat")
async def test_the_talk_goes_on_in_the_same_chat(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        await here.say("The jetty has a hole again.")
        await here.say(FIRST)
        before = await draft_answering(app, FIRST)
        await here.migrate()
        await here.say(SECOND)
        draft = await draft_answering(app, SECOND)
        assert (draft.chat_id, draft.peer_id) == (before.chat_id, -here.group.chat_id)
        await app.approve(draft)
        chat, messages = await the_chat(app)
        assert chat.info.peer_id == -here.group.chat_id
        assert [one.text for one in messages] == ["The jetty has a hole again.", FIRST, SECOND, draft.text]
        ids = [one.key.message_id for one in messages]
        assert ids == sorted(ids)
        assert [one > RAISED_BY for one in ids] == [False, False, True, True]
        (question, _), (answer, answered) = await here.seen()
        assert (question, answer) == (SECOND, draft.text)
        assert answered == ids[2] - RAISED_BY  # the reply names the long id, and is none to thin air


@pytest.mark.operation("a reply to the group before", "the partner's copy answers the old message")
async def test_a_draft_of_before_goes_to_the_supergroup_and_answers_what_it_answered(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        await here.say(FIRST)
        draft = await draft_answering(app, FIRST)
        await here.migrate()
        await app.approve(await draft_answering(app, FIRST))
        ((text, answered),) = await here.seen()
        old = await here.marta.get_messages(here.group, limit=9)
        assert (text, answered) == (draft.text, next(one.id for one in old if one.message == FIRST))
        _, messages = await the_chat(app)
        assert messages[-1].reply_to_id == messages[0].key.message_id == draft.reply_to_id


async def test_two_messages_with_one_number_lead_to_their_own_traces(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here, product(tmp_path, here.place) as app:
        await here.say(FIRST)
        first = await draft_answering(app, FIRST)
        await app.approve(first)
        _, messages = await the_chat(app)
        number = messages[-1].key.message_id
        await here.migrate()
        while (await here.marta.get_messages(here.supergroup, limit=1))[0].id < number - 2:
            await here.say("filler")
        await here.say(SECOND)
        second = await draft_answering(app, SECOND)
        await app.approve(second)
        chat, messages = await the_chat(app)
        one, other = (next(m.key.message_id for m in messages if m.out and m.text == d.text) for d in (first, second))
        assert other - RAISED_BY == one == number, "Telegram counts from 1 again"
        found = [await app.engine.traces.of_message(chat.chat_id, message_id) for message_id in (one, other)]
        assert found == [await app.engine.traces.of_graph(draft.graph_id) for draft in (first, second)]
        assert len(set(found)) == 2
        decided = [await app.engine.decision_log.of_message(chat.chat_id, message_id) for message_id in (one, other)]
        assert [row.approval_id for row in decided if row is not None] == [first.approval_id, second.approval_id]


@pytest.mark.operation("updates.getDifference: a migration", "who was away hears of it and of what came after")
async def test_a_move_while_the_program_is_off_is_heard_of_at_the_next_start(tmp_path: Path) -> None:
    async with jetty(tmp_path) as here:
        async with product(tmp_path, here.place) as app:
            await here.say("The jetty has a hole again.")
            await app.heard(GROUP, "The jetty has a hole again.")
        await here.say("Before the move.")
        await here.migrate()
        await here.say(FIRST)
        async with product(tmp_path, here.place) as app:
            draft = await draft_answering(app, FIRST)
            _, messages = await the_chat(app)
            assert [one.text for one in messages] == ["The jetty has a hole again.", "Before the move.", FIRST]
            await app.approve(draft)
            assert [text for text, _ in await here.seen()] == [FIRST, draft.text]


async def cut_off(here: Here, app: Product, fault: FaultKind) -> Approval:
    """Approve the draft, and lose the connection over it."""
    draft = await draft_answering(app, FIRST)
    await here.place.console.inject(FaultRule(fault, "messages.sendMessage", NORA))
    await app.engine.decisions.decide(
        draft.approval_id,
        expected_version=draft.version,
        decision=Approve(),
        seen_up_to=draft.seen_up_to,
        client_id="operator",
    )

    async def is_unknown() -> bool:
        return (await draft_answering(app, FIRST)).task_status is TaskStatus.UNKNOWN

    await app.until(is_unknown)
    return draft


async def everywhere(here: Here) -> list[str]:
    """Return what stands in the group and after it in the supergroup, but for Telegram's own messages."""
    before = await here.marta.get_messages(here.group, limit=100)
    return [one.message for one in reversed(before) if not one.action] + [text for text, _ in await here.seen()]


@pytest.mark.parametrize("fault", [FaultKind.DROP_AFTER, FaultKind.DROP_BEFORE])
async def test_a_send_that_was_cut_off_before_the_move_is_looked_for_in_both(tmp_path: Path, fault: FaultKind) -> None:
    async with jetty(tmp_path) as here:
        async with product(tmp_path, here.place) as app:
            await here.say(FIRST)
            draft = await cut_off(here, app, fault)
        await here.migrate()
        async with product(tmp_path, here.place) as app:

            async def is_settled() -> bool:
                rows = (await app.engine.queries.approvals()).rows
                return not any(row.task_status in {TaskStatus.UNKNOWN, TaskStatus.SENDING} for row in rows)

            await app.until(is_settled)
            said = await everywhere(here)
            assert said.count(draft.text) == (1 if fault is FaultKind.DROP_AFTER else 0)
            if fault is FaultKind.DROP_BEFORE:  # its number would be news to the supergroup, so somebody has to look
                again = await draft_answering(app, FIRST)
                assert again.task_status is TaskStatus.AWAITING_DECISION
                assert "became a supergroup" in note_words(again.note)
            _, messages = await the_chat(app)
            assert [one.text for one in messages] == said
