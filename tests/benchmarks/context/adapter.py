"""What the scorer calls: `python3 score.py --system tests.benchmarks.context.adapter:select_context`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chimein_gui.domain.context import LinkModel, prepare_all
from chimein_gui.domain.context import select_context as choose
from chimein_gui.resource_files import resource_path
from tests.benchmarks.context.data import to_row

_loaded: list[LinkModel] = []


def shipped_model() -> LinkModel:
    """Load the weights that ship with the program."""
    if not _loaded:
        _loaded.append(LinkModel.from_bytes(resource_path("resources", "context", "link_model.npz").read_bytes()))
    return _loaded[0]


def select_with(model: LinkModel | None, history: Sequence[dict[str, Any]], trigger: dict[str, Any]) -> list[int]:
    """Choose with any model."""
    rows, asked = [to_row(message) for message in history], to_row(trigger)
    if asked.message_id is not None:
        # A history may hold the trigger itself, which is no answer, and what came after it.
        end = next((place for place, row in enumerate(rows) if row.message_id == asked.message_id), len(rows))
        rows = rows[:end]
    prepared = None if model is None else prepare_all(rows, model)
    choices = choose(rows, asked, model, prepared)
    return [choice.message_id for choice in choices if choice.included and choice.message_id is not None]


def select_context(history: Sequence[dict[str, Any]], trigger: dict[str, Any]) -> list[int]:
    """Return the ids of the messages that belong to the trigger's conversation; never raises."""
    return select_with(shipped_model(), history, trigger)
