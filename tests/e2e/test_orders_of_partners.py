"""A partner's order through the real Telegram client: what is told on Monday is in the prompt on Friday."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.memory.files import entries_of
from chimein_gui.domain.memory.orders.answers import FIXED_ANSWERS
from chimein_gui.domain.memory.orders.given import OrderState
from chimein_gui.domain.prompt.prompts import Prompt
from chimein_gui.domain.tasks import TaskStatus
from tests.support.wired_room import Wired, wired_room
from tests.unit.adapters.telegram.support import MARTA

DAY_S = 86_400


def section(prompt: Prompt, title: str) -> str:
    return next((one.text for one in prompt.sections if one.title == title), "")


def facts(folder: Path) -> list[str]:
    (path,) = folder.glob(f"*/memory/{int(MARTA)}.md")
    return [one.text for one in entries_of(path.read_text(encoding="utf-8"))]


async def answered(wired: Wired, words: str, reply: str) -> Prompt:
    """Let Marta write, and send the model's reply; returns the prompt."""
    wired.room.model.script.append(f"# «send»\n{reply}")
    await wired.marta_says(words)
    await wired.room.delivered(await wired.room.approval(TaskStatus.AWAITING_DECISION, reply), reply)
    return wired.room.model.prompts[-1]


async def test_a_fact_told_on_monday_is_in_the_prompt_on_friday(tmp_path: Path) -> None:
    async with wired_room(tmp_path) as wired:
        told = await answered(wired, "Remember that I'm allergic to nuts!", "i will, no nuts")
        assert "tell them so in your own words" in section(told, "Orders to remember")
        assert facts(tmp_path) == ["I'm allergic to nuts!"]
        wired.room.clock.advance(4 * DAY_S)
        friday = await answered(wired, "What shall we bake tonight?", "plum cake, without nuts")
        known = section(friday, "Memory: about the partner")
        assert "the partner's own words] I'm allergic to nuts!" in known
        assert section(friday, "Orders to remember") == ""
        (step,) = (
            await wired.room.engine.transcripts.steps(
                (await wired.chat()).chat_id, since_id=MessageId(0), until_id=None, limit=50
            )
        ).rows
        assert (step.text, step.status) == ("I'm allergic to nuts!", TaskStatus.DONE)
        received = [one.text for one in await wired.stage.server.console.mailbox(MARTA)]
        assert received[-2:] == ["i will, no nuts", "plum cake, without nuts"]


async def test_the_command_is_confirmed_by_itself_where_the_chat_sends_by_itself(tmp_path: Path) -> None:
    async with wired_room(tmp_path) as wired:
        await answered(wired, "hello", "hi")
        await wired.trust(TrustLevel.AUTO)
        asked = len(wired.room.model.prompts)
        for words in ("/remember I'm allergic to nuts", "/remember i'm allergic to nuts", "/remember"):
            await wired.marta_says(words)
            await wired.room.worked_off()
        states = (OrderState.WRITTEN, OrderState.KNOWN, OrderState.BARE)
        await wired.until(TaskStatus.DONE, *(FIXED_ANSWERS[state] for state in states))
        assert len(wired.room.model.prompts) == asked
        assert facts(tmp_path) == ["I'm allergic to nuts"]
