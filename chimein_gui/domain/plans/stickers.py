"""Stickers that plans name and sends carry."""

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class StickerRef:
    """One sticker of one set, as found when the card is made.

    Attributes:
        set_name: Short name of the set, as Telegram writes it.
        name: Its emoji; ``«emoji» #2`` for the second one of the set with the same emoji, and so on.
        document_id: Telegram's id of the file. This is what is sent, even if the set is reordered meanwhile.
        emoji: The emoji it stands for.
        mime_type: Type of its file; empty if it was stored by an earlier version.
    """

    set_name: str
    name: str
    document_id: int
    emoji: str
    mime_type: str = field(default="", compare=False)


class StickerSetNumber(NamedTuple):
    """A sticker set as messages name it.

    Attributes:
        set_id: Telegram's number of the set.
        access_hash: What the account that got the message must show to ask for it.
    """

    set_id: int
    access_hash: int
