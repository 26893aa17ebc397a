"""Paints a file in the grid or the list, and the heading of a group."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap

from chimein_gui.domain.media.records import DescriptionStatus
from chimein_gui.ui.panes.media.grid.layout import END, SIDE, Sizes
from chimein_gui.ui.widgets.surfaces.surface import soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of, draw_ground, draw_ring
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import is_turned
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media_library.groups import moves
from chimein_gui.viewmodels.media_library.words import (
    curated_words,
    emoji_of,
    group_details,
    group_words,
    name_words,
    status_words,
)

if TYPE_CHECKING:
    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.media_library.groups import Group

translate = QCoreApplication.translate

PREVIEW = 84.0
PAD = 8.0
CHIP_PAD, CHIP_ICON = 6.0, 12.0
LINE_PREVIEW = 32.0
BAR = 80.0
LINK_GAP = 8.0
NAME_LEAST, NAME_MOST, NAME_SHARE = 110.0, 240.0, 0.3
"""Width of the names in the list: at least, at most, and of the room for names and texts."""
WAVE_BAR, WAVE_GAP, WAVE_MOST, WAVE_LOUDEST = 2.0, 2.0, 44.0, 31

_SIGNS = {
    DescriptionStatus.CURATED: ("ok-circle", "ok"),
    DescriptionStatus.GENERATED: ("sparkle", "info"),
    DescriptionStatus.PENDING: ("hourglass", "attention"),
    DescriptionStatus.BUDGET: ("hourglass", "attention"),
    DescriptionStatus.TEMPORARY_FAILURE: ("refresh", "attention"),
    DescriptionStatus.PERMANENT_FAILURE: ("x-circle", "danger"),
    DescriptionStatus.UNSUPPORTED: ("block", "text2"),
}
_KINDS = {"voice": "mic", "audio": "music", "video": "video", "gif": "video", "photo": "image", "sticker": "sticker"}


def status_label(status: DescriptionStatus) -> IconLabel:
    """Return icon, word and colour of a state."""
    icon, token = _SIGNS[status]
    return IconLabel(icon, status_words(status), token)


@dataclass(frozen=True, slots=True)
class CellState:
    """How a cell is drawn now."""

    selected: bool = False
    focused: bool = False
    hovered: bool = False
    playing: bool = False


class CellPainter:
    """Draws with the fonts and colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._chips: dict[tuple[DescriptionStatus, int, float], QPixmap] = {}
        theme.changed.connect(self._chips.clear)
        theme.fonts_changed.connect(self._chips.clear)

    def sizes(self, *, is_list: bool) -> Sizes:
        """Return the sizes for the current size of texts."""
        body, meta = self._theme.metrics(Face.STRONG).height(), self._theme.metrics(Face.META_STRONG).height()
        heading = max(34, round(body + 16))
        if is_list:
            return Sizes(200, max(44, round(LINE_PREVIEW + 12)), heading, is_list=True)
        width = max(116, round(6.8 * body))
        return Sizes(width, round(PAD + PREVIEW + 8 + body + 6 + meta + 6 + PAD), heading)

    # --- cells ----------------------------------------------------------------------------------------------------

    def preview(self, rect: QRectF, *, is_list: bool) -> QRectF:
        """Return where the picture of a cell stands."""
        if is_list:
            middle = rect.center().y()
            return QRectF(rect.left() + 6, middle - LINE_PREVIEW / 2, LINE_PREVIEW, LINE_PREVIEW)
        return QRectF(rect.center().x() - PREVIEW / 2, rect.top() + PAD, PREVIEW, PREVIEW)

    def paint(
        self,
        painter: QPainter,
        rect: QRectF,
        entry: MediaEntry,
        image: QImage | None,
        state: CellState,
        *,
        is_list: bool,
        has_picture: bool = False,
    ) -> None:
        """Paint a cell with its picture; without one an icon stands for it, unless the caller paints a picture."""
        theme = self._theme
        look = colours_of(
            theme,
            Role.ROW if is_list else Role.CARD,
            State(checked=state.selected, focused=state.focused and state.selected, hovered=state.hovered),
        )
        inside = rect.adjusted(1, 1, -1, -1)
        if is_list:
            if look.fill.alpha():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.fill)
                painter.drawRoundedRect(inside, 6, 6)
            draw_ring(painter, look, inside, 6)
        else:
            tint = colours_of(theme, Role.ROW, State(checked=state.selected, hovered=state.hovered)).fill
            draw_ground(painter, look._replace(fill=tint) if tint.alpha() else look, inside, 8)
        if not has_picture:
            self._paint_picture(painter, self.preview(rect, is_list=is_list), entry, image)
        if is_list:
            self._paint_line(painter, rect, entry)
        else:
            self._paint_below(painter, rect, entry, state)

    def _paint_picture(self, painter: QPainter, box: QRectF, entry: MediaEntry, image: QImage | None) -> None:
        if image is not None and not image.isNull():
            draw_fitted(painter, image, box)
            return
        if entry.media is not None and entry.media.waveform:
            draw_waveform(painter, self._theme, entry.media.waveform, box.adjusted(4, 0, -4, 0))
            return
        icon, side = _KINDS.get(entry.kind, "file"), min(28.0, box.width() - 8)
        place = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        if entry.kind == "sticker" and (emoji := emoji_of(entry)):
            font = self._theme.font(Face.TITLE)
            font.setPixelSize(max(14, round(box.height() * 0.42)))
            painter.setFont(font)
            painter.setPen(self._theme.color("text1"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, foreign_text.short(emoji, 2))
            return
        icons.draw(painter, icon, self._theme.color("text3"), place)

    def _paint_below(self, painter: QPainter, rect: QRectF, entry: MediaEntry, state: CellState) -> None:
        theme = self._theme
        left, right = rect.left() + PAD + 1, rect.right() - PAD - 1
        body = theme.metrics(Face.STRONG).height()
        middle = rect.top() + PAD + PREVIEW + 8 + body / 2
        right -= self._paint_uses(painter, entry, right, middle)
        name = foreign_text.line(name_words(entry), 60)
        at = QPointF(left, middle)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), at, name, right - left - 4)
        chip = rect.bottom() - PAD - (theme.metrics(Face.META_STRONG).height() + 4) / 2
        self.paint_chip(painter, entry.status, left - 1, chip, rect.width() - 2 * PAD)
        if moves(entry):
            icon = "pause-circle" if state.playing else "play"
            ink = theme.color("accent" if state.playing else "text3")
            icons.draw(painter, icon, ink, QRectF(rect.right() - PAD - 14, rect.top() + PAD - 1, 14, 14))

    def _paint_uses(self, painter: QPainter, entry: MediaEntry, right: float, middle: float) -> float:
        """Paint how often a file stood in prompts; return the width."""
        if not entry.uses:
            return 0.0
        theme, words = self._theme, f"×{entry.uses}"
        width = theme.metrics(Face.SMALL).horizontalAdvance(words)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right - width, middle), words)
        return width

    def _paint_line(self, painter: QPainter, rect: QRectF, entry: MediaEntry) -> None:
        theme, middle = self._theme, rect.center().y()
        left, right = rect.left() + LINE_PREVIEW + 16, rect.right() - PAD
        right -= max(40.0, self._paint_uses(painter, entry, right, middle))
        chip = self.chip_width(entry.status)
        self.paint_chip(painter, entry.status, right - chip, middle, chip)
        right -= max(chip, 110.0) + 8
        name = foreign_text.line(name_words(entry), 60)
        at = QPointF(left, middle)
        named = min(NAME_MOST, max(NAME_LEAST, NAME_SHARE * (right - left)))
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), at, name, named)
        words = foreign_text.line(entry.text, 300)
        at = QPointF(left + named + 10, middle)
        room = max(0.0, right - at.x())
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), at, words, room)

    def chip_width(self, status: DescriptionStatus) -> float:
        """Return the width of the chip of a state."""
        return (
            2 * CHIP_PAD + CHIP_ICON + 4 + self._theme.metrics(Face.META_STRONG).horizontalAdvance(status_words(status))
        )

    def paint_chip(self, painter: QPainter, status: DescriptionStatus, left: float, middle: float, room: float) -> None:
        """Paint a state as an icon and a word. It is painted once: a new line of the grid has six of them."""
        if is_turned(painter):
            self._paint_chip(painter, status, left, middle, room)
            return
        ratio = painter.device().devicePixelRatioF()
        key = status, round(room), ratio
        chip, height = self._chips.get(key), self._theme.metrics(Face.META_STRONG).height() + 4
        if chip is None:
            wide, high = ceil((self.chip_width(status) + 1) * ratio), ceil((height + 1) * ratio)
            chip = self._chips[key] = QPixmap(wide, high)
            chip.setDevicePixelRatio(ratio)
            chip.fill(Qt.GlobalColor.transparent)
            once = QPainter(chip)
            once.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_chip(once, status, 0, height / 2, room)
            once.end()
        painter.drawPixmap(QPointF(round(left), round(middle - height / 2)), chip)

    def _paint_chip(
        self, painter: QPainter, status: DescriptionStatus, left: float, middle: float, room: float
    ) -> None:
        theme, label = self._theme, status_label(status)
        metrics = theme.metrics(Face.META_STRONG)
        word = elided(metrics, label.word, max(0.0, room - 2 * CHIP_PAD - CHIP_ICON - 4))
        height = metrics.height() + 4
        width = 2 * CHIP_PAD + CHIP_ICON + 4 + metrics.horizontalAdvance(word)
        box, ink = QRectF(left, middle - height / 2, width, height), theme.color(label.token)
        if status is DescriptionStatus.UNSUPPORTED:
            painter.setPen(QPen(theme.color("line_strong"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            box = box.adjusted(0.5, 0.5, -0.5, -0.5)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(soft_ground(label.token)))
        painter.drawRoundedRect(box, 4, 4)
        icons.draw(painter, label.icon, ink, QRectF(left + CHIP_PAD, middle - CHIP_ICON / 2, CHIP_ICON, CHIP_ICON))
        at = QPointF(left + CHIP_PAD + CHIP_ICON + 4, middle)
        marks.draw_line(painter, theme.font(Face.META_STRONG), ink, at, word)

    # --- headings -------------------------------------------------------------------------------------------------

    def paint_heading(
        self, painter: QPainter, rect: QRectF, group: Group, curated: int, shown: int, *, is_open: bool
    ) -> None:
        """Paint the heading of a group: its name, who met it, how much of it is shown and curated."""
        theme, middle = self._theme, rect.center().y() + 2
        small, quiet = theme.font(Face.SMALL), theme.color("text2")
        left, right = rect.left() + SIDE, rect.right() - END
        count = len(group.entries)
        words = curated_words(curated, count)
        width = max(theme.metrics(Face.SMALL).horizontalAdvance(words), 100.0)
        at = QPointF(right - theme.metrics(Face.SMALL).horizontalAdvance(words), middle)
        marks.draw_line(painter, small, quiet, at, words)
        right -= width + 12
        self._paint_share(painter, QRectF(right - BAR, middle - 2, BAR, 4), curated / count if count else 0.0)
        right -= BAR + LINK_GAP
        if shown < count or is_open:
            link = self.link_words(group, is_open=is_open)
            width = theme.metrics(Face.SMALL_STRONG).horizontalAdvance(link)
            ink = theme.color("accent_text")
            marks.draw_line(painter, theme.font(Face.SMALL_STRONG), ink, QPointF(right - width, middle), link)
            right -= width + 12
        icon = "caret-down" if is_open else "caret-right"
        icons.draw(painter, icon, quiet, QRectF(left, middle - 6, 12, 12))
        title = foreign_text.line(group_words(group), 80)
        at = QPointF(left + 20, middle)
        room = right - at.x()
        used = marks.draw_line(painter, theme.font(Face.STRONG), theme.color("text1"), at, title, room)
        details, at = foreign_text.line(group_details(group), 80), QPointF(at.x() + used + 10, middle)
        if room - used > 40:
            marks.draw_line(painter, small, quiet, at, details, right - at.x())

    def link_words(self, group: Group, *, is_open: bool) -> str:
        """Return what opens or closes a group."""
        if is_open:
            return translate("MediaGrid", "Show one row")
        return translate("MediaGrid", "Show all {count}").format(count=len(group.entries))

    def _paint_share(self, painter: QPainter, box: QRectF, share: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for width, token in ((box.width(), "track"), (box.width() * share, "ok")):
            painter.setBrush(self._theme.color(token))
            painter.drawRoundedRect(QRectF(box.left(), box.top(), width, box.height()), 2, 2)


def draw_waveform(painter: QPainter, theme: Theme, levels: bytes, box: QRectF) -> None:
    """Paint how loud a voice message is, from 0 to 31 at each moment, around the middle of a box."""
    count = max(1, min(len(levels), int((box.width() + WAVE_GAP) / (WAVE_BAR + WAVE_GAP))))
    width = count * (WAVE_BAR + WAVE_GAP) - WAVE_GAP
    most, x = min(box.height(), WAVE_MOST), round(box.center().x() - width / 2)
    ink = theme.color("accent")
    for number in range(count):
        portion = levels[number * len(levels) // count : max(1, (number + 1) * len(levels) // count)]
        height = max(WAVE_BAR, most * min(WAVE_LOUDEST, max(portion)) / WAVE_LOUDEST)
        top = round(box.center().y() - height / 2)
        painter.fillRect(QRectF(x + number * (WAVE_BAR + WAVE_GAP), top, WAVE_BAR, round(height)), ink)


def draw_fitted(painter: QPainter, image: QImage, box: QRectF) -> None:
    """Paint a whole picture, centred in a box, never larger than it is."""
    ratio = painter.device().devicePixelRatioF()
    share = min(box.width() / image.width(), box.height() / image.height(), 1 / ratio if ratio else 1.0)
    size = QSize(round(image.width() * share), round(image.height() * share))
    place = QRectF(
        round(box.center().x() - size.width() / 2),
        round(box.center().y() - size.height() / 2),
        size.width(),
        size.height(),
    )
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(place, image, QRectF(image.rect()))
