"""The ways out that must be in the window: hold, takeover, a limited account, every level of trust."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from chimein_gui.domain.approvals import AskReason, Outcome, Part, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.holds import Backlog, BacklogItem
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.tasks import LedgerState, TaskKind
from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog
from chimein_gui.ui.panes.approvals.card.words import signs_of
from chimein_gui.ui.widgets.controls.verb_button import VerbButton
from tests.fakes.console import BIG, NOON, approval

Key = Qt.Key


def dialog_of(desktop):
    """Return the dialog that is open, or None."""
    found = desktop.window.findChildren(BacklogDialog)
    return found[-1] if found else None


def open_backlog(desktop, qtbot, *items):
    desktop.console.holds.backlog = Backlog((), items)
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
    assert nora.send.text() == "Send 1 selected"
    card = nora._lines[other.approval_id]
    assert card.why.text() == "First message to Marta Oliveira"
    for selected in (True, False):  # a press anywhere on the card
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(card.width() // 2, 10))
        assert card.tick.isChecked() is selected
    assert nora._lines[mine.approval_id].why.text() == "Approved while on hold"
    nora.send.click()
    desktop.settle()
    assert desktop.console.backlog.confirmed == [(BIG + 1, (mine.approval_id,))]
    assert nora.ticked() == ()
    assert not nora.send.isEnabled()
    otto.send.click()
    desktop.settle()
    assert dialog.accounts == [nora]
    dialog.later.click()


def test_after_a_restart_the_review_is_one_press_away_and_never_in_the_way(bare, qtbot):
    bare.console.holds.backlog = Backlog((), (BacklogItem(approval(1), ticked=True),))
    bare.attach()
    bare.models.bars.gather()
    assert dialog_of(bare) is None
    (button,) = [one for one in bare.window.fault_bar.findChildren(VerbButton) if one.text() == "Review"]
    assert button.isVisible()
    button.click()
    bare.settle()
    qtbot.waitUntil(lambda: dialog_of(bare) is not None)
    dialog_of(bare).later.click()


def test_a_refused_one_stays_with_its_reason(desktop, qtbot):
    item = approval(1, "mine")
    desktop.console.backlog.verdicts[item.approval_id] = Outcome(Verdict.CHANGED, item, "The conversation went on.")
    dialog = open_backlog(desktop, qtbot, BacklogItem(item, ticked=True))
    (nora,) = dialog.accounts
    nora.send.click()
    desktop.settle()
    assert desktop.sees("The conversation went on.", dialog)
    assert nora.ticked() == ()
    dialog.later.click()


def test_names_and_texts_in_the_backlog_are_never_markup(desktop, qtbot):
    item = approval(1, "<b>bold</b> & co", chat_title="<img src=x>")
    dialog = open_backlog(desktop, qtbot, BacklogItem(item, ticked=False))
    tick = desktop.button("<img src=x>: <b>bold</b> & co", dialog)
    assert tick.text() == ""
    dialog.later.click()


def test_the_trust_of_a_file_waits_for_a_word(desktop):
    desktop.window.show_pane("agents")
    agent = desktop.console.agents[1]
    assert not desktop.agents.verbs.trust.isVisible()
    desktop.put_agent(replace(agent, spec=replace(agent.spec, trust=TrustLevel.AUTO)))
    assert desktop.agents.verbs.trust.text() == "Confirm Auto"
    desktop.agents.verbs.trust.click()
    desktop.settle()
    assert desktop.console.agents[1].trust_confirmed
    assert not desktop.agents.verbs.trust.isVisible()


@pytest.mark.usefixtures("no_popup")
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
    assert desktop.console.chat_settings.calls == [(1, TrustLevel.OBSERVE, None)]
    assert header.trust.text() == "Observe"
    header.trust.click()
    menu = header.findChildren(QMenu)[-1]
    next(action for action in menu.actions() if "hour" in action.text()).trigger()
    menu.close()
    desktop.settle()
    assert desktop.console.chat_settings.calls[-1] == (1, TrustLevel.AUTO, 3600.0)


@pytest.mark.parametrize("reason", list(AskReason))
def test_every_reason_to_ask_has_a_sign(reason):
    parts = (Part(0, LedgerState.SENT), Part(1, LedgerState.PREPARED))
    signs = signs_of(approval(reasons=(reason,), parts=parts), "Waits for you")
    assert signs
    assert all(sign.word and sign.icon for sign in signs)
    if reason is not AskReason.REVIEW:
        assert signs[0].word != "Waits for you"


@pytest.mark.parametrize("kind", [TaskKind.STICKER, TaskKind.BLOCK, TaskKind.CLEAR_CONVERSATION, TaskKind.SHUTDOWN])
def test_a_deed_is_decided_but_not_edited(desktop, kind):
    card = replace(desktop.console.approvals[BIG + 1], kind=kind, text="", draft_text="")
    desktop.put_approval(card)
    view = desktop.approvals.list
    view.setFocus()
    view.select(card.approval_id)
    buttons = view.buttons.bar.buttons
    assert buttons["A"].isVisibleTo(view.buttons)
    assert not buttons["E"].isVisibleTo(view.buttons)
    desktop.press(view, Key.Key_E, "e")
    assert not desktop.approvals.desk.isVisible()


def test_a_time_boxed_level_is_shown_as_what_it_is_by_now(desktop):
    chat = desktop.console.chats[1]
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
    card = replace(desktop.console.approvals[BIG + 1], kind=kind, text="", draft_text="", reasons=())
    desktop.put_approval(card)
    view = desktop.approvals.list
    view.select(card.approval_id)
    button = view.buttons.bar.buttons["A"]
    assert button.text() == f"{word}…"
    button.click()
    desktop.settle()
    assert desktop.console.calls == []
    assert button.text() == f"Press again: {word}"
    button.click()
    desktop.settle()
    assert [call.approval_id for call in desktop.console.calls] == [BIG + 1]
