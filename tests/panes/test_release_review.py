"""The review that a release opens: one dialog, whatever is held and released, and nothing that grows."""

import gc
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.holds import Backlog, BacklogItem, HoldScope
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog
from tests.fakes.console import BIG, approval

MIB = 1024 * 1024


def reviews(desktop):
    """Return the reviews that can be seen."""
    return [one for one in desktop.window.findChildren(BacklogDialog) if one.isVisible()]


def release(desktop, qtbot, *items):
    desktop.console.holds.backlog = Backlog((), items)
    desktop.models.holds.hold()
    desktop.settle()
    with qtbot.waitSignal(desktop.models.holds.backlog_opened):
        desktop.models.holds.release()
        desktop.settle()
    # The dialog is opened from a timer, outside the drain of events.
    qtbot.waitUntil(lambda: bool(reviews(desktop)))
    QApplication.processEvents()


def texts(dialog):
    return {approval_id: line.approval.text for part in dialog.accounts for approval_id, line in part._lines.items()}


def test_a_second_release_joins_the_review_that_is_open(desktop, qtbot):
    first = BacklogItem(approval(1, "of Nora", reasons=(AskReason.HELD,)), ticked=True)
    far = approval(3, "of Otto", account_id=AccountId(BIG + 2), agent_name="Otto Brandt")
    release(desktop, qtbot, first)
    (dialog,) = reviews(desktop)
    release(desktop, qtbot, BacklogItem(far, ticked=True))
    assert reviews(desktop) == [dialog]
    assert texts(dialog) == {first.approval.approval_id: "of Nora", far.approval_id: "of Otto"}
    dialog.later.click()


def test_what_changed_meanwhile_is_shown_as_it_is_now_and_a_tick_stays_on_what_did_not(desktop, qtbot):
    kept, rewritten = approval(1, "kept"), approval(2, "old words")
    release(desktop, qtbot, BacklogItem(kept, ticked=True), BacklogItem(rewritten, ticked=True))
    (dialog,) = reviews(desktop)
    for line in dialog.accounts[0]._lines.values():
        line.tick.setChecked(False)
    newer = replace(rewritten, text="new words", version=rewritten.version + 1)
    release(desktop, qtbot, BacklogItem(kept, ticked=True), BacklogItem(newer, ticked=True))
    assert texts(dialog)[newer.approval_id] == "new words"
    assert dialog.accounts[0].ticked() == (newer,)
    dialog.later.click()


def test_what_was_decided_elsewhere_leaves_the_review(desktop, qtbot):
    one, other = approval(1, "one"), approval(2, "other")
    release(desktop, qtbot, BacklogItem(one, ticked=True), BacklogItem(other, ticked=True))
    (dialog,) = reviews(desktop)
    desktop.put_approval(replace(one, task_status=TaskStatus.CANCELLED))
    assert texts(dialog) == {other.approval_id: "other"}
    desktop.put_approval(replace(other, task_status=TaskStatus.CANCELLED))
    assert reviews(desktop) == []


def test_a_review_that_was_closed_forgets_what_it_showed(desktop, qtbot):
    release(desktop, qtbot, BacklogItem(approval(1, "one"), ticked=True))
    (dialog,) = reviews(desktop)
    dialog.later.click()
    other = approval(2, "other")
    release(desktop, qtbot, BacklogItem(other, ticked=True))
    (again,) = reviews(desktop)
    assert again is dialog
    assert texts(again) == {other.approval_id: "other"}
    again.later.click()


def resident() -> int:
    """Return the memory this process has in use, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def census(desktop) -> tuple[int, int]:
    """Return how many windows and how many objects of the window there are."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    return len(QApplication.topLevelWidgets()), len(desktop.window.findChildren(QObject))


def hold_and_release(desktop, qtbot, times):
    """Hold and release account after account; every third review is closed, the others stay and are joined."""
    for number in range(times):
        cards = [
            approval(1 + account * 10 + place, f"words {number}", account_id=AccountId(BIG + account))
            for account in range(1 + number % 4)
            for place in range(3)
        ]
        desktop.models.holds.hold(scope=HoldScope.ACCOUNT, target=BIG + number % 4)
        release(desktop, qtbot, *(BacklogItem(card, ticked=True) for card in cards))
        (dialog,) = reviews(desktop)
        if number % 3 == 2:
            dialog.later.click()


def grown(desktop, qtbot, times, *, before=24):
    """Return what `times` holds and releases left behind, after some `before`: windows, objects, bytes."""
    hold_and_release(desktop, qtbot, before)
    first, used = census(desktop), resident()
    hold_and_release(desktop, qtbot, times)
    after, now = census(desktop), resident()
    for dialog in reviews(desktop):
        dialog.later.click()
    return after[0] - first[0], after[1] - first[1], now - used


def test_nothing_grows_with_holds(desktop, qtbot):
    windows, objects, _ = grown(desktop, qtbot, 48)
    assert (windows, objects) == (0, 0)


@pytest.mark.campaign
def test_nothing_grows_with_a_thousand_holds(desktop, qtbot):
    windows, objects, memory = grown(desktop, qtbot, 1_008, before=240)  # in 240, fonts are read and caches filled
    assert (windows, objects) == (0, 0)
    assert memory < 10 * MIB, f"{memory / MIB:.1f} MiB more"
