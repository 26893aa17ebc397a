"""A layout that runs from the right: places change sides, names and numbers do not."""

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication

from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import is_turned, leading_edge, mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from tests.fakes.console import chat

pytestmark = pytest.mark.whole_window

WHITE = 0xFFFFFFFF


def unlike(one, other):
    """Return how much two pictures of one size differ."""
    places = [(x, y) for x in range(one.width()) for y in range(one.height())]
    return sum(abs(one.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness()) for x, y in places)


@pytest.fixture
def from_the_right(qapp):
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.fixture
def mirrored(from_the_right, bare):
    bare.console.chats[1] = chat(title="Marta Oliveira da Silva Santos", pending=2, unread=3)
    bare.attach()
    bare.open_chat()
    QApplication.sendPostedEvents()
    return bare


def painted(paint, width=200, height=40):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def columns(image, area=None):
    """Return which columns of a picture hold ink, the colour of the corner being the ground."""
    area = area or image.rect()
    ground = image.pixel(area.left(), area.top())
    return [
        x
        for x in range(area.left(), area.right() + 1)
        if any(image.pixel(x, y) != ground for y in range(area.top(), area.bottom() + 1))
    ]


def test_words_change_sides_and_stay_readable(qapp):
    theme = Theme()

    def words(painter):
        marks.draw_line(painter, theme.font(Face.BODY), QColor("black"), QPointF(10, 20), "2 waiting?")

    def turned(painter):
        mirror(painter, QRect(0, 0, 200, 40))
        assert is_turned(painter)
        words(painter)

    plain, other = painted(words), painted(turned)
    left, right = columns(plain), columns(other)
    assert right[-1] == pytest.approx(199 - left[0], abs=3)
    width = left[-1] - left[0] + 1
    first, second = plain.copy(left[0], 0, width, 40), other.copy(right[-1] - width + 1, 0, width, 40)
    assert unlike(first, second) < unlike(first.flipped(Qt.Orientation.Horizontal), second) / 2


@pytest.mark.parametrize(("name", "turns"), [("arrow-right", True), ("caret-right", True), ("search", False)])
def test_arrows_point_the_other_way_and_other_icons_do_not(qapp, name, turns):
    def icon(painter):
        icons.draw(painter, name, QColor("black"), QRectF(92, 12, 16, 16))

    def turned(painter):
        mirror(painter, QRect(0, 0, 200, 40))
        icon(painter)

    plain = painted(icon).copy(92, 12, 16, 16)
    assert painted(turned).copy(92, 12, 16, 16) == (plain.flipped(Qt.Orientation.Horizontal) if turns else plain)


def test_the_buttons_of_a_chat_leave_its_name_alone(mirrored):
    header = mirrored.conversations.header
    buttons = (header.trust, header.take_over, header.steps, header.search, header.more)
    assert max(one.geometry().right() for one in buttons) < header.width() / 2
    assert leading_edge(header.trust) == header.width() - header.trust.geometry().right() - 1
    image = header.grab().toImage()
    between = QRect(header.trust.geometry().right() + 3, 6, 8, header.height() - 12)
    assert columns(image, between) == [], "the name ends before the first button"
    assert columns(image, QRect(header.width() - 60, 6, 50, header.height() - 12)), "the circle stands at the right"


def test_the_rail_stands_at_the_right(mirrored):
    window = mirrored.window
    assert window.toolBarArea(window.rail) is Qt.ToolBarArea.RightToolBarArea
