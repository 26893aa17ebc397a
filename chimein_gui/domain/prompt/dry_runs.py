"""Dry runs: what a model would answer to a prompt, without any effect of the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.prompt.marks import unmarked
from chimein_gui.domain.prompt.prompts import FILE_MARK

if TYPE_CHECKING:
    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.prompt.prompts import Prompt
    from chimein_gui.domain.prompt.sent import PromptView
    from chimein_gui.domain.replies.replies import Reply

HOTTEST = 2.0
"""Highest temperature of a model."""


@dataclass(frozen=True, slots=True)
class RebuiltPrompt:
    """The prompt that the builder makes of today's files and messages.

    Attributes:
        prompt: As data, which can be edited.
        view: The same for the operator.
    """

    prompt: Prompt
    view: PromptView


@dataclass(frozen=True, slots=True)
class PromptEdits:
    """What the operator changed in a prompt for a dry run. It is never stored.

    Attributes:
        sections: Texts by the place of their section, which is that of the outline.
        turns: The parts of turns by the place of the turn in `Prompt.turns`.
        model: Another model, or empty.
        temperature: From 0 to `HOTTEST`; None for the model's own.
        without_tools: The model is offered no tools.
    """

    sections: tuple[tuple[int, str], ...] = ()
    turns: tuple[tuple[int, tuple[str, ...]], ...] = ()
    model: str = ""
    temperature: float | None = None
    without_tools: bool = False


def edited(prompt: Prompt, edits: PromptEdits) -> Prompt:
    """Return a prompt with edits; an edited section can't look like the beginning of another one.

    Raises:
        IndexError: There is no such section or turn.
    """
    sections, turns = list(prompt.sections), list(prompt.turns)
    for place, text in edits.sections:
        sections[place] = replace(sections[place], text=unmarked(text))
    for place, parts in edits.turns:
        turns[place] = replace(turns[place], parts=_without_stand_ins(parts))
    return replace(
        prompt,
        sections=tuple(sections),
        turns=tuple(turns),
        model=edits.model or prompt.model,
        temperature=edits.temperature,
        tools=() if edits.without_tools else prompt.tools,
    )


def _without_stand_ins(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return texts without the lines that stand for pictures, which are sent themselves."""
    lines = ("\n".join(line for line in part.split("\n") if not line.startswith(FILE_MARK)) for part in parts)
    return tuple(text for text, part in zip(lines, parts, strict=True) if text or not part)


@dataclass(frozen=True, slots=True)
class DryRun:
    """The result of a dry run.

    Attributes:
        call: The call, with tokens, cost and latency.
        body: The bytes that were sent.
        text: The raw reply, with each thought replaced by its length.
        reply: The same, parsed. Nothing of it is done: nothing is sent, remembered or looked up.
        tools: Names of the tools that the model called instead of answering, or beside it; they are not run.
    """

    call: ModelCall
    body: bytes
    text: str
    reply: Reply
    tools: tuple[str, ...] = ()
