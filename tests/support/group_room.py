"""A group of people and one agent, with the whole engine and the weights that ship with the program."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.context import LinkModel
from chimein_gui.domain.ids import AccountId, ChatId, MessageId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.prompt.prompts import Prompt
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.context.selection import Context
from chimein_gui.engine.ports import GraphRow, Transaction
from chimein_gui.resource_files import resource_path
from tests.fakes.clock import VirtualClock
from tests.fakes.group import FakeGroup, Post, group_info
from tests.support.engine_room import Room, engine_room

ACCOUNT = AccountId(2**40 + 7)
NORA = AgentSpec("Nora Vale", "+9996621001", "You are {{char}}.", (), (), aliases=("Nora",))
PEOPLE = {name: 2**40 + 100 + number for number, name in enumerate(("Priya", "Tom", "Wen", "Ben", "Ida", "Leo"))}
AT_ONCE = Preferences(debounce_s=0, callout_debounce_s=0, undo_s=0, typing_base_s=0, typing_s_per_60=0)


@lru_cache(maxsize=1)
def shipped_model() -> LinkModel:
    """Return the weights that ship with the program, read once."""
    return LinkModel.from_bytes(resource_path("context", "link_model.npz").read_bytes())


class NamedGroup(FakeGroup):
    """A group whose people have names, and whose old messages have old dates."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(clock, {NORA.name: ACCOUNT})
        self.ago_s: dict[int, float] = {}

    def seen_by(self, post: Post, account: AccountId) -> Message:
        names = {int(number): name.split()[0] for name, number in (*PEOPLE.items(), *self.accounts.items())}
        at = self.clock.now() - timedelta(seconds=self.ago_s.get(post.number, 0.0))
        return replace(super().seen_by(post, account), sender_name=names[post.sender], sent_at=at)

    def said(self, *lines: tuple[float, str, str]) -> list[int]:
        """Add old messages: (seconds ago, name, text); returns their ids."""
        for ago_s, name, text in lines:
            self.ago_s[len(self.posts) + 1] = ago_s
            self.says(text, PEOPLE[name])
        return [post.number for post in self.posts[-len(lines) :]]


@dataclass
class GroupRoom:
    """The objects of a test of groups."""

    room: Room
    group: NamedGroup

    async def settled(self) -> None:
        """Wait until everything is stored, and all threads after the commits have ended."""
        await self.room.worked_off()
        while [name for name in self.room.jobs.names() if name in {"prepare context", "watch context"}]:
            await self.room.worked_off()

    async def call(self, name: str, text: str = "Nora, what do you think?", reply_to: int | None = None) -> Prompt:
        """Let someone address the agent; returns the prompt of the plan."""
        asked = len(self.room.model.prompts)
        await self.settled()
        self.group.says(text, PEOPLE[name], None if reply_to is None else MessageId(reply_to))
        await self.room.worked_off()
        await self.room.model.asked(asked + 1)
        await self.settled()
        return self.room.model.prompts[-1]

    async def chat_id(self) -> ChatId:
        info = group_info(ACCOUNT)
        found = await self.room.store.read(lambda tx: tx.chats.find(info.account_id, info.peer_id))
        assert found is not None
        return found.chat_id

    async def graph(self) -> GraphRow:
        chat_id = await self.chat_id()
        found = await self.room.store.read(lambda tx: tx.graphs.current_of(chat_id))
        assert found is not None
        return found


@asynccontextmanager
async def group_room(
    folder: Path, *, spec: AgentSpec = NORA, has_written: bool = False, preferences: Preferences = AT_ONCE
) -> AsyncIterator[GroupRoom]:
    """Start an engine with a group, in which the agent may have written before."""
    clock = VirtualClock()
    group = NamedGroup(clock)
    if has_written:
        group.says("hello, I am new here", ACCOUNT)
    opened = engine_room(folder, telegram=group, agents=(spec,), preferences=preferences, link_model=shipped_model())
    async with opened as room:
        yield GroupRoom(room, group)


async def chosen(here: GroupRoom, *triggers: int, limit: int = 500) -> Context:
    """Return the context of a plan that would answer these messages."""
    chat_id, source = await here.chat_id(), here.room.engine._services.planner._services.source

    def work(tx: Transaction) -> Context:
        ids, chat = tuple(MessageId(number) for number in triggers), tx.chats.get(chat_id)
        return source.contexts.choose(tx, chat, source.spec_of(chat.agent_id), ids, Preferences(history_limit=limit))

    return await here.room.store.transact(work)


def held(context: Context) -> list[int]:
    """Return the ids of the messages that a prompt would have."""
    return [int(message.key.message_id) for message in context.messages]


def texts(prompt: Prompt) -> list[str]:
    """Return the texts in a prompt, without their headers."""
    return [part for turn in prompt.turns for part in turn.parts[1:]]
