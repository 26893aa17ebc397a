"""Letters of another size, live: nothing keeps the heights and widths of the size before."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication

from chimein_gui.domain.ids import Revision
from chimein_gui.ui.panes.approvals.cursor_list import lies_in
from chimein_gui.ui.panes.approvals.delegate import lines_of
from chimein_gui.ui.panes.approvals.offers import Verb
from chimein_gui.ui.panes.approvals.shapes import Shape, shape_for
from chimein_gui.ui.panes.approvals.verb_bar import VerbBar
from chimein_gui.ui.widgets.form_fields import Choice, LineField
from chimein_gui.ui.widgets.pane_title import PaneTitle
from chimein_gui.ui.widgets.theme import Face, Theme
from chimein_gui.viewmodels.chat_filter import Show
from tests.fakes.console import BIG, agent, approval

pytestmark = pytest.mark.whole_window


def settle(desktop):
    QApplication.sendPostedEvents()
    desktop.settle()


def grow(desktop, percent):
    desktop.window.action(f"text_{percent}").trigger()
    settle(desktop)


@pytest.fixture
def small(bare):
    bare.console.agents[2] = agent(2, "Otto Brandt")
    bare.attach()
    bare.window.resize(1280, 720)
    bare.open_chat()
    bare.window.show_pane("approvals")
    settle(bare)
    return bare


def heights(desktop):
    window, conversations, approvals = desktop.window, desktop.conversations, desktop.approvals
    return {
        "cards": [approvals.list.visualRect(approvals.list.model().index(row, 0)).height() for row in range(2)],
        "chats": conversations.tree.visualRect(conversations.tree.currentIndex()).height(),
        "agents": desktop.agents.list.sizeHintForRow(0),
        "titles": [title.height() for title in window.findChildren(PaneTitle)],
        "composer": conversations.writer.agent.editor.height(),
        "legend": approvals._legend.height(),
        "rail": window.rail.buttons["approvals"].height(),
        "top bar": window.top_bar.hold.height(),
    }


def test_live_and_after_a_restart_all_is_as_high(make_desktop, small, tmp_path):
    usual = heights(small)
    grow(small, 150)
    live = heights(small)
    for name, value in live.items():
        assert value > usual[name], name
    path = tmp_path / "window.ini"
    first = make_desktop(settings_path=path)
    first.window.action("text_150").trigger()
    first.window.close()
    again = make_desktop(settings_path=path)
    again.furnish()
    again.console.agents[2] = agent(2, "Otto Brandt")
    again.attach()
    again.window.resize(1280, 720)
    again.open_chat()
    again.window.show_pane("approvals")
    settle(again)
    assert heights(again) == live
    grow(small, 100)
    assert heights(small) == usual


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("percent", [90, 100, 125, 150])
def test_no_button_is_cut_off(small, percent):
    grow(small, percent)
    for row in (small.approvals.list.buttons.bar, *(draft.buttons for draft in small.conversations.drafts.bubbles())):
        buttons = [
            one
            for one in row.findChildren(type(next(iter(small.approvals.list.buttons.bar.buttons.values()))))
            if one.isVisible()
        ]
        assert buttons
        for button in buttons:
            assert row.rect().contains(button.geometry()), (percent, button.text())
            assert button.width() >= button.sizeHint().width(), (percent, button.text())
    header = small.conversations.header
    assert header.trust.geometry().right() < header.take_over.geometry().left()
    assert header.rect().contains(header.more.geometry())


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("percent", [90, 100, 125, 150])
def test_the_verb_to_press_on_a_stale_card_is_whole(small, percent):
    """Of four verbs that have no room together, Approve gives way while it can't be pressed."""
    changed = replace(small.console.approvals[BIG + 1], changed_at=Revision(5))
    small.console.put_approval(changed)
    grow(small, percent)
    bar: VerbBar = small.approvals.list.buttons.bar
    again, approve = bar.buttons[Verb.REGENERATE], bar.buttons[Verb.APPROVE]
    assert again.isVisible()
    assert again.width() >= again.sizeHint().width()
    assert bar.buttons[Verb.REJECT].isVisible() >= approve.isVisible(), "what can be pressed goes first"
    small.approvals.list.buttons.tick.click()
    settle(small)
    assert approve.isVisible()
    assert approve.width() >= approve.sizeHint().width()
    assert approve.isEnabled()


