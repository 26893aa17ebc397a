"""Asking with tools: up to three rounds of looking things up, then a text in any case.

See docs/behaviour.md, "What the model may look up".
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelRefusedError, ModelTransientError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.tool_calls import ToolRound
from chimein_gui.engine.prompt.builder import fold_in

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt
    from chimein_gui.domain.prompt.tool_calls import ToolAnswer, ToolCall

    Ask = Callable[[Prompt, str], Awaitable[ModelReply]]
    LookUp = Callable[[tuple[ToolCall, ...]], Awaitable[tuple[ToolAnswer, ...]]]

_log = logging.getLogger(__name__)

MOST_ROUNDS = 3
"""Turns of the model that tools are run for."""


@dataclass(frozen=True, slots=True)
class ToolRounds:
    """Asks until there is a text.

    Attributes:
        ask: Makes one call (prompt, purpose).
        look_up: Runs the tools of one turn.
        calls_left: How many more model calls the plan may cost; the last one is always asked without tools.
    """

    ask: Ask
    look_up: LookUp
    calls_left: Callable[[], int]

    async def talk(self, prompt: Prompt, purpose: str) -> tuple[ModelReply, Prompt]:
        """Ask, and look up what the model wants to know, until it answers.

        Args:
            prompt: What to ask; it may declare tools.
            purpose: What the calls are booked as.

        Returns:
            The reply, and what it is the reply to, with what was looked up folded in: to ask again, without tools.

        Raises:
            ModelError: One of the calls failed.
        """
        while prompt.tools and len(prompt.rounds) < MOST_ROUNDS and self.calls_left() > 1:
            try:
                reply = await self.ask(prompt, purpose)
            except ModelRefusedError as error:
                # Perhaps this model takes no tools, or not these answers; what is blocked is refused once more.
                _log.info("Asked with tools, the model refused: %s", error)
                break
            if reply.is_garbled and not reply.text.strip():
                break  # it wants something that nobody understands
            if not reply.calls:
                return reply, fold_in(prompt)
            made = ToolRound(reply.said, await self.look_up(reply.calls))
            prompt = replace(prompt, rounds=(*prompt.rounds, made))
        prompt = fold_in(prompt)
        return await self.told(prompt, purpose), prompt

    async def told(self, prompt: Prompt, purpose: str) -> ModelReply:
        """Ask without tools; a model that wants to look something up all the same has not chosen to be silent.

        Raises:
            ModelError: The call failed, or there is no text and no wish for one.
        """
        reply = await self.ask(prompt, purpose)
        if not reply.text.strip() and (reply.calls or reply.is_garbled):
            fault = Note(ModelFault.ONLY_LOOKS_UP)
            raise ModelTransientError("The model wants to look something up and writes no reply", fault=fault)
        return reply
