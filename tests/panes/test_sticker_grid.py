"""The grid of moving stickers: fast where the eye is, still when nobody looks or nothing may move."""

from __future__ import annotations

import zlib

import pytest
from PySide6.QtCore import QObject, QPoint, QSize, Signal
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from chimein_gui.engine.ports import Frames
from chimein_gui.ui.widgets.rows.sticker_grid import CELL, FAST_FPS, SIDE, SLOW_FPS, StickerCell, StickerGrid
from chimein_gui.ui.widgets.theme.theme import Scheme, Theme
from chimein_gui.viewmodels.media.frame_strip import FrameStrip


class Shelf(QObject):
    """Pictures of stickers that are there at once: red and blue at full speed, green and black otherwise."""

    changed = Signal(object)

    def __init__(self):
        super().__init__()
        self.asked: list[tuple[object, int]] = []
        self.missing: set[object] = set()
        self._strips = {
            fps: FrameStrip(Frames(SIDE, SIDE, fps, tuple(zlib.compress(one * SIDE * SIDE) for one in colours)))
            for fps, colours in {
                FAST_FPS: (b"\0\0\xff\xff", b"\xff\0\0\xff"),
                SLOW_FPS: (b"\0\xff\0\xff", b"\0\0\0\xff"),
            }.items()
        }

    def still(self, key: object, size: QSize) -> QImage | None:
        if key in self.missing:
            return None
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(QColor("white"))
        return image

    def frames(self, key: object, size: QSize, *, fps: int = FAST_FPS) -> FrameStrip | None:
        self.asked.append((key, fps))
        return None if key in self.missing else self._strips[fps]


@pytest.fixture
def grid(qtbot):
    made = StickerGrid(Theme(Scheme.LIGHT), Shelf())
    made.stickers.set_cells([StickerCell(number, f"<b>star</b> {number}") for number in range(200)])
    made.resize(5 * CELL.width() + 30, 4 * CELL.height())
    qtbot.addWidget(made)
    return made


@pytest.fixture
def shown(grid, qtbot):
    grid.show()
    qtbot.waitExposed(grid)
    QTest.mouseMove(grid.viewport(), QPoint(5 * CELL.width() + 5, 5))
    return grid


def colour(grid, row):
    at = grid.visualRect(grid.stickers.index(row)).center()
    return grid.viewport().grab().toImage().pixelColor(at)


def test_it_moves_only_where_it_can_be_seen(shown, qtbot):
    shelf = shown._pictures
    qtbot.waitUntil(lambda: {fps for _, fps in shelf.asked} == {SLOW_FPS})
    assert max(key for key, _ in shelf.asked) < 25
    assert shown.rows_in_sight() == range(20)
    shown.verticalScrollBar().setValue(shown.verticalScrollBar().maximum())
    shelf.asked.clear()
    qtbot.waitUntil(lambda: any(key == 199 for key, _ in shelf.asked))
    assert min(key for key, _ in shelf.asked) >= 180


def test_hidden_it_stops_and_shown_again_it_goes_on(shown, qtbot):
    assert shown.is_moving
    shown.hide()
    assert not shown.is_moving
    shown.show()
    assert shown.is_moving
    shown.stickers.set_cells([])
    assert not shown.is_moving


def test_with_reduced_motion_it_stands_still(shown, qtbot):
    shown._theme.set_still(still=True)
    assert not shown.is_moving
    assert colour(shown, 0) == QColor("white")
    shown._theme.set_still(still=False)
    assert shown.is_moving
