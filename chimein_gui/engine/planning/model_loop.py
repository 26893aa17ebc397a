"""The repair round: a reply with problems is shown to the model once, with what is wrong.

See docs/behaviour.md, "The reply grammar".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.prompt.marks import NOT_FROM_CHAT
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import Role, Turn
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.replies.replies import BlockKind, Reply, parse_reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt
    from chimein_gui.engine.planning.tool_rounds import ToolRounds

MOST_CALLS = 13
"""Model calls of one plan, all attempts and rounds together."""

REPAIR = "repair"
"""What such a call is booked as."""

_TOLD = {
    ReplyFault.UNKNOWN_TYPE: "«{}» is not a type of block",
    ReplyFault.NO_NUMBER: "“{}” behind «{}» is not a message number",
    ReplyFault.WAIT_NEEDS_DELAY: "a «wait» needs a line such as “delay: 5”",
    ReplyFault.STICKER_NEEDS_NAME: "a «sticker» needs two lines: the set and the name",
    ReplyFault.RETRIEVE_NEEDS_ADDRESS: "a «retrieve» needs at least one http(s) address on a line of its own",
    ReplyFault.NO_PART: "this line is no part of a «{}»; a text for the chat needs a heading # «send» of its own",
    ReplyFault.NO_PAGES: "web pages cannot be looked up here; answer with what you know",
}
"""What the model is told of each fault of the grammar: a prompt, so it is never translated."""


def told_to_model(problem: ReplyProblem) -> str:
    """Return what the model is told of a fault in its reply, without the line."""
    return _TOLD[problem.fault].format(*problem.said)


def repair_prompt(prompt: Prompt, text: str, reply: Reply) -> Prompt:
    """Ask the same once more, with the reply and what is wrong with it.

    Args:
        prompt: What was asked, with what tools have brought folded in.
        text: The reply, without its thoughts; the line numbers of the problems count in it.
        reply: The same, parsed.
    """
    wrong = "\n".join(f"- line {problem.line}: {mask(told_to_model(problem))}" for problem in reply.problems)
    complaint = (
        "Your last reply could not be used as it is:\n"
        f"{wrong}\n"
        "Nothing of it was sent. Write the whole reply once more, without these problems."
    )
    turns = (*prompt.turns, Turn(Role.MODEL, (text,)), Turn(Role.USER, (NOT_FROM_CHAT, complaint)))
    return replace(prompt, turns=turns)


async def reply_or_repaired(
    prompt: Prompt, purpose: str, rounds: ToolRounds, *, may_repair: Callable[[], bool] = lambda: True
) -> Reply:
    """Ask for a reply; one with problems gets one more chance, and only the second one counts then.

    Args:
        prompt: What to ask.
        purpose: What the first calls are booked as.
        rounds: Makes the calls, and looks up what the model wants to know.
        may_repair: Asked before the second call: False once the calls of this plan are used up.

    Raises:
        ModelError: One of the calls failed for a reason that another attempt may cure, or the first was refused, or
            the reply broke off before there was anything in it.
    """
    answer, asked = await rounds.talk(prompt, purpose)
    reply = _read(answer)
    if not reply.needs_repair or not may_repair():
        return _usable(reply)
    try:
        second = await rounds.told(repair_prompt(asked, answer.text, reply), REPAIR)
    except ModelRefusedError:
        return _usable(reply)  # there is no second reply: the good blocks of the first one go on
    return _usable(_read(second))


def _read(answer: ModelReply) -> Reply:
    reply = replace(parse_reply(answer.text), is_cut_off=answer.is_cut_off)
    if reply.wants_only_pages:
        line = next(block.line for block in reply.blocks if block.kind is BlockKind.RETRIEVE)
        wrong = ReplyProblem(ReplyFault.NO_PAGES, line)
        return replace(reply, problems=(*reply.problems, wrong))
    return reply


def _usable(reply: Reply) -> Reply:
    if reply.wants_only_pages:
        fault = Note(ModelFault.ONLY_PAGES)
        raise ModelRefusedError("The model asked for web pages, which it cannot look up, instead of answering", fault)
    if reply.is_cut_off and reply.has_no_task:
        fault = Note(ModelFault.BROKE_OFF)
        raise ModelRefusedError("The model's reply broke off before there was anything to send", fault)
    return reply
