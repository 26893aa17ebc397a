"""How media, forwards and reactions look in the database: JSON lists; nothing is written where there is nothing."""

import base64
import json
from dataclasses import astuple
from typing import Any

from chimein_gui.adapters.store.rows.values import encoded, from_micros, to_micros
from chimein_gui.domain.messages import Forward, Media, Reaction

NONE = ""

_DEFAULTS: tuple[Any, ...] = astuple(Media())
_WAVEFORM = 10
"""Its place among the fields of `Media`; bytes, which JSON does not have."""


def media_to_json(media: Media | None) -> str:
    """Return the fields in their order, without the defaults at the end."""
    if media is None:
        return NONE
    values = list(astuple(media))
    while values and values[-1] == _DEFAULTS[len(values) - 1]:
        values.pop()
    if len(values) > _WAVEFORM:
        values[_WAVEFORM] = base64.b64encode(values[_WAVEFORM]).decode("ascii")
    return _dumped(values)


def media_from_json(stored: str) -> Media | None:
    """Return what `media_to_json` made."""
    if not stored:
        return None
    values = json.loads(stored)
    if len(values) > _WAVEFORM:
        values[_WAVEFORM] = base64.b64decode(values[_WAVEFORM])
    return Media(*values)


def forward_to_json(forward: Forward | None) -> str:
    """Return name and time."""
    return NONE if forward is None else _dumped([forward.sender_name, to_micros(forward.sent_at)])


def forward_from_json(stored: str) -> Forward | None:
    """Return what `forward_to_json` made."""
    if not stored:
        return None
    sender_name, sent_at = json.loads(stored)
    return Forward(sender_name, from_micros(sent_at))


def reactions_to_json(reactions: tuple[Reaction, ...]) -> str:
    """Return lists of emoji, count, and whether it is ours."""
    return _dumped([[one.emoji, one.count, int(one.mine)] for one in reactions]) if reactions else NONE


def reactions_from_json(stored: str) -> tuple[Reaction, ...]:
    """Return what `reactions_to_json` made."""
    if not stored:
        return ()
    return tuple(Reaction(emoji, count, bool(mine)) for emoji, count, mine in json.loads(stored))


def _dumped(values: list[Any]) -> str:
    # ASCII only, so that any string survives, lone surrogates too.
    return encoded(values)
