"""What the scorer calls for our own scenarios: rows with all that the engine knows of a message.

`python3 $CTXBENCH_DIR/score.py --scenarios docs/context_model/own/tuning.json
--system docs.context_model.own.adapter:select_context -v`. The fields beyond the scorer's are optional and have
the names of `HistoryRow`. The validation half was written before anybody looked at a score of either.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chimein_gui.domain.context import HistoryRow, prepare_all
from chimein_gui.domain.context import select_context as choose
from docs.context_model.adapter import shipped_model

FLAGS = ("is_bot", "is_service", "edited", "deleted", "forwarded")


def to_row(message: dict[str, Any]) -> HistoryRow:
    """Turn a message of a scenario into a row."""
    row = HistoryRow(
        message["id"],
        float(message["ts"]),
        message["sender"].lower(),
        message["text"],
        sender_name=message["sender"],
        reply_to=message.get("reply_to"),
        thread_id=message.get("thread_id"),
        media_kind=message.get("media_kind", ""),
        mentions=tuple(name.lower() for name in message.get("mentions", ())),
    )
    flags: dict[str, Any] = {flag: True for flag in FLAGS if message.get(flag)}
    return replace(row, **flags)


def select_context(history: list[dict[str, Any]], trigger: dict[str, Any]) -> list[int]:
    """Return the ids of the messages that belong to the trigger's conversation."""
    rows, model = [to_row(message) for message in history], shipped_model()
    choices = choose(rows, to_row(trigger), model, prepare_all(rows, model))
    return [choice.message_id for choice in choices if choice.included]
