"""What the scorer calls: `python3 score.py --system docs.context_model.adapter:select_context`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chimein_gui.domain.context import HistoryRow, LinkModel, prepare_all
from chimein_gui.domain.context import select_context as choose
from chimein_gui.resource_files import resource_path
from docs.context_model.data import to_row

_loaded: list[LinkModel] = []


def shipped_model() -> LinkModel:
    """Load the weights that ship with the program."""
    if not _loaded:
        _loaded.append(LinkModel.from_bytes(resource_path("context", "link_model.npz").read_bytes()))
    return _loaded[0]


def select_with(model: LinkModel | None, history: Sequence[dict[str, Any]], trigger: dict[str, Any]) -> list[Any]:
    """Choose with any model.

    Rows get numbers of their own, so that ids of any type, or the same one twice, do no harm.
    """
    rows: list[HistoryRow] = []
    known: dict[str, int] = {}
    asked = _numbered(trigger, len(history), {})
    for place, message in enumerate(history):
        if _is(message, trigger):
            break  # a history may hold the trigger itself, which is no answer, and what came after it
        row = _numbered(message, place, known)
        known[_name(message.get("id"))] = place
        if not _is_later(message, row, trigger, asked):
            rows.append(row)
    asked = _numbered(trigger, len(history), known)
    prepared = None if model is None else prepare_all(rows, model)
    choices = choose(rows, asked, model, prepared)
    found = [history[choice.message_id].get("id") for choice in choices if choice.included]
    return [number for number in found if number is not None]


def _numbered(message: dict[str, Any], place: int, known: dict[str, int]) -> HistoryRow:
    parent = message.get("reply_to")
    return to_row({**message, "id": place, "reply_to": None if parent is None else known.get(_name(parent))})


def _name(number: object) -> str:
    """Write an id the same way whether it came as a number or as text."""
    return str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)


def _is(message: dict[str, Any], trigger: dict[str, Any]) -> bool:
    return trigger.get("id") is not None and _name(message.get("id")) == _name(trigger["id"])


def _is_later(message: dict[str, Any], row: HistoryRow, trigger: dict[str, Any], asked: HistoryRow) -> bool:
    """Tell whether a message came after the trigger: by its id and its time, as clocks alone go back at times."""
    number, asked_number = message.get("id"), trigger.get("id")
    is_newer = isinstance(number, int) and isinstance(asked_number, int) and number > asked_number
    return is_newer and row.sent_at > asked.sent_at


def select_context(history: Sequence[dict[str, Any]], trigger: dict[str, Any]) -> list[Any]:
    """Return the ids of the messages that belong to the trigger's conversation; never raises."""
    return select_with(shipped_model(), history, trigger)
