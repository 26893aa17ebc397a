"""The annotated chats of CTXBENCH_DIR, as rows and as gold. Their texts stay outside of the repository."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import sys
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from chimein_gui.domain.context.rows import HistoryRow

_DATE = 40
"""Characters that the longest date has."""

DEV = ("ubuntu_dev", "newdomains_dev", "channeltwo_dev")
SCENARIOS = ("scenarios_dev", "scenarios_dev_padded")


def data_dir() -> Path | None:
    """Return where the data lies, or None where it is not to be had."""
    named = os.environ.get("CTXBENCH_DIR")
    return Path(named) if named and (Path(named) / "score.py").is_file() else None


def scorer() -> ModuleType:
    """Import the scorer that lies beside the data."""
    if "ctxbench_score" in sys.modules:
        return sys.modules["ctxbench_score"]
    folder = data_dir()
    if folder is None:
        raise FileNotFoundError("CTXBENCH_DIR must name the folder with score.py and the data")
    spec = importlib.util.spec_from_file_location("ctxbench_score", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ctxbench_score"] = module
    spec.loader.exec_module(module)
    return module


def load_chats(name: str) -> list[Any]:
    """Load the chats of one file, as the scorer sees them."""
    folder = data_dir()
    assert folder is not None
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [scorer().Chat(json.loads(line)) for line in lines]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One hand-written chat: the messages before a tag, the tag, the ids that belong to it."""

    name: str
    history: list[dict[str, Any]]
    trigger: dict[str, Any]
    gold: set[int]


def load_scenarios(name: str) -> list[Scenario]:
    """Load the scenarios of one file."""
    folder = data_dir()
    assert folder is not None
    found = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return [
        Scenario(one["name"], [_whole(line) for line in one["messages"]], _whole(one["trigger"]), set(one["gold"]))
        for one in found
    ]


def _whole(line: dict[str, Any]) -> dict[str, Any]:
    return {"reply_to": None, **line}


def to_row(message: dict[str, Any]) -> HistoryRow:
    """Turn a message of the scorer into a row; what a message lacks, or has of another type, costs that alone."""
    reply_to = message.get("reply_to")
    return HistoryRow(
        cast("int", message.get("id")),  # or whatever names it in the data
        _seconds(message.get("ts")),
        _text(message.get("sender")),
        _text(message.get("text")),
        reply_to=cast("int", reply_to) if isinstance(reply_to, Hashable) else None,
    )


def _seconds(value: object) -> float:
    """Return a time, of seconds or of a date in text; of what is none "not a number": the time before stands for it."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return _of_date(str(value)[:_DATE])


def _of_date(text: str) -> float:
    try:
        date = datetime.fromisoformat(text.strip())
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return math.nan


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Gold:
    """What annotators say of one row.

    Attributes:
        thread: Positions of earlier rows of its conversation, as it stands at this row.
        direct: Positions of the rows it continues.
        starts: It starts a conversation.
    """

    thread: tuple[int, ...]
    direct: tuple[int, ...]
    starts: bool


def gold_of(chat: Any) -> dict[int, Gold]:
    """Return the gold of every annotated row, by position."""
    found: dict[int, Gold] = {}
    home: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    for place, message in enumerate(chat.msgs):
        own = message["id"]
        home[own], members[own] = own, [own]
        for parent in chat.par.get(own, []):
            if parent in home and home[parent] != home[own]:
                moved, kept = home[own], home[parent]
                for one in members[moved]:
                    home[one] = kept
                members[kept] += members.pop(moved)
        if own in chat.ann:
            thread = tuple(chat.idx[one] for one in members[home[own]] if one != own)
            direct = tuple(chat.idx[one] for one in chat.par.get(own, []) if one in chat.idx)
            found[place] = Gold(thread, direct, own not in chat.par)
    return found
