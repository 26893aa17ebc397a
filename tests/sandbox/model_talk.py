"""Conversations for the model endpoint: prompts as the product builds them, and answers as it reads them."""

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2
from google import genai
from google.genai import types

from chimein_gui.domain.replies import BlockKind, parse_reply
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.languages.detection import detect
from chimein_gui.sandbox.model.script import ModelScript

MODEL = "gemini-2.5-flash"
GRAMMAR = "You answer with one or more blocks and nothing else: # «send»\n\nYou are chatting as Nora with Marta."
RETRIEVE = "\n\nTo read a web page answer with:\n\n# «retrieve»\nhttps://the.address/"
STICKERS = "\n\nStickers you may send\nBadgers :: hello - a badger waves\nBadgers :: laugh - a badger laughs"
CLOCK = "\n\nIt is Friday, 2026-11-20 14:02 (Europe/Lisbon)."


@dataclass(frozen=True)
class Talk:
    """What has been said, oldest first, as (name, text); Nora is the agent."""

    said: str
    before: tuple[tuple[str, str], ...] = ()
    name: str = "Marta Oliveira"
    group: bool = False
    extra: str = ""
    media: str = ""
    pages: tuple[tuple[str, str], ...] = ()
    tools: tuple[str, ...] = ()
    reply_to: int | None = None
    after: list[types.Content] = field(default_factory=list)

    @property
    def system(self) -> str:
        kind = "a group chat with Lake people" if self.group else f"a direct message with {self.name}"
        target = 100 + len(self.before)
        ask = f"Consider responding to message with message_id {target}."
        return f"{GRAMMAR}{self.extra}{CLOCK}\n\nThis is {kind}.\n\n{ask}"

    @property
    def contents(self) -> list[types.Content]:
        turns = [content("user", f"Retrieved from {url}:\n{text}") for url, text in self.pages]
        for number, (name, text) in enumerate((*self.before, (self.name, self.said)), 100):
            own = name == "Nora"
            reply = f" | reply to {self.reply_to}" if self.reply_to and number == 100 + len(self.before) else ""
            header = f"⟦from: {name} (id {5001 + len(name)}) | message {number}{reply} | 2026-11-20 14:02⟧"
            parts = [header, text] if text else [header]
            if self.media and number == 100 + len(self.before):
                parts.append(f"⟦{self.media}⟧")
            turns.append(content("model" if own else "user", *parts))
        return turns + self.after


def content(role: str, *texts: str) -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text) for text in texts])


@asynccontextmanager
async def talking(responder=None):
    """A model endpoint behind the real client; gives (models, script)."""
    script = ModelScript()
    endpoint = ModelEndpoint(script, responder)
    url = f"http://127.0.0.1:{await endpoint.start('127.0.0.1', 0)}"
    try:
        async with httpx2.AsyncClient(trust_env=False) as http:
            options = types.HttpOptions(base_url=url, api_version="v1beta", timeout=60_000, httpx_async_client=http)
            yield genai.Client(api_key="any-key", http_options=options).aio.models, script
    finally:
        await endpoint.aclose()


async def asked(models, talk: Talk):
    """Ask, with the tools that are declared; returns google-genai's response."""
    declared = [types.FunctionDeclaration(name=name, description=name) for name in talk.tools]
    tools: types.ToolListUnion | None = [types.Tool(function_declarations=declared)] if declared else None
    config = types.GenerateContentConfig(
        system_instruction=talk.system,
        tools=tools,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    return await models.generate_content(model=MODEL, contents=talk.contents, config=config)


@dataclass(frozen=True)
class Answer:
    """A reply as the product reads it."""

    text: str
    kinds: tuple[str, ...]
    sends: tuple[str, ...]
    bodies: dict[str, str]
    reply_to: int | None
    calls: tuple[str, ...]

    @property
    def said(self) -> str:
        return " ".join(self.sends)

    @property
    def language(self) -> str:
        """The language of the answer's own words, without what it quotes."""
        return detect(re.sub("“[^”]*”|„[^“]*“|「[^」]*」|« [^»]* »|«[^»]*»", " ", self.said))


def read(response) -> Answer:
    """Parse an answer; it has to be without problems."""
    calls = tuple(call.name for call in response.function_calls or ())
    reply = parse_reply(response.text or "" if not calls else "")
    assert not reply.problems, (response.text, reply.problems)
    sends = tuple(block.body for block in reply.blocks if block.kind is BlockKind.SEND)
    assert calls or reply.blocks
    assert not any("⟦" in send or "⟧" in send or "# «" in send or "{" in send for send in sends), sends
    first = next((block for block in reply.blocks if block.kind is BlockKind.SEND), None)
    return Answer(
        response.text or "" if not calls else "",
        tuple(block.kind.value for block in reply.blocks),
        sends,
        {block.kind.value: block.body for block in reply.blocks},
        first.reply_to if first is not None else None,
        calls,
    )
