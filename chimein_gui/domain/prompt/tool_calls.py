"""What the model may look up, what it asks for, and what it is told: plain data, no vendor's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ParameterKind(StrEnum):
    """What an argument is."""

    STRING = "string"
    INTEGER = "integer"


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """One argument of a tool.

    Attributes:
        name: As the model writes it.
        kind: What it is.
        about: For the model.
        is_required: It can't be left out.
    """

    name: str
    kind: ParameterKind
    about: str
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class ToolDeclaration:
    """A tool that the model may call.

    Attributes:
        name: As the model writes it.
        about: What it does, for the model.
        parameters: Its arguments.
    """

    name: str
    about: str
    parameters: tuple[ToolParameter, ...]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the model asks for; nothing of it can be trusted.

    Attributes:
        name: Of the tool; perhaps there is none of that name.
        arguments: Of any kind and size.
        call_id: The service's own mark, which the answer repeats; or empty.
    """

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a call has brought.

    Attributes:
        call: The call.
        messages: The parts of each message, as in a prompt: header, text, media.
        note: What the model should know of it, such as that nothing was found; or empty.
        error: Why the call was refused, in a short sentence; or empty.
    """

    call: ToolCall
    messages: tuple[tuple[str, ...], ...] = ()
    note: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ToolRound:
    """One turn of the model that asked for tools, and what it got.

    Attributes:
        said: The turn as the service sent it; it is sent back unchanged, with the signatures of its thoughts. It lives
            no longer than the plan is made, and is written nowhere.
        answers: One for each of its calls, in their order.
    """

    said: object = field(repr=False)
    answers: tuple[ToolAnswer, ...]
