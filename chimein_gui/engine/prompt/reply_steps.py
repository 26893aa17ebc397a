"""Converts a parsed reply into the steps of a plan, and into notes for the operator on parts that can't be done.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.group_moves import LARGEST_ID
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import GatewayError, SendRefusedError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import LONGEST_TEXT, MAX_MESSAGE_UNITS, MessageKey
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.tasks import TaskKind

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.replies.replies import Block, Reply
    from chimein_gui.engine.ports import Clock, Transaction

_log = logging.getLogger(__name__)

"""Maximum length of a message by the model in characters: ten of Telegram's messages."""

MOST_STEPS = 50
"""Maximum number of steps of a plan."""

LOOK_UP_S = 20.0
"""Longest look-up of all stickers of a reply."""

_DM_ONLY = frozenset({BlockKind.BLOCK, BlockKind.UNBLOCK, BlockKind.CLEAR_CONVERSATION})
_TASK_OF = {
    BlockKind.BLOCK: TaskKind.BLOCK,
    BlockKind.UNBLOCK: TaskKind.UNBLOCK,
    BlockKind.CLEAR_CONVERSATION: TaskKind.CLEAR_CONVERSATION,
    BlockKind.SHUTDOWN: TaskKind.SHUTDOWN,
}

StickerName = tuple[str, str]
"""Short name of a set, and the name of a sticker in it, as the model wrote them."""

