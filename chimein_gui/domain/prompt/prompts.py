"""The prompt as data; the same object is shown in the Prompt pane and sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.prompt.marks import NOT_FROM_CHAT, section_mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.memory.choice import RecallFact
    from chimein_gui.domain.prompt.left_out import LeftOut
    from chimein_gui.domain.prompt.tool_calls import ToolCall, ToolDeclaration, ToolRound


BETWEEN_SECTIONS = "\n\n"
"""Stands between the sections of the system instruction."""


class Role(StrEnum):
    """Role of a turn, in the vocabulary of model APIs."""

    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class PromptSection:
    """One part of the system instruction, or of the last block.

    Attributes:
        title: Title in the Prompt pane and in the section's mark.
        text: The text that is sent.
        source: File it came from, or empty.
        first_line: Line of that file with which the text begins, from 1; 0 if it is not a part of a file.
        filled: Where values of variables stand in the text: places of first characters, and behind the last ones.
        last_line: Line of the file with which it ends; 0 if the text has as many lines as its part of the file.
        is_last: It stands in the last block, behind the history, because it changes from call to call.
    """

    title: str
    text: str
    source: str = ""
    first_line: int = 0
    filled: tuple[tuple[int, int], ...] = ()
    is_last: bool = False
    last_line: int = 0

    @property
    def lines(self) -> tuple[int, int]:
        """Return the first and the last line of the file; zeros if it is not a part of a file."""
        if not self.first_line:
            return 0, 0
        return self.first_line, self.last_line or self.first_line + self.text.count("\n")


FILE_MARK = "⟦file⟧ "
"""Begins the text that stands for a file where the file itself is not kept."""


@dataclass(frozen=True, slots=True)
class InlineFile:
    """A picture or sound that is sent with a turn.

    Attributes:
        mime_type: Its true type, such as ``image/jpeg``.
        data: The file.
    """

    mime_type: str
    data: bytes = field(repr=False)

    @property
    def stand_in(self) -> str:
        """Return what stands for it where the file itself is not kept."""
        return f"{FILE_MARK}({self.mime_type}, {len(self.data):,} bytes)"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the contents.

    Attributes:
        role: ``user`` (others) or ``model`` (the agent).
        parts: Texts in order; the first is the header part.
        files: Pictures and sounds, which are sent behind the texts.
    """

    role: Role
    parts: tuple[str, ...]
    files: tuple[InlineFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything a model call is made of.

    Attributes:
        model: Model name.
        sections: The system instruction in its parts, then those of the last block.
        turns: The messages, oldest first; without a last block, the last is a user turn.
        tools: Tools that the model may call; most prompts have none.
        rounds: Earlier rounds of tool calls, sent after the turns.
        left_out: What is not in it though it could have been.
        repair: A reply that can't be used and what is wrong with it, as turns; most prompts have none.
        temperature: From 0 to 2; None for the model's own.
        recalled: The memories that were found for the messages, and what became of each.
        query: What was searched for in them.
        schema: The form of an answer in JSON, as a JSON schema in Gemini's subset; empty for an answer in text.
    """

    model: str
    sections: tuple[PromptSection, ...]
    turns: tuple[Turn, ...]
    tools: tuple[ToolDeclaration, ...] = ()
    rounds: tuple[ToolRound, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    repair: tuple[Turn, ...] = ()
    temperature: float | None = None
    recalled: tuple[RecallFact, ...] = ()
    query: str = ""
    schema: str = ""

    @property
    def system_instruction(self) -> str:
        """Return what stays the same as one text, each section below its mark; `read_sections` is the inverse."""
        return _joined(section for section in self.sections if not section.is_last)

    @property
    def last_block(self) -> str:
        """Return the sections behind the history in the same form; empty if there are none."""
        return _joined(section for section in self.sections if section.is_last)

    @property
    def contents(self) -> tuple[Turn, ...]:
        """Return all turns in the order in which the model reads them, without rounds of tools."""
        block = self.last_block
        last = (Turn(Role.USER, (NOT_FROM_CHAT, block)),) if block else ()
        return (*self.turns, *last, *self.repair)


def _joined(sections: Iterable[PromptSection]) -> str:
    return BETWEEN_SECTIONS.join(f"{section_mark(section.title)}\n{section.text}" for section in sections)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the service counts them.

    Attributes:
        prompt_tokens: Of the whole prompt.
        reply_tokens: Of the text.
        thinking_tokens: Of the thoughts.
        cached_tokens: Of those of the prompt, the tokens that the service had from an earlier call, and bills lower.
    """

    prompt_tokens: int = 0
    reply_tokens: int = 0
    thinking_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model answered.

    Attributes:
        text: The reply; empty if the model wrote no text.
        usage: Tokens of the call.
        finish_reason: The service's own word.
        calls: Tool calls, beside the text or instead of it.
        said: With calls, the whole turn as the service sent it, for `ToolRound`.
        is_garbled: The model tried to call a tool, but the call can't be read.
        is_cut_off: The text is incomplete, for instance because the model ran out of tokens.
    """

    text: str
    usage: Usage
    finish_reason: str = ""
    calls: tuple[ToolCall, ...] = ()
    said: object = field(default=None, repr=False)
    is_garbled: bool = False
    is_cut_off: bool = False
