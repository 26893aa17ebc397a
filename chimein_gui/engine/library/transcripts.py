"""Reads one chat for the window: pages of messages, messages by id or by words, and the steps of plans between them.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.ids import MessageId, Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.messages import FoundMessage
from chimein_gui.engine.ports import IndexUse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId, ChatId, PeerId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.hidden_steps import HiddenStep
    from chimein_gui.engine.ports import Store, Transaction

    AccountPeer = tuple[AccountId, PeerId]

SEARCHED_AT_ONCE = 5_000
"""Number of messages searched in one read; other reads can run in between."""

MOST_SEARCHED = 1_000_000
"""Maximum number of messages searched; after that the search ends with its results so far."""

CHATS_AT_ONCE = 40
"""Number of chats in one read while all chats are searched."""

FIRST_PIECE, LARGEST_PIECE = 10, 1_000
"""Number of messages of a chat that are searched first, and at most in one read, while all chats are searched."""

FIRST_SEARCHED, GROWTH = 250, 4
"""Number of messages of one chat that are searched first, and how it grows from read to read: the newest are enough for
a frequent word, and a rare one is looked for in many.
"""

FEW = 6_000
"""A word that may be in at most so many indexed messages is looked for in all chats at once."""


class _Piece(NamedTuple):
    """A chat, or the rest of one, that is still to be searched.

    Attributes:
        chat_id: The chat.
        place: Its account and peer.
        newest_at: What is left was sent then or earlier.
        below_id: The rest is below this message; None for the whole chat.
        among: Number of messages that are searched next.
    """

    chat_id: ChatId
    place: AccountPeer
    newest_at: datetime
    below_id: MessageId | None = None
    among: int = FIRST_PIECE


class Transcripts:
    """Reads one chat; each answer is one consistent snapshot."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def before(self, chat_id: ChatId, before_id: MessageId | None, limit: int) -> Loaded[Message]:
        """Return up to `limit` newest messages below `before_id` (None: from the end), oldest first."""
        return await self._read(
            chat_id,
            lambda tx, place: tx.messages.before(*place, before_id=before_id, limit=limit),
        )

    async def after(self, chat_id: ChatId, after_id: MessageId, limit: int) -> Loaded[Message]:
        """Return up to `limit` oldest messages above `after_id`, oldest first."""
        return await self._read(
            chat_id,
            lambda tx, place: tx.transcripts.above(*place, above_id=after_id, limit=limit),
        )

    async def around(self, chat_id: ChatId, message_id: MessageId, limit: int) -> Loaded[Message]:
        """Return up to `limit` messages around one, half of them older, oldest first."""
        older = max(0, limit) // 2
        before_this = MessageId(message_id - 1)

        def work(tx: Transaction, place: AccountPeer) -> tuple[Message, ...]:
            above = tx.transcripts.above(*place, above_id=before_this, limit=limit - older)
            return tx.messages.before(*place, before_id=message_id, limit=older) + above

        return await self._read(chat_id, work)

    async def messages(self, chat_id: ChatId, ids: Sequence[MessageId]) -> Loaded[Message]:
        """Return those of `ids` that are stored, oldest first."""
        return await self._read(chat_id, lambda tx, place: tx.transcripts.of_ids(*place, ids))

    async def search(
        self, chat_id: ChatId, words: str, *, before_id: MessageId | None = None, limit: int = 50
    ) -> Loaded[Message]:
        """Return up to `limit` messages that contain all of the words, in any case of any script, newest first.

        A long chat is read in pieces, so that no other work waits for its end. The revision is that of the first piece,
        so a later event takes precedence over a row.
        """
        wanted = tuple(dict.fromkeys(words.split()))
        found: list[Message] = []
        revision: Revision | None = None
        below_id, seen, among = before_id, 0, FIRST_SEARCHED
        while seen < MOST_SEARCHED:
            piece, read_at, below_id = await self._search_piece(chat_id, wanted, below_id, among)
            revision = read_at if revision is None else revision
            found += piece
            seen, among = seen + among, min(among * GROWTH, SEARCHED_AT_ONCE)
            if below_id is None or len(found) >= limit:
                break
        return Loaded(tuple(found[: max(0, limit)]), revision or Revision(0))

    async def search_everywhere(self, words: str, *, limit: int = 50) -> Loaded[FoundMessage]:
        """Return up to `limit` messages of all chats that contain all of the words, newest first.

        A rare word is taken from the index of all chats; beside that, only what is not indexed yet is searched. For a
        frequent one, the chats are searched in the order of their newest messages, a few at a time, until what is left
        of them can't have a newer message than those found.
        """
        wanted, limit = tuple(dict.fromkeys(words.split())), max(0, limit)
        places, few, revision = await self._store.read(
            lambda tx: (
                tx.transcripts.places_by_news(),
                tx.transcripts.few_matching(wanted, most=FEW, limit=limit) if wanted else (),
                tx.revision,
            )
        )
        left = deque(_Piece(chat_id, (account, peer), at) for chat_id, account, peer, at in places)
        found = list(few or ())
        look = partial(_look_at, words=wanted, index=IndexUse.USED if few is None else IndexUse.LEFT_OUT)
        seen = 0
        while wanted and limit and left and seen < MOST_SEARCHED:
            batch = [left.popleft() for _ in range(min(CHATS_AT_ONCE, len(left)))]
            for piece, messages, go_on, newest_at in await self._store.read(partial(look, batch=batch)):
                seen += piece.among
                found += (FoundMessage(piece.chat_id, message) for message in messages)
                if go_on is not None:
                    among = min(piece.among * GROWTH, LARGEST_PIECE)
                    left.append(piece._replace(newest_at=newest_at, below_id=go_on, among=among))
            found = sorted(found, key=_age, reverse=True)[:limit]
            if len(found) == limit:
                oldest = found[-1].message.sent_at
                left = deque(piece for piece in left if piece.newest_at > oldest)
        return Loaded(tuple(found), revision)

    async def steps(
        self, chat_id: ChatId, *, since_id: MessageId, until_id: MessageId | None = None, limit: int
    ) -> Loaded[HiddenStep]:
        """Return up to `limit` invisible steps of plans between two messages (None: to the end), in their order."""

        def work(tx: Transaction) -> Loaded[HiddenStep]:
            tx.transcripts.place_of(chat_id)
            found = tx.transcripts.hidden_steps(chat_id, since_id=since_id, until_id=until_id, limit=limit)
            return Loaded(found, tx.revision)

        return await self._store.read(work)

    async def _search_piece(
        self, chat_id: ChatId, words: tuple[str, ...], below_id: MessageId | None, among: int
    ) -> tuple[tuple[Message, ...], Revision, MessageId | None]:
        def work(tx: Transaction) -> tuple[tuple[Message, ...], Revision, MessageId | None]:
            place = tx.transcripts.place_of(chat_id)
            if not words:
                return (), tx.revision, None
            rows, go_on = tx.transcripts.matching(*place, words=words, below_id=below_id, among=among)
            return rows, tx.revision, go_on

        return await self._store.read(work)

    async def _read(
        self, chat_id: ChatId, work: Callable[[Transaction, AccountPeer], tuple[Message, ...]]
    ) -> Loaded[Message]:
        return await self._store.read(lambda tx: Loaded(work(tx, tx.transcripts.place_of(chat_id)), tx.revision))


def _age(one: FoundMessage) -> tuple[datetime, MessageId]:
    return one.message.sent_at, one.message.key.message_id


def _look_at(
    tx: Transaction, *, batch: Iterable[_Piece], words: tuple[str, ...], index: IndexUse
) -> list[tuple[_Piece, tuple[Message, ...], MessageId | None, datetime]]:
    """Search pieces; returns for each what was found, below which message it goes on, and when that was sent."""
    looked = []
    for piece in batch:
        # Of a frequent word, the newest texts of most chats are enough.
        use = IndexUse.IGNORED if piece.below_id is None and index is IndexUse.USED else index
        found, go_on = tx.transcripts.matching(
            *piece.place, words=words, below_id=piece.below_id, among=piece.among, index=use
        )
        last = () if go_on is None else tx.transcripts.of_ids(*piece.place, (go_on,))
        looked.append((piece, found, go_on, last[0].sent_at if last else piece.newest_at))
    return looked
