"""Tools for the model, its calls and their answers: plain data, independent of the vendor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ParameterKind(StrEnum):
    """Type of an argument."""

    STRING = "string"
    INTEGER = "integer"


class ToolSubject(StrEnum):
    """What a tool looks up."""

    MESSAGES = "messages"
    MEMORIES = "memories"


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """One argument of a tool.

    Attributes:
        name: As the model writes it.
        kind: Its type.
        about: Description for the model.
        is_required: It must not be left out.
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
        subject: What it looks up; without anything of that kind it is not offered.
    """

    name: str
    about: str
    parameters: tuple[ToolParameter, ...]
    subject: ToolSubject = ToolSubject.MESSAGES


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call by the model; none of its content can be trusted.

    Attributes:
        name: Name of the tool; perhaps no tool has it.
        arguments: Of any type and size.
        call_id: The service's id of the call, repeated in the answer; or empty.
    """

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The result of a tool call.

    Attributes:
        call: The call.
        messages: The parts of each message, as in a prompt: header, text, media.
        note: A remark for the model, such as that nothing was found; or empty.
        error: Why the call was refused, in a short sentence; or empty.
        memories: Entries of memories, marked as in a prompt; None if the tool looks up messages.
    """

    call: ToolCall
    messages: tuple[tuple[str, ...], ...] = ()
    note: str = ""
    error: str = ""
    memories: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ToolRound:
    """One turn of the model that called tools, with the answers.

    Attributes:
        said: The turn as the service sent it. It is sent back unchanged, with the signatures of its thoughts. It exists
            only while the plan is made, and is never stored.
        answers: One for each of its calls, in their order.
    """

    said: object = field(repr=False)
    answers: tuple[ToolAnswer, ...]
