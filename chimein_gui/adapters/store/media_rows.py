"""The media of messages in the database."""

from collections.abc import Mapping, Sequence

from chimein_gui.adapters.store.columns.attachments import media_from_json
from chimein_gui.adapters.store.columns.conditions import WITH_MEDIA
from chimein_gui.adapters.store.rows.values import from_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.media.library import MetMedia

OF_CHAT = f"""
SELECT message_id, out, sent_at, media_kind, media FROM messages INDEXED BY messages_with_media
WHERE account_id = ? AND peer_id = ? AND message_id > ? AND {WITH_MEDIA} AND deleted = 0 AND is_service = 0
ORDER BY message_id DESC LIMIT ?
"""
COUNT = "INSERT INTO media_uses (unique_id, uses) VALUES (?, 1) ON CONFLICT (unique_id) DO UPDATE SET uses = uses + 1"
USES = "SELECT unique_id, uses FROM media_uses"


class SqliteMediaRows:
    """Implements `engine.ports.MediaRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def of_chat(
        self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[MetMedia, ...]:
        found = []
        for number, out, sent_at, kind, stored in self._sql.all(OF_CHAT, account_id, peer_id, above_id, limit):
            media = media_from_json(stored)
            if media is not None:
                found.append(MetMedia(MessageId(number), bool(out), from_micros(sent_at), kind, media))
        return tuple(found)

    def count_uses(self, unique_ids: Sequence[str]) -> None:
        for unique_id in dict.fromkeys(unique_ids):
            self._sql.run(COUNT, unique_id)

    def uses(self) -> Mapping[str, int]:
        return {unique_id: int(count) for unique_id, count in self._sql.all(USES)}
