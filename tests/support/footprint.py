"""Estimates how many bytes of memory the records of a sandbox's world take.

The campaign measures whether memory grows *beyond* the stored data, so the estimate uses CPython's own sizes: the
record, its numbers that are not shared with others, its entries in dictionaries and lists.
"""

import sys

from chimein_gui.sandbox.world.records import LogEntry, StoredMessage
from chimein_gui.sandbox.world.world import World

_NUMBER = 32
_PLACE = 75
"""A key and a value in a dictionary that grows by doubling, on average; both are counted elsewhere."""

_COPY = 16 + 8 * len(StoredMessage.__slots__) + _NUMBER + _PLACE + 8  # the record, its id, its places in box and chat
_SHARED = 232 + _PLACE + 3 * _NUMBER  # which copies belong together, the uid, the date
_LOG_STEP = 16 + 8 * len(LogEntry.__slots__) + 48 + _NUMBER + 8  # the record, its ids, its pts, its place in the log
_TL_OBJECT = 400


def stored_bytes(world: World) -> int:
    """Estimate the size of all messages and logs of a world."""
    boxes = list(world.post._boxes.values())
    copies = sum(_copy_bytes(message) for box in boxes for message in box.messages.values())
    return copies + sum(_step_bytes(entry) for box in boxes for entry in box.log)


def _copy_bytes(message: StoredMessage) -> int:
    """Estimate the size of one copy; what all copies share is counted with the sender's, or the supergroup's."""
    if message.sender_id != message.owner_id and message.owner_id > 0:
        return _COPY
    size = _COPY + _SHARED + sys.getsizeof(message.text)
    if message.random_id:
        size += _PLACE + _NUMBER
    if message.entities:
        size += len(message.entities) * _TL_OBJECT
    for extra in (message.forward, message.action):
        if extra is not None:
            size += _TL_OBJECT
    if message.media is not None:
        size += 100 + len(message.media.raw)
    return size


def _step_bytes(entry: LogEntry) -> int:
    """Estimate the size of a log entry."""
    return _LOG_STEP + (8 + _NUMBER) * (len(entry.ids) - 1)
