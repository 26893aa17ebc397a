"""A message becomes a plan, the operator changes its text and approves it, and the trace tells all of that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.traces.steps import ApprovalStep, StepKind
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.ui.requests import ShowTrace

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
EXACT = "Quite another answer & <b>no markup</b>"


async def test_the_trace_of_an_edited_plan_tells_the_message_the_edit_and_the_send(tmp_path: Path) -> None:
    async def journey(program: Program) -> int:
        await _edit_and_approve(program)
        await _look_at_trace(program)
        return 0

    directories = Directories((resource_path("samples"),), tmp_path / "state")
    assert await live(SANDBOX, directories, journey, QUICK) == 0


async def _edit_and_approve(program: Program) -> None:
    window, console = program.window, program.running.sandbox
    assert console is not None
    partner = (await console.partners())[0]
    agents: Any = window.pane("agents")
    await hand.until("the account online", lambda: hand.row_with(agents.list, "Nora Vale, Online"))
    known = program.running.engine._services.accounts.directory.agents()
    account = next(agent.account_id for agent in known if agent.spec.name == "Nora Vale")
    assert account is not None
    before = len(await console.mailbox(partner.user_id))
    await console.speak(partner.user_id, account, "Is the bridge open again?")
    approvals = window.pane("approvals")
    await hand.until("a draft", lambda: hand.button(approvals, "Approve"))
    button = hand.button(approvals, "Edit")
    assert button is not None
    button.click()
    editor = await hand.until("the editor", lambda: hand.field(approvals, "Your text"))
    editor.setPlainText(EXACT)
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    transcript: Any = window.pane("conversations")
    row = await hand.until("the chat", lambda: hand.row_with(transcript.tree, partner.name))
    transcript.tree.setCurrentIndex(row)
    await hand.until("the sent message", lambda: hand.row_with(transcript.transcript, "Quite another answer"))
    assert [one.text for one in await console.mailbox(partner.user_id)][before:] == [EXACT]


async def _look_at_trace(program: Program) -> None:
    window = program.window
    window.requests.send(ShowTrace())
    pane: Any = window.pane("traces")
    await hand.until("the trace", lambda: pane.model.trace is not None)
    await hand.until("that it is sent", lambda: pane.model.trace.summary.state is TraceState.SENT)
    trace = pane.model.trace
    assert trace.summary.is_edited
    assert "Is the bridge open again?" in trace.summary.first_words
    kinds = [step.kind for step in trace.steps]
    assert {StepKind.MODEL_CALL, StepKind.PARSE, StepKind.APPROVAL, StepKind.SEND} <= set(kinds)
    (approval,) = [step for step in trace.steps if isinstance(step.detail, ApprovalStep)]
    assert approval.detail.decision.text == EXACT
    assert "Sent, edited" in hand.rows(pane.side.list)[0]
    pane.page.waterfall.setFocus()
    pane.page.waterfall.choose(approval.step_id)
    await hand.until("the difference", pane.page.step.diff.isVisible)
    call = next(step for step in trace.steps if step.kind is StepKind.MODEL_CALL)
    pane.page.waterfall.choose(call.step_id)
    await hand.until("the reply", lambda: pane.page.reply.isVisible() and pane.page.reply.cards)
    assert any("sent · edited" in card.accessibleName() for card in pane.page.reply.cards)
    QTest.keyClick(pane.page.waterfall, Qt.Key.Key_P)
    prompt: Any = window.pane("prompt")
    await hand.until("its prompt", lambda: prompt.isVisible() and prompt.prompt.view is not None)
    assert "Is the bridge open again?" in prompt.reading.contents.toPlainText()
    pane.model.open(None)
    sent = approval.detail.approval.message_id
    window.requests.send(ShowTrace(chat_id=trace.summary.chat_id, message_id=sent))
    await hand.until("the trace of the message", lambda: pane.isVisible() and pane.model.trace is not None)
    assert pane.model.trace_id == trace.summary.trace_id
