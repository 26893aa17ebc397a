"""Two agents of ours in one group, both on `auto`, with the whole engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, Usage
from chimein_gui.engine.ports import Transaction
from tests.fakes.clock import VirtualClock
from tests.fakes.group import FakeGroup
from tests.fakes.model import FakeModel
from tests.support.engine_room import Room, engine_room

NORA_ACCOUNT, IDA_ACCOUNT, PAUL = AccountId(2**40 + 7), AccountId(2**40 + 8), 2**40 + 9
NORA = AgentSpec("Nora Vale", "+9996621001", "You are {{char}}.", (), (), aliases=("Nora",))
IDA = AgentSpec("Ida Kern", "+9996621002", "You are {{char}}.", (), (), aliases=("Ida",))
CHAIN = ["Ida, and then?", "Nora, and then?", "Ida, and then?", "Nora, and then?"]
"""What follows a person's question to Nora: her answer, and three turns of the two."""


class Chatterboxes(FakeModel):
    """Each of the two always asks the other."""

    async def generate(self, prompt: Prompt) -> ModelReply:
        self.prompts.append(prompt)
        other = (
            "Ida" if "Be Nora" in prompt.system_instruction or "You are Nora" in prompt.system_instruction else "Nora"
        )
        return ModelReply(f"# «send»\n{other}, and then?", Usage(10, 5))


@asynccontextmanager
async def open_room(folder: Path, group: FakeGroup, clock: VirtualClock) -> AsyncIterator[Room]:
    room_of = engine_room(folder, telegram=group, model=Chatterboxes(), agents=(NORA, IDA), online=False)
    async with room_of as room:
        await room.reach(lambda: room.are_online(2))
        yield room


async def on_auto(room: Room) -> None:
    """Both may answer each other there, and need nobody's leave."""

    def work(tx: Transaction) -> None:
        for chat in tx.chats.all():
            tx.chats.set_settings(chat.chat_id, replace(chat.settings, trust=TrustLevel.AUTO, allow_agents=True))

    await room.store.transact(work)


def lake(clock: VirtualClock) -> FakeGroup:
    """Both have written in the group before, so that no message is the first."""
    group = FakeGroup(clock, {NORA.name: NORA_ACCOUNT, IDA.name: IDA_ACCOUNT})
    group.says("hello, I am new here", NORA_ACCOUNT)
    group.says("so am I", IDA_ACCOUNT)
    group.says("welcome", PAUL)
    return group


async def test_the_turns_of_two_agents_are_not_forgotten_over_a_restart(tmp_path: Path) -> None:
    clock = VirtualClock()
    group = lake(clock)
    async with open_room(tmp_path, group, clock) as room:
        await on_auto(room)
        group.says("Nora, how are you?", PAUL)
        await room.reach(lambda: len(group.posts) >= 6, step_s=0.25)
    assert len(group.posts) - 4 < len(CHAIN), "the restart comes in the middle"
    async with open_room(tmp_path, group, clock) as room:
        await room.pass_time(60)
        assert group.texts()[4:] == CHAIN
    async with open_room(tmp_path, group, clock) as room:
        await room.pass_time(60)
        assert group.texts()[4:] == CHAIN
        group.says("Nora, go on!", PAUL)
        await room.pass_time(60)
        assert group.texts()[9:] == CHAIN
