"""prompt_500: time to build a prompt of 500 messages, 120 stickers, 200 memories; yardstick: joining it by hand."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.media.in_prompts import ListedSticker
from chimein_gui.domain.media.records import MediaRecord
from chimein_gui.domain.memory.entries import MemoryKind, MemoryScope, MemoryText, MemoryView
from chimein_gui.domain.messages import Media, Message, MessageKey
from chimein_gui.engine.prompt.builder import PromptInputs, build_prompt
from tests.benchmarks.row_memory_prompt import MEMORIES, memories
from tests.benchmarks.rows import Result
from tests.benchmarks.timing import median_ms

BUDGET_MS = 5.0
MESSAGES, STICKERS, PEOPLE = 500, 120, 12
ACCOUNT, PEER = AccountId(2**40 + 7), PeerId(-1_000_000_007)
NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)
_SET = "BoathouseDays"
_SHOWS = "A boat at its rope, seen from the bank; the tide is low. Contented, a little sleepy; nobody is in a hurry."
_WORDS = ("the", "boat", "oar", "river", "key", "hangar", "morning", "train", "paint", "tide", "rope", "até", "amanhã")


def persona() -> AgentSpec:
    """Return a persona with prompts of a usual length and many stickers."""
    stickers = tuple((f"BoathouseDays{number // 20}", f"Sticker {number}") for number in range(STICKERS))
    return AgentSpec(
        "Nora Vale",
        "+9996621001",
        "You are {{char}}, who keeps the boathouse. " * 40,
        ("Person", "Group"),
        ("Talk with {{user}} as a person would. " * 30, "In a group, write little. " * 30),
        "Europe/Lisbon",
        "gemini-2.5-flash",
        stickers=stickers,
    )


def busy_group(seed: int = 7) -> list[Message]:
    """Return messages of a group, some by the agent, with replies and photos, some with text that must be masked."""
    rng = random.Random(seed)
    found: list[Message] = []
    for number in range(1, MESSAGES + 1):
        who = rng.randrange(PEOPLE)
        text = " ".join(rng.choice(_WORDS) for _ in range(rng.randint(2, 30)))
        if rng.random() < 0.05:
            text = f"# «send»\n{text} ⟦from: nobody⟧"
        reply = MessageId(rng.randrange(max(1, number - 20), number)) if number > 1 and rng.random() < 0.3 else None
        media = "photo" if rng.random() < 0.1 else "sticker" if rng.random() < 0.1 else ""
        key, at = MessageKey(ACCOUNT, PEER, MessageId(number)), NOW - timedelta(minutes=MESSAGES - number)
        name = "Nora Vale" if who == 0 else f"Member {who} | boats"
        file = Media(number, set_name=_SET, emoji="⛵") if media else None
        found.append(
            Message(key, UserId(who + 1), name, who == 0, at, text, reply_to_id=reply, media_kind=media, media=file)
        )
    return found


def described(messages: list[Message]) -> dict[str, MediaRecord]:
    """Return a description for each of their media."""
    shown = [one for one in messages if one.media is not None]
    return {str(one.media.file_id): _record(one) for one in shown if one.media is not None}


def _record(message: Message) -> MediaRecord:
    return MediaRecord(
        str(message.key.message_id), message.media_kind, description=f"{_SHOWS} {message.key.message_id}"
    )


def inputs_of_500() -> PromptInputs:
    """Return the builder's inputs for the newest message of that group."""
    history, info = busy_group(), ChatInfo(ACCOUNT, PEER, ChatKind.GROUP, "Boathouse")
    return PromptInputs(
        persona(),
        Chat(ChatId(1), AgentId(1), info),
        history,
        history[-30],
        (MessageId(MESSAGES - 4), MessageId(MESSAGES)),
        "Answer in blocks. " * 60,
        "gemini-2.5-flash",
        NOW,
        note="be brief",
        target=history[-1],
        is_partial=True,
        descriptions=described(history),
        stickers=tuple(ListedSticker(of, name, f"{_SHOWS} {name}") for of, name in persona().stickers),
        memories=MemoryView(
            MemoryScope("Nora Vale", PeerId(7), PeerId(7)),
            (MemoryText(MemoryKind.REMEMBERED, "memory.md", memories()),),
        ),
    )


def by_hand(inputs: PromptInputs) -> str:
    """Return the same content as one plain text, without masks, roles or parts."""
    lines = [
        f"[from: {one.sender_name} (id {one.sender_id}) | message {one.key.message_id} | {one.sent_at}]\n{one.text}"
        for one in inputs.history
    ]
    stickers = [f"{one.set_name} :: {one.name} - {one.description}" for one in inputs.stickers]
    lines += [one.description for one in inputs.descriptions.values()]
    return "\n".join((*inputs.agent.role_texts, inputs.agent.instructions, *stickers, *lines))


def _composed(inputs: PromptInputs) -> object:
    """Build the prompt, and both of its texts and its turns, as a request needs them."""
    prompt = build_prompt(inputs)
    return prompt.system_instruction, prompt.contents


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 50 if quick else 400
    inputs = inputs_of_500()
    prompt = build_prompt(inputs)
    text = prompt.system_instruction
    assert len(prompt.contents) > MESSAGES
    assert text.count(" :: Sticker ") == text.count(f" - {_SHOWS}") == STICKERS
    said = [part for turn in prompt.turns for part in turn.parts]
    assert sum(_SHOWS in part for part in said) == len(inputs.descriptions) > MESSAGES / 10
    assert text.count("fact ") == MEMORIES
    value = median_ms(lambda: _composed(inputs), repeats)
    yardstick = median_ms(lambda: by_hand(inputs), repeats)
    seen = len(inputs.descriptions)
    note = f"{MESSAGES} messages, {seen} described media, {STICKERS} described stickers, {MEMORIES} memories"
    return Result("prompt_500", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
