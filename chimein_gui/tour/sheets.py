"""Contact sheets of the tour: nine pictures a sheet with their names, so that all of them can be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

if TYPE_CHECKING:
    from pathlib import Path

ACROSS, DOWN = 3, 3
CELL = QSize(720, 450)
NAME, GAP = 24, 12
FOLDER = "sheets"


def write_sheets(folder: Path, pictures: list[str]) -> list[Path]:
    """Put the pictures of a folder on sheets, in the order of their names; returns the sheets."""
    target = folder / FOLDER
    target.mkdir(exist_ok=True)
    for old in target.glob("*.png"):
        old.unlink()
    ordered = sorted(set(pictures))
    made: list[Path] = []
    for first in range(0, len(ordered), ACROSS * DOWN):
        path = target / f"{len(made) + 1:02}.png"
        if not _sheet(folder, ordered[first : first + ACROSS * DOWN]).save(str(path)):
            raise OSError(f"{path} could not be written")
        made.append(path)
    return made


def _sheet(folder: Path, names: list[str]) -> QImage:
    width, height = CELL.width() + GAP, CELL.height() + NAME + GAP
    sheet = QImage(ACROSS * width + GAP, DOWN * height + GAP, QImage.Format.Format_RGB32)
    sheet.fill(QColor(128, 128, 128))
    painter = QPainter(sheet)
    painter.setPen(QColor(255, 255, 255))
    for place, name in enumerate(names):
        left, top = GAP + place % ACROSS * width, GAP + place // ACROSS * height
        painter.drawText(QRectF(left, top, CELL.width(), NAME), Qt.AlignmentFlag.AlignVCenter, name)
        picture = QImage(str(folder / name))
        if picture.width() > CELL.width() or picture.height() > CELL.height():
            mode, way = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            picture = picture.scaled(CELL, mode, way)
        painter.drawImage(left, top + NAME, picture)
    painter.end()
    return sheet
