"""A prompt with all that the Prompt pane shows, and stored calls of it."""

from __future__ import annotations

from chimein_gui.adapters.gemini.bodies import read_request, request_of
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.ids import ChatId, GraphId
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.prompts import Prompt, PromptSection, Role, Turn, Usage
from chimein_gui.domain.prompt.sent import CallId, PromptView, SentCall, outline_of
from chimein_gui.domain.prompt.tool_calls import ToolSubject
from chimein_gui.engine.tools.declarations import TOOLS
from tests.fakes.engine_api import NOON

CHAT, PLAN = ChatId(1), GraphId(9)
HEADER = "⟦from: Marta Oliveira (id 7) | message {n} | 2026-11-20 14:0{n}⟧"
PROMPT = Prompt(
    "gemini-2.5-flash",
    (
        PromptSection("Model prompt", "Write blocks.\nNothing else.", "prompts/Gemini.md", 1),
        PromptSection("Role: Person", "You chat with ⟦name: Marta⟧.", "prompts/Person.md", 3),
        PromptSection("Instructions", "You are Nora.\nBe kind.\nLike puffins.", "agents/Nora Vale.md", 9),
        PromptSection("Time", "It is Friday, 2026-11-20 14:02 (UTC).", is_last=True),
    ),
    (
        Turn(Role.USER, (HEADER.format(n=1), "see you on Sunday?")),
        Turn(Role.MODEL, ("⟦from: Nora Vale (id 1) | message 2 | 2026-11-20 14:02⟧", "puffins first")),
        Turn(Role.USER, (HEADER.format(n=3), "a\u202eb \ud800 ok", "⟦photo⟧")),
    ),
    tuple(tool for tool in TOOLS if tool.subject is ToolSubject.MESSAGES),
    left_out=(
        LeftOut(LeftOutKind.ROLE, "Retrieve"),
        *(LeftOut(kind, "notes.md", 12) for kind in list(LeftOutKind)[1:]),
    ),
)


def view_of(prompt: Prompt = PROMPT, sent: SentCall | None = None, **more: object) -> PromptView:
    body = request_of(prompt)
    return PromptView(prompt.model, body, read_request(body), outline_of(prompt), sent, **more)  # type: ignore[arg-type]


def call(number: int, purpose: str = "plan", *, estimated: bool = False) -> SentCall:
    usage = Usage(1_000 + number, 20)
    booked = ModelCall("gemini-2.5-flash", purpose, NOON, 1.5, CallEnd.ANSWERED, usage, estimated=estimated)
    return SentCall(CallId(number), booked)