def test_the_card_keeps_its_verbs_as_long_as_their_words_have_room(small):
    def words():
        bar: VerbBar = small.approvals.list.buttons.bar
        return [one.text() for one in bar.buttons.values() if one.isVisible() and one.text()]

    before = words()
    assert before[:3] == ["Approve", "Edit", "Reject"]
    grow(small, 150)
    assert words() == before[: len(words())], "the last ones give way first"
    assert words()[:2] == ["Approve", "Edit"], "however wide the letters of this system are"


def test_filters_wrap_before_their_words_are_cut(small):
    row = small.conversations.filter
    needs, unread = row.buttons[Show.NEEDS_YOU], row.buttons[Show.UNREAD]
    assert needs.y() == row.buttons[Show.ALL].y()
    grow(small, 150)
    assert needs.y() == unread.y() > row.buttons[Show.ALL].y()
    for button in row.buttons.values():
        assert button.width() >= button.sizeHint().width()
    grow(small, 100)
    assert needs.y() == row.buttons[Show.ALL].y()


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize("percent", [100, 150])
def test_every_line_of_a_card_has_room_for_its_letters(qapp, percent):
    theme = Theme()
    theme.set_percent(percent)
    lines = lines_of(theme)
    assert lines.header >= theme.metrics(Face.STRONG).height()
    assert lines.marks >= theme.metrics(Face.META_STRONG).height()
    assert lines.change >= theme.metrics(Face.SMALL).height()
    assert lines.buttons >= round(theme.metrics(Face.STRONG).height() * 1.75)


def test_what_is_typed_into_fields_grows_too(desktop):
    desktop.window.show_pane("preferences")
    settle(desktop)
    pane = desktop.window.panes["preferences"]
    fields = [*pane.findChildren(QAbstractSpinBox), *pane.findChildren(LineField), *pane.findChildren(Choice)]
    before = {field: (field.height(), field.width()) for field in fields}
    grow(desktop, 150)
    theme = desktop.window.theme
    for field in fields:
        typed = field.lineEdit() if hasattr(field, "lineEdit") else None
        assert (typed or field).font() == theme.font(Face.BODY), field.accessibleName()
        assert field.height() >= 1.7 * theme.metrics(Face.BODY).height(), field.accessibleName()
    grow(desktop, 100)
    assert {field: (field.height(), field.width()) for field in fields} == before


def test_with_large_letters_the_reasons_give_their_room_to_the_card():
    assert shape_for(1300) is Shape.FULL
    assert shape_for(1300, 2.0) is Shape.WIDE
    assert shape_for(700, 1.0) is Shape.NARROW


def test_what_asks_for_an_instruction_has_room_for_its_words(small):
    desk, card = small.approvals.desk, small.models.approvals.find(BIG + 1)
    desk.ask(desk.task.INSTRUCTION, card)
    settle(small)
    for button in (desk._submit, desk._plain_again, desk._cancel):
        assert button.width() >= button.sizeHint().width()


def test_figures_that_grow_do_not_move_the_chats(small):
    """The chats stand below the row: with every second line of it they would slip away under the cursor."""
    row, shapes = small.conversations.filter, set[tuple[int, int]]()
    assert row.width() < 280
    for count in (0, 9, 10, 99):
        for button in tuple(row.buttons.values())[1:]:
            button.set_number(count)
        row._wrap()
        settle(small)
        unread = row.buttons[Show.UNREAD]
        assert unread.width() >= unread.sizeHint().width()
        shapes.add((row.height(), unread.y()))
    assert len(shapes) == 1


def test_the_card_that_is_edited_stays_in_sight_above_its_editor(small):
    for number in range(3, 6):
        small.console.put_approval(approval(number, f"Draft {number}, in which there are some words more than one"))
    settle(small)
    view, desk, tried = small.approvals.list, small.approvals.desk, 0
    for number in range(2, 5):
        view.select(BIG + number)
        settle(small)
        view.verticalScrollBar().setValue(0)
        settle(small)
        if not lies_in(view.viewport(), view.visualRect(view.currentIndex())):
            continue
        tried += 1
        desk.ask(desk.task.INSTRUCTION, small.models.approvals.find(BIG + number))
        settle(small)
        assert lies_in(view.viewport(), view.visualRect(view.currentIndex()))
        desk._do_cancel()
        settle(small)
    assert tried
