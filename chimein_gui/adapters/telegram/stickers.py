"""Stickers by set and name: looked up once, cached until the program ends."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from telethon import errors

from chimein_gui.adapters.telegram.transport.tl import TLObject, functions, types
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.plans.stickers import StickerRef, StickerSetNumber

Ask = Callable[[TLObject], Awaitable[TLObject]]
"""Sends a request and returns its answer; raises what Telethon raises."""

_VARIATION_SELECTOR = "\ufe0f"


@dataclass(frozen=True, slots=True)
class KnownSet:
    """A cached sticker set.

    Attributes:
        content_hash: Telegram's hash of its content, to ask whether it has changed.
        by_name: The stickers by all their normalised names.
        documents: Their documents, by id.
    """

    content_hash: int
    by_name: Mapping[str, StickerRef]
    documents: Mapping[int, TLObject]


class StickerCache:
    """Cache of one account's sticker sets; their access hashes are valid only for this account."""

    def __init__(self) -> None:
        self._sets: dict[str, KnownSet] = {}
        self._names: dict[int, str] = {}

    async def find(self, ask: Ask, set_name: str, name: str) -> StickerRef | None:
        """Find a sticker; one that is not found is requested again the next time.

        Args:
            ask: Sends a request to Telegram.
            set_name: Short name of the set, in any case.
            name: See `StickerRef.name`; another emoji of the sticker in the set also matches.
        """
        wanted = _normalised(name)
        known = self._sets.get(set_name.casefold())
        if known is None or wanted not in known.by_name:
            known = await self._fetch(ask, set_name, known)
        return None if known is None else known.by_name.get(wanted)

    async def listed(self, ask: Ask, which: str | StickerSetNumber) -> tuple[StickerRef, ...]:
        """Return the stickers of a set in its order; empty if there is no such set.

        Args:
            ask: Sends a request to Telegram.
            which: Short name of the set, in any case, or its number.
        """
        if isinstance(which, str):
            known = self._sets.get(which.casefold()) or await self._fetch(ask, which, None)
        else:
            known = self._sets.get(self._names.get(which.set_id, "")) or await self._fetch_number(ask, which)
        if known is None:
            return ()
        by_id = {sticker.document_id: sticker for sticker in known.by_name.values()}
        return tuple(by_id[one] for one in known.documents if one in by_id)

    async def document(self, ask: Ask, sticker: StickerRef, *, fresh: bool) -> TLObject | None:
        """Return the InputDocument of a sticker, or None if its set no longer has it.

        Args:
            ask: Sends a request to Telegram.
            sticker: The sticker.
            fresh: Fetch the set even if it is cached, because its file references have expired.
        """
        file = await self.file(ask, sticker, fresh=fresh)
        return None if file is None else types.InputDocument(file.id, file.access_hash, file.file_reference)

    async def file(self, ask: Ask, sticker: StickerRef, *, fresh: bool) -> TLObject | None:
        """Return a sticker's document, or None if its set no longer has it; see `document`."""
        known = None if fresh else self._sets.get(sticker.set_name.casefold())
        if known is None or sticker.document_id not in known.documents:
            known = await self._fetch(ask, sticker.set_name, known)
        return None if known is None else known.documents.get(sticker.document_id)

    async def _fetch(self, ask: Ask, set_name: str, known: KnownSet | None) -> KnownSet | None:
        """Fetch a set if it differs from the cached one; None if there is no such set."""
        wanted = types.InputStickerSetShortName(set_name)
        request = functions.messages.GetStickerSetRequest(wanted, 0 if known is None else known.content_hash)
        try:
            answer = await ask(request)
        except errors.StickersetInvalidError:
            self._sets.pop(set_name.casefold(), None)
            return None
        if not isinstance(answer, types.messages.StickerSet):
            return known  # not modified
        fetched = self._sets[set_name.casefold()] = known_set(answer)
        return fetched

    async def _fetch_number(self, ask: Ask, which: StickerSetNumber) -> KnownSet | None:
        """Fetch a set by its number; None if there is no such set."""
        wanted = types.InputStickerSetID(which.set_id, which.access_hash)
        try:
            answer = await ask(functions.messages.GetStickerSetRequest(wanted, 0))
        except errors.StickersetInvalidError:
            return None
        name = self._names[which.set_id] = answer.set.short_name.casefold()
        fetched = self._sets[name] = known_set(answer)
        return fetched


class StickerCaches:
    """The sticker caches of all accounts; they outlive connections."""

    def __init__(self) -> None:
        self._caches: dict[AccountId, StickerCache] = {}

    def of(self, account_id: AccountId) -> StickerCache:
        """Return an account's cache."""
        return self._caches.setdefault(account_id, StickerCache())


def known_set(answer: TLObject) -> KnownSet:
    """Index the stickers of a set by name.

    Args:
        answer: Telethon's messages.StickerSet.

    Returns:
        The stickers by their own names, and by their other emoji where these are still free.
    """
    documents = [document for document in answer.documents if isinstance(document, types.Document)]
    stickers = _named(answer.set.short_name, documents)
    by_name = {_normalised(sticker.name): sticker for sticker in stickers}
    by_id = {sticker.document_id: sticker for sticker in stickers}
    for pack in answer.packs:
        for document_id in pack.documents:
            if document_id in by_id:
                by_name.setdefault(_normalised(pack.emoticon), by_id[document_id])
    return KnownSet(answer.set.hash, by_name, {one.id: one for one in documents})


def _named(set_name: str, documents: list[TLObject]) -> list[StickerRef]:
    found: list[StickerRef] = []
    times: Counter[str] = Counter()
    for document in documents:
        emoji = _emoji_of(document)
        same = _normalised(emoji)
        times[same] += 1
        name = emoji if times[same] == 1 and emoji else f"{emoji} #{times[same]}".strip()
        found.append(StickerRef(set_name, name, document.id, emoji, document.mime_type or ""))
    return found


def _emoji_of(document: TLObject) -> str:
    for attribute in document.attributes:
        if isinstance(attribute, types.DocumentAttributeSticker | types.DocumentAttributeCustomEmoji):
            return str(attribute.alt).strip()
    return ""


def _normalised(name: str) -> str:
    """Normalise a name, so that names that look equal are equal: no variation selectors or blanks."""
    return "".join(unicodedata.normalize("NFC", name).replace(_VARIATION_SELECTOR, "").split())
