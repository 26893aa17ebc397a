"""Presses race arrivals in the real window: nothing is decided unseen, nothing leaves undecided."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chimein_gui.domain.approvals import Reject
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.approvals.admission import add_planned_send
from chimein_gui.engine.approvals.apply_decision import take
from chimein_gui.engine.operator import decisions
from chimein_gui.engine.planning import step_edits
from chimein_gui.engine.tasks.transitions import move_approval, move_task
from chimein_gui.ui.draft_editor import editor
from chimein_gui.ui.panes.approvals.card.view import CardView
from chimein_gui.ui.panes.approvals.list import cursor_list
from chimein_gui.ui.widgets.rows.in_view import InViewGuard
from chimein_gui.viewmodels.approvals.batch import BatchModel
from chimein_gui.viewmodels.approvals.commands import DraftCommands
from chimein_gui.viewmodels.approvals.store import ApprovalStore
from tests.e2e.races.play import open_room, play
from tests.fakes.telegram import FakeGateway

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.qt_log_ignore("plugin does not support")  # the review of a release is a window of its own

GATE = 20
CAMPAIGN = int(os.environ.get("CHIMEIN_CAMPAIGN_RACES", "10000"))
PORTION = 50
"""So many in one window; whatever process has time takes the next."""
FIRST, _, LAST = os.environ.get("CHIMEIN_RACE_SEED", f"0-{GATE - 1}").partition("-")
AGAIN = range(int(FIRST), int(LAST or FIRST) + 1)
"""The gate's own, or those that are to be played again: one (`7`), or some one behind the other (`0-7`)."""


def _first_wrong(seeds: range, folder: Path) -> list[str]:
    """Play in one window until something goes wrong; returns what, and what happened before."""

    async def main(monkeypatch: pytest.MonkeyPatch) -> list[str]:
        async with open_room(folder, monkeypatch) as room:
            for seed in seeds:
                if wrong := await play(room, seed):
                    return [f"seed {seed}, in a window opened at {seeds[0]}: {room.book.counts}", *wrong]
            await room.compare_narrow()
            _say(f"{len(seeds)} races from {seeds[0]}: {room.book.counts}")
            return room.book.wrong

    with pytest.MonkeyPatch.context() as monkeypatch:
        return asyncio.run(main(monkeypatch))


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")


@pytest.mark.gate_slow
def test_a_few_races(qapp: QApplication, tmp_path: Path) -> None:
    wrong = _first_wrong(AGAIN, tmp_path)
    assert not wrong, "\n".join(wrong)


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(GATE, GATE + CAMPAIGN, PORTION))
def test_ten_thousand_races(qapp: QApplication, tmp_path: Path, first: int) -> None:
    wrong = _first_wrong(range(first, min(first + PORTION, GATE + CAMPAIGN)), tmp_path)
    assert not wrong, "\n".join(wrong)


def _sees_all(guard: InViewGuard, item: object) -> bool:
    return item is not None and item == guard._item


def _take_any_version(tx: Any, request: Any, *rest: Any, **how: Any) -> Any:
    there = tx.approvals.get(request.approval_id).version
    return take(tx, replace(request, expected_version=there), *rest, **how)


def _reject_all(batch: Any, cards: Any = None) -> Any:
    return batch._decide(batch.selected() if cards is None else cards, lambda _card: Reject(), Reject())


def _deliver_twice(gateway: Any, random_id: Any, store: Any) -> Any:
    store()
    return deliver(gateway, random_id, store)


def _insert_approved(tx: Any, *rest: Any, **how: Any) -> Any:
    made = add(tx, *rest, **how)
    if made.task_status is TaskStatus.AWAITING_DECISION:
        move_task(tx, tx.tasks.get(made.task_id), TaskStatus.APPROVED)
        move_approval(tx, replace(made, decided_by="operator", decided_at=made.created_at), ApprovalState.APPROVED)
    return tx.approvals.get(made.approval_id)


add, deliver = add_planned_send, FakeGateway._deliver
MUTATIONS: dict[str, tuple[Any, str, Any]] = {
    "keys decide on what was not in view": (InViewGuard, "has_read", _sees_all),
    "a decision falls on whatever version is there": (decisions, "take", _take_any_version),
    "undo takes nothing back": (DraftCommands, "stop", lambda _commands, _draft: None),
    "a rejection follows the card": (editor, "REJECTIONS", ()),
    "a batch rejects what nobody has read": (BatchModel, "reject", _reject_all),
    "a second press falls on the next card": (cursor_list, "SLIP_GUARD_MS", -1),
    "a message comes twice": (FakeGateway, "_deliver", _deliver_twice),
    "the card does not show what is typed": (CardView, "show_typed", lambda _card, _text: None),
    "a card behind another tab is in view": (cursor_list, "is_bare", lambda _viewport: True),
    "a batch takes what nobody has read": (BatchModel, "_group_of", lambda _batch, _card: "ready"),
    "undo of a batch takes nothing back": (BatchModel, "undo", lambda _batch: True),
    "an inserted message does not ask": (step_edits, "add_planned_send", _insert_approved),
    "the window does not hear what changes": (ApprovalStore, "_put", lambda _store, _card: None),
}
IN_THE_GATE = 2


def _is_noticed(what: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*MUTATIONS[what])
    wrong = _first_wrong(range(500), folder)
    assert wrong
    _say(f"{what}: {wrong[:2]}")


@pytest.mark.gate_slow
@pytest.mark.parametrize("what", list(MUTATIONS)[:IN_THE_GATE])
def test_what_is_broken_is_noticed(
    what: str, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _is_noticed(what, tmp_path, monkeypatch)


@pytest.mark.campaign
@pytest.mark.parametrize("what", list(MUTATIONS)[IN_THE_GATE:])
def test_whatever_is_broken_is_noticed(
    what: str, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _is_noticed(what, tmp_path, monkeypatch)
