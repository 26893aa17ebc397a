"""Who is there right now. It is not stored: after a restart nobody is known to be there."""

from dataclasses import dataclass

from chimein_gui.sandbox import privacy
from chimein_gui.sandbox.directory import Directory
from chimein_gui.sandbox.post import PostOffice
from chimein_gui.sandbox.tl import TLObject, types

_LASTS_S = 300
"""How long a client counts as there after it said so."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """What a client last said: there or gone, and when (seconds since the epoch)."""

    is_online: bool
    moment: int


class Presence:
    """Keeps what clients say by account.updateStatus."""

    def __init__(self, post: PostOffice, directory: Directory) -> None:
        self._post = post
        self._directory = directory
        self._signs: dict[int, _Sign] = {}

    def say(self, user_id: int, *, is_online: bool) -> None:
        """Let somebody come or go; whoever has them as a contact is told."""
        self._signs[user_id] = _Sign(is_online, self._post.now())
        self._directory.revision += 1
        for other_id in self._directory.known_to(user_id):
            self._post.tell(other_id, types.UpdateUserStatus(user_id, self.seen(other_id, user_id)), user_id)

    def seen(self, viewer_id: int, target_id: int) -> TLObject:
        """Return somebody's status as the viewer may see it; whom they have blocked sees none at all."""
        if self._directory.has_blocked(target_id, viewer_id):
            return types.UserStatusEmpty()
        sign = self._signs.get(target_id)
        if sign is None or not privacy.allows(self._directory, target_id, privacy.STATUS, viewer_id):
            return types.UserStatusRecently()
        if sign.is_online:
            return types.UserStatusOnline(sign.moment + _LASTS_S)
        return types.UserStatusOffline(sign.moment)
