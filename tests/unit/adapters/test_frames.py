"""Stickers are drawn by a real process, and whatever that process meets, the next sticker is drawn."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import struct
import sys
import zlib
from pathlib import Path

import pytest

from chimein_gui.adapters.frames import drawing as drawing_module
from chimein_gui.adapters.frames import gif as gif_module
from chimein_gui.adapters.frames import lottie
from chimein_gui.adapters.frames import renderer as renderer_module
from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
from chimein_gui.domain.errors import NotDrawableError
from chimein_gui.domain.messages import FrameKind
from chimein_gui.resource_files import resource_path
from tests.support import hostile_files, stickers

TGS = FrameKind.TGS
OWN = resource_path("sandbox", "media", "stickers", "lantern-dance.tgs")


@pytest.fixture
def put(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


class Drawing:
    """A renderer that is closed at the end."""

    def __init__(self, **options):
        self.renderer = ProcessFrameRenderer(**options)

    async def __aenter__(self):
        return self.renderer

    async def __aexit__(self, *_exc):
        await self.renderer.aclose()


async def refused(renderer, path, kind=TGS):
    with pytest.raises(NotDrawableError) as caught:
        await renderer.render(path, kind, 96)
    return str(caught.value)


async def test_a_sticker_becomes_frames_that_differ(put):
    async with Drawing() as renderer:
        assert renderer.pid(TGS) is None  # nothing runs before it is needed
        frames = await renderer.render(put("1", stickers.harmless()), TGS, 96, fps=10)
    assert (frames.width, frames.height, frames.fps, len(frames.packed)) == (96, 96, 10, 30)
    pixels = {zlib.decompress(packed) for packed in frames.packed}
    assert {len(one) for one in pixels} == {96 * 96 * 4}
    assert len(pixels) > 5
    assert frames.size == sum(map(len, frames.packed)) < 30 * 96 * 96


async def test_all_of_ours_are_drawn():
    async with Drawing() as renderer:
        for path in sorted(OWN.parent.glob("*.tgs")):
            assert len(set((await renderer.render(path, TGS, 96)).packed)) > 10, path


async def busy(pid):
    """Return once the process works on something: it then has used a tenth of a second."""
    used = cpu_ticks(pid)
    while cpu_ticks(pid) < used + 10:  # noqa: ASYNC110 - another process, which tells nobody
        await asyncio.sleep(0)


def cpu_ticks(pid):
    return int(Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[11])


HOSTILE = {
    "no gzip": b"nonsense",
    "empty": b"",
    "cut off": stickers.harmless()[:-40],
    "unpacked": stickers.bomb,  # made by the test that needs it
    "no JSON": stickers.tgs(stickers.lottie())[:-8],
    "list": gzip.compress(b"[1, 2]"),
    "not a number": gzip.compress(b'{"w": NaN}'),
    "deep": stickers.nested_lists(),
    "star": stickers.endless_star(),
    "hour": stickers.tgs(stickers.lottie(frames=60 * 3600)),
    "canvas": stickers.tgs(stickers.lottie(w=10**9)),
    "layers": stickers.tgs(stickers.lottie(*[{"ty": 3}] * 2_000)),
    "odd": stickers.tgs(stickers.lottie(assets=7)),
    "file": b"\x1f\x8b" + b"x" * 2**20,
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_is_too_much_is_refused_and_the_process_lives(put, name):
    async with Drawing() as renderer:
        await renderer.render(put("good", stickers.harmless()), TGS, 32, fps=5)
        before = renderer.pid(TGS)
        assert await refused(renderer, put("bad", bad() if callable(bad := HOSTILE[name]) else bad))
        assert renderer.pid(TGS) == before
        await renderer.render(put("next", stickers.harmless()), TGS, 32, fps=5)


@pytest.mark.parametrize("name", ["many_stars", "self_eater"])
async def test_what_hangs_or_kills_the_process_is_remembered_and_the_next_is_drawn(put, name):
    async with Drawing(draw_s=1.0) as renderer:
        await renderer.render(put("good", stickers.harmless()), TGS, 32, fps=5)
        before = renderer.pid(TGS)
        path = put("bad", getattr(stickers, name)())
        why = await refused(renderer, path)
        assert "process that draws it died" in why or "took more than" in why
        assert (await renderer.render(put("next", stickers.harmless()), TGS, 32, fps=5)).packed
        after = renderer.pid(TGS)
        assert after not in {None, before}
        assert await refused(renderer, path) == why
        assert renderer.pid(TGS) == after  # it was not even asked


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_a_process_killed_in_the_middle_gives_one_refusal(put):
    async with Drawing(draw_s=30.0) as renderer, asyncio.TaskGroup() as group:
        await renderer.render(put("good", stickers.harmless()), TGS, 32, fps=5)
        pid = renderer.pid(TGS)
        asked = group.create_task(refused(renderer, put("bad", stickers.many_stars())))
        waiting = group.create_task(renderer.render(put("next", stickers.harmless()), TGS, 32, fps=5))
        await busy(pid)
        os.kill(pid, signal.SIGKILL)
        assert await asked == "the process that draws it died"
        assert (await waiting).packed


async def test_a_process_that_dies_between_two_stickers_costs_nothing(put):
    async with Drawing() as renderer:
        path = put("good", stickers.harmless())
        await renderer.render(path, TGS, 32, fps=5)
        worker = renderer._lanes[TGS]._worker
        os.kill(renderer.pid(TGS), signal.SIGKILL)
        worker._process.wait()
        assert (await renderer.render(path, TGS, 32, fps=5)).packed


async def test_it_opens_no_file_that_a_sticker_names(put, tmp_path):
    secret = tmp_path / "secret.png"
    os.mkfifo(secret)  # whoever opens it for reading hangs
    async with Drawing() as renderer:
        frames = await renderer.render(put("1", stickers.picture_from_disk(str(secret))), TGS, 32, fps=5)
        assert not any(zlib.decompress(frames.packed[0]))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_it_has_taken_its_rights_away_and_sees_no_secrets(put, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "sesame")
    async with Drawing() as renderer:
        await renderer.render(put("1", stickers.harmless()), TGS, 32, fps=5)
        process = Path(f"/proc/{renderer.pid(TGS)}")
        lines = process.joinpath("limits").read_text("ascii").splitlines()
        limits = {line[:26].strip(): line[26:].split()[0] for line in lines}
        assert limits["Max open files"] == limits["Max file size"] == limits["Max core file size"] == "0"
        assert int(limits["Max address space"]) < 4 * 2**30
        assert int(limits["Max cpu time"]) < 60
        assert b"sesame" not in process.joinpath("environ").read_bytes()
        assert "PySide6" not in process.joinpath("maps").read_text("utf-8")


async def test_what_never_starts_is_given_up(put, monkeypatch):
    monkeypatch.setattr(renderer_module, "FIRST_PAUSE_S", 0.0)
    async with Drawing(command=lambda _kind: [sys.executable, "-c", "raise SystemExit(1)"]) as renderer:
        assert renderer.draws(TGS)
        for number in range(renderer_module.HOPELESS):
            assert "did not start" in await refused(renderer, put(str(number), stickers.harmless()))
        assert not renderer.draws(TGS)


NONSENSE = """
import sys, struct, json
def say(header, body=b"", length=None):
    text = json.dumps(header).encode()
    sys.stdout.buffer.write(struct.pack(">II", len(text), len(body) if length is None else length) + text + body)
    sys.stdout.buffer.flush()
