"""The Decisions pane: what was decided, by whom; a rule is revoked, the log is written into a file."""

import csv
import errno
import json
import os
from dataclasses import replace
from datetime import time, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import RejectionCause, Rule
from chimein_gui.domain.cards import TrustSource
from chimein_gui.domain.chats import ChatSettings, QuietHours, TrustLevel
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import AccountId, ApprovalId, ChatId, MessageId
from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionKind, RuleInForce
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.engine.operator import decision_log
from chimein_gui.ui.panes.approvals.list.nothing_waits import NothingWaits
from chimein_gui.ui.requests import ShowChat, ShowDecisions, ShowMessage
from chimein_gui.viewmodels.approvals.available_actions import ActionState, remark_of
from chimein_gui.viewmodels.decisions.words import line_sentence
from chimein_gui.viewmodels.paging.window import KEPT_PAGES, PAGE_ROWS
from tests.fakes.api_history import decided
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat
from tests.support.steps import steps

pytestmark = [pytest.mark.with_panes("decisions"), pytest.mark.qt_log_ignore("propagateSizeHints")]

EDITED = decided(1, DecisionKind.EDITED, draft="At nine then", text="At ten then", message_id=7)
BY_RULE = decided(2, DecisionKind.BY_RULE)
REJECTED = decided(3, DecisionKind.REJECTED, cause=RejectionCause.WRONG_TONE, words="he is no sir")
ELSEWHERE = decided(4, agent_id=2, agent_name="Bea", chat_id=2, chat_title="Hill walkers", text="See you")


@pytest.fixture
def pane(desktop):
    desktop.api.decided = [EDITED, BY_RULE, REJECTED, ELSEWHERE]
    desktop.put_agent(replace(agent(2, "Bea"), account_id=AccountId(BIG + 2)))
    return shown(desktop)


def shown(desktop):
    desktop.window.show_pane("decisions")
    desktop.settle()
    return desktop.window.panes["decisions"]


def rows(pane):
    return [pane.log.item_at(row) for row in range(pane.log.rowCount())]


def choose(desktop, pane, row):
    pane.list.setCurrentIndex(pane.list.model().index(row, 0))
    desktop.settle()


def asked(desktop):
    """Collect what is asked of others."""
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    return sent


def test_each_line_says_what_was_decided_and_names_the_rule(desktop, pane):
    lines = hand.rows(pane.list)
    assert lines[0] == "14:29: Edited and approved, Nora Vale to Marta Oliveira, by You: At ten then"
    assert "by Rule: trust level Auto" in lines[1]
    assert [(piece.change.value, piece.text.strip()) for piece in pane.detail.diff.pieces][1:3] == [
        ("removed", "nine"),
        ("added", "ten"),
    ]
    choose(desktop, pane, 2)
    assert desktop.sees("Reason: Wrong tone: he is no sir", pane)
    assert not pane.detail.diff.isVisible()
    assert desktop.sees("1 approved · 1 edited · 1 rejected · 1 by rule · edit rate 50 %", pane)
    block = decided(9, DecisionKind.REJECTED, what=TaskKind.BLOCK, text="")
    assert line_sentence(block, desktop.models.clock).endswith(": Block Marta Oliveira"), "no message, but not nothing"


def test_a_line_is_painted_once_and_again_when_it_looks_different(desktop, pane):
    delegate = pane.list.itemDelegate()
    first = pane.list.grab().toImage()
    painted = delegate.pictures.painted
    assert painted > 0
    assert pane.list.grab().toImage() == first
    assert delegate.pictures.painted == painted
    pane.list.setCurrentIndex(pane.list.model().index(1, 0))
    assert pane.list.grab().toImage() != first
    assert delegate.pictures.painted > painted


def test_the_keyboard_steps_searches_and_opens(desktop, pane):
    sent = asked(desktop)
    pane.list.setFocus()
    desktop.press(pane.list, Qt.Key.Key_J, "j")
    desktop.press(pane.list, Qt.Key.Key_Down)
    desktop.press(pane.list, Qt.Key.Key_K, "k")
    assert pane.list.currentIndex().row() == 1
    desktop.press(pane.list, Qt.Key.Key_Slash, "/")
    field = pane.filter.words
    assert field.hasFocus()
    field.setText("TEN")
    desktop.press(field, Qt.Key.Key_Return)
    assert rows(pane) == [EDITED]
    assert QApplication.focusWidget() is pane.list
    desktop.press(pane.list, Qt.Key.Key_Return)
    assert ShowMessage(ChatId(1), MessageId(7)) in sent
    pane.show_all()
    desktop.settle()
    choose(desktop, pane, 3)
    desktop.press(pane.list, Qt.Key.Key_Return)
    assert ShowChat(ChatId(2)) in sent


