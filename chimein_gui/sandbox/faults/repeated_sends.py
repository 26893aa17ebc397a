"""The answer to a repeated `random_id`.

Live Telegram answers with an error; how long it remembers is undocumented. Tests can choose between the modes of
`DuplicateMode` and can make the server forget.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import DuplicateMode

_REMEMBERED = 250
RETENTION_S = 600
"""How long a random id is remembered in the mode FORGOTTEN_LATER."""


def random_ids(request: TLObject) -> tuple[int, ...]:
    """Return the random ids of a request; empty for a request that sends nothing."""
    album = getattr(request, "multi_media", None)
    if album is not None:
        return tuple(one.random_id for one in album)
    given = getattr(request, "random_id", None)
    return tuple(given) if isinstance(given, list) else (given,) if given else ()


class Repeats:
    """Treats repeated random ids before a sending handler runs.

    The handlers refuse a `random_id` that is in the sender's box. This is the mode ERROR; the mode SAME falls back to
    it for an answer that is not among the last 250, which are kept in memory.

    Attributes:
        mode: The treatment of a repeat.
    """

    def __init__(self, world: World) -> None:
        self.mode = DuplicateMode.ERROR
        self._world = world
        self._answers: OrderedDict[tuple[int, tuple[int, ...]], bytes] = OrderedDict()

    def answer(self, user_id: int, names: tuple[int, ...]) -> bytes | None:
        """Return the answer to a repeat that is not executed; None to execute the request."""
        if self.mode is DuplicateMode.SAME:
            return self._answers.get((user_id, names))
        if self.mode is DuplicateMode.FORGOTTEN:
            self._forget(user_id, names)
        elif self.mode is DuplicateMode.FORGOTTEN_LATER:
            until = self._world.now() - RETENTION_S
            self._forget(user_id, [name for name in names if self._is_older(user_id, name, until)])
        return None

    def _forget(self, user_id: int, names: Iterable[int]) -> None:
        for _, sent in self._world.post.ledgers(user_id):
            for name in names:
                sent.pop(name, None)

    def _is_older(self, user_id: int, name: int, moment: float) -> bool:
        """Tell whether a message was sent at or before a moment; a deleted message counts as older."""
        places = ((box, sent[name]) for box, sent in self._world.post.ledgers(user_id) if name in sent)
        messages = (box.live(message_id) for box, message_id in places)
        return all(message is None or message.sent_at <= moment for message in messages)

    def remember(self, user_id: int, names: tuple[int, ...], body: bytes) -> None:
        """Keep the first successful answer."""
        self._answers.setdefault((user_id, names), body)
        if len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)

    def forget_older_than(self, seconds: float) -> int:
        """Forget for good the `random_id` of each message that is at least so old or is deleted.

        Returns:
            The number of forgotten random ids.
        """
        forgotten = list(self._sent_before(self._world.now() - seconds))
        for user_id, name in forgotten:
            self._drop(user_id, name)
        self._world.journal.commit()
        gone = set(forgotten)
        for key in [key for key in self._answers if any((key[0], name) in gone for name in key[1])]:
            del self._answers[key]
        return len(forgotten)

    def _drop(self, user_id: int, name: int) -> None:
        """Remove a random id from all ledgers, from the message and from the database."""
        for box, sent in self._world.post.ledgers(user_id):
            message_id = sent.pop(name, 0)
            if not message_id:
                continue
            message = box.live(message_id)
            if message is not None:
                message.random_id = 0
            self._world.post.rows.forget_random_id(box.owner_id, message_id)

    def _sent_before(self, moment: float) -> Iterator[tuple[int, int]]:
        for user_id in self._world.users:
            names = {name for _, sent in self._world.post.ledgers(user_id) for name in sent}
            yield from ((user_id, name) for name in names if self._is_older(user_id, name, moment))
