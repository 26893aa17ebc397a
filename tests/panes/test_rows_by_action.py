"""A row that a screen reader selects by its own action is the one that is shown: Qt moves no current row for it."""

import pytest
from PySide6.QtGui import QAccessible

pytestmark = pytest.mark.with_panes("preferences")


@pytest.fixture(autouse=True)
def _accessibility():
    yield
    QAccessible.setActive(False)


def toggle(view, row):
    QAccessible.setActive(True)
    QAccessible.queryAccessibleInterface(view).child(row).actionInterface().doAction("Toggle")


def test_a_page_of_the_preferences(desktop):
    desktop.window.show_pane("preferences")
    desktop.settle()
    pages = desktop.window.pane("preferences").pages
    toggle(pages, 2)
    assert pages.currentIndex().row() == 2
