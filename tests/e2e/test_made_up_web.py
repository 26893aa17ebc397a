"""The program as it is composed reaches the made-up web, and nothing else, by the code that reaches the internet."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from chimein_gui.app import sandbox_backends
from chimein_gui.directories import Directories
from chimein_gui.domain.retrieval.refusals import FetchFault, RefusalRule
from chimein_gui.engine.ports import PagesWanted


async def test_the_sandbox_gives_the_program_its_web_and_no_other(tmp_path: Path) -> None:
    directories = Directories((), tmp_path)
    async with AsyncExitStack() as stack:
        pages = (await sandbox_backends(directories, stack)).pages
        assert pages is not None
        stack.push_async_callback(pages.aclose)
        wanted = ("http://ferry.example/timetable", "https://weather.example/seewalden", "http://example.org/")
        ferry, weather, real = await pages.fetch(PagesWanted(wanted, 1))
        assert "Friday" in ferry.text
        assert "Sturmwarnung" in weather.text
        assert real.error is FetchFault.NO_SUCH_HOST
        nowhere, here = await pages.fetch(PagesWanted(("http://203.0.113.250/", "http://127.0.0.1/"), 1))
        assert nowhere.error is FetchFault.NOT_REACHED
        assert here.refusal is RefusalRule.LOOPBACK
