"""The prompt as data: what is shown is what is sent."""

from dataclasses import dataclass, field
from enum import StrEnum

from chimein_gui.domain.prompt.marks import section_mark
from chimein_gui.domain.prompt.tool_calls import ToolCall, ToolDeclaration, ToolRound


class Role(StrEnum):
    """Whose turn it is, in the model's words."""

    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class PromptSection:
    """One part of the system instruction.

    Attributes:
        title: What it is, for the Prompt pane.
        text: What is sent.
        source: File it came from, or empty.
    """

    title: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the contents.

    Attributes:
        role: ``user`` (others) or ``model`` (the agent).
        parts: Texts in order; the first is the header part.
    """

    role: Role
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything a model call is made of.

    Attributes:
        model: Model name.
        sections: The system instruction in its parts.
        turns: The contents, oldest first; the last is a user turn.
        tools: What the model may look up; none in most prompts.
        rounds: What it has looked up so far, behind the turns.
    """

    model: str
    sections: tuple[PromptSection, ...]
    turns: tuple[Turn, ...]
    tools: tuple[ToolDeclaration, ...] = ()
    rounds: tuple[ToolRound, ...] = ()

    @property
    def system_instruction(self) -> str:
        """The sections as one text, each below its mark: `prompt_reading.read_sections` gives them back."""
        return "\n\n".join(f"{section_mark(section.title)}\n{section.text}" for section in self.sections)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the service counts them."""

    prompt_tokens: int = 0
    reply_tokens: int = 0
    thinking_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model answered.

    Attributes:
        text: The reply; empty when the model said nothing.
        usage: Tokens of the call.
        finish_reason: The service's own word.
        calls: Tools it asks for, beside the text or instead of it.
        said: With calls, the whole turn as the service sent it, for `ToolRound`.
        is_garbled: It tried to call a tool, and nobody can tell which.
        is_cut_off: There is a text, but the model did not come to its end: it ran out of tokens, say.
    """

    text: str
    usage: Usage
    finish_reason: str = ""
    calls: tuple[ToolCall, ...] = ()
    said: object = field(default=None, repr=False)
    is_garbled: bool = False
    is_cut_off: bool = False
