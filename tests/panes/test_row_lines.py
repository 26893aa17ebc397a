"""The line between two rows of a list, and the rows of the strip of traces."""

from datetime import timedelta

import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.ui.panes.traces.looks import state_label
from chimein_gui.ui.panes.traces.rows import TraceLook
from chimein_gui.ui.panes.traces.side import STRIP
from chimein_gui.viewmodels.traces.words import first_words
from tests.fakes.api_history import decided
from tests.fakes.api_traces import traced
from tests.fakes.engine_api import agent

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

BELOW = QColor("#FF00FF")
"""What nothing is painted over."""


def painted(view, index):
    """Return the picture of a row, and one line of pixels below it."""
    option = QStyleOptionViewItem()
    option.state = QStyle.StateFlag.State_Enabled
    size = view.itemDelegate().sizeHint(option, index)
    option.rect = QRect(0, 0, view.viewport().width(), size.height())
    picture = QImage(option.rect.width(), size.height() + 1, QImage.Format.Format_RGB32)
    picture.fill(BELOW)
    painter = QPainter(picture)
    view.itemDelegate().paint(painter, option, index)
    painter.end()
    return picture


def assert_ends_with_its_line(view, theme):
    picture = painted(view, view.model().index(0, 0))
    middle, last = picture.width() // 2, picture.height() - 2
    assert picture.pixelColor(middle, last).name() == theme.color("line").name()
    assert picture.pixelColor(middle, last + 1).name() == BELOW.name(), "that px is the next row's"


@pytest.mark.with_panes("traces", "decisions", "agents")
@pytest.mark.parametrize("name", ["traces", "decisions", "agents"])
def test_a_row_ends_with_its_line(desktop, name):
    row = traced(1)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.api.decided = [decided(1, DecisionKind.APPROVED)]
    desktop.put_agent(agent())
    desktop.window.show_pane(name)
    desktop.settle()
    pane = desktop.window.panes[name]
    assert_ends_with_its_line(pane.side.list if name == "traces" else pane.list, desktop.window.theme)


def test_a_scenario_ends_with_its_line(stage):
    assert_ends_with_its_line(stage.window.sandbox_shell.picker.list, stage.window.theme)


@pytest.mark.with_panes("traces")
def test_the_time_in_the_strip_is_whole_and_inside_its_row_and_what_is_kept_has_a_lock(desktop):
    row = traced(1, is_kept=True)
    desktop.api.traces.rows[row.trace_id] = row
    desktop.window.show_pane("traces")
    desktop.settle()
    rows, theme = desktop.window.panes["traces"].side.list.itemDelegate(), desktop.window.theme
    rows.is_narrow = True
    clock = desktop.models.clock
    label, time = state_label(row, None, clock), clock.stamp(row.ended_at)
    look = TraceLook(row.agent_name, 0, row.chat_title, time, True, label, first_words(row), "", row.usd, 0, False)
    ground = theme.color("pane")

    def strip_of(look):
        picture = QImage(STRIP, 54, QImage.Format.Format_RGB32)
        picture.fill(ground)
        painter = QPainter(picture)
        rows._paint(painter, QRectF(0, 0, STRIP, 54), look)
        painter.end()
        return picture

    def inked(picture, top, bottom, right=STRIP):
        return [x for x in range(12, right) if any(picture.pixelColor(x, y) != ground for y in range(top, bottom))]

    locale_day = desktop.models.clock.stamp(row.ended_at - timedelta(days=300))
    for words in (locale_day, "20. Nov.", "14:29"):
        ink = inked(strip_of(look._replace(time=words)), 30, 46)
        assert ink[-1] < STRIP - 4, "inside the tile"
        assert abs((ink[0] - 12) - (STRIP - 6 - ink[-1])) <= 2, "in the middle"
    kept, free = (inked(strip_of(look._replace(is_kept=is_kept)), 6, 28) for is_kept in (True, False))
    assert kept[-1] > free[-1] + 4, "the lock stands behind the icon of the state"
    assert kept[-1] < STRIP - 4
