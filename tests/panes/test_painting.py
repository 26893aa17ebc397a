"""How little is laid out and painted anew: the mechanisms behind the budgets, counted, never timed."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, QRect
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.widgets.rows import paint_budget
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.ui.widgets.theme.tokens import DARK, LIGHT
from chimein_gui.viewmodels.core import sanitize
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat, message

MANY = 500


def shown(desktop):
    """Do what is due: layouts, then paints."""
    desktop.settle()
    for _ in range(3):
        desktop.window.repaint()
        QApplication.sendPostedEvents()
        desktop.window.grab()


@pytest.mark.parametrize("face", [Face.SMALL_STRONG, Face.SMALL, Face.BODY, Face.META])
def test_a_line_with_marks_of_direction_keeps_its_descenders(qapp, face):
    def height_of(words):
        picture = QPixmap(300, 60)
        picture.fill(QColor("white"))
        painter = QPainter(picture)
        marks.draw_line(painter, Theme().font(face), QColor("black"), QPointF(4, 30), words, 280)
        painter.end()
        image = picture.toImage()
        rows = [y for y in range(60) if any(image.pixelColor(x, y).lightness() < 200 for x in range(300))]
        return rows[-1] - rows[0]

    assert height_of(f"{foreign_text.isolated('Rim Yang')} is planning") == height_of("Rim Yang is planning")


@pytest.fixture
def crowd(make_desktop):
    desktop = make_desktop()
    desktop.api.agents[1] = agent()
    for number in range(1, 41):
        desktop.api.chats[number] = chat(number, f"Partner {number}")
    for number in range(1, MANY + 1):
        desktop.api.approvals[BIG + number] = approval(
            number, f"Draft {number}", chat_id=1 + number % 40, created_at=NOON - timedelta(seconds=MANY - number)
        )
    desktop.api.messages[1] = {number: message(number, f"message {number}") for number in range(1, 101)}
    desktop.attach()
    desktop.open_chat()
    desktop.window.show_pane("approvals")
    shown(desktop)
    return desktop


def test_one_change_of_500_approvals_lays_out_one(crowd):
    heights, pictures = crowd.approvals.list._delegate.heights, crowd.approvals.list._delegate.pictures
    assert heights.laid_out >= crowd.models.approvals.rowCount()
    laid_out, painted = heights.laid_out, pictures.painted
    crowd.api.put_approval(replace(crowd.api.approvals[BIG + 300], version=2, text="Other words"))
    shown(crowd)
    assert heights.laid_out == laid_out  # not shown yet
    crowd.api.put_approval(replace(crowd.api.approvals[BIG + 80], version=2, text="Other words"))
    shown(crowd)
    assert heights.laid_out == laid_out + 1
    assert pictures.painted == painted  # far out of sight
    crowd.api.put_approval(replace(crowd.api.approvals[BIG + 2], version=2, text="Other words"))
    shown(crowd)
    assert heights.laid_out == laid_out + 2
    assert pictures.painted == painted + 1


def test_a_new_and_a_gone_approval_lay_out_nothing_else(crowd):
    heights = crowd.approvals.list._delegate.heights
    laid_out = heights.laid_out
    crowd.api.put_approval(approval(900, "New", created_at=NOON))
    crowd.api.put_approval(approval(901, "Old", created_at=NOON - timedelta(seconds=MANY - 50.5)))
    crowd.api.put_approval(replace(crowd.api.approvals[BIG + 77], task_status=TaskStatus.CANCELLED))
    shown(crowd)
    assert heights.laid_out == laid_out  # the order is frozen: what belongs between the cards waits
    assert crowd.of_approvals.queue.arrivals == 1
    crowd.of_approvals.queue.bring_arrivals()
    shown(crowd)
    assert heights.laid_out == laid_out + 1
    assert len(heights) <= 2 * MANY + 64


def test_moving_on_lays_out_the_two_that_change_their_look(crowd):
    heights = crowd.approvals.list._delegate.heights
    laid_out, buttons = heights.laid_out, crowd.approvals.list.buttons
    crowd.approvals.list.move_by(1)
    shown(crowd)
    assert heights.laid_out == laid_out + 2
    assert crowd.approvals.list.buttons is buttons
    assert buttons.geometry() == crowd.approvals.list.visualRect(crowd.approvals.list.currentIndex())


def test_a_chat_that_moves_is_the_only_one_painted_anew(crowd):
    pictures = crowd.conversations.tree.itemDelegate().pictures
    painted = pictures.painted
    crowd.api.put_chat(replace(crowd.api.chats[9], last_at=NOON, last_text="news"))
    shown(crowd)
    assert crowd.models.chats.index_of_chat(9).row() == 0
    assert pictures.painted <= painted + 2  # itself, and the row that came into sight


def test_an_appended_message_measures_and_paints_itself_only(crowd):
    delegate = crowd.conversations.transcript._delegate
    laid_out, painted = delegate.heights.laid_out, delegate.pictures.painted
    crowd.api.put_message(1, message(400, "newest"))
    shown(crowd)
    assert delegate.heights.laid_out == laid_out + 1
    assert delegate.pictures.painted <= painted + 1


def test_a_tick_repaints_what_reads_differently(crowd, monkeypatch):
    cards, tree, updated = crowd.approvals.list, crowd.conversations.tree, list[object]()
    for view in (cards, tree):
        monkeypatch.setattr(view, "update", lambda index: updated.append(index.row()))
    crowd.models.clock.ticked.emit()
    crowd.models.clock.ticked.emit()
    assert updated == []
    crowd.time += timedelta(seconds=45)  # "8 min" becomes "9 min" for the five oldest
    crowd.models.clock.ticked.emit()
    assert updated == [0, 1, 2, 3, 4]
    painted = cards._delegate.pictures.painted
    shown(crowd)
    assert cards._delegate.pictures.painted <= painted + 1


def test_pictures_are_bounded(qapp):
    theme = Theme()
    pictures = RowPictures(theme, "pane", most_bytes=400_000)
    page = QPixmap(300, 300)
    canvas = QPainter(page)
    for number in range(50):
        pictures.draw(canvas, QRect(0, 0, 100, 100), number, lambda _painter, _rect: None)
    assert pictures.bytes <= 400_000
    assert pictures.painted == 50
    pictures.draw(canvas, QRect(0, 0, 100, 100), 49, lambda _painter, _rect: None)
    assert pictures.painted == 50
    pictures.draw(canvas, QRect(0, 0, 300, 300), "too large to keep", lambda _painter, _rect: None)
    assert pictures.painted == 50
    canvas.end()
    theme.changed.emit()
    assert pictures.bytes == 0


def test_what_is_in_sight_is_painted_once_however_large_the_view_is(qapp):
    pictures = RowPictures(Theme(), "pane", most_bytes=100_000)
    page = QPixmap(100, 1000)
    canvas = QPainter(page)
    for _ in range(3):
        for number in range(20):
            pictures.draw(canvas, QRect(0, number * 50, 100, 50), number, lambda _painter, _rect: None)
    canvas.end()
    assert pictures.painted == 20


def test_laid_out_texts_are_bounded(qapp):
    font = Theme().font(Face.BODY)
    for number in range(200):
        text_block.lay_out(f"{number} " + "word " * 200, font, 300)
    assert text_block.kept.chars <= text_block.KEPT_CHARS
    made = text_block.kept.made
    text_block.lay_out("199 " + "word " * 200, font, 300)
    assert text_block.kept.made == made
    huge = "N" * 20_000
    text_block.lay_out(huge, font, 300, 2)
    text_block.lay_out(huge, font, 300, 2)
    assert text_block.kept.made == made + 2


def test_what_is_plain_is_left_alone_and_nothing_else():
    for char in map(chr, range(0x3000)):
        slow = sanitize._visible(char, "", "") if char not in "\n\r\v\f\t\x85\u2028\u2029" else None
        if sanitize._plain("").fullmatch(char):
            assert slow == char


def test_texts_that_no_message_can_hold_are_cut():
    assert len(foreign_text.body("N" * 100_000)) == foreign_text.BODY_CHARS + 1


@pytest.mark.parametrize("dark", [True, False])
def test_fields_have_the_new_colours_in_the_very_next_picture(sandbox, dark):
    sandbox.open_chat()
    sandbox.approvals.editor.edit(sandbox.approvals.list.current())
    sandbox.window.set_dark(not dark)
    sandbox.window.grab()
    sandbox.window.set_dark(dark)
    picture = sandbox.window.grab().toImage()
    for editor in (sandbox.conversations.composer.editor, sandbox.approvals.editor.fields.message):
        ground = editor.field.viewport().mapTo(sandbox.window, editor.field.viewport().rect().bottomRight())
        assert picture.pixelColor(ground).name().upper() == (DARK if dark else LIGHT).field


@pytest.mark.parametrize("text", ["one word after the other " * 20, "מילה אחר מילה " * 40])
def test_a_text_without_room_for_all_of_it_says_that_there_is_more(qtbot, text):
    theme = Theme()
    diff = WordDiff(theme, max_lines=3)
    qtbot.addWidget(diff)
    diff.compare("short", "short")
    diff.resize(200, diff.heightForWidth(200))
    assert not diff.is_cut
    diff.compare(text, text)
    diff.resize(200, diff.heightForWidth(200))
    three = diff._shown()
    assert (diff.is_cut, three.layout.lineCount()) == (True, 3)
    diff.resize(200, 20)  # the card has no height to give
    one = diff._shown()
    assert (diff.is_cut, one.layout.lineCount()) == (True, 1)
    for shown in (one, three):
        assert shown.cut is not None
        assert 0 <= shown.cut.x() <= 200 - QFontMetricsF(theme.font(Face.BODY)).horizontalAdvance("…") + 1
    plain = diff.grab().toImage()
    diff._laid_out[200, 1] = replace(one, cut=None)
    assert diff.grab().toImage() != plain


class _Rows(QWidget):
    """Ten rows, each painted once."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures = RowPictures(Theme(), "pane")
        self.in_sight: list[int] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for row in range(10):
            place = QRect(0, row * 20, 100, 20)
            if event.region().intersects(place):
                self.pictures.draw(painter, place, row, lambda _painter, _rect: None)
        painter.end()
        self.in_sight.append(self.pictures.painted)


