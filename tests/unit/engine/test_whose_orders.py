"""Whose words count as an order to remember something: people's own, in a DM or spoken to the agent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.chats import TriggerMode
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.memory.orders.given import GivenOrder, OrderState
from chimein_gui.domain.messages import Forward, TextEntity
from tests.support.async_tests import OpenedInLoop
from tests.support.ingest_room import ACCOUNT, CHANNEL, DM, GROUP, MARTA, PAUL, ROBO, SISTER, IngestRoom, ingest_room

ORDER = "remember that I eat no nuts"
CALLED = f"@nora_vale {ORDER}"


@asynccontextmanager
async def listening(folder: Path) -> AsyncIterator[IngestRoom]:
    async with ingest_room(folder) as room:
        room.ingest.takes_orders = True
        yield room


@pytest.fixture
def room(tmp_path: Path) -> OpenedInLoop:
    return OpenedInLoop(listening(tmp_path))


async def orders(room: IngestRoom, peer: PeerId = DM) -> tuple[GivenOrder, ...]:
    chat = await room.chat(peer)
    return await room.do(lambda tx: tx.memory_orders.of_chat(chat.chat_id, since_id=MessageId(0), limit=100))


async def test_a_partners_order_is_stored_with_its_message(room: IngestRoom) -> None:
    written: list[str] = []
    room.ingest.listeners.orders.append(lambda: written.append("write"))
    said = await room.says(ORDER)
    (order,) = await orders(room)
    assert (order.message_id, order.person, order.text) == (said.key.message_id, DM, "I eat no nuts")
    assert (order.agent_id, order.state) == (room.agent.agent_id, OrderState.PREPARED)
    assert written == ["write"]
    await room.says("remember that", number=int(said.key.message_id) + 1)
    assert len(await orders(room)) == 1


@pytest.mark.parametrize("by", [ACCOUNT, SISTER, ROBO, None])
async def test_only_people_give_orders(room: IngestRoom, by: int | None) -> None:
    await room.settings(GROUP, triggers=TriggerMode.CALLOUTS, allow_bots=True, allow_agents=True)
    await room.says(CALLED, peer=GROUP, by=by, is_bot=by == ROBO)
    assert await orders(room, GROUP) == ()
    await room.says(CALLED, peer=GROUP, by=PAUL)
    assert [int(one.person) for one in await orders(room, GROUP)] == [PAUL]


@pytest.mark.parametrize(
    "fields",
    [
        {"forward": True},
        {"is_service": True},
        {"is_automatic": True},
    ],
    ids=str,
)
async def test_what_somebody_else_wrote_is_no_order(room: IngestRoom, fields: dict[str, Any]) -> None:
    if "forward" in fields:
        fields = {"forward": Forward("Paul", room.clock.now())}
    await room.says(ORDER, **fields)
    assert await orders(room) == ()


async def test_a_channel_gives_no_orders(room: IngestRoom) -> None:
    await room.says(CALLED, peer=CHANNEL, by=None)
    assert await orders(room, CHANNEL) == ()


@pytest.mark.parametrize("mode", [TriggerMode.CALLOUTS, TriggerMode.EVERY])
async def test_in_a_group_only_what_is_said_to_the_agent_counts(room: IngestRoom, mode: TriggerMode) -> None:
    await room.settings(GROUP, triggers=mode)
    await room.says(ORDER, peer=GROUP, by=PAUL)
    assert await orders(room, GROUP) == ()
    own = await room.says("hello all", peer=GROUP, by=ACCOUNT)
    for text, fields in (
        (CALLED, {}),
        (f"Miss Vale, please {ORDER}", {}),
        ("/remember@nora_vale I eat no nuts", {}),
        (f"Nono {ORDER}", {"entities": (TextEntity("mention_name", 0, 4, str(int(ACCOUNT))),)}),
        (ORDER, {"reply_to_id": own.key.message_id}),
    ):
        await room.says(text, peer=GROUP, by=MARTA, **fields)
    assert [(int(one.person), one.text) for one in await orders(room, GROUP)] == [(int(MARTA), "I eat no nuts")] * 5


async def test_a_command_to_another_account_is_not_ours(room: IngestRoom) -> None:
    await room.settings(GROUP, triggers=TriggerMode.CALLOUTS)
    await room.says("/remember@somebody I eat no nuts", peer=GROUP, by=PAUL)
    await room.says("/remember@somebody@nora_vale I eat no nuts", peer=GROUP, by=PAUL)
    assert [one.text for one in await orders(room, GROUP)] == []


async def test_an_edit_gives_no_order_and_takes_none_back(room: IngestRoom) -> None:
    said = await room.says("hello")
    await room.edits(said, ORDER)
    assert await orders(room) == ()
    given = await room.says(ORDER)
    await room.edits(given, "never mind")
    assert len(await orders(room)) == 1


async def test_the_same_message_told_twice_is_one_order(room: IngestRoom) -> None:
    said = await room.says(ORDER)
    room.listener.message_arrived((await room.chat()).info, said)
    room.ingest.look_again([said.key])
    await room.ingest.flush()
    assert len(await orders(room)) == 1


async def test_what_came_in_the_quiet_time_of_a_first_log_in_counts_once_it_ends(room: IngestRoom) -> None:
    agent_id = room.agent.agent_id
    room.ingest.quiet.add(agent_id)
    said = await room.says(ORDER)
    assert await orders(room) == ()
    await room.ingest.end_quiet(agent_id, lambda _tx: (None, []))
    assert [one.message_id for one in await orders(room)] == [said.key.message_id]


async def test_a_late_callout_gives_its_order(room: IngestRoom) -> None:
    """The message that it answers was not stored when it came."""
    await room.settings(GROUP, triggers=TriggerMode.CALLOUTS)
    own = replace(room.message("hello all", peer=GROUP, by=ACCOUNT))
    said = await room.says(ORDER, peer=GROUP, by=PAUL, reply_to_id=own.key.message_id)
    assert await orders(room, GROUP) == ()
    chat = await room.chat(GROUP)
    await room.do(lambda tx: tx.messages.put(chat.chat_id, own))
    room.ingest.look_again([said.key], for_answers=True)
    await room.ingest.flush()
    assert [one.text for one in await orders(room, GROUP)] == ["I eat no nuts"]
