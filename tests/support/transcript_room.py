"""A chat in the window, for tests of its transcript: pending work is done by calls, and clicks find their positions."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.messages import TextEntity
from tests.fakes.engine_api import message

LINKS = "see example.org and this, or that, or javascript"
ENTITIES = (
    TextEntity("url", 4, 11),
    TextEntity("text_url", 20, 4, "https://elsewhere.example/path"),
    TextEntity("text_url", 29, 4, "tg://resolve?domain=nora"),
    TextEntity("text_url", 38, 10, "javascript:alert(1)"),
)


def shown(desktop):
    """Process pending answers, layouts and paints."""
    for _ in range(3):
        desktop.settle()
        desktop.conversations.transcript.viewport().repaint()
        QApplication.sendPostedEvents()


def opened(desktop, messages):
    """Open the chat with these messages and no plans."""
    desktop.api.approvals.clear()
    desktop.api.messages[1] = {one.key.message_id: one for one in messages}
    desktop.attach()
    desktop.open_chat()
    shown(desktop)
    return desktop.conversations.transcript


def many(count=400, **changes):
    return [
        message(number, f"message {number}", minutes_ago=count - number, **changes) for number in range(1, count + 1)
    ]


def place_of(view, kind, number):
    """Return a point of a row at which a click has this effect."""
    rect = view.visualRect(view.model().index(number, 0))
    for y in range(rect.top(), rect.bottom(), 3):
        for x in range(rect.left(), rect.right(), 5):
            hit = view._delegate.hit(QRectF(rect), number, QPointF(x, y))
            if hit is not None and hit.kind is kind:
                return QPoint(x, y)
    raise AssertionError(f"nothing in row {number} is {kind}")


def click(view, kind, number=0):
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, kind, number))


def picture(path, width=80, height=60):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0xFF3366)
    assert image.save(str(path))
    return path