say({"ready": True})
sys.stdin.buffer.read(8)
"""


@pytest.mark.parametrize(
    "answer",
    [
        "say({'width': 100000, 'height': 100000, 'fps': 30, 'is_premultiplied': True, 'sizes': [1]}, b'x')",
        "say({'width': 10, 'height': 10, 'fps': 30, 'is_premultiplied': True, 'sizes': [-1, 2]}, b'x')",
        "say({'width': 10})",
        "say({}, length=2**31)",
        "sys.stdout.buffer.write(b'GET / HTTP/1.1'); sys.stdout.flush()",
    ],
)
async def test_it_is_not_believed(put, answer):
    command = [sys.executable, "-c", f"{NONSENSE}\n{answer}"]
    async with Drawing(command=lambda _kind: command) as renderer:
        assert await refused(renderer, put("1", stickers.harmless()))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_closing_ends_a_drawing_that_hangs(put):
    async with asyncio.TaskGroup() as group:
        async with Drawing(draw_s=600.0) as renderer:
            await renderer.render(put("good", stickers.harmless()), TGS, 32, fps=5)
            asked = group.create_task(refused(renderer, put("bad", stickers.many_stars())))
            await busy(renderer.pid(TGS))
        assert "died" in await asked


async def test_without_the_library_nothing_is_drawn(monkeypatch):
    monkeypatch.setattr(renderer_module, "find_spec", lambda name: None)
    async with Drawing() as renderer:
        assert not renderer.draws(TGS)
        assert not renderer.draws(FrameKind.WEBM)


def test_a_slow_one_is_drawn_with_fewer_frames(monkeypatch):
    monkeypatch.setattr(lottie, "BUSY_S", 0.0)
    drawing = lottie.draw(stickers.harmless(), 64, 30)
    assert (drawing.fps, len(drawing.packed)) == (lottie.LEAST_FPS, 3 * lottie.LEAST_FPS)


async def test_video_stickers_keep_what_is_transparent():
    pytest.importorskip("av", reason="the extra `video` is not installed")
    async with Drawing(draw_s=10.0) as renderer:
        frames = await renderer.render(OWN.with_name("boat-sail.webm"), FrameKind.WEBM, 96, fps=10)
    pixels = zlib.decompress(frames.packed[0])
    assert len(frames.packed) > 5
    assert not frames.is_premultiplied
    assert {0, 255} <= set(pixels[3::4])


def size_of_png(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def rows_of_png(data):
    """Return the bytes of all rows; each begins with its filter."""
    length = struct.unpack(">I", data[33:37])[0]
    return zlib.decompress(data[41 : 41 + length])


async def test_six_frames_of_a_sticker_come_as_one_picture_on_white(put):
    async with Drawing() as renderer:
        sheet = await renderer.sheet(OWN, TGS, 64, 6)
        frames = await renderer.render(OWN, TGS, 64)
        with pytest.raises(NotDrawableError):
            await renderer.sheet(put("bad", stickers.bomb()), TGS, 64, 6)
    width, height = size_of_png(sheet)
    assert (width, height) == (3 * frames.width, 2 * frames.height)
    rows = rows_of_png(sheet)
    assert len(rows) == height * (1 + 3 * width)
    assert rows[1:4] == b"\xff\xff\xff"  # a corner, where the sticker is transparent
    assert any(rows[1 + x] != 0xFF for x in range(3 * width * height // 2))


@pytest.mark.parametrize(
    ("name", "kind"), [("stickers/boat-sail.webm", FrameKind.WEBM), ("files/waves-gif.mp4", FrameKind.VIDEO)]
)
async def test_so_do_six_frames_of_a_video(name, kind):
    pytest.importorskip("av", reason="the extra `video` is not installed")
    async with Drawing(draw_s=10.0) as renderer:
        sheet = await renderer.sheet(OWN.parents[1] / name, kind, 64, 6)
    assert size_of_png(sheet)[0] == 3 * 64
    assert len(set(rows_of_png(sheet))) > 10


def gif(*delays_cs: int, side: int = 40) -> bytes:
    """Return a GIF with a frame of one colour for each delay, black and white in turn."""
    head = b"GIF89a" + struct.pack("<HHBBB", side, side, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    frames = b""
    for number, delay in enumerate(delays_cs):
        codes = (4, number % 2) * side * side
        packed = sum(code << 3 * at for at, code in enumerate((*codes, 5)))
        data = packed.to_bytes(3 * (len(codes) + 1) // 8 + 1, "little")
        blocks = b"".join(bytes([len(part)]) + part for at in range(0, len(data), 255) if (part := data[at : at + 255]))
        control = b"\x21\xf9\x04\0" + struct.pack("<H", delay) + b"\0\0"
        frames += control + b"\x2c" + struct.pack("<HHHHB", 0, 0, side, side, 0) + b"\x02" + blocks + b"\0"
    return head + frames + b";"


async def test_a_gif_moves_without_the_extra_at_its_own_pace(put):
    path = put("gif", gif(20, 40, 20))
    async with Drawing() as renderer:
        assert renderer.draws(FrameKind.GIF)
        frames = await renderer.render(path, FrameKind.GIF, 20, fps=30)
        sheet = await renderer.sheet(path, FrameKind.GIF, 20, 6)
    shown = [zlib.decompress(one)[0] for one in frames.packed]
    assert (frames.width, frames.height, frames.fps, shown) == (20, 20, 5.0, [0, 255, 255, 0])
    assert frames.is_premultiplied
    assert size_of_png(sheet) == (60, 20)  # three that differ from the one before


async def test_of_an_endless_gif_ten_seconds_are_drawn(put):
    async with Drawing() as renderer:
        frames = await renderer.render(put("gif", hostile_files.endless_gif()), FrameKind.GIF, 64, fps=30)
        assert len(frames.packed) == 100
        assert "no sensible size" in await refused(renderer, put("wide", hostile_files.wide_gif()), FrameKind.GIF)
        assert "size" in await refused(renderer, put("page", b"<html>"), FrameKind.GIF)


async def test_what_takes_too_long_or_gets_too_large_ends_there(monkeypatch):
    data = gif(*[10] * 50)
    monkeypatch.setattr(drawing_module, "BUSY_S", 0.0)
    assert len(gif_module.draw(data, 40, 30).packed) == 1
    monkeypatch.setattr(drawing_module, "BUSY_S", 60.0)
    monkeypatch.setattr(drawing_module, "MOST_BYTES", 100)
    assert len(gif_module.draw(data, 40, 30).packed) < 10


@pytest.mark.parametrize(("name", "least"), [("waves-gif.mp4", 20), ("lake-evening.mp4", 20)])
async def test_a_video_moves(name, least):
    pytest.importorskip("av", reason="the extra `video` is not installed")
    async with Drawing(draw_s=10.0) as renderer:
        frames = await renderer.render(OWN.parents[1] / "files" / name, FrameKind.VIDEO, 64, fps=30)
    assert len(set(frames.packed)) >= least
    assert 10 <= frames.fps <= 15
    assert len(frames.packed) / frames.fps <= 10.1


@pytest.mark.parametrize("openly", [True, False])
async def test_a_video_of_four_hundred_megapixels_is_refused(put, openly):
    pytest.importorskip("av", reason="the extra `video` is not installed")
    async with Drawing(draw_s=10.0) as renderer:
        path = put("huge", hostile_files.huge_webm(openly=openly))
        assert "size" in await refused(renderer, path, FrameKind.WEBM)
        assert "size" in await refused(renderer, path, FrameKind.VIDEO)
