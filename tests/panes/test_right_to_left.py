"""A layout that runs from the right is the mirror image of one that runs from the left; words stay readable."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from chimein_gui.ui.requests import MaximizePane

pytestmark = pytest.mark.whole_window

BY_THEIR_LETTERS = {"SendPreview", "PlannedText", "WrappedText", "MessageEditor", "CardList", "TranscriptView"}
"""What others have written begins where its own letters begin."""


def shown(desktop, pane_id):
    desktop.window.requests.send(MaximizePane(pane_id))
    desktop.settle()
    return desktop.window


def palette_of(desktop):
    desktop.window.lazy.open_palette()
    desktop.settle()
    return next(one for one in QApplication.topLevelWidgets() if type(one).__name__ == "PaletteDialog")


SCENES = {
    "chat": lambda desktop: desktop.window,
    "approvals": lambda desktop: shown(desktop, "approvals"),
    "agents": lambda desktop: shown(desktop, "agents"),
    "preferences": lambda desktop: shown(desktop, "preferences"),
    "palette": palette_of,
}


def ink(widget):
    """Return which columns a widget paints in, from the first to the last."""
    image = widget.grab().toImage()
    middle = range(image.height() // 4, max(image.height() // 4 + 1, 3 * image.height() // 4))
    ground = {image.pixel(x, y) for x in (image.width() // 2,) for y in (2, image.height() - 3)}
    return [x for x in range(image.width()) if any(image.pixel(x, y) not in ground for y in middle)]


def places(root):
    """Return of each widget in sight where it stands, and where its own painting begins and ends."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        name = type(widget).__name__
        at, width = widget.mapTo(root, QPoint()).x(), widget.width()
        is_painted = "chimein_gui" in type(widget).__module__ and not widget.findChildren(QWidget)
        columns = ink(widget) if is_painted and name not in BY_THEIR_LETTERS else []
        found.append((name, at, width, (columns[0], columns[-1]) if columns else None))
    return found


@pytest.mark.parametrize("scene", SCENES)
def test_a_pane_is_the_mirror_image_of_itself(make_desktop, scene):
    told = []
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        QGuiApplication.setLayoutDirection(direction)
        try:
            desktop = make_desktop()
            desktop.window.resize(1280, 720)
            desktop.furnish()
            desktop.window.show()
            desktop.attach()
            desktop.open_chat()
            root = SCENES[scene](desktop)
            desktop.settle()
            told.append((root.width(), places(root)))
            if root is not desktop.window:
                root.close()
            desktop.window.hide()
        finally:
            QGuiApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    (whole, plain), (_, turned) = told
    assert [name for name, *_ in plain] == [name for name, *_ in turned]
    wrong: list[tuple[object, ...]] = []
    for (name, at, width, columns), (_, other_at, other_width, other_columns) in zip(plain, turned, strict=True):
        if abs(whole - at - width - other_at) > 4 or abs(width - other_width) > 4:
            wrong.append((name, "stands", at, width, other_at, other_width))
        elif columns and other_columns:
            begin, end = width - 1 - columns[1], width - 1 - columns[0]
            if abs(begin - other_columns[0]) > 5 or abs(end - other_columns[1]) > 5:
                wrong.append((name, "paints", width, columns, other_columns))
    assert wrong == []
