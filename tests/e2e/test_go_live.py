"""What the README says under "Go live" is done to the letter: from nobody to the first message that somebody gets.

Every button that stands there in bold is pressed, in that order and no other; account and key are the sandbox's.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.accounts.sign_in import LoginStep
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.engine.ports.secrets import API_HASH as KEPT_HASH
from chimein_gui.engine.ports.secrets import MODEL_KEY
from chimein_gui.program import Program, live
from chimein_gui.secret_sources import live_secrets
from chimein_gui.tour.driver import press
from chimein_gui.ui.dialogs.first_run.wizard import FirstRunDialog
from tests.e2e.branch_stage import QUICK
from tests.e2e.live_alike import API_HASH, API_ID, MODEL, Outdoors
from tests.e2e.log_in_hands import PLAIN, Hands

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # dialogs are windows of their own
]

README = Path(__file__).parents[2] / "README.md"
ZORA, MARTA = "Zora Rand", "Marta Oliveira"


def steps() -> list[list[str]]:
    """Return the words in bold of each numbered step."""
    [section] = re.findall(r"^## Go live\n(.*?)^## ", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    found = re.split(r"^\d\. ", section, flags=re.MULTILINE)[1:]
    return [re.findall(r"\*\*(.+?)\*\*", " ".join(step.partition("\n\n")[0].split())) for step in found]


class Reader(Hands):
    """Somebody who has the README open, and nothing else."""

    def __init__(self, program: Program, outdoors: Outdoors) -> None:
        super().__init__(program, outdoors)
        self._steps = steps()
        assert len(self._steps) == 5

    def turn_page(self) -> None:
        """Go to the next step; nothing of this one is left."""
        assert self._steps.pop(0) == []

    async def push(self, root: QWidget) -> None:
        """Press what is to be pressed next."""
        await press(root, self._steps[0].pop(0))

    @property
    def wizard(self) -> FirstRunDialog:
        return next(one for one in self.program.window.findChildren(FirstRunDialog) if one.isVisible())

    async def on(self, name: str) -> None:
        """Wait for a step of the first run."""
        wizard = self.wizard
        await hand.until(f"the step {name}", lambda: wizard.steps[wizard.current()].name == name)


async def play(reader: Reader) -> None:
    window = reader.program.window
    await reader.push(window)
    await reader.push(reader.wizard)
    reader.turn_page()
    await persona(reader)
    await keys(reader)
    await log_in(reader)
    await answer(reader)


async def keys(reader: Reader) -> None:
    wizard = reader.wizard
    await reader.on("Keys")
    QTest.keyClicks(wizard.keys.model.field.line, MODEL)
    await reader.push(wizard)
    await hand.until("the verdict", lambda: any("The key works" in words for words in hand.words_in_sight(wizard)))
    QTest.keyClicks(wizard.keys.application.api_id, API_ID)
    QTest.keyClicks(wizard.keys.application.api_hash.line, API_HASH)
    await reader.push(wizard)
    await reader.on("Log in")
    reader.turn_page()


async def persona(reader: Reader) -> None:
    wizard = reader.wizard
    await reader.on("First persona")
    QTest.keyClicks(wizard.persona.name_field, ZORA)
    QTest.keyClicks(wizard.persona.phone, PLAIN)
    await reader.push(wizard)
    await reader.on("Folders")
    assert (reader.program.directories.config[0] / "agents" / f"{ZORA}.md").is_file()
    await reader.push(wizard)
    reader.turn_page()


async def log_in(reader: Reader) -> None:
    await reader.push(reader.wizard)
    await hand.until("the dialog", reader.dialog)
    await reader.picture()
    await reader.push(reader.open_dialog)
    await reader.at(LoginStep.PHONE)
    await reader.push(reader.open_dialog)
    await reader.at(LoginStep.CODE)
    reader.type(await reader.code(PLAIN))
    await reader.at(LoginStep.DONE)
    await reader.push(reader.open_dialog)
    await reader.closed()
    await reader.push(reader.wizard)
    await reader.on("Who may send")
    await reader.push(reader.wizard)
    await hand.until("the window alone", lambda: not any(one.isVisible() for one in _wizards(reader)))
    reader.turn_page()


def _wizards(reader: Reader) -> list[FirstRunDialog]:
    return reader.program.window.findChildren(FirstRunDialog)


async def answer(reader: Reader) -> None:
    window = reader.program.window
    agents = reader.agents.list  # type: ignore[attr-defined]
    await hand.until("the persona online", lambda: hand.row_with(agents, f"{ZORA}, Online"))
    marta = next(one for one in await reader.console.partners() if one.name == MARTA)
    before = len(await reader.console.mailbox(marta.user_id))
    await reader.console.speak(marta.user_id, reader.outdoors.account_of(PLAIN), "Is the ferry running tonight?")
    approvals = window.pane("approvals")
    waiting = approvals.list  # type: ignore[attr-defined]
    card = await hand.until("the draft", lambda: hand.row_with(waiting, f"to {MARTA}, Waits for you"))
    assert waiting.isVisible(), "the draft appears at the right, and nobody has to look for it"
    waiting.setCurrentIndex(card)
    assert len(await reader.console.mailbox(marta.user_id)) == before, "nothing leaves without the operator"
    await reader.push(approvals)
    rows = waiting.model().rowCount
    await hand.until("it decided", lambda: rows() == 0 or not hand.row_with(waiting, f"to {MARTA}, Waits for you"))
    await _arrived(reader, marta.user_id, before + 1)
    reader.turn_page()


async def _arrived(reader: Reader, partner: int, number: int) -> None:
    changed = asyncio.Event()
    stop = reader.program.running.engine.subscribe(lambda _event: changed.set())
    try:
        while len(await reader.console.mailbox(partner)) < number:
            await changed.wait()
            changed.clear()
    finally:
        stop()
    said = [agent.spec.trust or TrustLevel.REVIEW for agent in reader.program.window.models.agents.items()]
    assert said == [TrustLevel.REVIEW]


async def test_the_five_steps_of_the_readme_lead_to_the_first_approved_message(tmp_path: Path) -> None:
    outdoors, directories = Outdoors(), Directories((tmp_path / "config",), tmp_path / "state")

    async def script(program: Program) -> int:
        await play(Reader(program, outdoors))
        return 0

    assert await live(outdoors.kind, directories, script, QUICK) == 0
    assert directories.session(ZORA).is_file()
    kept = live_secrets(directories, {})
    await kept.load()
    assert (kept.value(MODEL_KEY), kept.value(KEPT_HASH)) == (MODEL, API_HASH)
