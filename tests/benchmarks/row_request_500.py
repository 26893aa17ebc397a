"""request_500: longest loop block while a prompt of 500 messages is handed to the model client; a backlog is open."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.prompt.prompts import Prompt, PromptSection, Role, Turn
from chimein_gui.engine.tools.declarations import TOOLS
from tests.benchmarks.backlog import OPEN_GRAPHS
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import engine_stage, run_in_qt, sandbox_process

BUDGET_MS = 10.0
MESSAGES = 500


def prompt_of_500() -> Prompt:
    start = datetime(2026, 11, 20, tzinfo=UTC)
    turns = tuple(
        Turn(
            Role.USER if index % 2 == 0 else Role.MODEL,
            (
                f"⟦from: Marta (id 7) | message {index} | {start + timedelta(minutes=index):%Y-%m-%d %H:%M}⟧",
                "word " * 12,
            ),
        )
        for index in range(MESSAGES + 1)
    )
    return Prompt("gemini-2.5-flash", (PromptSection("Instructions", "Be kind. " * 200),), turns, TOOLS)


async def longest_block_ms(call: Callable[[], Awaitable[object]]) -> float:
    """Return the longest pause of the loop in ms while `call` runs, measured by a callback that reschedules itself."""
    loop = asyncio.get_running_loop()
    longest = 0.0
    last = time.perf_counter()
    running = True

    def tick() -> None:
        nonlocal longest, last
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        if running:
            loop.call_soon(tick)

    loop.call_soon(tick)
    await asyncio.sleep(0)
    last = time.perf_counter()
    await call()
    running = False
    return longest * 1000


def documented_call(base_url: str) -> Callable[[Prompt], Awaitable[object]]:
    """Return a call of `generate_content` as its documentation shows it, for the yardstick."""
    from google import genai
    from google.genai import types

    client = genai.Client(
        api_key="sandbox", http_options=types.HttpOptions(base_url=base_url, api_version="v1beta", timeout=60_000)
    )

    async def call(prompt: Prompt) -> object:
        contents: Any = [
            types.Content(role=turn.role.value, parts=[types.Part(text=part) for part in turn.parts])
            for turn in prompt.contents
        ]
        config = types.GenerateContentConfig(system_instruction=prompt.system_instruction)
        return await client.aio.models.generate_content(model=prompt.model, contents=contents, config=config)

    return call


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 5 if quick else 15
    prompt = prompt_of_500()

    async def main(_app: Any) -> tuple[list[float], list[float]]:
        with sandbox_process(folder, 1) as sandbox:
            async with engine_stage(sandbox, folder / "engine", backlog=OPEN_GRAPHS):
                base_url = sandbox.description["model_base_url"]
                model = GeminiModel("sandbox", base_url=base_url)
                documented = documented_call(base_url)
                await model.generate(prompt)
                await documented(prompt)
                ours, theirs = [], []
                for _ in range(repeats):
                    ours.append(await longest_block_ms(lambda: model.generate(prompt)))
                    theirs.append(await longest_block_ms(lambda: documented(prompt)))
                await model.aclose()
                return ours, theirs

    ours, theirs = run_in_qt(main)
    value, yardstick = statistics.median(ours), statistics.median(theirs)
    note = f"worst of {repeats}: {max(ours):.1f} ms; {OPEN_GRAPHS:,} open graphs"
    return Result("request_500", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
