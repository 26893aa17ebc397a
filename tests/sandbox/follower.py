"""A client that keeps messages by what updates say of them, and the random deeds that bring updates about."""

import random

from telethon import errors, types

REFUSED = (
    errors.MessageAuthorRequiredError,
    errors.MessageDeleteForbiddenError,
    errors.MessageIdInvalidError,
    errors.MessageNotModifiedError,
)
"""What comes of touching somebody else's message, a service message, or one that is as it shall be already."""


_Seen = dict[int, str]
"""Texts by message id."""


class Follower:
    """Keeps the messages of an account by what updates say of them, and nothing else."""

    def __init__(self) -> None:
        self.messages: dict[int, types.Message] = {}
        self.pts = 1

    def hear(self, update) -> None:
        if hasattr(update, "pts"):
            assert update.pts == self.pts + update.pts_count
            self.pts = update.pts
        if isinstance(update, (types.UpdateNewMessage, types.UpdateEditMessage)):
            self.messages[update.message.id] = update.message
        elif isinstance(update, types.UpdateDeleteMessages):
            for message_id in update.messages:
                self.messages.pop(message_id, None)

    def seen(self) -> _Seen:
        return {message_id: looks(message) for message_id, message in self.messages.items()}


def looks(message) -> str:
    return getattr(message, "message", None) or ""


async def something(client, peer, message, chance: random.Random, step: int) -> None:
    what = chance.randrange(7) if message else 0
    if what < 4:
        await client.send_message(peer, f"line {step}", reply_to=message if what == 3 else None)
    elif what == 4:
        await client.edit_message(peer, message, f"edited {step}")
    elif what == 5:
        await client.delete_messages(peer, [message.id], revoke=chance.random() < 0.7)
    else:
        await client.send_read_acknowledge(peer, message)