@pytest.mark.parametrize(
    ("how", "seen"),
    [
        (lambda row: row.agent.setCurrentIndex(row.agent.findData(2)), [ELSEWHERE]),
        (lambda row: row.chat.setCurrentIndex(row.chat.findData(1)), [EDITED, BY_RULE, REJECTED]),
        (lambda row: row.kind.setCurrentIndex(row.kind.findData(DecisionKind.REJECTED)), [REJECTED]),
        (lambda row: row.short_ways._group.button(1).click(), [EDITED]),
        (lambda row: row.short_ways._group.button(2).click(), [BY_RULE]),
    ],
)
def test_the_row_of_filters_leaves_what_it_says(desktop, pane, how, seen):
    how(pane.filter)
    desktop.settle()
    assert rows(pane) == seen
    assert isinstance(pane.log.wanted.kind, DecisionKind | None)
    pane.filter.choose(DecisionFilter())
    desktop.settle()
    assert len(rows(pane)) == 4


def test_a_line_of_the_edit_rates_shows_its_decisions(desktop, pane):
    table = hand.rows(pane.rates.list)
    assert table[:2] == [
        "Nora Vale: 2 by you, 1 by a rule, edit rate 100 %",
        "Marta Oliveira: 2 by you, 1 by a rule, edit rate 100 %",
    ]
    assert table[2] == "Bea: 1 by you, 0 by a rule, edit rate 0 %"
    desktop.press(pane.rates.list, Qt.Key.Key_Down)
    pane.rates.list.setCurrentIndex(pane.rates.list.model().index(2, 0))
    desktop.press(pane.rates.list, Qt.Key.Key_Return)
    assert rows(pane) == [ELSEWHERE]


def test_ten_thousand_lines_are_read_as_they_are_scrolled_to(desktop, pane):
    desktop.api.decided = [decided(number) for number in range(10_000)]
    pane.log.read()
    desktop.settle()
    assert pane.log.rowCount() == 100
    bar = pane.list.verticalScrollBar()
    for _ in range(3):
        bar.setValue(bar.maximum())
        desktop.settle()
    assert 200 <= pane.log.rowCount() <= 500
    choose(desktop, pane, 150)
    while not pane.log.is_whole:
        pane.log.fetchMore(pane.log.index(-1, 0))
        desktop.settle()
    assert pane.log.rowCount() == 10_000
    kept = (KEPT_PAGES + 1) * PAGE_ROWS
    assert sum(one is not None for one in pane.log._window.rows) == kept
    for row in (151, 5_000, 9_990):  # what was dropped is read again where it is shown, and nothing moves
        bar.setValue(round(bar.maximum() * row / 10_000))
        pane.list.grab()
        desktop.settle()
        assert pane.log.item_at(row).client_id == desktop.api.decided[row].client_id
    assert sum(one is not None for one in pane.log._window.rows) == kept
    assert steps(pane.list.doItemsLayout) < 1_000, "a page costs the same however many lines there are"
    desktop.api.decided.append(decided(-1, text="the newest"))
    desktop.api.put_approval(approval(1, "First draft"))
    pane.log._read_again()
    desktop.settle()
    assert (pane.log.rowCount(), pane.log.item_at(0).text) == (10_001, "the newest")
    assert pane.list.currentIndex().row() == 151, "the line that is looked at stays"


def in_force(desktop, **settings):
    settings.setdefault("trust", TrustLevel.AUTO)
    desktop.put_chat(replace(chat(), trust=TrustLevel.AUTO, settings=ChatSettings(**settings)))


def level_of(desktop):
    return desktop.api.chats[1].trust


def test_a_rule_is_revoked_where_it_sent_and_set_again(desktop, pane):
    choose(desktop, pane, 1)
    assert not pane.detail.revoke.isVisible()
    assert desktop.sees("No rule decides in this chat now.", pane)
    until = NOON + timedelta(hours=1)
    in_force(desktop, trust_until=until)
    assert desktop.sees("Auto is active in this chat until 15", pane)
    desktop.click(pane.detail.revoke)
    assert "Nothing is sent to Marta Oliveira automatically any more" in pane.detail.question.words()
    desktop.press(pane.detail.confirm, Qt.Key.Key_Escape)
    assert pane.detail.revoke.isVisible()
    assert level_of(desktop) is TrustLevel.AUTO
    desktop.click(pane.detail.revoke)
    desktop.click(pane.detail.confirm)
    assert level_of(desktop) is TrustLevel.REVIEW
    assert not pane.detail.revoke.isVisible()
    assert desktop.sees("Rule revoked", pane.news)
    desktop.click(pane.news.button)
    assert desktop.api.chats[1].settings == ChatSettings(TrustLevel.AUTO, until)
    assert desktop.sees("Rule restored", pane.news)


