"""Broken picture files of every kind: each is a picture of the size that was asked for, or a refusal; memory stays.

The gate plays 120 of them, the campaign 1,000 (or CHIMEIN_CAMPAIGN_PICTURES).
"""

from __future__ import annotations

import os
import random
import resource
import sys
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
from chimein_gui.domain.errors import NotDrawableError
from chimein_gui.domain.messages import FrameKind
from chimein_gui.resource_files import resource_path
from chimein_gui.viewmodels.media.still_pictures import MEMORY_MB, UnreadablePictureError, read_still, set_up
from tests.support import photos, stickers
from tests.support.hostile_files import endless_gif

PICTURES = int(os.environ.get("CHIMEIN_CAMPAIGN_PICTURES", "1000"))
BOX = QSize(64, 64)
GROWN_KIB = 2 * MEMORY_MB * 1024
"""Most that the peak of the memory may rise: one picture being decoded, and what the allocator keeps of it."""


def whole(folder: Path) -> list[bytes]:
    """Return unbroken files of each kind."""
    own = sorted(resource_path("sandbox").rglob("*.webp"))
    return [
        photos.one_colour(folder / "a.png", 300, 200).read_bytes(),
        photos.one_colour(folder / "a.jpg", 300, 200).read_bytes(),
        photos.turned_jpeg(folder / "b.jpg", 300, 200).read_bytes(),
        own[0].read_bytes(),
        endless_gif(50),
    ]


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Return a file with one kind of damage."""
    made = bytearray(data)
    kind = dice.randrange(5)
    if kind == 0:
        for _ in range(dice.randrange(1, 20)):
            made[dice.randrange(len(made))] = dice.randrange(256)
    elif kind == 1:
        del made[dice.randrange(len(made)) :]
    elif kind == 2:  # numbers as large as they can be, mostly in the header
        at = dice.randrange(min(64, len(made)))
        made[at : at + dice.choice((1, 2, 4))] = b"\xff" * 4
    elif kind == 3:
        at = dice.randrange(len(made))
        made[at:at] = made[at : at + dice.randrange(1, 4096)] * dice.randrange(1, 40)
    else:
        at = dice.randrange(len(made))
        del made[at : at + dice.randrange(1, 64)]
    return bytes(made)


def play(folder: Path, count: int, seed: int) -> Counter[str]:
    """Read that many broken pictures; returns how they ended."""
    dice, unbroken = random.Random(seed), whole(folder)
    ends: Counter[str] = Counter()
    for number in range(count):
        path = folder / "broken"
        path.write_bytes(mutated(unbroken[number % len(unbroken)], dice))
        try:
            image = read_still(path, BOX)
        except UnreadablePictureError as error:
            ends[error.state] += 1
        else:
            assert not image.isNull()
            assert image.format() == QImage.Format.Format_ARGB32_Premultiplied
            assert image.width() <= BOX.width()
            assert image.height() <= BOX.height()
            ends["shown"] += 1
    return ends


def peak_kib() -> int:
    """Return the most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def check(folder: Path, count: int) -> Counter[str]:
    set_up()
    play(folder, 20, seed=0)
    before = peak_kib()
    ends = play(folder, count, seed=1)
    assert sum(ends.values()) == count
    assert len(ends) > 1, "some were too broken, and some were not"
    assert peak_kib() - before < GROWN_KIB
    return ends


def test_broken_pictures_are_shown_or_refused(qapp: object, tmp_path: Path) -> None:
    check(tmp_path, 120)


@pytest.mark.campaign
def test_a_thousand_broken_pictures_are_shown_or_refused(qapp: object, tmp_path: Path) -> None:
    sys.stdout.write(f"\n{PICTURES} broken pictures: {dict(check(tmp_path, PICTURES))}\n")


@pytest.mark.campaign
async def test_a_hundred_broken_stickers_leave_the_process_to_the_others(tmp_path: Path) -> None:
    dice, ends = random.Random(1), Counter[str]()
    renderer = ProcessFrameRenderer()
    try:
        for number in range(PICTURES // 10):
            path = tmp_path / str(number)
            path.write_bytes(mutated(stickers.harmless(number), dice))
            try:
                await renderer.render(path, FrameKind.TGS, 64, fps=10)
                ends["drawn"] += 1
            except NotDrawableError:
                ends["refused"] += 1
        fine = tmp_path / "fine"
        fine.write_bytes(stickers.harmless())
        assert (await renderer.render(fine, FrameKind.TGS, 64, fps=10)).packed
    finally:
        await renderer.aclose()
    sys.stdout.write(f"\nbroken stickers: {dict(ends)}\n")


def test_of_an_endless_animation_one_frame_is_read(qapp: object, tmp_path: Path) -> None:
    path = tmp_path / "endless"
    path.write_bytes(endless_gif())
    before = peak_kib()
    assert read_still(path, BOX).size() == QSize(8, 8)
    assert peak_kib() - before < GROWN_KIB
