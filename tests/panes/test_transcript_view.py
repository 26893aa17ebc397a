"""The transcript in the window: where one is, what a click and a key do, search, and what a screen reader hears."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Media, TextEntity
from chimein_gui.ui.messages.parts import HitKind, MorePart
from chimein_gui.ui.panes.conversations.open_chat import OpenChat
from tests.fakes.engine_api import message
from tests.support.transcript_room import ENTITIES, LINKS, click, many, opened, picture, place_of, shown

Key = Qt.Key


def first_in_sight(view):
    index = view.indexAt(QPoint(view.width() // 2, 1))
    return view.model().row_at(index.row()).message.key.message_id, view.visualRect(index).top()


def test_what_is_read_stays_in_its_place_while_pages_come_and_go(bare):
    view = opened(bare, many(900))
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    turned = 0
    for _ in range(260):
        rows = [view.model().key_at(row) for row in (0, view.model().rowCount() - 1)]
        bar.setValue(bar.value() - 150)
        view.viewport().repaint()
        before = first_in_sight(view)
        shown(bare)
        turned += rows != [view.model().key_at(row) for row in (0, view.model().rowCount() - 1)]
        assert first_in_sight(view) == before
    assert turned > 10
    assert not view.model().at_newest


def test_a_high_screen_is_filled(bare):
    view = opened(bare, many(400))
    bare.window.resize(1440, 3000)
    shown(bare)
    assert view.verticalScrollBar().maximum() > 0
    assert view.model().rowCount() > 60


def test_new_messages_move_only_who_is_at_the_foot(bare):
    view = opened(bare, many(100))
    bar = view.verticalScrollBar()
    bare.api.put_message(1, message(101, "newest"))
    shown(bare)
    assert bar.value() == bar.maximum()
    assert not view.newest.isVisible()
    bar.setValue(bar.maximum() - 700)
    shown(bare)
    before = first_in_sight(view)
    bare.api.put_message(1, message(102, "newest\n" * 5))
    bare.api.put_message(1, message(103, "newest"))
    shown(bare)
    assert first_in_sight(view) == before
    assert view.newest.isVisible()
    assert view.newest.accessibleName() == "Back to the newest message, 2 new"
    QTest.mouseClick(view.newest, Qt.MouseButton.LeftButton)
    shown(bare)
    assert bar.value() == bar.maximum()
    assert not view.newest.isVisible()
    assert view.newest.count == 0


def test_the_way_back_also_leads_out_of_a_window_far_away(bare):
    view = opened(bare, many(900))
    bare.models.transcript.jump_to(MessageId(20))
    shown(bare)
    assert view.newest.isVisible()
    assert view.currentIndex().data().startswith("Marta Oliveira: message 20,")
    assert view.visualRect(view.currentIndex()).intersects(view.viewport().rect())
    assert view._delegate.flashed == view.model().key_at(view.currentIndex().row())
    bare.api.put_message(1, message(901, "newest"))
    shown(bare)
    assert view.newest.count == 1
    view.newest.click()
    shown(bare)
    assert view.model().at_newest
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_another_width_keeps_the_place(bare):
    words = "some words that wrap in a narrow window and do not in a wide one, as they often are, and then some more"
    view = opened(bare, [message(number, f"{number} {words}") for number in range(1, 200)])
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    shown(bare)
    before = first_in_sight(view)
    bare.window.resize(1180, 900)
    shown(bare)
    assert first_in_sight(view) == before


def test_a_click_on_a_quote_jumps_to_it_wherever_it_is(bare):
    view = opened(bare, [*many(400), message(401, "answer", reply_to_id=5), message(402, "lost", reply_to_id=9999)])
    last = view.model().rowCount() - 1
    with pytest.raises(AssertionError):
        place_of(view, HitKind.PARENT, last)
    click(view, HitKind.PARENT, last - 1)
    shown(bare)
    assert view.currentIndex().data().startswith("Marta Oliveira: message 5,")
    bare.models.transcript.jump_to(MessageId(9999))
    shown(bare)
    assert bare.models.toasts.current.text == "This message is not stored here"


def test_links_open_their_real_target_after_a_click_and_only_what_may_be_opened(bare, browser):
    view = opened(bare, [message(1, LINKS, entities=ENTITIES)])
    rect = view.visualRect(view.model().index(0, 0))
    found = {}
    for x in range(rect.left(), rect.right(), 3):
        for y in range(rect.top(), rect.bottom(), 6):
            hit = view._delegate.hit(QRectF(rect), 0, QPointF(x, y))
            if hit is not None:
                found[hit.target] = QPoint(x, y)
    assert list(found) == ["https://example.org", *(one.argument for one in ENTITIES[1:])]
    assert browser.opened == []
    for place in found.values():
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert browser.opened == ["https://example.org", "https://elsewhere.example/path", "tg://resolve?domain=nora"]
    assert bare.models.toasts.current.text == "Only web and Telegram links are opened"
    assert view._tip(view._delegate.hit(QRectF(rect), 0, QPointF(found[ENTITIES[1].argument]))) == ENTITIES[1].argument
    assert view._tip(view._delegate.hit(QRectF(rect), 0, QPointF(found["javascript:alert(1)"]))).startswith(
        "Not opened"
    )


def test_a_spoiler_is_hidden_from_eyes_and_ears_until_it_is_clicked(bare):
    secret = message(1, "it was 😀 the butler indeed", entities=(TextEntity("spoiler", 7, 13),))
    view = opened(bare, [secret])
    bubble = view._delegate.bubble_of(0, view.model().row_at(0))
    assert "butler" not in bubble.parts[0][0].rich.placed[0].run.text
    assert "butler" not in view.model().index(0, 0).data()
    assert "(hidden) indeed" in view.model().index(0, 0).data()
    click(view, HitKind.SECRET)
    shown(bare)
    bubble = view._delegate.bubble_of(0, view.model().row_at(0))
    assert "butler" in bubble.parts[0][0].rich.placed[0].run.text
    assert "butler" in view.model().index(0, 0).data()


def more_of(view, number):
    bubble = view._delegate.bubble_of(number, view.model().row_at(number))
    return next((rect for part, rect in bubble.parts if isinstance(part, MorePart)), None)


def test_thousands_of_lines_are_folded_and_shown_on_demand(bare):
    view = opened(bare, [message(1, "\n".join(map(str, range(4000)))), message(2, "x " * 2048)])
    assert view._delegate.height_of(0) < 1200
    assert more_of(view, 1) is None
    view.scrollTo(view.model().index(0, 0), view.ScrollHint.PositionAtBottom)
    _, corner = view._delegate.place_of(QRectF(view.visualRect(view.model().index(0, 0))), 0, view.model().row_at(0))
    place = (corner + more_of(view, 0).center()).toPoint()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    shown(bare)
    assert view._delegate.height_of(0) > 20_000
    assert more_of(view, 0) is None


def test_a_sticker_moves_only_while_it_is_seen_and_may_move(bare, tmp_path, qtbot):
    fox = Media(7, "application/x-tgsticker", emoji="🦊")
    sticker = message(100, "", media_kind="sticker", media=fox)
    bare.api.media_files.put(sticker.key, tmp_path / "7.tgs")
    bare.api.media_files.put(sticker.key, picture(tmp_path / "7.png"), thumbnail=True)
    view = opened(bare, [*many(99), sticker])
    qtbot.waitUntil(lambda: (shown(bare), view.motion.is_running)[1])
    seconds = view._delegate.seconds
    qtbot.waitUntil(lambda: view._delegate.seconds > seconds)
    view.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: not view.motion.is_running)
    view.go_to_foot()
    qtbot.waitUntil(lambda: (shown(bare), view.motion.is_running)[1])
    view._theme.set_reduced_motion(reduced=True)
    qtbot.waitUntil(lambda: not view.motion.is_running)
    view._theme.set_reduced_motion(reduced=False)
    qtbot.waitUntil(lambda: (shown(bare), view.motion.is_running)[1])
    view.hide()
    assert not view.motion.is_running


def test_what_is_scrolled_goes_under_the_head(bare):
    view = opened(bare, many(100))
    open_chat = bare.conversations.findChild(OpenChat)
    head = open_chat.header.mapTo(open_chat, QPoint(0, open_chat.header.height()))
    assert view.mapTo(open_chat, QPoint(0, 0)).y() == head.y()


def test_above_a_draft_what_goes_on_below_fades_and_is_not_cut(bare):
    view = opened(bare, many(100))
    assert not view.edge.isVisible()
    bar, foot = view.verticalScrollBar(), view.viewport().geometry().bottom()
    bar.setValue(bar.maximum() - 700)
    for further in range(60):  # somewhere a bubble stands across the edge
        bar.setValue(bar.maximum() - 700 - further)
        shown(bare)
        image = view.grab().toImage()
        ground = QColor(bare.window.theme.color("chat")).rgb()
        last = {image.pixel(x, foot) for x in range(0, view.viewport().width(), 3)}
        assert last == {ground}
    assert view.edge.isVisible()
    view.go_to_foot()
    assert not view.edge.isVisible()
