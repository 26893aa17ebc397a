"""Files that were made to hurt are received, shown and described: a placeholder, a log line, and nothing stands still.

The gate plays each once. The campaign plays each several times (CHIMEIN_CAMPAIGN_FILES), and there the clock counts,
too, because nothing else runs beside it.
"""

from __future__ import annotations

import base64
import os
import re
import resource
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.domain.media.picture_size import is_bomb
from chimein_gui.domain.media.records import DescriptionStatus
from chimein_gui.program import first_paint
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.library import MediaLibrary
from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import MARTA, NORA
from chimein_gui.sandbox.world.records import Draft
from chimein_gui.viewmodels.media.still_pictures import PictureState
from tests.e2e import thirty_items
from tests.e2e.thirty_items import CALM, Day, Talk, TalkingDay
from tests.support import hostile_files
from tests.support.log_guard import ExpectedLogs
from tests.support.stalls import Stalls

pytestmark = [pytest.mark.qt_loop, pytest.mark.qt_log_ignore("plugin does not support")]

TASK = "⟦section: Description of a file⟧"
LONGEST_MS = 33.0
TWIN = 6_700_000_000_000_000_001
GROWN_KIB = 192 * 1024
"""Most that the peak of the memory may rise: one picture that is decoded, and what is kept of downloads."""
ROUNDS = int(os.environ.get("CHIMEIN_CAMPAIGN_FILES", "10"))
HARMLESS = ("photo-lake", "otter-wave", "lantern-dance", "gif-waves", "voice-note", "video-lake-evening", "boat-sail")
LINE = r"WARNING chimein_gui\.viewmodels\.media\.pictures: The picture of file (\d+) is not shown: "
HARMLESS_AFTER_ALL = {"endless gif"}
"""Its first ten seconds are shown."""
WITHOUT_PICTURE = {"png bomb called voice", "2 GB called video"}
"""Nothing is drawn of these, and Telegram has no still picture of them."""
if find_spec("av") is None:
    WITHOUT_PICTURE |= {"video of 20,000 pixels", "page called video"}
    WITHOUT_PICTURE |= {"webm of 20,000 pixels", "webm of 20,000 pixels in secret"}
SETTLED = {DescriptionStatus.PERMANENT_FAILURE, DescriptionStatus.UNSUPPORTED, DescriptionStatus.GENERATED}


class Room:
    """Marta, who sends files, and the window that shows them."""

    def __init__(self, day: TalkingDay, stalls: Stalls) -> None:
        self.day, self.window, self.stalls = day, day.program.window, stalls

    def send(self, ref: MediaRef) -> None:
        """Let Marta send a file."""
        people = self.day.console.people
        people._world.send(MARTA, NORA, Draft("", media=ref))
        people._hub.settle()

    async def open_chat(self) -> None:
        """Show the chat."""
        pane = await self._show("conversations")
        pane.open_chat(await self.day._chat_of(thirty_items.Talk(NORA, MARTA, ())))

    async def _show(self, pane: str) -> Any:
        """Change the pane, which moves the whole window: that is not what is measured."""
        self.stalls.stop()
        self.window.show_pane(pane)
        await first_paint(self.window)
        self.stalls.start()
        return self.window.pane(pane)

    async def seen(self, file_ids: set[int]) -> dict[int, PictureState]:
        """Wait until the Media pane has these files described, as far as that is possible, and look at each."""
        media = await self._show("media")
        wanted = {str(one) for one in file_ids}

        def are_settled() -> bool:
            entries = media.model.entries
            return all(one in entries and entries[one].status in SETTLED for one in wanted)

        await hand.until("each file described, or not", are_settled)
        pictures, states = self.day.program.window._context.models.pictures, {}
        for one in wanted:
            media.grid.select(one)
            entry = media.model.entries[one]
            message = media._pictures.message_of(entry)
            if message is not None:
                await hand.until(
                    f"a picture of {one}, or none",
                    lambda message=message: pictures.state(message) is not PictureState.WAITING,  # type: ignore[misc]
                )
                states[int(one)] = pictures.state(message)
        return states


@dataclass
class Played:
    """What became of the files.

    Attributes:
        stalls: What held the loop up.
        usual_ms: The longest stall by the clock with files that harm nobody.
        grown_kib: How much the peak of the memory rose.
        ends: For each file the state of its picture (None without one) and that of its description.
        bombs: How many pictures too large to be decoded the model was given.
    """

    stalls: Stalls = field(default_factory=Stalls)
    usual_ms: float = 0.0
    grown_kib: int = 0
    ends: dict[int, tuple[str, PictureState | None, DescriptionStatus]] = field(default_factory=dict)
    bombs: int = 0


