"""Drafts where they will stand: their status in words, their actions as buttons and keys, and what follows them."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.approvals import Approve, ApproveEdited, Edit, Postpone, RejectionCause, RejectPlan, Rule, Undo
from chimein_gui.domain.events import StepChanged
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import ChatId, GraphId, Revision, TaskId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.tour.report import Tour
from chimein_gui.ui.dialogs.instruction import InstructionDialog
from chimein_gui.ui.draft_editor.fields import Task
from chimein_gui.ui.panes.conversations.drafts import strip as draft_strip
from chimein_gui.ui.panes.conversations.drafts.menu import open_draft_menu
from chimein_gui.ui.widgets.rows import arrivals, in_view
from chimein_gui.ui.widgets.theme.theme import MOTION_MS
from chimein_gui.viewmodels.approvals.available_actions import Action
from chimein_gui.viewmodels.decisions.words import cause_words
from tests.fakes.engine_api import BIG, NOON, approval, chat, message
from tests.support.on_screen import entries

Key = Qt.Key
COUNTDOWN: dict[str, Any] = {
    "task_status": TaskStatus.APPROVED,
    "decided_by": Rule.COUNTDOWN_TRUST,
    "decided_at": NOON - timedelta(seconds=43),
    "due_at": NOON + timedelta(seconds=47),
}


def buttons(bubble):
    return {action for action, button in bubble.buttons.by_action.items() if button.isVisible()}


@pytest.fixture
def counting(bare):
    del bare.api.approvals[BIG + 2]
    bare.api.approvals[BIG + 1] = approval(1, "It opened again.", **COUNTDOWN)
    bare.attach()
    bare.models.preferences_model.current = Preferences(countdown_s=90)
    bare.open_chat()
    return bare


def test_a_countdown_is_seen_shrinks_and_can_be_stopped(counting):
    bubble = counting.conversations.drafts.bubbles()[0]
    assert counting.sees("Planned, not sent", bubble)
    assert counting.sees("Sends in 0:47 unless stopped", bubble)
    assert bubble.bar.share == pytest.approx(47 / 90)
    assert buttons(bubble) == {Action.APPROVE, Action.EDIT, Action.REJECT, Action.HOLD}
    counting.time += timedelta(seconds=20)
    counting.models.clock.ticked.emit()
    assert counting.sees("Sends in 0:27 unless stopped", bubble)
    assert bubble.bar.share == pytest.approx(27 / 90)
    bubble.buttons.by_action[Action.HOLD].click()
    counting.settle()
    assert [call.decision for call in counting.api.calls] == [Undo()]
    assert counting.sees("Waits for you", bubble)
    assert not bubble.bar.isVisible()


def test_under_hold_the_bar_is_empty_and_nothing_runs(counting):
    counting.api.holds.put(Hold(HoldScope.ALL, 0, "", NOON))
    counting.settle()
    bubble = counting.conversations.drafts.bubbles()[0]
    assert counting.sees("Held, asks again on release", bubble)
    counting.models.clock.ticked.emit()
    assert (bubble.bar.share, counting.models.approvals.send_status._steps.isActive()) == (0.0, False)
    assert bubble.bar.isVisible()


def test_what_counts_down_is_edited_only_after_it_was_stopped(counting):
    counting.conversations.drafts.bubbles()[0].buttons.by_action[Action.EDIT].click()
    counting.settle()
    assert [call.decision for call in counting.api.calls] == [Undo()]
    assert counting.conversations.drafts.bubbles()[0].isAncestorOf(counting.field)
    assert counting.approvals.editor.target.task_status is TaskStatus.AWAITING_DECISION


def test_send_now_does_not_wait_for_the_countdown(counting):
    button = counting.conversations.drafts.bubbles()[0].buttons.by_action[Action.APPROVE]
    assert button.text() == "Send now"
    button.click()
    counting.settle()
    assert [call.decision for call in counting.api.calls] == [Undo(), Approve()]


def test_what_follows_stands_below_the_draft(bare):
    plan: dict[str, Any] = {"graph_id": GraphId(1)}
    bare.api.approvals[BIG + 1] = approval(1, "First", **plan)
    bare.api.approvals[BIG + 2] = approval(3, "fox", kind=TaskKind.STICKER, approval_id=BIG + 2, **plan)
    wait = StepChanged(ChatId(1), TaskId(2), TaskKind.WAIT, TaskStatus.PENDING, None, None, 0, Revision(1), wait_s=20.0)
    bare.api.plans.steps = (wait,)
    bare.attach()
    bare.open_chat()
    first, last = bare.conversations.drafts._thens.values()
    said = first.accessibleName().translate({0x2068: None, 0x2069: None})
    assert said == "then waits 20 s, types 4 s, sticker fox asks too"
    assert first.isVisible()
    assert not last.isVisible()
    bare.api.plans.put(replace(wait, status=TaskStatus.SKIPPED))
    bare.settle()
    assert "waits" not in first.accessibleName()


def test_single_keys_decide_on_the_draft_that_has_the_focus(desktop):
    desktop.open_chat()
    second = desktop.conversations.drafts.bubbles()[1]
    reject = second.buttons.by_action[Action.REJECT]
    reject.setFocus()
    desktop.press(reject, Key.Key_A, "a", repeated=True)
    assert desktop.api.calls == []
    desktop.press(reject, Key.Key_A, "a")
    assert [(call.approval_id, call.decision) for call in desktop.api.calls] == [(BIG + 2, Approve())]
    desktop.models.single_keys.set_enabled(False)
    desktop.press(desktop.conversations.drafts.bubbles()[0].buttons.more, Key.Key_A, "a")
    assert len(desktop.api.calls) == 1


def test_a_key_decides_only_on_a_draft_that_was_in_view_for_a_moment(desktop, monkeypatch):
    desktop.open_chat()
    second = desktop.conversations.drafts.bubbles()[1]
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    approve = second.buttons.by_action[Action.APPROVE]
    approve.setFocus()
    desktop.press(approve, Key.Key_A, "a")
    assert desktop.api.calls == []
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 0)
    desktop.press(approve, Key.Key_A, "a")
    assert [(call.approval_id, call.decision) for call in desktop.api.calls] == [(BIG + 2, Approve())]


def test_a_key_on_a_draft_out_of_sight_brings_it_back(desktop):
    long = "One line after the other.\n" * 40
    desktop.api.put_approval(replace(desktop.api.approvals[BIG + 2], text=long))
    desktop.open_chat()
    strip = desktop.conversations.drafts
    first = strip.bubbles()[0]
    approve = first.buttons.by_action[Action.APPROVE]
    approve.setFocus()
    strip.verticalScrollBar().setValue(strip.verticalScrollBar().maximum())
    desktop.press(approve, Key.Key_A, "a")
    assert desktop.api.calls == []
    desktop.press(approve, Key.Key_A, "a")
    assert [(call.approval_id, call.decision) for call in desktop.api.calls] == [(BIG + 1, Approve())]


def test_the_focus_of_a_decided_draft_does_not_slip_to_the_next_one(desktop):
    desktop.open_chat()
    drafts = desktop.conversations.drafts
    first, second = drafts.bubbles()
    approve = second.buttons.by_action[Action.APPROVE]
    approve.setFocus()
    desktop.press(approve, Key.Key_A, "a")
    assert QApplication.focusWidget() is second.buttons.by_action[Action.UNDO]
    sent = replace(desktop.api.approvals[BIG + 2], task_status=TaskStatus.DONE)
    desktop.put_approval(sent)
    assert drafts.bubbles() == (first,)
    assert QApplication.focusWidget() is desktop.conversations.transcript


def test_a_press_meant_for_a_draft_that_has_just_left_decides_nothing_on_the_next(desktop, monkeypatch):
    """Its "Undo" stood where the "Approve" of the one before it slides to."""
    desktop.open_chat()
    drafts = desktop.conversations.drafts
    first = drafts.bubbles()[0]
    desktop.put_approval(replace(desktop.api.approvals[BIG + 2], task_status=TaskStatus.DONE))
    first.buttons.by_action[Action.APPROVE].click()
    desktop.settle()
    assert desktop.api.calls == []
    monkeypatch.setattr(draft_strip, "SLIP_GUARD_MS", 0)
    first.buttons.by_action[Action.APPROVE].click()
    desktop.settle()
    assert [(call.approval_id, call.decision) for call in desktop.api.calls] == [(BIG + 1, Approve())]


def test_what_failed_is_planned_again_or_put_away(desktop):
    failed = replace(
        desktop.api.approvals[BIG + 1],
        task_status=TaskStatus.FAILED,
        note=Note(NoteKind.REFUSED, "Telegram: blocked"),
    )
    desktop.api.put_chat(replace(desktop.api.chats[1], newest_in_id=9, pending=1))
    desktop.put_approval(failed)
    desktop.open_chat()
    bubble = desktop.conversations.drafts.bubbles()[0]
    assert buttons(bubble) == {Action.PLAN_AGAIN, Action.ASK_AGAIN, Action.DISMISS}
    assert desktop.sees("Telegram: blocked", bubble)
    bubble.buttons.by_action[Action.PLAN_AGAIN].click()
    desktop.settle()
    assert desktop.api.plans.calls == [("retry", 1)]
    assert len(desktop.conversations.drafts.bubbles()) == 1


@pytest.fixture
def menu_of(desktop, popped):
    desktop.open_chat()

    def make(number):
        pane = desktop.conversations
        draft = desktop.models.approvals.find(BIG + number)
        reject = partial(pane.drafts.editing.open, Task.PLAN_REASON, draft)
        menu = open_draft_menu(pane._context, draft, pane, pane.mapToGlobal(pane.pos()), reject)
        return menu, entries(menu)

    return make


def test_the_menu_of_a_draft_puts_it_off_or_ends_its_plan(desktop, menu_of):
    for words in ("In 1 h", "Reject the whole plan…"):
        menu, found = menu_of(1)
        found[words].trigger()
        menu.close()
        desktop.settle()
    bubble = desktop.conversations.drafts.bubbles()[0]
    desktop.button(cause_words(RejectionCause.WRONG_TONE), bubble).click()
    desktop.settle()
    postponed, rejected = (call.decision for call in desktop.api.calls)
    assert postponed == Postpone(NOON + timedelta(hours=1))
    assert rejected == RejectPlan("", RejectionCause.WRONG_TONE)


@pytest.fixture
def editing(desktop, qtbot):
    """The text of the second draft is open in the conversation, and something was typed there."""
    desktop.open_chat()
    desktop.click(desktop.conversations.drafts.bubbles()[1].buttons.by_action[Action.EDIT])
    qtbot.keyClicks(desktop.field, " mine")
    return desktop


def test_a_draft_is_edited_in_its_place(editing):
    bubble, editor = editing.conversations.drafts.bubbles()[1], editing.approvals.editor
    assert bubble.isAncestorOf(editor)
    assert editing.sees("You are editing", bubble)
    assert not editing.sees("Second draft", bubble.words)
    assert buttons(bubble) == set()
    editing.strike(editing.field, Key.Key_Escape)
    assert not editor.isVisible()
    assert QApplication.focusWidget() is bubble.buttons.by_action[Action.APPROVE]
    editing.press(bubble.buttons.by_action[Action.EDIT], Key.Key_E, "e")
    assert editor.fields.text() == "Second draft mine"
    editing.strike(editing.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert editing.decisions()[-1] == (BIG + 2, ApproveEdited("Second draft mine", frozenset({"Second draft mine"})))
    assert QApplication.focusWidget() is bubble.buttons.by_action[Action.UNDO]


def test_the_toast_keeps_clear_of_the_editor_in_the_conversation(editing):
    editing.window.resize(1280, 720)
    editing.settle()
    editing.models.toasts.show("Your edit was discarded", "Undo", lambda: None)
    editor, toast = editing.approvals.editor, editing.window.toast
    assert editor.isVisible()
    assert not toast.geometry().intersects(QRect(editor.mapTo(editing.window, QPoint()), editor.size()))
    for bubble in editing.conversations.drafts.bubbles():
        seen = bubble.visibleRegion().boundingRect().translated(bubble.mapTo(editing.window, QPoint()))
        assert not toast.geometry().intersects(seen), "nor any other draft"
    editing.models.toasts.detach()


def test_what_is_edited_in_the_conversation_is_not_confirmed_in_approvals(editing):
    cards, wide = editing.approvals.list, editing.approvals.card
    editing.put_approval(replace(editing.api.approvals[BIG + 2], changed_at=Revision(5)))
    cards.select(BIG + 2)
    cards.tick(True)
    editing.settle()
    card = cards.current()
    assert card.is_stale
    assert not editing.models.actions.is_acknowledged(card)
    lower = cards.visualRect(cards.currentIndex()).height()
    assert not cards.buttons.tick.isVisible()
    wide.show_card(card)
    assert wide.changed.tick.parentWidget().isHidden()
    editing.strike(editing.field, Key.Key_Escape)
    assert cards.buttons.tick.isVisible()
    assert cards.visualRect(cards.currentIndex()).height() > lower


def test_a_card_is_edited_in_one_place_and_goes_to_the_other_as_it_is(editing, qtbot):
    bubble, cards, editor = editing.conversations.drafts.bubbles()[1], editing.approvals.list, editing.approvals.editor
    cards.select(BIG + 2)
    actions = cards.buttons.bar.buttons
    assert editing.sees("Being edited in the conversation", editing.approvals) is False  # painted
    assert "Being edited in the conversation" in cards.cards._note(cards.current())
    assert not actions[Action.APPROVE].isVisible()
    editing.press(cards, Key.Key_A, "a")
    editing.press(cards, Key.Key_R, "r")
    assert not [one for _, one in editing.decisions() if not isinstance(one, Edit)]
    actions[Action.GO_TO_EDITOR].click()
    field = editing.field
    assert field.hasFocus()
    assert bubble.isAncestorOf(field)
    field.moveCursor(QTextCursor.MoveOperation.Left)
    place = field.textCursor().position()
    cards.setFocus()
    editing.press(cards, Key.Key_E, "e")
    assert not bubble.isAncestorOf(editor)
    assert (editor.fields.text(), field.textCursor().position()) == ("Second draft mine", place)
    assert field.hasFocus()
    assert editing.sees("Being edited in Approvals", bubble)
    assert buttons(bubble) == {Action.EDIT, Action.GO_TO_EDITOR}
    field.undo()
    assert editor.fields.text() != "Second draft mine"
    editing.click(bubble.buttons.by_action[Action.EDIT])
    assert bubble.isAncestorOf(editor)
    assert editing.api.editing == [1]


def test_a_new_plan_takes_the_draft_and_not_what_is_typed_in_its_place(editing):
    drafts, editor = editing.conversations.drafts, editing.approvals.editor
    for number in (1, 2):
        old = editing.api.approvals[BIG + number]
        editing.api.put_approval(replace(old, state=ApprovalState.SUPERSEDED, task_status=TaskStatus.CANCELLED))
    editing.settle()
    assert drafts.bubbles() == ()
    assert drafts.isVisible()
    assert editor.isVisible()
    assert QApplication.focusWidget() is editing.field
    new = [approval(number, f"New {number}", created_at=NOON, graph_id=GraphId(9)) for number in (7, 8)]
    for draft in new:
        editing.put_approval(draft)
    editing.strike(editing.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert drafts.bubbles()[0].isAncestorOf(editor)
    assert editor.fields.text() == "Second draft mine"
    editing.strike(editing.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert editing.decisions()[-1] == (BIG + 7, ApproveEdited("Second draft mine"))


def test_what_is_typed_in_a_chat_is_kept_when_another_is_opened(editing):
    editing.put_chat(chat(2, title="Bo"))
    editing.open_chat(2)
    assert editing.api.editing == []
    assert editing.decisions() == [(BIG + 2, Edit("Second draft mine"))]
    editing.models.toasts.act()
    editing.settle()
    assert editing.models.transcript.chat.chat_id == 1
    assert editing.conversations.drafts.bubbles()[1].isAncestorOf(editing.field)
    assert editing.approvals.editor.fields.text() == "Second draft mine"


def test_another_version_is_asked_for_in_the_operators_words(desktop, menu_of, monkeypatch):
    asked = list[tuple[int, str]]()
    monkeypatch.setattr(
        desktop.models.regenerations, "regenerate", lambda draft, words="": asked.append((draft.approval_id, words))
    )
    menu, found = menu_of(2)
    found["Regenerate with an instruction…"].trigger()
    menu.close()
    dialog = desktop.window.findChild(InstructionDialog)
    assert not dialog.ask.isEnabled()
    dialog.field.setText(" shorter ")
    dialog.ask.click()
    assert asked == [(BIG + 2, "shorter")]


def test_a_plan_in_the_making_is_timed_and_given_up(desktop):
    desktop.open_chat()
    line = desktop.conversations.ghost
    step = StepChanged(ChatId(1), TaskId(9), TaskKind.RECEIVED, TaskStatus.RUNNING, None, None, 1, Revision(9))
    desktop.api.plans.put(step)
    desktop.put_chat(replace(desktop.api.chats[1], planning=True))
    desktop.time += timedelta(seconds=3)
    desktop.models.clock.ticked.emit()
    assert line.words.endswith("is planning… 3 s")
    assert line.accessibleName().endswith("is planning…")  # without the seconds, which nobody wants to hear
    line.cancel.click()
    desktop.settle()
    assert desktop.api.plans.calls == [("cancel planning", 9)]


def test_the_ghost_stands_where_the_draft_will_and_moves_only_while_it_is_seen(desktop):
    desktop.open_chat()
    ghost, theme = desktop.conversations.ghost, desktop.window.theme
    assert not ghost.isVisible()
    leaving = {"task_status": TaskStatus.APPROVED, "decided_at": NOON, "due_at": NOON + timedelta(seconds=60)}
    desktop.put_approval(replace(desktop.api.approvals[BIG + 1], decided_by="operator", **leaving))
    assert not ghost.isVisible()  # undo runs, and nothing is typed yet
    desktop.time += timedelta(seconds=59.5)
    desktop.models.approvals.send_status.words_changed.emit()
    assert ghost.accessibleName().endswith("is typing…")
    assert not ghost.cancel.isVisible()
    assert ghost.y() >= desktop.conversations.drafts.geometry().bottom()
    assert ghost.motion.isActive()
    theme.set_reduced_motion(reduced=True)
    assert not ghost.motion.isActive()
    theme.set_reduced_motion(reduced=False)
    desktop.window.hide()
    assert not ghost.motion.isActive()
    desktop.window.show()
    assert ghost.motion.isActive()
    desktop.time += timedelta(seconds=1)
    desktop.models.approvals.send_status.words_changed.emit()
    assert not ghost.isVisible()
    assert not ghost.motion.isActive()


def test_only_what_is_decided_out_of_sight_has_a_toast(desktop):
    desktop.open_chat()
    desktop.window.docks["approvals"].close()
    desktop.put_chat(chat(2))
    desktop.put_approval(replace(approval(5, "Elsewhere"), chat_id=ChatId(2)))
    for number, seen in ((1, True), (5, False)):
        desktop.models.actions.approve(desktop.models.approvals.find(BIG + number))
        desktop.settle()
        assert (desktop.models.toasts.current is None) is seen
    desktop.models.toasts.detach()


def test_what_comes_moves_for_a_moment_unless_much_comes_or_motion_is_reduced(desktop, qtbot, tmp_path, monkeypatch):
    assert MOTION_MS <= 120
    monkeypatch.setattr(arrivals, "MOTION_MS", 60_000)
    strip, view = desktop.conversations.drafts, desktop.conversations.transcript
    desktop.open_chat()
    assert not strip.arrivals.is_moving  # what was there before the chat was opened has not come
    desktop.put_approval(approval(20, "Another draft"))
    desktop.put_message(1, message(4, "are you there?"))
    assert (strip.arrivals.is_moving, view.arrivals.is_moving) == (True, True)
    assert [overlay.size() == overlay.parent().size() for overlay in strip.findChildren(arrivals.FadeOverlay)] == [True]
    Tour(tmp_path).picture(desktop.window, "still")
    assert (strip.arrivals.is_moving, view.arrivals.is_moving) == (False, False)
    monkeypatch.setattr(arrivals, "MOTION_MS", 60)
    desktop.put_approval(approval(3, "Third draft"))
    desktop.put_message(1, message(5, "hello?"))
    qtbot.waitUntil(lambda: not strip.arrivals.is_moving and not view.arrivals.is_moving)
    assert not [overlay for overlay in strip.findChildren(arrivals.FadeOverlay) if overlay.isVisible()]
    desktop.window.theme.set_reduced_motion(reduced=True)
    desktop.put_message(1, message(6, "reduced"))
    desktop.put_approval(approval(4, "Fourth draft"))
    assert (strip.arrivals.is_moving, view.arrivals.is_moving) == (False, False)
    desktop.window.theme.set_reduced_motion(reduced=False)
    for number in range(7, 13):
        desktop.put_message(1, message(number, "storm"))
        desktop.put_approval(approval(number, "Storm of drafts"))
    assert (strip.arrivals.is_moving, view.arrivals.is_moving) == (False, False)


@pytest.fixture
def stale(bare):
    """A draft whose partner has written once more since."""
    del bare.api.approvals[BIG + 2]
    bare.api.approvals[BIG + 1] = replace(approval(1, "It opened again."), changed_at=Revision(5))
    bare.api.cards.tell(BIG + 1, came_since=(bare.api.messages[1][3],))
    return bare


def test_a_draft_shows_what_changed_and_asks_like_the_card(stale):
    stale.attach()
    stale.open_chat()
    bubble = stale.conversations.drafts.bubbles()[0]
    approve = bubble.buttons.by_action[Action.APPROVE]
    assert stale.sees("Conversation changed", bubble)
    assert stale.sees("is the bridge open?", bubble)
    assert approve.text() == "I've read the changes"
    approve.click()
    stale.settle()
    assert stale.api.calls == []
    assert approve.text() == "Press again to send"
    approve.click()
    stale.settle()
    assert [call.decision for call in stale.api.calls] == [Approve()]


def test_of_many_newer_messages_a_draft_says_how_many_until_they_are_asked_for(stale, qtbot):
    newer = tuple(message(number, f"word {number}", minutes_ago=1) for number in range(4, 9))
    stale.api.cards.tell(BIG + 1, came_since=newer)
    stale.attach()
    stale.open_chat()
    strip = stale.conversations.drafts
    bubble, height = strip.bubbles()[0], strip.height()
    assert bubble.fold.text().endswith("· Show")
    assert not stale.sees("word 8", bubble)
    qtbot.mouseClick(bubble.fold, Qt.MouseButton.LeftButton)
    assert bubble.fold.text().endswith("· Hide")
    assert stale.sees("word 8", bubble)
    assert strip.height() > height
    qtbot.mouseClick(bubble.fold, Qt.MouseButton.LeftButton)
    assert strip.height() == height
    stale.api.cards.tell(BIG + 1, came_since=newer[:1], edited_since=newer[1:2])
    stale.put_approval(replace(stale.api.approvals[BIG + 1], changed_at=Revision(6)))
    assert bubble.fold.text().startswith("2 change")


def test_nobody_says_he_has_read_what_is_not_in_sight_yet(stale):
    stale.window.attach(stale.api, stale.errands)
    stale.models.draft_changes.attach(stale.api, lambda job, name: job.close())  # the answer does not come
    stale.settle()
    stale.open_chat()
    approve = stale.conversations.drafts.bubbles()[0].buttons.by_action[Action.APPROVE]
    assert not approve.isEnabled()
    assert approve.toolTip() == "Loading the changes…"


def test_drafts_stand_at_the_trailing_edge_of_the_width_that_they_have_now(desktop):
    """The margins of another width were kept until the next layout, which a picture did not wait for."""
    desktop.open_chat()
    strip = desktop.conversations.drafts
    first, inside = strip.bubbles()[0], strip.widget()
    edges = []
    for width in (900, 760, 1_040):
        strip.resize(width, strip.height())
        edges.append(inside.width() - first.geometry().right())
    assert edges == [21, 21, 21], "20 px from the edge"


def test_a_draft_that_goes_unseen_while_it_fades_in_leaves_nothing_behind(desktop, qtbot, monkeypatch):
    monkeypatch.setattr(arrivals, "MOTION_MS", 60_000)
    strip = desktop.conversations.drafts
    desktop.open_chat()
    desktop.conversations.hide()
    desktop.put_approval(approval(20, "Another draft"))
    assert strip.arrivals.is_moving
    desktop.put_approval(replace(approval(20, "Another draft"), task_status=TaskStatus.CANCELLED))
    qtbot.waitUntil(lambda: not strip.findChildren(arrivals.FadeOverlay))
    assert not strip.arrivals.is_moving
    strip.arrivals.finish()


def test_what_fades_in_is_covered_whole_with_all_its_parts(desktop, monkeypatch):
    monkeypatch.setattr(arrivals, "MOTION_MS", 60_000)
    desktop.open_chat()
    desktop.put_approval(approval(20, "Another draft"))
    desktop.settle()
    [overlay] = desktop.conversations.drafts.findChildren(arrivals.FadeOverlay)
    overlay.reveal(0.0)
    picture = overlay.parentWidget().grab().toImage()
    ground = desktop.window.theme.color("chat")
    others = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert others == {ground.name()}
