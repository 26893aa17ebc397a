"""The size of pictures by their first bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImageReader

from chimein_gui.domain.media.picture_size import is_bomb, size_of
from chimein_gui.resource_files import resource_path
from tests.support import hostile_files, photos

OWN = resource_path("sandbox") / "media"


def test_the_header_says_how_large_a_picture_is(tmp_path: Path) -> None:
    assert size_of(photos.one_colour(tmp_path / "a.png", 30, 20).read_bytes()) == (30, 20)
    assert size_of(photos.one_colour(tmp_path / "a.jpg", 300, 200).read_bytes()) == (300, 200)
    assert size_of(photos.turned_jpeg(tmp_path / "b.jpg", 300, 200).read_bytes()) == (300, 200)
    assert size_of(hostile_files.endless_gif(1)) == (8, 8)
    own = [*sorted(OWN.rglob("*.webp")), *sorted(OWN.rglob("*.jpg"))]
    assert own
    for path in own:
        assert size_of(path.read_bytes()) == QImageReader(str(path)).size().toTuple()


def test_bombs_are_known_by_their_headers(tmp_path: Path) -> None:
    assert is_bomb(photos.huge_png(tmp_path / "a.png").read_bytes())
    assert is_bomb(hostile_files.webp_bomb())
    assert is_bomb(hostile_files.wide_gif())
    assert not is_bomb(photos.one_colour(tmp_path / "a.jpg", 2_560, 2_560).read_bytes())


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 ", b"GIF89a", b"<html>"]
)
def test_what_is_cut_off_or_no_picture_has_no_size(data: bytes) -> None:
    assert size_of(data) == (0, 0)