async def play(folder: Path, monkeypatch: pytest.MonkeyPatch, rounds: int) -> Played:
    """Let everything be received, shown and described."""
    config = folder / "config"
    shutil.copytree(resource_path("samples"), config)
    shutil.rmtree(config / "media")
    played, libraries = Played(), list[MediaLibrary]()
    made = MediaLibrary.__init__

    def remember(self: MediaLibrary, **more: Any) -> None:
        made(self, **more)
        libraries.append(self)

    async def answer(_self: Responder, call: ModelCall, *_more: Any) -> ScriptedReply:
        if TASK not in call.system_instruction:
            return ScriptedReply("# «send»\nHm.")
        files = [part["inlineData"]["data"] for turn in call.contents for part in turn["parts"] if "inlineData" in part]
        played.bombs += sum(is_bomb(base64.b64decode(file)) for file in files)
        return ScriptedReply("Something.")

    monkeypatch.setattr(MediaLibrary, "__init__", remember)
    monkeypatch.setattr(Responder, "answer", answer)

    async def look(day: Day) -> None:
        assert isinstance(day, TalkingDay)
        room, library = Room(day, played.stalls), libraries[-1]
        await room.open_chat()
        harmless = [library.named(name) for name in HARMLESS]
        for ref in harmless:
            room.send(ref)
        await room.seen({ref.file_id for ref in harmless})
        await room.open_chat()
        twins = [replace(library._files[ref.file_id], file_id=TWIN + at) for at, ref in enumerate(harmless)]
        played.stalls.reset()
        for twin in twins:
            room.send(hostile_files.put(library, twin))
        await room.seen({twin.file_id for twin in twins})
        await room.open_chat()
        played.usual_ms = played.stalls.wall_ms
        every = [hostile_files.hostile_files(folder, number) for number in range(rounds)]
        played.stalls.reset()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for files in every:
            for _, file in files:
                room.send(hostile_files.put(library, file))
            states = await room.seen({file.file_id for _, file in files})
            entries = room.window.pane("media").model.entries  # type: ignore[attr-defined]
            for what, file in files:
                status = entries[str(file.file_id)].status
                played.ends[file.file_id] = (what, states.get(file.file_id), status)
            await room.open_chat()
        played.stalls.stop()
        played.grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before

    preferences = replace(CALM, descriptions_per_tick=64)
    await thirty_items.run(folder, look, (Talk(NORA, MARTA, ()),), TalkingDay, preferences, config=config)
    return played


def check(played: Played, logs: ExpectedLogs) -> None:
    """Hold each file to a placeholder, a line in the log, and no words."""
    lines = Counter(int(found[1]) for line in logs.unexpected if (found := re.search(LINE, line)))
    for file_id, (what, state, status) in played.ends.items():
        if what in HARMLESS_AFTER_ALL:
            assert (state, status) == (PictureState.READY, DescriptionStatus.GENERATED)
            continue
        assert state in (PictureState.BROKEN, PictureState.TOO_BIG, None), what
        assert status is DescriptionStatus.PERMANENT_FAILURE, what
        assert lines[file_id] == (what not in WITHOUT_PICTURE), f"lines in the log about {what}"
    assert not set(lines) - set(played.ends)
    assert not played.bombs
    assert played.grown_kib < GROWN_KIB


@pytest.mark.gate_slow
async def test_hostile_files_are_a_placeholder_and_a_log_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs(LINE)
    played = await play(tmp_path, monkeypatch, 1)
    check(played, expected_logs)
    # Only what the loop's own thread computed: other tests run beside this one. A picture takes it more than that.
    assert played.stalls.own_ms < 3 * LONGEST_MS


@pytest.mark.campaign
async def test_many_hostile_files_hold_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs(LINE)
    played = await play(tmp_path, monkeypatch, ROUNDS)
    stalls = played.stalls
    sys.stdout.write(
        f"\n{len(played.ends)} hostile files: longest stall {stalls.wall_ms:.0f} ms by the clock "
        f"({played.usual_ms:.0f} ms with harmless files), {stalls.own_ms:.0f} ms computed; "
        f"memory grew by {played.grown_kib} KiB\n"
    )
    check(played, expected_logs)
    assert stalls.wall_ms <= max(LONGEST_MS, played.usual_ms)
