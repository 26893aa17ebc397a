"""The ways out that must be in the window: hold and its review, trust, and every reason to ask."""

import gc
import weakref
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QMenu

from chimein_gui.domain.approvals import AskReason, Outcome, Part, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.holds import Backlog, BacklogItem, HoldScope
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.ui.dialogs.backlog.dialog import SLIP_GUARD_MS, BacklogDialog
from chimein_gui.ui.panes.approvals.card.words import labels_of
from chimein_gui.ui.shell import registry
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.viewmodels.panes.approvals import make_approvals
from tests.fakes.engine_api import BIG, NOON, approval
from tests.panes.conftest import Desktop

Key = Qt.Key


def dialog_of(desktop):
    """Return the dialog that is open, or None."""
    found = desktop.window.findChildren(BacklogDialog)
    return found[-1] if found else None


def open_backlog(desktop, qtbot, *items):
    desktop.api.holds.backlog = Backlog((), items)
    desktop.models.holds.hold()
    desktop.settle()
    desktop.models.holds.release()
    desktop.settle()
    qtbot.waitUntil(lambda: dialog_of(desktop) is not None)
    return dialog_of(desktop)


def test_a_release_opens_the_backlog_with_the_ticked_and_one_press_an_account(desktop, qtbot):
    mine = approval(1, "mine & yours", reasons=(AskReason.HELD,))
    other = approval(2, "another", reasons=(AskReason.FIRST_MESSAGE, AskReason.HELD))
    far = approval(3, "elsewhere", account_id=AccountId(BIG + 2), agent_name="Otto Brandt")
    dialog = open_backlog(
        desktop, qtbot, BacklogItem(mine, ticked=True), BacklogItem(other, ticked=False), BacklogItem(far, ticked=True)
    )
    nora, otto = dialog.accounts
    assert nora.ticked() == (mine,)
    assert [one.send.text() for one in dialog.accounts] == [
        "Send 1 selected of Nora Vale",
        "Send 1 selected of Otto Brandt",
    ]
    card = nora._lines[other.approval_id]
    assert card.childAt(card.tick.geometry().center()) is card.tick
    assert card.tick.geometry().right() < card.why.x()
    assert card.why.text() == "First message to Marta Oliveira"
    for selected in (True, False):  # a press anywhere on the card
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(card.width() // 2, 10))
        assert card.tick.isChecked() is selected
    assert nora._lines[mine.approval_id].why.text() == "Approved while on hold"
    nora.send.click()
    desktop.settle()
    assert desktop.api.backlog.confirmed == [(BIG + 1, (mine.approval_id,))]
    assert nora.ticked() == ()
    assert nora.send.isHidden()
    otto.send.click()
    desktop.settle()
    assert dialog.accounts == [nora]
    assert (nora.send.isVisible(), nora.send.isEnabled(), nora.send.text()) == (True, False, "Send 0 selected")
    dialog.later.click()


def test_after_a_restart_the_review_is_one_press_away_and_never_in_the_way(bare, qtbot):
    bare.api.holds.backlog = Backlog((), (BacklogItem(approval(1), ticked=True),))
    bare.attach()
    bare.models.bars.gather()
    assert dialog_of(bare) is None
    (button,) = [one for one in bare.window.fault_bar.findChildren(ActionButton) if one.text() == "Review"]
    assert button.isVisible()
    button.click()
    bare.settle()
    qtbot.waitUntil(lambda: dialog_of(bare) is not None)
    dialog_of(bare).later.click()


def test_a_refused_one_stays_with_its_reason(desktop, qtbot):
    item = approval(1, "mine")
    desktop.api.backlog.verdicts[item.approval_id] = Outcome(Verdict.CHANGED, item, Note(Reason.LOOK_AGAIN))
    dialog = open_backlog(desktop, qtbot, BacklogItem(item, ticked=True))
    (nora,) = dialog.accounts
    nora.send.click()
    desktop.settle()
    assert desktop.sees("The conversation has moved on. Check it, then decide again.", dialog)
    assert nora.ticked() == ()
    dialog.later.click()


def test_what_is_longer_than_the_review_is_selected_when_its_end_is_in_sight(desktop, qtbot):
    dialog = open_backlog(desktop, qtbot, BacklogItem(approval(1, "word " * 3000, reasons=(AskReason.HELD,)), False))
    tick = next(iter(dialog.accounts[0]._lines.values())).tick
    qtbot.waitUntil(lambda: not tick.visibleRegion().isEmpty())
    for selected in (False, True):  # the first press brings it into view
        tick.click()
        assert tick.isChecked() is selected


def test_names_and_texts_in_the_backlog_are_never_markup(desktop, qtbot):
    item = approval(1, "<b>bold</b> & co", chat_title="<img src=x>")
    dialog = open_backlog(desktop, qtbot, BacklogItem(item, ticked=False))
    tick = desktop.button("<img src=x>: <b>bold</b> & co", dialog)
    assert tick.text() == ""
    dialog.later.click()


def test_the_trust_of_a_file_waits_for_a_word(desktop):
    desktop.window.show_pane("agents")
    agent = desktop.api.agents[1]
    assert not desktop.agents.agent_actions.trust.isVisible()
    desktop.put_agent(replace(agent, spec=replace(agent.spec, trust=TrustLevel.AUTO)))
    assert desktop.agents.agent_actions.trust.text() == "Confirm Auto"
    desktop.agents.agent_actions.trust.click()
    desktop.settle()
    assert desktop.api.agents[1].trust_confirmed
    assert not desktop.agents.agent_actions.trust.isVisible()


@pytest.mark.usefixtures("popped")
def test_the_level_of_trust_is_changed_in_one_click(desktop):
    desktop.open_chat()
    header = desktop.conversations.header
    assert header.trust.text() == "Review"
    header.trust.click()
    menu = header.findChild(QMenu)
    assert menu is not None
    words = [action.text() for action in menu.actions()]
    assert len(words) == len(TrustLevel) + 2
    menu.actions()[1].trigger()
    menu.close()
    desktop.settle()
    assert desktop.api.chat_settings.calls == [(1, TrustLevel.OBSERVE, None)]
    assert header.trust.text() == "Observe"
    header.trust.click()
    menu = header.findChildren(QMenu)[-1]
    next(action for action in menu.actions() if "hour" in action.text()).trigger()
    menu.close()
    desktop.settle()
    assert desktop.api.chat_settings.calls[-1] == (1, TrustLevel.AUTO, 3600.0)
    settings = desktop.api.chats[1].settings
    assert (settings.trust, settings.trust_until) == (TrustLevel.AUTO, desktop.api.now() + timedelta(hours=1))


@pytest.mark.parametrize("reason", list(AskReason))
def test_every_reason_to_ask_has_a_label(reason):
    parts = (Part(0, LedgerState.SENT), Part(1, LedgerState.PREPARED))
    labels = labels_of(approval(reasons=(reason,), parts=parts), "Waits for you")
    assert labels
    assert all(label.word and label.icon for label in labels)
    if reason is not AskReason.REVIEW:
        assert labels[0].word != "Waits for you"


@pytest.mark.parametrize("kind", [TaskKind.STICKER, TaskKind.BLOCK, TaskKind.CLEAR_CONVERSATION, TaskKind.SHUTDOWN])
def test_a_deed_is_decided_but_not_edited(desktop, kind):
    card = replace(desktop.api.approvals[BIG + 1], kind=kind, text="", draft_text="")
    desktop.put_approval(card)
    view = desktop.approvals.list
    view.setFocus()
    view.select(card.approval_id)
    buttons = view.buttons.bar.buttons
    assert buttons["A"].isVisibleTo(view.buttons)
    assert not buttons["E"].isVisibleTo(view.buttons)
    desktop.press(view, Key.Key_E, "e")
    assert not desktop.approvals.editor.isVisible()


def test_a_time_boxed_level_is_shown_as_what_it_is_by_now(desktop):
    chat = desktop.api.chats[1]
    settings = replace(chat.settings, trust=TrustLevel.AUTO, trust_until=NOON + timedelta(hours=1))
    desktop.put_chat(replace(chat, trust=TrustLevel.AUTO, settings=settings))
    desktop.open_chat()
    header = desktop.conversations.header
    assert header.trust.text() == "Auto 60 min"
    desktop.time = NOON + timedelta(hours=1)
    desktop.models.clock.ticked.emit()
    assert header.trust.text() == "Review"


@pytest.mark.parametrize(
    ("kind", "word"), [(TaskKind.BLOCK, "Block"), (TaskKind.UNBLOCK, "Unblock"), (TaskKind.SHUTDOWN, "Stop the agent")]
)
def test_a_deed_is_named_on_its_button_and_takes_two_presses(desktop, kind, word):
    card = replace(desktop.api.approvals[BIG + 1], kind=kind, text="", draft_text="", reasons=())
    desktop.put_approval(card)
    view = desktop.approvals.list
    view.select(card.approval_id)
    button = view.buttons.bar.buttons["A"]
    assert button.text() == f"{word}…"
    button.click()
    desktop.settle()
    assert desktop.api.calls == []
    assert button.text() == f"Press again: {word}"
    button.click()
    desktop.settle()
    assert [call.approval_id for call in desktop.api.calls] == [BIG + 1]


MIB = 1024 * 1024


def reviews(desktop):
    """Return the reviews that can be seen."""
    return [one for one in desktop.window.findChildren(BacklogDialog) if one.isVisible()]


def release(desktop, qtbot, *items):
    desktop.api.holds.backlog = Backlog((), items)
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
    (nora,) = dialog.accounts
    assert nora.send.parent() is dialog
    assert nora.send.y() > dialog.later.y(), "its button is in the foot"
    assert dialog.height() < 480, "no more room than one card needs"
    release(desktop, qtbot, BacklogItem(far, ticked=True))
    assert [one.send.parent() for one in dialog.accounts] == [dialog, dialog]
    assert reviews(desktop) == [dialog]
    assert texts(dialog) == {first.approval.approval_id: "of Nora", far.approval_id: "of Otto"}
    dialog.later.click()


def test_a_review_begins_at_the_first_message_that_a_click_sends(desktop, qtbot):
    others = [BacklogItem(approval(number, "words " * 40, reasons=(AskReason.HELD,)), False) for number in range(1, 9)]
    last = BacklogItem(approval(9, "the approved one", reasons=(AskReason.HELD,)), ticked=True)
    release(desktop, qtbot, *others, last)
    (dialog,) = reviews(desktop)
    card = dialog.accounts[0]._lines[last.approval.approval_id]
    qtbot.waitUntil(lambda: card.visibleRegion().boundingRect() == card.rect())
    dialog.later.click()


def test_what_is_selected_is_rejected_by_a_click_or_a_key_and_what_is_out_of_sight_is_counted(desktop, qtbot):
    many = [approval(number, "words " * 40, reasons=(AskReason.HELD,)) for number in range(1, 9)]
    release(desktop, qtbot, *(BacklogItem(one, ticked=one in many[:3]) for one in many))
    (dialog,) = reviews(desktop)
    card = dialog.accounts[0].cards()[0]
    qtbot.waitUntil(lambda: "below" in dialog.out_of_sight.text())
    assert dialog.rect().contains(QRect(dialog.out_of_sight.mapTo(dialog, QPoint()), dialog.out_of_sight.size()))
    dialog._scroll.verticalScrollBar().setValue(dialog._scroll.verticalScrollBar().maximum())
    assert "above" in dialog.out_of_sight.text()
    assert "below" not in dialog.out_of_sight.text()
    assert dialog.reject_all.text() == "Reject 3 selected"
    assert all(one.width() >= one.sizeHint().width() for one in dialog.findChildren(ActionButton) if one.isVisible())
    desktop.press(card.tick, Qt.Key.Key_R, "r")  # too soon: it may have been meant for the window behind
    assert desktop.decisions() == []
    qtbot.waitUntil(lambda: dialog._opened.hasExpired(SLIP_GUARD_MS))
    card.tick.click()
    desktop.press(card.tick, Qt.Key.Key_R, "r")
    assert [one.task_status for one in desktop.api.approvals.values()].count(TaskStatus.SKIPPED) == 2
    assert desktop.api.approvals[BIG + 1].task_status is TaskStatus.AWAITING_DECISION
    assert len(dialog.accounts[0].cards()) == 6
    assert (dialog.reject_all.isEnabled(), dialog.reject_all.text()) == (False, "Reject 0 selected")
    card.tick.setChecked(True)
    desktop.click(dialog.reject_all)
    assert desktop.api.approvals[BIG + 1].task_status is TaskStatus.SKIPPED
    dialog.later.click()
    assert desktop.models.own(make_approvals).batch.undoable == 1


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


@pytest.mark.whole_window
@pytest.mark.usefixtures("qtbot")
def test_a_window_that_was_closed_is_gone_with_all_it_held():
    made = Desktop()
    made.furnish()
    made.attach()
    for spec in registry.PANES:
        made.window.show_pane(spec.pane_id)
        made.settle()
    window = weakref.ref(made.window)
    made.close(made.window)
    made.window.close()
    made.window.deleteLater()
    del made
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert window() is None, "a signal of a model holds a lambda that knows the window: connect a method"
