"""The newest messages of chats as they are for the writer: every trigger, every plan and every preview asks for them.

Only `SqliteMessageRows` writes messages. It tells of new ones; an edit, a delete or a reaction forgets those of its
chat.
"""

from bisect import bisect_left, bisect_right
from operator import attrgetter

from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import Message, MessageKey

MOST_MESSAGES = 16_384
"""More are not kept at a time, of all chats together: some ten megabytes."""

_Place = tuple[AccountId, PeerId]
_number = attrgetter("key.message_id")


class Tail:
    """The newest messages of one chat, deleted ones too.

    Attributes:
        messages: Oldest first.
        is_whole: The chat has no older ones.
    """

    __slots__ = ("is_whole", "messages")

    def __init__(self, messages: tuple[Message, ...], *, is_whole: bool) -> None:
        """Take what was read just now."""
        self.messages = list(messages)
        self.is_whole = is_whole

    @property
    def newest_id(self) -> MessageId:
        """Return the newest id; 0 for an empty chat."""
        return self.messages[-1].key.message_id if self.messages else MessageId(0)

    def reaches(self, message_id: MessageId) -> bool:
        """Tell whether everything above an id is here."""
        return self.is_whole or (bool(self.messages) and self.messages[0].key.message_id <= message_id)

    def above(self, message_id: MessageId) -> list[Message]:
        """Return the messages above an id, oldest first."""
        if not self.messages or message_id >= self.newest_id:
            return []
        return self.messages[bisect_right(self.messages, message_id, key=_number) :]

    def below(self, message_id: MessageId | None, limit: int) -> tuple[Message, ...] | None:
        """Return the newest messages below an id (None: of all), oldest first; None if some of them are not here."""
        end = len(self.messages)
        if message_id is not None and message_id <= self.newest_id:
            end = bisect_left(self.messages, message_id, key=_number)
        if end < limit and not self.is_whole:
            return None
        return tuple(self.messages[max(0, end - limit) : end])

    def find(self, message_id: MessageId) -> Message | None:
        """Return a message that is here."""
        found = bisect_left(self.messages, message_id, key=_number)
        if found < len(self.messages) and self.messages[found].key.message_id == message_id:
            return self.messages[found]
        return None

    def add(self, message: Message) -> bool:
        """Take in a new message; False if it is older than what is kept."""
        number = message.key.message_id
        if number > self.newest_id:
            self.messages.append(message)
        elif self.reaches(number):
            self.messages.insert(bisect_left(self.messages, number, key=_number), message)
        else:
            return False
        return True


class KeptMessages:
    """The newest messages of the chats that were read so far, and who wrote anywhere."""

    __slots__ = ("_count", "_tails", "_writing")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._tails: dict[_Place, Tail] = {}
        self._writing: set[_Place] = set()
        self._count = 0

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._tails.clear()
        self._writing.clear()
        self._count = 0

    def tail(self, account_id: AccountId, peer_id: PeerId) -> Tail | None:
        """Return the newest messages of a chat, if they are known."""
        return self._tails.get((account_id, peer_id))

    def keep(self, account_id: AccountId, peer_id: PeerId, messages: tuple[Message, ...], *, is_whole: bool) -> None:
        """Take note of the newest messages of a chat, oldest first, as they were read just now."""
        self.drop(account_id, peer_id)
        self._tails[account_id, peer_id] = Tail(messages, is_whole=is_whole)
        self._count += len(messages)
        self._make_room()

    def added(self, message: Message) -> None:
        """A message that was not there before was stored."""
        place = message.key.account_id, message.key.peer_id
        if message.out and not message.is_service:
            self._writing.add(place)
        tail = self._tails.get(place)
        if tail is not None and tail.add(message):
            self._count += 1
            self._make_room()

    def drop(self, account_id: AccountId, peer_id: PeerId) -> None:
        """Forget the messages of one chat: some of them are others now."""
        tail = self._tails.pop((account_id, peer_id), None)
        if tail is not None:
            self._count -= len(tail.messages)

    def find(self, key: MessageKey) -> Message | None:
        """Return one message, if it is known."""
        tail = self._tails.get((key.account_id, key.peer_id))
        return None if tail is None else tail.find(key.message_id)

    def has_written(self, account_id: AccountId, peer_id: PeerId) -> bool:
        """Tell whether it is known that an account wrote in a chat."""
        return (account_id, peer_id) in self._writing

    def wrote(self, account_id: AccountId, peer_id: PeerId) -> None:
        """Take note that an account wrote in a chat; messages are never taken away."""
        self._writing.add((account_id, peer_id))

    def _make_room(self) -> None:
        """Forget the chats that were read first."""
        while self._count > MOST_MESSAGES and self._tails:
            account_id, peer_id = next(iter(self._tails))
            self.drop(account_id, peer_id)
