"""A row of buttons that has no room for all of them offers the others in its menu "More", by keyboard as well."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from chimein_gui.ui.requests import MaximizePane
from chimein_gui.ui.widgets.controls.overflow import Overflow
from tests.support.on_screen import entries

ROWS = {
    "draft": lambda desktop: (buttons := desktop.conversations.drafts.bubbles()[0].buttons, buttons.more),
    "card": lambda desktop: (bar := desktop.approvals.card.bar, bar.buttons["more"]),
    "card in the list": lambda desktop: (bar := desktop.approvals.list.buttons.bar, bar.buttons["more"]),
    "chat": lambda desktop: (head := desktop.conversations.header, head.more),
}


def offered(row, more):
    """Return what the buttons in sight do."""
    buttons = [one for one in row.findChildren(type(more).__mro__[1]) if one.isVisible() and one is not more]
    return {one.accessibleName().split(":")[0] for one in buttons}


@pytest.mark.parametrize("place", ROWS)
def test_what_has_no_room_is_in_the_menu(desktop, popped, place):
    desktop.open_chat()
    if place == "card":
        desktop.window.requests.send(MaximizePane("approvals"))
        desktop.settle()
    row, more = ROWS[place](desktop)
    row.setFixedWidth(900)
    desktop.settle()
    whole = offered(row, more)
    row.setFixedWidth(230)
    desktop.settle()
    left = offered(row, more)
    assert left
    assert left < whole
    assert more.isVisible()
    more.setFocus()
    QTest.keyClick(more, Qt.Key.Key_Space)
    (menu,) = popped
    words = {*entries(menu), *(action.text() for action in menu.actions())}
    assert whole - left <= words
    menu.close()


def test_the_form_that_shows_most_is_taken_and_the_earlier_of_two_alike():
    overflow = Overflow(gap=5, more=20, order=(1, 0, 2), last=frozenset({2}))
    fits = [overflow.fit(room, [[100, 60, 40], [80, 50, 30], [40, 30, 30]]) for room in (210, 170, 110, 105, 90)]
    assert [(fit.form, sorted(fit.shown), fit.has_more) for fit in fits] == [
        (0, [0, 1, 2], False),
        (1, [0, 1, 2], False),
        (2, [0, 1, 2], False),
        (2, [0, 1], True),
        (0, [1], True),
    ]
