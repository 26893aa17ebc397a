"""Questions before something that cannot be taken back, answered with the keyboard."""

import pytest
from PySide6.QtCore import Qt

from chimein_gui.ui.dialogs.question import QuestionDialog

Key = Qt.Key


@pytest.fixture
def asked(desktop):
    """A question, and what was agreed to."""
    dialog = QuestionDialog(
        desktop.window.theme, "Log out?", "It needs a code to come back.", "Log out", desktop.window
    )
    answers: list[str] = []
    dialog.agreed.connect(lambda: answers.append("agreed"))
    dialog.rejected.connect(lambda: answers.append("left"))
    dialog.open()
    return desktop, dialog, answers


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter, Key.Key_Space])
def test_the_button_with_the_focus_does_what_it_says(asked, qtbot, key):
    _, dialog, answers = asked
    dialog.deed.setFocus()
    qtbot.keyClick(dialog.deed, key)
    assert answers == ["agreed"]


def test_return_on_the_way_out_leaves(asked, qtbot):
    _, dialog, answers = asked
    assert dialog.focusWidget() is dialog.leave
    qtbot.keyClick(dialog.leave, Key.Key_Return)
    assert answers == ["left"]


def test_a_key_that_is_still_down_from_before_answers_nothing(asked):
    desktop, dialog, answers = asked
    dialog.deed.setFocus()
    desktop.press(dialog.deed, Key.Key_Return, repeated=True)
    assert answers == []
    assert dialog.isVisible()
    dialog.close()
