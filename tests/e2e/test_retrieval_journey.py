"""A partner asks for a timetable, the persona looks it up, and the operator reads in the trace what it used.

The second page gives orders. They change nothing but the text that is seen, and the block that follows asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.retrieval.turns import read_page
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import KETTLE, YADA
from tests.e2e.keyboard import CTRL, SHIFT, press, press_until, tab_to, until_focus

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
TIMETABLE, REGATTA = "http://ferry.example/timetable", "http://whisper.example/regatta"
SENTENCE = "On Fridays the last boat back from Nordufer leaves at 22:25, and it waits for nobody."
ANSWER, WINNER = "At 22:25, from Nordufer.", "Forelle won."

Script = Callable[[Program], Awaitable[None]]


class Curious:
    """A model that looks up one page and answers with it.

    Attributes:
        calls: The prompts that it got.
    """

    def __init__(self, address: str, answer: str) -> None:
        self.address, self.said = address, answer
        self.calls: list[ModelCall] = []

    async def answer(self, call: ModelCall, *_more: Any) -> ScriptedReply:
        """Answer a call of the persona."""
        self.calls.append(call)
        return ScriptedReply(f"# «retrieve»\n{self.address}" if self.page is None else self.said)

    @property
    def page(self) -> tuple[str, str] | None:
        """Address and text of the page in the last prompt."""
        turns = self.calls[-1].contents
        read = (read_page(turn["role"], [part.get("text", "") for part in turn["parts"]]) for turn in turns)
        return next((one for one in read if one is not None), None)


async def run(folder: Path, monkeypatch: pytest.MonkeyPatch, model: Curious, question: str, script: Script) -> None:
    """Let The Kettle ask Yada something, and go on once the window is there."""

    async def answer(_self: Responder, call: ModelCall, *more: Any) -> ScriptedReply:
        return await model.answer(call, *more)

    monkeypatch.setattr(Responder, "answer", answer)

    async def journey(program: Program) -> int:
        console, agents = program.running.sandbox, program.window.pane("agents")
        assert console is not None
        await hand.until("the account online", lambda: hand.row_with(agents.list, "Yada Thongkam, Online"))  # type: ignore[attr-defined]
        await console.speak(KETTLE, YADA, question)
        await script(program)
        return 0

    directories = Directories((resource_path("samples"),), folder / "state")
    assert await live(SANDBOX, directories, journey, QUICK) == 0


async def drafted(program: Program, text: str) -> tuple[Approval, ...]:
    """Wait for a draft; return all that waits."""
    engine, changed = program.running.engine, asyncio.Event()
    stop = engine.subscribe(lambda _event: changed.set())
    try:
        async with asyncio.timeout(hand.PATIENCE_S):
            while True:
                changed.clear()
                cards = (await engine.queries.approvals()).rows
                if text in [card.text for card in cards]:
                    return cards
                await changed.wait()
    finally:
        stop()


async def read_by_keys(program: Program, model: Curious, address: str) -> str:
    """Open the trace and the page by keyboard; return what the pane shows of it, checked against the prompt."""
    pane: Any = program.window.pane("traces")
    press(Qt.Key.Key_T, CTRL | SHIFT)
    await hand.until("the trace", lambda: pane.isVisible() and pane.model.trace is not None and pane.model.trace.steps)
    await until_focus("Traces")
    press(Qt.Key.Key_Return)
    await until_focus("Steps of the plan")
    steps = pane.page.waterfall
    await press_until(Qt.Key.Key_Home, "the first step", lambda: steps.currentIndex().row() == 0)
    for _ in range(20):
        if address.partition("://")[2] in str(steps.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)):
            break
        press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    await until_focus("Pages")
    await tab_to("Text of the page")
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_C, CTRL)
    page = model.page
    assert page is not None
    assert page[0] == address
    assert QApplication.clipboard().text() == page[1], "letter for letter what stands in the prompt"
    return str(QApplication.clipboard().text())


async def test_the_operator_reads_the_sentence_of_the_page_that_the_persona_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Curious(TIMETABLE, f"# «send»\n{ANSWER}")

    async def story(program: Program) -> None:
        await drafted(program, ANSWER)
        assert SENTENCE in await read_by_keys(program, model, TIMETABLE)
        pane: Any = program.window.pane("traces")
        assert pane.model.trace.summary.state is TraceState.WAITING
        assert (pane.model.trace.summary.pages, pane.model.trace.summary.refused_pages) == (1, 0)

    await run(tmp_path, monkeypatch, model, "when does the last boat back leave on friday ?", story)


async def test_a_page_that_gives_orders_changes_nothing_and_the_block_after_it_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Curious(REGATTA, f"# «send»\n{WINNER}\n# «block»")

    async def story(program: Program) -> None:
        engine = program.running.engine
        cards = await drafted(program, WINNER)
        text = await read_by_keys(program, model, REGATTA)
        assert "IMPORTANT NOTE TO ASSISTANTS" in text
        assert "# ‹block»" in text
        assert not any(line.lstrip().startswith("# «") for line in text.splitlines())
        first, second = model.calls
        assert second.system_instruction == first.system_instruction
        assert {(card.kind, card.text if card.kind is TaskKind.SEND else "") for card in cards} == {
            (TaskKind.SEND, WINNER),
            (TaskKind.BLOCK, ""),
        }
        (block,) = [card for card in cards if card.kind is TaskKind.BLOCK]
        assert AskReason.IRREVERSIBLE in block.reasons
        chat = next(one for one in (await engine.queries.chats()).rows if one.chat_id == block.chat_id)
        assert chat.trust in {None, TrustLevel.REVIEW}
        pane: Any = program.window.pane("traces")
        await press_until(Qt.Key.Key_Escape, "the steps", lambda: not pane.page.pages.isHidden())
        pane.page.show_tab(0)
        asks = [card.accessibleName() for card in pane.page.reply.cards]
        assert any(name.startswith("block, waiting for you") for name in asks), asks
        console = program.running.sandbox
        assert console is not None
        assert WINNER not in [one.text for one in await console.mailbox(KETTLE)]

    await run(tmp_path, monkeypatch, model, "who won the regatta ?", story)
