"""A cap is reached, the program asks, the operator adds $2, and the message that waited is answered.

By keys alone, by mouse alone, by accessible actions alone.
"""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.domain.notes import PlanningKind
from chimein_gui.domain.spending.caps import EVERYTHING
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import MARTA, NORA
from tests.e2e import keyboard, thirty_items
from tests.e2e.keyboard import until_focus
from tests.e2e.thirty_hands import Hand, Listener, Mouse, Pointer
from tests.e2e.thirty_items import Action, Day, Talk
from tests.e2e.thirty_keys import Keys, shortcut_of

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

FIRST, SECOND = "The first is free.", "Answered after all."
TALK = Talk(NORA, MARTA, ((FIRST, Action.APPROVE),))
ADD = "Add $2.00 for today"


class CappedDay(Day):
    """A day whose cap is used up by one plan; another message waits."""

    async def arrange(self) -> None:
        await self.console.speak(MARTA, NORA, "cue 0")
        await self.planned(FIRST)
        spent = (await self.engine.costs.today()).usd
        assert spent > 0
        await self.engine.caps.set_cap(EVERYTHING, spent)
        await self.console.speak(MARTA, NORA, "cue 1")

        async def is_paused() -> bool:
            problems = [chat.planning_problem for chat in (await self.engine.queries.chats()).rows]
            return any(problem is not None and problem.kind is PlanningKind.CAP for problem in problems)

        await self.until(is_paused)
        assert await self.asked() == 1

    async def planned(self, text: str) -> None:
        """Wait for a draft."""

        async def is_planned() -> bool:
            return text in [card.text for card in await self.waiting()]

        await self.until(is_planned)

    async def asked(self) -> int:
        """Return how many chats wait for the cap."""
        (cap,) = await self.engine.caps.standings()
        return int(cap.waiting)

    async def agree(self) -> None:
        await self.planned(SECOND)
        (cap,) = await self.engine.caps.standings()
        assert (cap.added_usd, cap.waiting) == (2.0, 0)


class Payer(Hand):
    """Adds $2; how something is pressed is what the kinds of payers differ in."""

    async def walk(self) -> None:
        """See what is asked, and answer."""
        window = self.day.program.window
        await hand.until("the bar", window.fault_bar.isVisible)
        await self.open_costs()
        pane: Any = window.pane("costs")
        await hand.until("the question", pane.question.isVisible)
        assert "1 chat waits unanswered." in pane.question.message.accessibleName()
        await hand.until("the rows", pane.table.model.rowCount)
        await self.add()
        await hand.until("the answer", lambda: not pane.question.isVisible())

    @abstractmethod
    async def open_costs(self) -> None:
        """Open the Costs pane."""

    @abstractmethod
    async def add(self) -> None:
        """Add $2 for today."""


class PayerKeys(Keys, Payer):
    """Presses keys alone."""

    async def open_costs(self) -> None:
        await self.press(*shortcut_of(self.day, "costs"))
        await until_focus("Costs by Agent")

    async def add(self) -> None:
        await keyboard.tab_to(f"{ADD}: Planning is paused", keyboard.SHIFT)
        await self.press(Qt.Key.Key_Space)


class PayerPointer(Pointer, Payer):
    """What mouse and screen reader have in common."""

    async def open_costs(self) -> None:
        await self.press("More choices")

    async def add(self) -> None:
        await self.press(f"{ADD}: Planning is paused")


class PayerMouse(Mouse, PayerPointer):
    """Clicks."""


class PayerListener(Listener, PayerPointer):
    """Uses accessible actions."""


@pytest.mark.parametrize("payer", [PayerKeys, PayerMouse, PayerListener])
async def test_a_message_that_waits_for_a_cap_is_answered_after_2_dollars_more(
    payer: type[Payer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(_self: Responder, call: ModelCall, *_more: Any) -> ScriptedReply:
        return ScriptedReply(f"# «send»\n{SECOND if 'cue 1' in str(call.contents) else FIRST}")

    monkeypatch.setattr(Responder, "answer", answer)

    async def pay(day: Day) -> None:
        await payer(day).walk()

    await thirty_items.run(tmp_path, pay, (TALK,), CappedDay)
