"""Agent files of the program before this one rehearse as they are: accounts, friends in their language, a scenario."""

from __future__ import annotations

import shutil
from pathlib import Path

from chimein_gui.sandbox.model.talk.language import language_of
from tests.e2e.test_agent_files import running

FILES = Path(__file__).with_name("earlier_program")
LANGUAGES = {"Ada Merrow": "en", "Konrad Faber": "de", "Lena Duarte": "pt"}


async def test_the_files_of_the_earlier_program_rehearse_as_they_are(tmp_path: Path) -> None:
    shutil.copytree(FILES, tmp_path / "config")
    async with running(tmp_path) as program:
        await program.until(lambda: program.online().keys() == LANGUAGES.keys())
        agents = {name: agent.agent_id for name, agent in program.online().items()}
        chats = (await program.engine.load_chats()).rows
        for name, agent_id in agents.items():
            told = [chat.last_text for chat in chats if chat.agent_id == agent_id and chat.info.peer_id > 0]
            assert 2 <= len(told) <= 3, name
            assert {language_of((text,), tuple(LANGUAGES.values())) for text in told} == {LANGUAGES[name]}


async def test_a_scenario_that_names_no_persona_plays_with_one_of_them(tmp_path: Path) -> None:
    shutil.copytree(FILES, tmp_path / "config")
    async with running(tmp_path) as program:
        await program.until(lambda: program.online().keys() == LANGUAGES.keys())
        own = {program.online()["Ada Merrow"].agent_id}
        await program.sandbox.set_speed(20)
        await program.sandbox.start_scenario("first-evening")
        await program.until(lambda: any(draft.agent_id in own for draft in program.drafts))
        assert {language_of((draft.text,), tuple(LANGUAGES.values())) for draft in program.drafts} == {"en"}
