"""Finds the chats with something of a person, and looks at their messages in portions.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.people.holdings import Person

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from chimein_gui.domain.ids import ChatId, PeerId
    from chimein_gui.engine.ports import MessagePortion, Store, Transaction

READ_AT_ONCE = 2_000
"""Messages that are read in one step, which takes some milliseconds."""


async def find_person(store: Store, person: PeerId) -> Person:
    """Return the chats with something of a person; groups are searched in portions.

    Raises:
        StoreError: The database can't be read.
    """
    chats = await store.read(lambda tx: tx.people.all_chats())
    direct = tuple(chat for chat in chats if chat.peer_id == person)
    found = Person(person, direct, (), tuple(dict.fromkeys(chat.title for chat in direct if chat.title)))
    groups, names = [], set[str]()
    for chat in chats:
        if chat.kind is ChatKind.DM:
            continue
        wrote = False
        async for portion in portions(store, chat.chat_id, found):
            wrote = wrote or portion.tally.count > 0
            names |= portion.names
        if wrote:
            groups.append(chat)
    return found.with_groups(tuple(groups), tuple(sorted(names)))


async def portions(store: Store, chat_id: ChatId, person: Person) -> AsyncGenerator[MessagePortion, None]:
    """Look at a chat's messages, portion by portion."""
    above = MessageId(0)
    while True:
        portion = await store.read(_portion(chat_id, person, above))
        yield portion
        if portion.up_to is None:
            return
        above = portion.up_to


def _portion(chat_id: ChatId, person: Person, above: MessageId) -> Callable[[Transaction], MessagePortion]:
    return lambda tx: tx.people.portion(chat_id, person.person, above_id=above, limit=READ_AT_ONCE)
