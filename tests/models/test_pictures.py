"""Pictures of messages: asked once, judged before they are decoded, kept while there is room."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImageReader

from chimein_gui.domain.agents import Health
from chimein_gui.domain.errors import MediaTrouble
from chimein_gui.domain.messages import Media
from chimein_gui.resource_files import resource_path
from chimein_gui.viewmodels.core.byte_cache import ByteCache
from chimein_gui.viewmodels.media import pictures as pictures_module
from chimein_gui.viewmodels.media import still_pictures
from chimein_gui.viewmodels.media.picture_requests import PictureRequest, file_key, is_thumbnail
from chimein_gui.viewmodels.media.still_pictures import PictureState
from tests.fakes.engine_api import agent, message
from tests.support import photos

BOX = QSize(64, 64)
OWN = resource_path("sandbox", "media", "stickers", "otter-wave.webp")
LOG = r"WARNING chimein_gui.viewmodels.media.pictures: The picture of file \d+ is not shown: "


@pytest.fixture
def photo(tmp_path):
    return photos.one_colour(tmp_path / "1.png", 400, 200)


def photo_message(number=1, file_id=501):
    return message(number, "", media_kind="photo", media=Media(file_id=file_id, width=400, height=200))


def sticker_message(number=1, file_id=601, mime="application/x-tgsticker"):
    return message(number, "", media_kind="sticker", media=Media(file_id=file_id, mime_type=mime))


@pytest.fixture
def changes(room):
    room.attach()
    seen: list[object] = []
    room.models.pictures.changed.connect(seen.append)
    return seen


@pytest.fixture
def look(room, qtbot, changes):
    """Ask for a still and wait for what becomes of it."""

    def ask(one, path=None, box=BOX, thumbnail=False):
        if path is not None:
            room.api.media_files.put(one.key, path, thumbnail=thumbnail)
        changes.clear()
        if room.models.pictures.still(one, box) is None:
            room.settle()
            qtbot.waitUntil(lambda: bool(changes))
        return room.models.pictures.still(one, box)

    return ask


def test_a_photo_comes_in_its_own_proportions_and_is_asked_for_once(room, qtbot, changes, photo):
    pictures, one = room.models.pictures, photo_message()
    room.api.media_files.put(one.key, photo)
    assert pictures.state(one) is PictureState.WAITING
    assert [pictures.still(one, BOX) for _ in range(2)] == [None, None]
    room.settle()
    qtbot.waitUntil(lambda: bool(changes))
    assert changes == [one.key]
    image = pictures.still(one, BOX)
    assert image.size() == QSize(64, 32)
    assert image.pixelColor(5, 5) == QColor("teal")
    assert pictures.state(one) is PictureState.READY
    assert room.api.media_files.asked == [(one.key, False)]


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp"])
def test_what_is_allowed_is_read_whatever_its_name_says(look, tmp_path, suffix):
    path = photos.one_colour(tmp_path / f"1.{suffix}", 100, 100)
    assert look(photo_message(), path.rename(tmp_path / "777")).size() == BOX


def test_a_photo_that_lies_on_its_side_is_turned(look, tmp_path):
    assert look(photo_message(), photos.turned_jpeg(tmp_path / "1.jpg", 400, 200)).size() == QSize(32, 64)


def test_messages_with_the_same_file_share_it(room, qtbot, changes, photo):
    pictures, one, two = room.models.pictures, photo_message(1), photo_message(2)
    room.api.media_files.put(one.key, photo)
    assert pictures.still(one, BOX) is None
    assert pictures.still(two, BOX) is None
    room.settle()
    qtbot.waitUntil(lambda: len(changes) == 2)
    assert set(changes) == {one.key, two.key}
    assert pictures.still(two, BOX) is not None
    assert len(room.api.media_files.asked) == 1


def svg(path):
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///"/></svg>')
    return path


def cut_webp(path):
    shutil.copy(OWN, path)
    return photos.cut(path)


def huge_webp(path):
    shutil.copy(OWN, path)
    data = bytearray(path.read_bytes())
    assert data[12:16] == b"VP8X"
    data[24:30] = (16_383).to_bytes(3, "little") * 2
    path.write_bytes(data)
    return path


BROKEN = {
    "huge": (photos.huge_png, PictureState.TOO_BIG),
    "huge header": (huge_webp, PictureState.TOO_BIG),
    "cut webp": (cut_webp, PictureState.BROKEN),
    "cut png": (lambda path: photos.cut(photos.huge_png(path, 1_000)), PictureState.BROKEN),
    "cut jpeg": (
        lambda path: photos.cut(photos.one_colour(path.with_suffix(".jpg"), 999, 999), 0.9),
        PictureState.BROKEN,
    ),
    "svg": (svg, PictureState.BROKEN),
    "empty": (lambda path: path.touch() or path, PictureState.BROKEN),
    "missing": (lambda path: path, PictureState.BROKEN),
    "folder": (lambda path: path.mkdir() or path, PictureState.BROKEN),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_shown_is_a_state_and_one_log_line(room, look, tmp_path, expected_logs, name):
    make, state = BROKEN[name]
    one = photo_message()
    expected_logs(LOG)
    assert look(one, make(tmp_path / "1")) is None
    assert room.models.pictures.state(one) is state
    for box in (BOX, QSize(9, 9)):  # neither the same nor another size is tried again
        assert room.models.pictures.still(one, box) is None
    room.settle()
    assert len(room.api.media_files.asked) == 1
    assert not room.models.pictures._requests


def test_a_picture_without_a_file_is_no_news_for_the_log(room, look):
    one = sticker_message(mime="video/webm")
    assert look(one) is None
    assert room.models.pictures.state(one) is PictureState.BROKEN
    assert room.api.media_files.asked == [(one.key, True)]


def test_what_was_offline_is_asked_for_again_when_the_account_is_back(room, look, changes, photo):
    one = photo_message()
    room.api.media_files.fail(one.key, MediaTrouble.OFFLINE)
    assert look(one) is None
    assert room.models.pictures.state(one) is PictureState.OFFLINE
    assert room.models.pictures.still(one, BOX) is None
    assert len(room.api.media_files.asked) == 1
    changes.clear()
    room.put_agent(agent(health=Health.CONNECTING))
    assert not changes
    room.put_agent(agent(health=Health.ONLINE))
    assert changes == [one.key]
    assert room.models.pictures.state(one) is PictureState.WAITING
    assert look(one, photo) is not None


def test_what_has_to_wait_is_asked_for_again_then(room, look, qtbot, changes, photo):
    one = photo_message()
    room.api.media_files.fail(one.key, MediaTrouble.WAIT, retry_after_s=0.01)
    assert look(one) is None
    assert room.models.pictures.state(one) is PictureState.WAITING
    changes.clear()
    qtbot.waitUntil(lambda: changes == [one.key])
    assert look(one, photo) is not None


def test_what_is_not_visible_any_more_is_dropped(room, qtbot, changes, photo):
    pictures = room.models.pictures
    messages = [photo_message(number, 500 + number) for number in range(20)]
    for one in messages:
        room.api.media_files.put(one.key, photo)
        pictures.still(one, BOX)
    pictures.forget_hidden()
    pictures.still(messages[0], BOX)  # still there
    pictures.forget_hidden()
    while pictures._requests:
        room.settle()
        qtbot.wait(1)
    # Whoever shows one of them after all hears of it and asks again.
    assert sorted(key.message_id for key in changes) == list(range(20))
    assert len(pictures._stills) == 1
    assert len(room.api.media_files.asked) <= pictures_module.AT_ONCE + 1
    assert pictures.still(messages[0], BOX) is not None


def test_only_a_few_are_made_at_once_and_what_was_asked_last_comes_first(room, changes, photo):
    pictures = room.models.pictures
    messages = [photo_message(number, 500 + number) for number in range(20)]
    for one in messages:
        pictures.still(one, BOX)
    assert len(room.api.media_files.asked) == pictures_module.AT_ONCE
    room.settle()  # none has a file, so the next four are asked for, from the end
    assert room.api.media_files.asked[pictures_module.AT_ONCE][0] == messages[-1].key


def test_an_animated_sticker_has_frames_and_a_still(room, look, changes, photo):
    pictures, one = room.models.pictures, sticker_message()
    room.api.media_files.put(one.key, photo)
    assert pictures.frames(one, BOX, fps=10) is None
    room.settle()
    assert changes == [one.key]
    strip = pictures.frames(one, BOX, fps=10)
    assert (strip.width, strip.count, strip.fps, strip.duration_s) == (64, 2, 10, 0.2)
    assert [strip.number_at(seconds) for seconds in (0, 0.1, 0.25)] == [0, 1, 0]
    assert [strip.image(number).pixelColor(3, 3) for number in (0, 1)] == [QColor("red"), QColor("blue")]
    assert pictures.state(one) is PictureState.READY
    assert look(one, photo, thumbnail=True) is not None
    assert room.api.media_files.asked == [(one.key, False), (one.key, True)]
    assert [asked[2:] for asked in room.api.frames.asked] == [(64, 10)]


def test_a_sticker_that_cannot_be_drawn_keeps_its_still(room, look, changes, photo, expected_logs):
    pictures, one = room.models.pictures, sticker_message()
    room.api.frames.broken.add(photo)
    room.api.media_files.put(one.key, photo)
    expected_logs(LOG + "it is broken")
    assert pictures.frames(one, BOX) is None
    room.settle()
    assert pictures.state(one) is PictureState.BROKEN
    assert pictures.frames(one, BOX) is None
    assert len(room.api.frames.asked) == 1
    assert look(one, photo, thumbnail=True) is not None
    assert pictures.state(one) is PictureState.READY


@pytest.mark.parametrize(
    "one", [photo_message(), sticker_message(mime="image/webp"), sticker_message(mime="video/webm")]
)
def test_what_does_not_move_or_cannot_be_drawn_here_has_no_frames(room, changes, one):
    assert room.models.pictures.frames(one, BOX) is None
    assert not room.api.media_files.asked


def test_frames_of_another_length_than_they_say_are_not_drawn(room, changes, photo, monkeypatch):
    pictures, one = room.models.pictures, sticker_message()
    room.api.media_files.put(one.key, photo)
    real = room.api.frames.render

    async def short(*asked, **how):
        return replace(await real(*asked, **how), height=65)

    monkeypatch.setattr(room.api.frames, "render", short)
    pictures.frames(one, BOX)
    room.settle()
    assert pictures.frames(one, BOX).image(0).isNull()


def test_the_cache_keeps_what_was_used_last():
    cache: ByteCache[str, int] = ByteCache(100)
    for name in "abc":
        cache.put(name, 1, 40)
        cache.get("a")
    assert ("a" in cache, "b" in cache, "c" in cache, cache.size) == (True, False, True, 80)
    cache.put("a", 2, 10)
    assert (cache.get("a"), cache.size) == (2, 50)
    cache.put("large", 3, 1_000)
    assert (len(cache), cache.get("large")) == (1, 3)


def test_decoders_may_not_take_more_than_said(changes):
    assert QImageReader.allocationLimit() == still_pictures.MEMORY_MB == 64


def test_a_file_that_comes_after_the_end_starts_no_thread(room, changes, photo):
    one = photo_message()
    room.api.media_files.put(one.key, photo)
    assert room.models.pictures.still(one, BOX) is None
    room.models.pictures.detach()
    room.settle()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pictures")]


@pytest.mark.parametrize(("size", "thumbnail"), [(10**6, False), (10**7, True)])
def test_of_a_large_gif_the_small_picture_is_shown(size, thumbnail):
    one = message(1, "", media_kind="gif", media=Media(file_id=1, mime_type="image/gif", size=size))
    assert is_thumbnail(PictureRequest((file_key(one), 64, 64, 0), one)) is thumbnail
    assert not is_thumbnail(PictureRequest((file_key(one), 64, 64, 10), one)), "it moves when that is wanted"
