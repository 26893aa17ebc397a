"""What makes plans, and variants of them, put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AccountId, ChatId, MessageId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.core.fair_semaphore import FairSemaphore
    from chimein_gui.engine.llm.calls import ModelCalls
    from chimein_gui.engine.planning.enrichers import Enricher
    from chimein_gui.engine.ports import Clock, Store
    from chimein_gui.engine.prompt.inputs import PromptSource
    from chimein_gui.engine.prompt.reply_steps import FindSticker


def _nothing(_chat: Chat, _up_to: MessageId) -> None:
    return


async def _all_there(_chat_id: ChatId) -> bool:
    return True


def _nothing_kept() -> None:
    return


def _not_heard(_chat_id: ChatId, _up_to: MessageId) -> None:
    return


@dataclass(frozen=True, slots=True)
class PlanningServices:
    """What makes plans, and variants of them.

    Attributes:
        store: The database.
        bus: Tells what becomes of sends.
        clock: Time.
        environment: The outside of transactions.
        unit: The same, for what others hear of.
        calls: The model.
        slots: How many plans at once.
        source: What prompts are made of beside the database.
        find_sticker: Returns an account's look-up of stickers, or None while it is not connected.
        on_due: Hears of chats that have something to do, and when.
        on_stored: Called after something to remember was stored.
        mark_read: Marks a chat as read up to a message: at the beginning of a plan that nobody decides on.
        lay_ground: Fetches what a plan needs and the store does not have; returns whether all of it is there.
        knows_blocked: Tells, after asking for 10 s at most, whether it is known whom the account of a chat has blocked.
        enrichers: What adds to the inputs of a plan, in this order, between its beginning and its first model call.
        forget_meanings: Called when it may be another model that tells what texts mean.
        on_chosen: Hears that a plan with chosen context was stored, and up to which message it was chosen.
            Nothing waits for it: a send may be claimed already.
    """

    store: Store
    bus: EventBus
    clock: Clock
    environment: TransactionEnvironment
    unit: UnitOfWork
    calls: ModelCalls
    slots: FairSemaphore
    source: PromptSource
    find_sticker: Callable[[AccountId], FindSticker | None]
    on_due: Callable[[ChatId, datetime], None]
    on_stored: Callable[[], None]
    mark_read: Callable[[Chat, MessageId], object] = _nothing
    lay_ground: Callable[[ChatId], Awaitable[bool]] = _all_there
    knows_blocked: Callable[[ChatId], Awaitable[bool]] = _all_there
    enrichers: tuple[Enricher, ...] = ()
    forget_meanings: Callable[[], object] = _nothing_kept
    on_chosen: Callable[[ChatId, MessageId], object] = _not_heard
