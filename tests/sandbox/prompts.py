"""Prompts for the sandbox's model as the product composes them, and answers as it reads them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import httpx2
from google import genai
from google.genai import types

from chimein_gui.adapters.files.agents.agents import load_agents, load_model_prompt
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.prompt.prompts import Prompt
from chimein_gui.domain.replies.replies import Block, BlockKind, parse_reply
from chimein_gui.engine.prompt.builder import PromptInputs, build_prompt
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelCall, ModelScript
from chimein_gui.sandbox.model.talk.patterns import words_of as words_of_text
from chimein_gui.sandbox.model.talk.responder import Responder

MODEL = "gemini-2.5-flash"
NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)
SAMPLES = resource_path("samples")
LONGEST_ECHO = 6
"""So many words in a row are no accident any more."""
OWN = UserId(7_000_100_001)
"""A persona of the operator's own has no file among the samples; this is its account."""


@cache
def personas() -> dict[str, AgentSpec]:
    """The sample personas by name."""
    specs, problems = load_agents([SAMPLES])
    assert not problems
    return {spec.name: spec for spec in specs}


def own_persona(instructions: str, name: str = "Ada Quill") -> AgentSpec:
    return AgentSpec(name, "+9996623001", instructions, (), (), "UTC")


@dataclass(frozen=True)
class Talk:
    """A chat, oldest first, as (who, text) or (who, text, media); the agent's name is “”.

    What stands behind the agent's last word waits for an answer; with `is_callout` only the last message.
    """

    agent: AgentSpec
    said: tuple[tuple[str, ...], ...]
    group: str = ""
    note: str = ""
    drafts: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()
    reply_to: int | None = None
    is_callout: bool = False

    def prompt(self) -> Prompt:
        history = [self._message(number, *one) for number, one in enumerate(self.said, 100)]
        return self.prompt_of(history, next((one[0] for one in self.said if one[0]), "Marta Oliveira"))

    def prompt_of(self, history: list[Message], partner: str) -> Prompt:
        """Compose the prompt of other messages than `said`."""
        last_own = max((number for number, one in enumerate(history) if one.out), default=-1)
        waiting = tuple(one.key.message_id for one in history[last_own + 1 :])
        waiting = waiting[-1:] if self.is_callout else waiting
        kind = ChatKind.GROUP if self.group else ChatKind.DM
        title = self.group or partner
        chat = Chat(ChatId(1), AgentId(1), ChatInfo(AccountId(1), PeerId(7), kind, title))
        target = history[-1] if waiting else None
        return build_prompt(
            PromptInputs(
                self.agent,
                chat,
                tuple(history),
                None,
                waiting,
                load_model_prompt([SAMPLES])[0],
                MODEL,
                NOW,
                note=self.note,
                drafts=self.drafts,
                sent=self.sent,
                target=target,
            )
        )

    def _message(self, number: int, who: str, text: str, media: str = "") -> Message:
        key = MessageKey(AccountId(1), PeerId(7), MessageId(number))
        at = NOW - timedelta(minutes=1000 - number)
        sender = UserId(sum(map(ord, who))) if who else OWN
        message = Message(key, sender, who, out=not who, sent_at=at, text=text, media_kind=media)
        is_last = number == 99 + len(self.said)
        return replace(message, reply_to_id=MessageId(self.reply_to)) if is_last and self.reply_to else message


def sender_id(name: str) -> int:
    """Return the id that a talk's partner has."""
    return sum(map(ord, name))


def call_of(prompt: Prompt) -> ModelCall:
    """Return a prompt as it arrives."""
    contents = tuple(
        {"role": turn.role.value, "parts": [{"text": text} for text in turn.parts]} for turn in prompt.contents
    )
    return ModelCall(prompt.model, prompt.system_instruction, contents)


def blocks_of(text: str) -> tuple[Block, ...]:
    """Return the blocks of a reply as the product reads it; it has to be without problems."""
    reply = parse_reply(text)
    assert not reply.problems, (text, reply.problems)
    return reply.blocks


async def said_by(responder: Responder, talk: Talk) -> str:
    """Return the words of an answer, messages parted by ``|``; stickers as ``set/name``."""
    answer = await responder.answer(call_of(talk.prompt()))
    return " | ".join(words for block in blocks_of(answer.text) if (words := words_of(block)))


def words_of(block: Block) -> str:
    """Return what a block sends."""
    if block.kind is BlockKind.STICKER:
        return f"{block.params['set']}/{block.params['name']}"
    return block.body if block.kind is BlockKind.SEND else ""


@asynccontextmanager
async def endpoint(script: ModelScript) -> AsyncIterator[str]:
    """A model endpoint; gives its address."""
    served = ModelEndpoint(script)
    try:
        yield f"http://127.0.0.1:{await served.start('127.0.0.1', 0)}"
    finally:
        await served.aclose()


@asynccontextmanager
async def talking() -> AsyncIterator[tuple[Any, ModelScript]]:
    """A model endpoint behind google-genai's own client; gives (models, script)."""
    script = ModelScript()
    async with endpoint(script) as url, httpx2.AsyncClient(trust_env=False) as http:
        options = types.HttpOptions(base_url=url, api_version="v1beta", timeout=60_000, httpx_async_client=http)
        yield genai.Client(api_key="any-key", http_options=options).aio.models, script


@asynccontextmanager
async def product_model(script: ModelScript) -> AsyncIterator[GeminiModel]:
    """The product's own model against an endpoint."""
    async with endpoint(script) as url:
        yield GeminiModel("any-key", base_url=url)


def repeats(answer: str, said: str) -> bool:
    """Tell whether an answer holds several words of a message in a row."""
    words, whole = words_of_text(said), f" {' '.join(words_of_text(answer))} "
    runs = (words[start : start + LONGEST_ECHO] for start in range(len(words) - LONGEST_ECHO + 1))
    return any(f" {' '.join(run)} " in whole for run in runs)


def content(role: str, *texts: str) -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text) for text in texts])
