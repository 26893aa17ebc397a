"""Partners' orders to remember something, from the message to the plan that answers it.

See docs/behaviour.md, "Orders of partners". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.orders.answers import fixed_answer
from chimein_gui.domain.memory.orders.given import GivenOrder, OrderState
from chimein_gui.domain.memory.orders.recognition import LONGEST, read_order
from chimein_gui.domain.replies.replies import Block, BlockKind, Reply
from chimein_gui.domain.traces.entries import EnricherName
from chimein_gui.engine.policy.trust import SILENT, trust_now
from chimein_gui.engine.prompt.inputs import orders_of
from chimein_gui.engine.triggers.mentions import MENTION_NAME, is_callout, names_of
from chimein_gui.engine.triggers.triggers import is_own_agent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.llm.calls import PlanTrace
    from chimein_gui.engine.ports import Store, Transaction
    from chimein_gui.engine.prompt.inputs import PlanInputs

ORDER_PATIENCE_S = 2.0
"""Longest wait of a plan until what it confirms is in the memory file; in the database it is already."""


def note_order(tx: Transaction, chat: Chat, message: Message, environment: TransactionEnvironment) -> bool:
    """Store the order that a message gives, once; returns whether something is now to be written to a file.

    Only people's own words count: nothing forwarded, and nothing of bots, channels and our own agents.

    Args:
        tx: The transaction.
        chat: The conversation.
        message: It triggers a plan.
        environment: Time.
    """
    person = message.sender_id
    is_own = message.forward is None and not message.is_bot and not message.is_automatic
    if person is None or not is_own or is_own_agent(tx, chat, message):
        return False
    if trust_now(chat, environment.now()) in SILENT:
        return False
    if chat.info.kind is not ChatKind.DM and not is_callout(tx, chat, message):
        return False
    order = read_order(message.text, _names(tx, chat, message))
    if order is None:
        return False
    state = OrderState.PREPARED
    if not order.text:
        state = OrderState.BARE
    elif len(order.text) > LONGEST:
        state = OrderState.TOO_LONG
    given = GivenOrder(
        chat_id=chat.chat_id,
        message_id=message.key.message_id,
        agent_id=chat.agent_id,
        person=PeerId(int(person)),
        form=order.form,
        text=order.text if state is OrderState.PREPARED else "",
        state=state,
        created_at=environment.now(),
    )
    return tx.memory_orders.add(given) and state is OrderState.PREPARED


def _names(tx: Transaction, chat: Chat, message: Message) -> tuple[str, ...]:
    """Return what may address the agent before an order: its names, and a mention without a user name."""
    names = names_of(tx, chat)
    account = str(int(names.account_id))
    units = message.text.encode("utf-16-le", "surrogatepass")
    mentions = (
        units[2 * one.offset : 2 * (one.offset + one.length)].decode("utf-16-le", "replace")
        for one in message.entities
        if one.kind == MENTION_NAME and one.argument == account
    )
    agent = tx.agents.owner_of(names.account_id)
    own = (agent.spec.name,) if agent is not None else ()
    return (*own, *names.usernames, *names.aliases, *mentions)


class OrderReader:
    """Puts into the inputs of a plan what became of the orders that it answers."""

    name = EnricherName.ORDERS
    bound_s = ORDER_PATIENCE_S

    def __init__(self, store: Store, until_written: Callable[[], Awaitable[None]]) -> None:
        """`until_written` returns once all orders were written, or could not be written."""
        self._store = store
        self._until_written = until_written

    def applies(self, inputs: PlanInputs) -> bool:
        """Return whether a plan answers orders."""
        return bool(inputs.inputs.orders)

    async def enrich(self, inputs: PlanInputs, _trace: PlanTrace) -> PlanInputs:
        """Read the orders once more, after they were written."""
        await self._until_written()
        found = await self._store.read(lambda tx: orders_of(tx, inputs.chat, inputs.trigger_ids))
        return replace(inputs, inputs=replace(inputs.inputs, orders=found))


def with_fixed_answers(inputs: PlanInputs, reply: Reply) -> Reply:
    """Put the fixed answers to commands before the blocks of a reply; the same answer only once."""
    is_group = inputs.chat.info.kind is not ChatKind.DM
    answers: dict[tuple[str, int | None], Block] = {}
    for order in inputs.inputs.orders:
        if order.has_fixed_answer:
            reply_to = int(order.message_id) if is_group else None
            text = fixed_answer(order)
            answers[text, reply_to] = Block(BlockKind.SEND, reply_to, text)
    return replace(reply, blocks=(*answers.values(), *reply.blocks)) if answers else reply


NOTHING = Reply((), ())
"""The reply of a plan for which no model is asked."""
