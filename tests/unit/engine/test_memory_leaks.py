"""By property: 50 agents with 20 partners each, and no memory is seen where it may not be."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.ids import MessageId, PeerId, Revision, UserId
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.prompt.memories import RELEVANT
from chimein_gui.domain.prompt.prompts import Prompt
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.prompt.tool_calls import ToolCall
from chimein_gui.domain.traces.entries import ToolUse
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.memory.recall import MemoryRecall
from chimein_gui.engine.prompt.builder import PromptInputs, build_prompt
from chimein_gui.engine.prompt.inputs import MemoryReader, PlanInputs
from chimein_gui.engine.tools.declarations import MOST_MEMORIES, SEARCH_MEMORIES, TOOLS
from chimein_gui.engine.tools.executor import Toolbox
from tests.fakes.clock import VirtualClock
from tests.support.prompt_inputs import AGENT, CHAT, inputs, message

AT = datetime(2026, 11, 18, 19, 42, tzinfo=UTC)
AGENTS, PARTNERS = range(50), range(6_000, 6_020)
GROUP = PeerId(-77)
WORDS = (
    "safe",
    "secret",
    "code",
    "who",
    "where is the code of the safe",
    "note",
    "fact",
    "Grüße",
    "秘密",
    "*",
    "OR 1=1",
)


class World(NamedTuple):
    """The files of all agents, fully indexed."""

    reader: MemoryReader
    recall: MemoryRecall


class Asked(NamedTuple):
    """A prompt, what tools answered, and how often the trace counts them."""

    prompt: Prompt
    answers: str
    uses: tuple[ToolUse, ...] = ()


def name_of(agent: int) -> str:
    return f"Agent {agent}"


def write(path: Path, *entries: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(entries), encoding="utf-8")


def entry(text: str, chat: int) -> str:
    return entry_of(text, at=AT, provenance=f"chat {chat} (x), partner {chat}", key=f"{chat}.0@x")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    state = tmp_path_factory.mktemp("state")
    notes = state / "config"
    for agent in AGENTS:
        folder = state / name_of(agent)
        write(folder / "memory.md", *(entry(f"a fact of the safe: all-{agent}-{one}", one) for one in PARTNERS))
        for one in PARTNERS:
            write(folder / f"memory/{one}.md", entry(f"the code of the safe is secret-{agent}-{one} 秘密", one))
        for chat in (PARTNERS[0], int(GROUP)):
            write(notes / f"agents/{name_of(agent)}/memory/{chat}.md", f"The safe has the note-{agent}-{chat}.")
    files, bus = MarkdownMemoryFiles(state, (notes,)), EventBus()
    index = SqliteMemoryIndex(state / "memory_index.db")

    async def indexed() -> MemoryRecall:
        recall = MemoryRecall(index, files, VirtualClock(), JobRunner().spawn, bus)
        await recall.index_all(tuple(map(name_of, AGENTS)), are_all=True)
        assert (await index.status()).entries == len(AGENTS) * (2 * len(PARTNERS) + 2)
        return recall

    recall = asyncio.run(indexed())
    yield World(MemoryReader(files, bus, recall), recall)
    asyncio.run(index.close())


def inputs_of(agent: int, partner: int, text: str, *, in_group: bool) -> PromptInputs:
    target = replace(message(1, text), sender_id=UserId(partner))
    info = replace(CHAT.info, peer_id=PeerId(partner))
    if in_group:
        info = ChatInfo(CHAT.info.account_id, GROUP, ChatKind.GROUP, "Walkers")
    spec = replace(AGENT, name=name_of(agent))
    return replace(inputs(target, trigger=1), chat=replace(CHAT, info=info), target=target, agent=spec)


async def ask(world: World, asked: PromptInputs, query: str, other: int) -> Asked:
    """Build the prompt, and let the model search memories with a query and with ids of others."""
    filled = await world.reader.into(asked)
    begun = PlanInputs(asked.chat, filled, asked.trigger_ids, PromptSpan(), MessageId(1), Revision(1))
    tools = Toolbox(None, begun, TOOLS, world.recall.find, clock=SystemClock())  # type: ignore[arg-type]
    hostile = {"query": query or "safe", "agent": other, "chat": other, "person": other}
    calls = ({"query": query or "safe", "limit": MOST_MEMORIES}, {"query": f"secret {other}"}, hostile)
    answers = await tools.answer(ToolCall(SEARCH_MEMORIES, one) for one in calls)
    told = [line for one in answers for line in (*(one.memories or ()), one.note, one.error)]
    uses = tuple(one for one in begun.trace.entries if isinstance(one, ToolUse))
    return Asked(build_prompt(filled, TOOLS), "\n".join(told), uses)


def tokens(text: str, word: str) -> set[tuple[int, int]]:
    return {(int(agent), int(chat)) for agent, chat in re.findall(rf"{word}-(\d+)-(-?\d+)", text)}


queries = st.one_of(
    st.sampled_from(WORDS),
    st.builds("secret-{}-{}".format, st.sampled_from(AGENTS), st.sampled_from(PARTNERS)),
    st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    st.text(max_size=40),
)


@pytest.mark.gate_slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    agent=st.sampled_from(AGENTS),
    partner=st.sampled_from(PARTNERS),
    other=st.sampled_from(PARTNERS),
    text=queries,
    query=queries,
    in_group=st.booleans(),
)
async def test_no_memory_is_seen_where_it_may_not_be(
    world: World, agent: int, partner: int, other: int, text: str, query: str, in_group: bool
) -> None:
    asked = inputs_of(agent, partner, "", in_group=in_group)
    said = replace(asked.history[0], text=text)
    found = await ask(world, replace(asked, history=(said,), target=said), query, other)
    sections = "\n".join(one.text for one in found.prompt.sections)
    chat = int(asked.chat.info.peer_id)
    shown = f"{sections}\n{found.prompt.recalled!r}\n{found.answers}"
    assert tokens(shown, "secret") <= {(agent, partner)}
    assert tokens(shown, "note") <= {(agent, chat)}
    assert {one for one, _ in tokens(shown, "all")} <= {agent}
    for line in f"{sections}\n{found.answers}".split("\n"):
        for _, learned_in in tokens(line, "all"):
            assert ("from another chat" in line) == (learned_in != chat), line


@pytest.mark.gate_slow
@pytest.mark.parametrize("in_group", [False, True])
async def test_what_a_chat_may_see_is_found_in_it(world: World, in_group: bool) -> None:
    for agent in (0, 49):
        asked = inputs_of(agent, PARTNERS[0], "what is the code of the safe?", in_group=in_group)
        found = await ask(world, asked, "code safe", PARTNERS[1])
        section = next(one for one in found.prompt.sections if one.title == RELEVANT)
        for text in (section.text, found.answers):
            assert tokens(text, "secret") == {(agent, PARTNERS[0])}
        assert tokens(found.answers, "note") == {(agent, int(asked.chat.info.peer_id))}
        assert len(tokens(found.answers, "all")) > 3
        assert "There is no argument 'agent'" in found.answers
        first, second, refused = found.uses
        assert (first.name, bool(first.messages), bool(second.messages)) == (SEARCH_MEMORIES, True, True)
        assert (refused.messages, refused.error[:28]) == (0, "There is no argument 'agent'")