FindSticker = Callable[[str, str], Awaitable[StickerRef | None]]
"""`TelegramGateway.find_sticker` of the account that would send."""


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A reply with the results of its look-ups at Telegram.

    Attributes:
        reply: The parsed reply.
        stickers: The stickers of its sticker blocks; None if there is no such sticker.
        offline: The stickers could not be looked up: the account is not connected.
        unreachable: Name of the error if the stickers could not be looked up, empty without an answer; else None.
    """

    reply: Reply
    stickers: Mapping[StickerName, StickerRef | None] = field(default_factory=dict)
    offline: bool = False
    unreachable: str | None = None


@dataclass(frozen=True, slots=True)
class PlanText:
    """The contents of a reply as steps, memories and problems.

    Attributes:
        steps: The steps in order.
        memories: What to remember, in order.
        problems: The parts that were left out or changed, for the operator.
        no_answer: The model chose to say nothing.
    """

    steps: tuple[PlannedStep | PlannedWait, ...]
    memories: tuple[str, ...]
    problems: tuple[ReplyProblem, ...]
    no_answer: bool


async def look_up_stickers(reply: Reply, finder: Callable[[], FindSticker | None], clock: Clock) -> ReadReply:
    """Ask Telegram for the stickers of a reply, each once, before the plan is stored.

    Args:
        reply: The parsed reply.
        finder: Returns the account's look-up; None while it is not connected.
        clock: Limits the time of the look-up.
    """
    names = {_name_of(block) for block in reply.blocks if block.kind is BlockKind.STICKER}
    if not names:
        return ReadReply(reply)
    find = finder()
    if find is None:
        return ReadReply(reply, offline=True)
    found: dict[StickerName, StickerRef | None] = {}
    try:
        async with clock.timeout(LOOK_UP_S):
            for name in sorted(names):
                found[name] = await find(*name)
    except (GatewayError, TimeoutError) as error:
        _log.info("Stickers could not be looked up: %s", error)
        return ReadReply(reply, found, unreachable=error.code if isinstance(error, SendRefusedError) else "")
    except asyncio.CancelledError:
        raise
    except Exception as error:  # noqa: BLE001 - a sticker must not cost the plan
        _log.exception("Looking up stickers failed unexpectedly")
        return ReadReply(reply, found, unreachable=type(error).__name__)
    return ReadReply(reply, found)


def read_plan(tx: Transaction, chat: Chat, read: ReadReply) -> PlanText:
    """Return the steps of a reply, with a problem for each part that is changed or left out."""
    problems = list(read.reply.problems)
    steps: list[PlannedStep | PlannedWait] = []
    memories: list[str] = []
    left_out = 0
    for block in read.reply.blocks:
        if block.kind is BlockKind.REMEMBER and read.reply.is_cut_off and block is read.reply.blocks[-1]:
            problems.append(ReplyProblem(ReplyFault.MEMORY_CUT_OFF, block.line))
        elif block.kind is BlockKind.REMEMBER:
            memories.append(block.body)
        elif block.kind is BlockKind.RETRIEVE:
            problems.append(ReplyProblem(ReplyFault.NOT_AVAILABLE, block.line, said=(block.kind.value,)))
        elif block.kind is not BlockKind.THINK:
            step = _step(tx, chat, block, read, problems)
            if isinstance(step, PlannedStep) and read.reply.is_cut_off:
                step = replace(step, is_cut_off=True)
            if step is not None and len(steps) < MOST_STEPS:
                steps.append(step)
            elif step is not None:
                left_out += 1
    if left_out:
        problems.append(ReplyProblem(ReplyFault.TOO_MANY_STEPS, number=left_out, said=(str(MOST_STEPS),)))
    return PlanText(tuple(steps), tuple(memories), tuple(problems), read.reply.is_no_answer)


def _step(
    tx: Transaction, chat: Chat, block: Block, read: ReadReply, problems: list[ReplyProblem]
) -> PlannedStep | PlannedWait | None:
    if block.kind in _DM_ONLY and chat.info.kind is not ChatKind.DM:
        problems.append(ReplyProblem(ReplyFault.DIRECT_ONLY, block.line, said=(block.kind.value,)))
        return None
    if block.kind is BlockKind.WAIT:
        return PlannedWait(float(block.params["delay"]))
    reply_to = _known_reply(tx, chat, block, problems)
    if block.kind is BlockKind.STICKER:
        return _sticker(block, read, reply_to, problems)
    if block.kind is not BlockKind.SEND:
        return PlannedStep(_TASK_OF[block.kind], block.body[:MAX_MESSAGE_UNITS])
    body = block.body[:LONGEST_TEXT]
    if body != block.body:
        problems.append(ReplyProblem(ReplyFault.TOO_LONG, block.line, len(block.body)))
    return PlannedStep(TaskKind.SEND, body, reply_to)


def _sticker(block: Block, read: ReadReply, reply_to: MessageId | None, problems: list[ReplyProblem]) -> PlannedStep:
    """Return the step of a sticker. An unknown one becomes its emoji or name as text, with the same reply target."""
    set_name, name = _name_of(block)
    sticker = read.stickers.get((set_name, name))
    if sticker is not None:
        return PlannedStep(TaskKind.STICKER, sticker.name, reply_to, sticker)
    fault = ReplyFault.STICKER_UNKNOWN
    said: tuple[str, ...] = (name, set_name)
    if read.offline:
        fault = ReplyFault.STICKER_OFFLINE
    elif read.unreachable is not None and (set_name, name) not in read.stickers:
        fault, said = ReplyFault.STICKER_NOT_FOUND_OUT, (name, set_name, read.unreachable)
    problems.append(ReplyProblem(fault, block.line, said=said))
    return PlannedStep(TaskKind.SEND, name.partition(" #")[0] or name, reply_to)


def _name_of(block: Block) -> StickerName:
    return block.params["set"], block.params["name"]


def _known_reply(tx: Transaction, chat: Chat, block: Block, problems: list[ReplyProblem]) -> MessageId | None:
    if block.reply_to is None or block.kind not in {BlockKind.SEND, BlockKind.STICKER}:
        return None
    key = MessageKey(chat.info.account_id, chat.info.peer_id, MessageId(block.reply_to))
    if block.reply_to <= LARGEST_ID and tx.messages.get(key) is not None:
        return key.message_id
    problems.append(ReplyProblem(ReplyFault.NO_MESSAGE, block.line, block.reply_to))
    return None


def summary(plan: PlanText) -> PlanningProblem | None:
    """Return why there is no draft, or that parts of the reply were left out; None if neither applies."""
    first = plan.problems[0] if plan.problems else None
    if plan.no_answer and not plan.steps:
        return PlanningProblem(PlanningKind.SILENT)
    if all(isinstance(step, PlannedWait) for step in plan.steps):
        return PlanningProblem(PlanningKind.ONLY_WAITS if plan.steps else PlanningKind.NOTHING_USABLE, cause=first)
    return PlanningProblem(PlanningKind.PARTLY_USED, cause=first) if first else None