def test_rows_that_take_too_long_follow_in_the_next_frames_and_a_picture_has_all_at_once(qtbot, monkeypatch):
    monkeypatch.setattr(paint_budget, "BUDGET_S", 0.0)
    window, rows = QMainWindow(), _Rows()
    paint_budget.FramePacer(window)
    qtbot.addWidget(window)
    window.setCentralWidget(rows)
    window.resize(100, 200)
    window.show()
    qtbot.waitUntil(lambda: bool(rows.in_sight))
    rows.pictures.clear()
    rows.pictures.painted = 0
    rows.in_sight.clear()
    rows.grab()
    assert rows.in_sight == [10]
    rows.pictures.clear()
    rows.pictures.painted = 0
    rows.in_sight.clear()
    rows.update()
    qtbot.waitUntil(lambda: rows.pictures.painted == 10)
    assert rows.in_sight == list(range(1, 11))
    rows.update()
    qtbot.waitUntil(lambda: len(rows.in_sight) == 11)
    assert rows.pictures.painted == 10


class HiddenResizes(QObject):
    """Counts the resizes that hidden widgets hear of."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget) and not watched.isVisible():
            self.count += 1
        return False


def test_a_draft_that_fades_in_lays_out_no_hidden_pane(desktop, qapp, qtbot):
    desktop.open_chat()
    desktop.settle()
    hidden = HiddenResizes()
    qapp.installEventFilter(hidden)
    desktop.put_approval(approval(20, "Another draft"))
    arrivals = desktop.conversations.drafts.arrivals
    assert arrivals.is_moving
    qtbot.waitUntil(lambda: not arrivals.is_moving)
    qapp.removeEventFilter(hidden)
    assert hidden.count < 100  # an effect of Qt sends those of every pane
