"""Media, forwards and reactions in the database: JSON lists, empty text for none."""

import base64
import json
from dataclasses import astuple
from typing import Any

from chimein_gui.adapters.store.rows.values import encoded, from_micros, to_micros
from chimein_gui.domain.messages import Forward, Media, Reaction

NONE = ""

_DEFAULTS: tuple[Any, ...] = astuple(Media())
_WAVEFORM = 10
"""Index of the waveform among the fields of `Media`; its bytes are stored as base64."""


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
    """Return the media from `media_to_json`."""
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
    """Return the forward from `forward_to_json`."""
    if not stored:
        return None
    sender_name, sent_at = json.loads(stored)
    return Forward(sender_name, from_micros(sent_at))


def reactions_to_json(reactions: tuple[Reaction, ...]) -> str:
    """Return lists of emoji, count, and whether it is ours."""
    return _dumped([[one.emoji, one.count, int(one.mine)] for one in reactions]) if reactions else NONE


def reactions_from_json(stored: str) -> tuple[Reaction, ...]:
    """Return the reactions from `reactions_to_json`."""
    if not stored:
        return ()
    return tuple(Reaction(emoji, count, bool(mine)) for emoji, count, mine in json.loads(stored))


def _dumped(values: list[Any]) -> str:
    # ASCII only, so that any string survives, lone surrogates too.
    return encoded(values)