def test_the_rule_of_an_agent_is_revoked_for_its_chats_and_a_change_meanwhile_is_told(desktop, pane):
    desktop.api.decided[1] = replace(BY_RULE, rule=RuleInForce(Rule.AUTO_TRUST, TrustSource.AGENT))
    nora = desktop.api.agents[1]
    desktop.put_agent(replace(nora, trust_confirmed=True, spec=replace(nora.spec, trust=TrustLevel.AUTO)))
    in_force(desktop, trust=None)
    pane.log.read()
    desktop.settle()
    choose(desktop, pane, 1)
    desktop.click(pane.detail.revoke)
    assert "in the chats of Nora Vale" in pane.detail.question.words()
    desktop.click(pane.detail.confirm)
    assert not desktop.api.agents[1].trust_confirmed
    assert level_of(desktop) is TrustLevel.REVIEW
    pane._rules.revoke(1, TrustLevel.AUTO)
    desktop.settle()
    assert desktop.sees("has changed", pane.news)


def export(desktop, pane, path):
    desktop.click(pane.save_json if path.suffix == ".json" else pane.save_csv)
    chooser = pane.export.chooser
    chooser.fileSelected.emit(str(path))
    chooser.done(QFileDialog.DialogCode.Accepted)
    desktop.settle()


def test_what_the_filter_shows_is_exported_and_reads_back(desktop, pane, tmp_path, browser):
    pane.filter.choose(DecisionFilter(chat_id=ChatId(1)))
    desktop.settle()
    draft, data = tmp_path / "log.csv", tmp_path / "log.json"
    export(desktop, pane, draft)
    export(desktop, pane, data)
    with draft.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [row["decision"] for row in written] == ["edited", "by rule", "rejected"]
    assert [row["text"] for row in json.loads(data.read_text())] == ["At ten then", "text 2", "text 3"]
    assert desktop.sees("3 decisions exported to", pane.news)
    desktop.click(pane.news.button)
    assert browser.opened == [tmp_path.as_uri()]


def test_an_export_that_fails_says_what_to_do_and_one_that_is_stopped_leaves_nothing(
    desktop, pane, tmp_path, monkeypatch
):
    export(desktop, pane, tmp_path / "nowhere" / "log.csv")
    assert desktop.sees("Choose another folder or name.", pane.news)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as broken:
        broken.setattr(decision_log, "_append", full)
        export(desktop, pane, tmp_path / "log.csv")
    assert desktop.sees("The disk is full. Free some space, then export again.", pane.news)
    stop = pane.export._export.stop
    with monkeypatch.context() as pressed:
        pressed.setattr(decision_log, "_append", lambda *_: stop())
        export(desktop, pane, tmp_path / "log.csv")
    assert not pane.news.isVisible()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_log_and_an_unreadable_one_say_so(desktop):
    pane = shown(desktop)
    assert desktop.sees("No decisions yet", pane)
    assert not pane.save_csv.isEnabled()
    pane.filter.choose(DecisionFilter(kind=DecisionKind.EDITED))
    desktop.settle()
    desktop.api.decided = [BY_RULE]
    desktop.click(desktop.button("Show all decisions", pane))
    assert rows(pane) == [BY_RULE]
    desktop.api.fail = StoreError("the disk is gone")
    pane.log.read()
    desktop.settle()
    assert desktop.sees("Decisions can't be loaded. Nothing is lost.", pane)
    desktop.api.fail = None
    desktop.click(desktop.button("Try again", pane))
    assert rows(pane) == [BY_RULE]


def test_the_card_and_the_empty_list_lead_to_the_decisions(desktop, pane):
    desktop.api.put_chat(chat(2))
    why = desktop.approvals.card.why
    why.show_card(replace(approval(1, "First draft"), chat_id=ChatId(2)), None, "")
    why._decisions.link_pressed.emit()
    desktop.settle()
    assert (rows(pane), desktop.window.panes["decisions"].isVisible()) == ([ELSEWHERE], True)
    desktop.window.requests.send(ShowDecisions())
    desktop.settle()
    assert len(rows(pane)) == 4
    sent = approval(3, "sent", task_status=TaskStatus.DONE, state=ApprovalState.APPROVED, decided_by=Rule.AUTO_TRUST)
    desktop.put_approval(replace(sent, decided_at=NOON))
    (nothing,) = desktop.approvals.findChildren(NothingWaits)
    nothing._refresh()
    assert any("Sent by rule Auto" in line.accessibleName() for line in nothing.findChildren(QWidget))
    assert remark_of(sent, ActionState()) == "by rule Auto"
    counting = replace(sent, task_status=TaskStatus.APPROVED, decided_by=Rule.COUNTDOWN_TRUST)
    assert remark_of(counting, ActionState()) == "by rule Countdown"
    settings = ChatSettings(quiet_hours=QuietHours(time(0), time(23, 59)))
    desktop.put_chat(replace(chat(3), settings=settings))
    quiet = replace(counting, approval_id=ApprovalId(BIG + 4), chat_id=ChatId(3), due_at=NOON + timedelta(minutes=1))
    desktop.put_approval(replace(quiet, decided_by=Rule.AUTO_TRUST))
    assert any("Quiet hours until 23:59" in line.accessibleName() for line in nothing.findChildren(QWidget))
