"""Done when 5: the process that draws is killed, a sticker is broken or a bomb: a state, one log line, no more."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QSize

from chimein_gui.adapters.frames.renderer import DRAW_S, ProcessFrameRenderer
from chimein_gui.domain.messages import FrameKind, Media
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.viewmodels.media.still_pictures import PictureState
from chimein_gui.viewmodels.window import WindowModels
from tests.fakes.engine_api import NOON, FakeEngineApi, agent, chat, message
from tests.support import hostile_files, stickers

BOX = QSize(64, 64)
TGS_TYPE = "application/x-tgsticker"
LOG = r"WARNING chimein_gui.viewmodels.media.pictures: The picture of file {} is not shown: "

pytestmark = pytest.mark.qt_loop


class Gallery:
    """Models before a real process; what the window would paint, asked for by number."""

    def __init__(self, folder: Path, models: WindowModels, api: FakeEngineApi, renderer: ProcessFrameRenderer) -> None:
        self.folder, self.models, self.api, self.renderer = folder, models, api, renderer
        self.arrived: asyncio.Queue[object] = asyncio.Queue()
        models.pictures.changed.connect(self.arrived.put_nowait)

    def hang(self, number: int, data: bytes, mime: str = TGS_TYPE, kind: str = "sticker") -> None:
        path = self.folder / str(number)
        path.write_bytes(data)
        self.api.media_files.put(self.message(number, mime, kind).key, path)

    def message(self, number: int, mime: str = TGS_TYPE, kind: str = "sticker"):
        return message(number, "", media_kind=kind, media=Media(file_id=number, mime_type=mime))

    async def frames(self, number: int, mime: str = TGS_TYPE, kind: str = "sticker"):
        """Ask, wait for the answer, and return it with the state."""
        one, pictures = self.message(number, mime, kind), self.models.pictures
        if pictures.frames(one, BOX, fps=10) is None:
            while await self.arrived.get() != one.key:
                continue
        return pictures.frames(one, BOX, fps=10), pictures.state(one)

    @property
    def pid(self) -> int:
        pid = self.renderer.pid(FrameKind.TGS)
        assert pid is not None
        return pid


@asynccontextmanager
async def gallery(folder: Path, draw_s: float = DRAW_S):
    models, api, jobs = WindowModels(lambda: NOON), FakeEngineApi(), JobRunner()
    renderer = ProcessFrameRenderer(draw_s=draw_s)
    api.frames = renderer
    api.agents[1], api.chats[1] = agent(), chat()
    models.attach(api, jobs.spawn)
    try:
        yield Gallery(folder, models, api, renderer)
    finally:
        models.detach()
        await jobs.aclose()
        await renderer.aclose()
        models.deleteLater()


HURT = ["bomb", "endless_star", "self_eater", "many_stars", "nested_lists"]


@pytest.mark.parametrize("name", HURT)
async def test_a_sticker_made_to_hurt_is_one_line_and_the_next_is_drawn(qapp, tmp_path, expected_logs, name):
    expected_logs(LOG.format(2))
    async with gallery(tmp_path) as wall:
        wall.hang(1, stickers.harmless())
        wall.hang(2, getattr(stickers, name)())
        wall.hang(3, stickers.harmless(7))
        assert (await wall.frames(1))[1] is PictureState.READY
        assert await wall.frames(2) == (None, PictureState.BROKEN)
        assert (await wall.frames(3))[0].count == 30
        assert wall.models.pictures.frames(wall.message(2), BOX, fps=10) is None
        assert not wall.models.pictures._requests  # nobody tries it again


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_killed_while_frames_are_asked_for_one_is_lost(qapp, tmp_path, expected_logs):
    expected_logs(LOG.format(2) + "the process that draws it died")
    async with gallery(tmp_path, draw_s=60.0) as wall:  # nobody else shall end it, if it comes to work late
        wall.hang(1, stickers.harmless())
        wall.hang(2, stickers.many_stars())
        wall.hang(3, stickers.harmless(7))
        await wall.frames(1)
        pid, pictures = wall.pid, wall.models.pictures
        assert pictures.frames(wall.message(2), BOX, fps=10) is None
        while not is_busy(pid):  # noqa: ASYNC110 - another process, which tells nobody
            await asyncio.sleep(0.005)
        assert pictures.frames(wall.message(3), BOX, fps=10) is None
        os.kill(pid, signal.SIGKILL)
        assert await wall.frames(2) == (None, PictureState.BROKEN)
        assert (await wall.frames(3))[1] is PictureState.READY
        assert wall.pid != pid


def is_busy(pid: int) -> bool:
    return int(Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[11]) > 20


async def test_a_gif_moves_in_the_window_and_a_page_called_gif_is_one_line(qapp, tmp_path, expected_logs):
    expected_logs(LOG.format(2))
    async with gallery(tmp_path) as wall:
        wall.hang(1, hostile_files.endless_gif(), "image/gif", kind="gif")
        wall.hang(2, b"<html>", "image/gif", kind="gif")
        moving, state = await wall.frames(1, "image/gif", kind="gif")
        assert (moving.count, state) == (100, PictureState.READY)
        assert await wall.frames(2, "image/gif", kind="gif") == (None, PictureState.BROKEN)


async def test_a_moving_sticker_without_a_still_picture_shows_its_first_frame(qapp, tmp_path, expected_logs):
    expected_logs(LOG.format(2))
    async with gallery(tmp_path) as wall:
        wall.hang(1, stickers.harmless())
        wall.hang(2, stickers.nested_lists())
        pictures = wall.models.pictures
        for number in (1, 2):
            one = wall.message(number)
            if pictures.still(one, BOX) is None:
                while await wall.arrived.get() != one.key:
                    continue
        still = pictures.still(wall.message(1), BOX)
        assert (still.width(), still.height()) == (64, 64)
        assert pictures.state(wall.message(2)) is PictureState.BROKEN
