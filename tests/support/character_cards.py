"""Character cards as other programs write them, made of invented characters."""

from __future__ import annotations

import base64
import io
import json
import zipfile
import zlib

from chimein_gui.domain.character_cards.png import SIGNATURE, text_chunk

TEXTS = {
    "name": "Mira Holt",
    "description": "{{char}} keeps the lighthouse.\r\nShe answers {{User}} slowly.",
    "personality": "dry, kind",
    "scenario": "A storm is coming.",
    "first_mes": "You found the door, then.",
    "mes_example": "<START>\n{{user}}: Cold?\n{{char}}: Always.",
}
V2_MORE = {
    "creator_notes": "Best with NOTES-OF-CREATOR",
    "system_prompt": "{{original}}\nNever leave the character.",
    "post_history_instructions": "{{ORIGINAL}} Answer in one paragraph.",
    "alternate_greetings": ["Wet boots off."],
    "tags": ["TAG-OF-CARD"],
    "creator": "CREATOR-OF-CARD",
    "character_version": "VERSION-OF-CARD",
    "extensions": {"depth_prompt": {"depth": 4}, "x/y": [1.50, "\u00e9"]},
}


def v1(**changes: object) -> dict[str, object]:
    return {**TEXTS, **changes}


def v2(**changes: object) -> dict[str, object]:
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**TEXTS, **V2_MORE, **changes}}


def v3(**changes: object) -> dict[str, object]:
    more: dict[str, object] = {"group_only_greetings": [], "nickname": "Mi", **changes}
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**TEXTS, **V2_MORE, **more}}


def entry(content: str = "The lamp burns oil.", **changes: object) -> dict[str, object]:
    """Return an entry of a lorebook that is always on."""
    shape: dict[str, object] = {"keys": ["lamp"], "content": content, "extensions": {}, "enabled": True}
    return {**shape, "insertion_order": 10, "constant": True, "use_regex": True, **changes}


def book(*entries: object) -> dict[str, object]:
    return {"name": "Coast", "extensions": {}, "entries": list(entries)}


def as_json(card: object) -> bytes:
    """Return a card as odd but valid JSON: blanks and escapes that no writer of ours would choose."""
    return json.dumps(card, indent="\t", ensure_ascii=True, separators=(" ,", " :  ")).encode() + b"\r\n"


def chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def as_png(*, head: bytes = b"", **cards: object) -> bytes:
    """Return a picture of one pixel with cards by their keywords; bytes are taken as they are."""
    header = (1).to_bytes(4, "big") * 2 + b"\x08\x00\x00\x00\x00"
    texts = b"".join(
        text_chunk(keyword, card if isinstance(card, bytes) else base64.b64encode(as_json(card)))
        for keyword, card in cards.items()
    )
    pixels = chunk(b"IDAT", zlib.compress(b"\x00\x00"))
    return SIGNATURE + chunk(b"IHDR", header) + head + texts + pixels + chunk(b"IEND", b"")


def as_charx(card: object, *, more: dict[str, bytes] | None = None) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"card.json": as_json(card), "assets/icon/a.png": b"\x89icon", **(more or {})}.items():
            archive.writestr(name, content)
    return target.getvalue()
