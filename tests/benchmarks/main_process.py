"""The main process of the row rss_24: every account online, every pane visible, some work done; prints its memory.

Run as `python -m tests.benchmarks.main_process PORT_FILE FOLDER MESSAGES`, so that nothing but the program is in it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui.runtime import interpreter

if TYPE_CHECKING:
    from tests.benchmarks.stage import Sandbox, Stage

A_SECOND = 40.0
CHATS_LOOKED_AT = 24
LOOK_S = 0.15


def memory_mb(what: str) -> float:
    """Return a line of the process's status, such as VmRSS, in units of 1,024 kB."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(f"{what}:"))) / 1024


async def work(stage: Stage, window: Any, pairs: list[tuple[int, int]], messages: int) -> None:
    """Receive messages, open and scroll chats, open cards, and use the palette."""
    from chimein_gui.ui.requests import MaximizePane
    from tests.benchmarks.audience import say

    async with asyncio.TaskGroup() as group:
        group.create_task(say(stage.console, pairs, messages, A_SECOND))
        for chat in (await stage.engine.queries.chats()).rows[:CHATS_LOOKED_AT]:
            window.pane("conversations").open_chat(chat.chat_id)
            await asyncio.sleep(LOOK_S)
            window.pane("conversations").transcript.verticalScrollBar().setValue(0)
            window.pane("approvals").list.move_by(1)
            await asyncio.sleep(LOOK_S)
    window.requests.send(MaximizePane("approvals"))
    await asyncio.sleep(1)
    window.requests.send(MaximizePane("approvals"))
    window.action("palette").trigger()
    await asyncio.sleep(1)
    window.lazy.palette.dialog.reject()
    await asyncio.sleep(1)


async def run(sandbox: Sandbox, folder: Path, messages: int) -> dict[str, float]:
    """Do the work, and measure the memory of the process while everything is open."""
    from chimein_gui.domain.agents import Health
    from chimein_gui.domain.chats import TrustLevel
    from tests.benchmarks.audience import watching
    from tests.benchmarks.stage import engine_stage, get_acquainted

    pairs = sandbox.pairs()[:: len(sandbox.accounts()) + 1]  # one partner for each account
    async with engine_stage(sandbox, folder) as stage, watching(stage, is_sandbox=True) as (window, _models):
        interpreter.enable_gc()
        await get_acquainted(stage, pairs, TrustLevel.REVIEW)
        stage.stop_events()  # the program keeps no queue of all that happened
        await work(stage, window, pairs, messages)
        agents = (await stage.engine.directory.load()).rows
        online = sum(agent.health is Health.ONLINE for agent in agents)
        return {"rss_mb": memory_mb("VmRSS"), "peak_mb": memory_mb("VmHWM"), "online": online}


def main() -> int:
    """Read the arguments, run, print one line of JSON. It starts as the program does, before anything is imported."""
    port_file, folder, messages = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    os.environ.setdefault("QT_API", "pyside6")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    interpreter.set_up()
    interpreter.disable_gc_for_startup()
    from tests.benchmarks.stage import Sandbox, run_in_qt

    sandbox = Sandbox(json.loads(port_file.read_text(encoding="utf-8")), port_file)
    print(json.dumps(run_in_qt(lambda _app: run(sandbox, folder, messages))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
