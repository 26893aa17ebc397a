"""The rows of docs/budgets.md, "Speed and memory"; each returns its figure and its yardstick from the same run."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Result:
    """One measured row."""

    id: str
    value: float
    unit: str
    yardstick: float
    budget: str
    ok: bool
    note: str = ""

    @property
    def ratio(self) -> float:
        """The figure in units of its yardstick."""
        return self.value / self.yardstick if self.yardstick else 0.0

    def as_dict(self) -> dict[str, object]:
        """The form that `--json` prints."""
        return {
            "id": self.id,
            "value": round(self.value, 3),
            "unit": self.unit,
            "yardstick": round(self.yardstick, 3),
            "ratio": round(self.ratio, 3),
            "budget": self.budget,
            "ok": self.ok,
            "note": self.note,
        }


class Row(Protocol):
    """Measures one row in a fresh folder."""

    def __call__(self, folder: Path, *, quick: bool) -> Result: ...


def _row(name: str) -> Row:
    """Return a function that imports a row's module only when it runs, so that imports do not warm up other rows."""

    def run(folder: Path, *, quick: bool) -> Result:
        row: Row = importlib.import_module(f"tests.benchmarks.row_{name}").measure
        return row(folder, quick=quick)

    return run


_IDS = (
    "first_paint",
    "prompt_500",
    "memory_prompt",
    "memory_search",
    "memory_search_100k",
    "memory_rebuild",
    "request_500",
    "preseeded_connect",
    "signin_block",
    "connect_8",
    "cycles",
    "draft_latency",
    "loop_lateness",
    "transition_backlog",
    "start_10k",
    "transcript_100k",
    "approvals_500",
    "graph_500",
    "context_5000",
    "prompt_open",
    "trace_100k",
    "trace_cost",
    "retention_step",
    "history_1m",
    "costs_month",
    "search_1m",
    "slow_model",
    "tgs_grid",
    "media_10k",
    "log_follow",
    "hostile_text",
    "storm_ui",
    "chats_20k",
    "sync_60",
    "idle_24",
    "rss_24",
    "select_context",
)

ROWS: Mapping[str, Row] = {name: _row(name) for name in _IDS}
