"""A prompt as it was sent, or would be sent now: the bytes of the request, and where its parts came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NewType

if TYPE_CHECKING:
    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.memory.choice import RecallFact
    from chimein_gui.domain.prompt.left_out import LeftOut
    from chimein_gui.domain.prompt.prompts import Prompt

CallId = NewType("CallId", int)
"""Row id of a booked model call."""


class SectionSource(NamedTuple):
    """Where a section of the system instruction came from.

    Attributes:
        title: As in its mark.
        source: Path of the file, or empty.
        first_line: First line of the text in that file, from 1; 0 if it is not a part of a file.
        last_line: The last one.
        filled: Where values of variables stand in the text, as in `PromptSection`.
    """

    title: str
    source: str = ""
    first_line: int = 0
    last_line: int = 0
    filled: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PromptOutline:
    """What the bytes of a request do not say.

    Attributes:
        sections: One for each section, in the order of the system instruction; then those of the last block.
        left_out: What is not in it though it could have been.
        recalled: The memories that were found for the messages, best first.
    """

    sections: tuple[SectionSource, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    recalled: tuple[RecallFact, ...] = ()


def outline_of(prompt: Prompt, reply: str = "") -> PromptOutline:
    """Return the outline of a prompt.

    Args:
        prompt: The prompt.
        reply: What the model wants to send after it; empty if it was not asked.
    """
    sources = (SectionSource(one.title, one.source, *one.lines, one.filled) for one in prompt.sections)
    recalled = tuple(one.after(prompt.query, reply) for one in prompt.recalled)
    return PromptOutline(tuple(sources), prompt.left_out, recalled)


class RequestTurn(NamedTuple):
    """One turn of a request.

    Attributes:
        role: As on the wire.
        parts: Texts; a part that is none, such as a tool call, as JSON.
    """

    role: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequestText:
    """The contents of a request, read from its bytes.

    Attributes:
        instruction: The system instruction.
        turns: The contents, oldest first.
        tools: The declaration of each tool, as JSON.
    """

    instruction: str = ""
    turns: tuple[RequestTurn, ...] = ()
    tools: tuple[str, ...] = ()


class TokenCounts(NamedTuple):
    """The tokens of a request as the provider counts them.

    Attributes:
        least: Those of a request without any of its parts.
        parts: What each part adds, in the order in which the model reads them: the sections of the system instruction,
            the tools, the contents, the sections of the last block.
    """

    least: int
    parts: tuple[int, ...]

    @property
    def total(self) -> int:
        """Return the tokens of the whole request."""
        return self.least + sum(self.parts)


class SentCall(NamedTuple):
    """A call of a plan whose prompt is stored."""

    call_id: CallId
    call: ModelCall


class StoredPrompt(NamedTuple):
    """A stored prompt.

    Attributes:
        sent: Its call.
        outline: What the bytes do not say.
        body: The bytes of the request, compressed.
        chat_id: The chat for which it was made; None if that is not known any more.
    """

    sent: SentCall
    outline: PromptOutline
    body: bytes
    chat_id: ChatId | None = None


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt for the operator.

    Attributes:
        model: The model that was asked, or would be asked.
        body: The bytes of the request.
        text: What they say.
        outline: What they do not say.
        sent: The call that sent it; None for what would be sent now.
        answers: Something waits for an answer, so that a call would be made; always true for one that was made.
        chat_id: The chat for which it was made, or would be; None if that is not known any more.
        graph_id: The plan that it brought; None without one.
    """

    model: str
    body: bytes
    text: RequestText
    outline: PromptOutline
    sent: SentCall | None = None
    answers: bool = True
    chat_id: ChatId | None = None
    graph_id: GraphId | None = None
