"""The Media pane: files by set and chat, their descriptions edited, saved, moved and deleted by keys."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import DescriptionsChanged
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId, Revision
from chimein_gui.domain.media.library import MediaEntry, Sighting
from chimein_gui.domain.media.records import DescriptionStatus, MediaRecord, pause_after
from chimein_gui.domain.messages import FrameKind, Media, MessageKey
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.ui.dialogs.description.dialog import DescriptionDialog
from chimein_gui.ui.requests import ShowMessage
from chimein_gui.viewmodels.media_library.facets import Section
from chimein_gui.viewmodels.media_library.words import emoji_of, name_words
from tests.fakes.api_media import CACHE, OWN, SHARED
from tests.fakes.engine_api import NOON, message

pytestmark = [pytest.mark.with_panes("media"), pytest.mark.qt_log_ignore("This plugin does not support")]


def seen(chat=1, number=3, title="Marta Oliveira"):
    key = MessageKey(AccountId(1), PeerId(7), MessageId(number))
    return Sighting("Nora Vale", ChatId(chat), title, key, NOON, count=4, sent=1)


def sticker(number, emoji, said="", status=DescriptionStatus.GENERATED, curated="", **more):
    generated = MediaRecord(str(number), description=said, status=status, place=CACHE, at=NOON) if said else None
    own = MediaRecord(str(number), description=curated, status=DescriptionStatus.CURATED, place=SHARED, at=NOON)
    return MediaEntry(
        str(number),
        "sticker",
        set_name=more.pop("set_name", "otters"),
        name=emoji,
        media=Media(number, "image/webp", emoji=emoji, set_name="otters"),
        curated=(own,) if curated else (),
        generated=generated,
        seen=(seen(),),
        **more,
    )


BUS = sticker(1, "🚌", "A cartoon penguin runs behind a red bus.", uses=41)
RAIN = sticker(2, "☔", "A penguin under an umbrella.", uses=37)
WAVE = sticker(3, "👋", "A penguin.", curated="A puffin waves with one wing.", uses=64)
FOX = sticker(4, "🦊", set_name="foxes", uses=2, sendable_by=("Nora Vale",))
PHOTO = MediaEntry("5", "photo", media=Media(5, "image/jpeg"), seen=(seen(number=2),), uses=1)


@pytest.fixture
def room(make_desktop, qtbot):
    desktop = make_desktop()
    desktop.furnish()
    desktop.api.media_library.put(BUS, RAIN, WAVE, FOX, PHOTO)
    desktop.attach()
    desktop.window.show_pane("media")
    desktop.settle()
    desktop.window.activateWindow()
    QApplication.processEvents()

    def press(key, held=Qt.KeyboardModifier.NoModifier):
        qtbot.keyClick(QApplication.focusWidget(), key, held)
        desktop.settle()

    pane = desktop.window.panes["media"]
    pane.grid.setFocus()
    return SimpleNamespace(desktop=desktop, pane=pane, press=press, media=desktop.api.media_library)


def shown(room):
    return room.pane.model.rows.order()


def test_files_stand_in_groups_with_what_needs_a_look_first(room):
    assert hand.rows(room.pane.grid) == [
        "otters, 1 of 3 curated",
        "🚌, otters, AI text, in 41 prompts, A cartoon penguin runs behind a red bus.",
        "☔, otters, AI text, in 37 prompts, A penguin under an umbrella.",
        "👋, otters, Curated, in 64 prompts, A puffin waves with one wing.",
        "foxes, 0 of 1 curated",
        "🦊, foxes, Waiting, in 2 prompts, can be sent",
        "Marta Oliveira, 0 of 1 curated",
        "Photo, Waiting, in 1 prompt",
    ]
    assert room.pane.model.selected == BUS


def test_facets_and_search_leave_out_what_does_not_fit(room):
    model, pane = room.pane.model, room.pane
    assert "Needs a look, 4" in hand.rows(pane.facets)
    model.filter.choose(Section.STATUS, DescriptionStatus.CURATED)
    assert shown(room) == ["3"]
    assert "Curated, 1, chosen" in hand.rows(pane.facets)
    model.filter.choose(Section.STATUS, None)
    pane.head.box.setText("umbrella penguin")
    assert shown(room) == ["2"]
    pane.head.box.setText("nothing like that")
    room.desktop.settle()
    assert room.desktop.sees("Nothing fits", pane)
    room.desktop.click(hand.button(pane, "Show all"))
    assert len(shown(room)) == 5


def test_the_focus_goes_with_what_is_shown(room):
    pane = room.pane
    pane.model.filter.search("nothing like that")
    room.desktop.settle()
    assert pane.focus_widget() is not pane.grid
    assert pane.focus_widget().hasFocus()
    pane.model.filter.search("")
    room.desktop.settle()
    assert pane.grid.hasFocus()


def test_a_description_is_written_saved_and_the_next_one_comes_by_keys(room):
    pane = room.pane
    room.press(Qt.Key.Key_Return)
    assert pane.detail.texts.field.field.hasFocus()
    pane.detail.texts.field.set_text("A puffin in a scarf runs after a bus.")
    assert room.desktop.sees("Not saved yet", pane.detail)
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert room.media.saved == ["A puffin in a scarf runs after a bus."]
    assert room.media.entries["1"].status is DescriptionStatus.CURATED
    assert pane.model.selected == RAIN, "the next one that needs a look"
    assert pane.detail.texts.field.text() == ""
    assert pane.detail.texts.field.field.hasFocus()
    room.press(Qt.Key.Key_Escape)
    assert pane.grid.hasFocus()
    pane.grid.select("1")
    assert pane.detail.texts.field.text() == "A puffin in a scarf runs after a bus."
    assert room.desktop.sees("Saved", pane.detail)


def test_what_cannot_be_saved_stays_in_the_field_and_is_tried_again(room):
    pane = room.pane
    room.media.refuse = RefusedError(Note(FileReason.FOLDER_UNREADABLE, "no space left"))
    pane.detail.begin_edit()
    pane.detail.texts.field.set_text("A puffin.")
    pane.detail.edit.save_now()
    room.desktop.settle()
    assert room.desktop.sees("Not saved", pane.detail)
    assert room.desktop.sees("no space left", pane.detail)
    assert pane.detail.texts.field.text() == "A puffin."
    room.media.refuse = None
    room.desktop.click(pane.detail.texts.retry)
    assert room.media.entries["1"].text == "A puffin."
    assert not pane.detail.edit.is_changed
    assert not room.desktop.sees("Not saved yet", pane.detail)


def test_what_another_program_writes_shows_at_once_but_not_over_what_is_typed(room):
    pane = room.pane
    pane.grid.select("3")
    changed = replace(WAVE.curated[0], description="A puffin says hello.")
    room.media.put(replace(WAVE, curated=(changed,)))
    room.desktop.api.publish(DescriptionsChanged(frozenset({"3"}), Revision(0)))
    room.desktop.settle()
    assert pane.detail.texts.field.text() == "A puffin says hello."
    pane.detail.texts.field.set_text("Mine.")
    room.media.put(WAVE)
    pane.model.refresh()
    room.desktop.settle()
    assert pane.detail.texts.field.text() == "Mine."


def test_the_texts_stand_one_below_the_other_with_words_that_differ_tinted(room):
    texts = room.pane.detail.texts
    assert texts.generated.toPlainText() == "A cartoon penguin runs behind a red bus."
    room.desktop.click(texts.take_over)
    texts.field.set_text("A cartoon puffin runs behind a red bus.")
    (added,) = texts.field.field.extraSelections()
    assert added.cursor.selectedText() == "puffin"
    tinted = texts.generated.document().firstBlock().layout().formats() or [
        part for part in fragments(texts.generated) if part.charFormat().background().style() != Qt.BrushStyle.NoBrush
    ]
    assert [part.text().strip() for part in tinted] == ["penguin"]


def fragments(field):
    made, block = [], field.document().firstBlock()
    part = block.begin()
    while not part.atEnd():
        made.append(part.fragment())
        part += 1
    return made


def test_a_text_is_promoted_moved_and_deleted_and_each_is_undone(room, popped):
    pane, done = room.pane, []
    pane.model.changes.done.connect(lambda words, undo: done.append(undo))
    room.press(Qt.Key.Key_P)
    assert room.media.entries["1"].curated[0].place == SHARED
    assert room.media.entries["1"].text == "A cartoon penguin runs behind a red bus."
    room.press(Qt.Key.Key_M)
    assert [action.text() for action in popped[-1].actions()] == ["All agents", "Only Nora Vale"]
    popped[-1].actions()[1].trigger()
    room.desktop.settle()
    assert room.media.entries["1"].curated[0].place == OWN
    done.pop()()
    room.desktop.settle()
    assert room.media.entries["1"].curated[0].place == SHARED
    pane.detail.ask_to_delete().action.click()
    room.desktop.settle()
    assert not room.media.entries["1"].curated
    done.pop()()
    room.desktop.settle()
    assert room.media.entries["1"].curated


def test_arrow_keys_cross_the_ends_of_groups(room):
    for key, wanted in (
        (Qt.Key.Key_Right, "2"),
        (Qt.Key.Key_Right, "3"),
        (Qt.Key.Key_Right, "4"),
        (Qt.Key.Key_Down, "5"),
        (Qt.Key.Key_Up, "4"),
        (Qt.Key.Key_Home, "1"),
        (Qt.Key.Key_End, "5"),
    ):
        room.press(key)
        assert room.pane.model.selected.unique_id == wanted


def test_a_long_group_shows_one_row_until_it_is_opened(room):
    room.media.put(*(sticker(number, "🐱", set_name="cats") for number in range(100, 140)))
    room.pane.model.refresh()
    room.desktop.settle()
    grid, rows = room.pane.grid, room.pane.model.rows
    last = rows.row_of(rows.group_of(rows.groups[[one.title for one in rows.groups].index("cats")].key).entries[-1])
    assert grid.isIndexHidden(rows.index(last, 0))
    grid.select(rows.item(last).unique_id)
    assert not grid.isIndexHidden(rows.index(last, 0))
    assert grid.viewport().rect().contains(grid.visualRect(rows.index(last, 0)))
    room.press(Qt.Key.Key_X)
    assert grid.isIndexHidden(rows.index(last, 0))
    assert not grid.isIndexHidden(grid.currentIndex())


def test_where_it_was_seen_leads_to_the_message(room):
    wanted: list[ShowMessage] = []
    room.desktop.window.requests.on(ShowMessage, wanted.append)
    room.pane.detail.seen.activated.emit(room.pane.detail.seen.rows.index(0, 0))
    assert wanted == [ShowMessage(ChatId(1), MessageId(3))]


def test_without_media_the_pane_says_where_they_come_from(make_desktop):
    desktop = make_desktop()
    desktop.furnish()
    desktop.attach()
    desktop.window.show_pane("media")
    desktop.settle()
    assert desktop.sees("No media yet", desktop.window.panes["media"])
    desktop.window.resize(1000, 700)
    desktop.settle()
    assert desktop.window.panes["media"].head.choice.isHidden(), "there is nothing to choose"


def test_the_model_describes_again_with_an_instruction(room):
    asks = room.pane.detail.ask_again()
    asks.field.setText("shorter")
    room.desktop.api.media_requests.words = "A bus."
    asks.ask.click()
    room.desktop.settle()
    assert room.desktop.api.media_requests.asked == [("1", "shorter")]
    assert room.pane.detail.texts.generated.toPlainText() == "A bus."
    room.desktop.api.media_requests.words = RefusedError(Note(FileReason.NO_DESCRIBER))
    room.pane.detail.ask_again().ask.click()
    room.desktop.settle()
    assert room.pane.model.requests.problems["1"].startswith("No model can describe this now")
    assert room.pane.detail.texts.generated.toPlainText() == "A bus.", "the former text stays"


def test_a_set_is_described_after_its_cost_was_said(room):
    pane = room.pane
    pane.grid.select("4")
    pane.grid.setFocus()
    asks = pane.ask_to_describe()
    assert "It costs about $" in asks.accessibleDescription()
    assert room.desktop.api.media_requests.asked == []
    asks.begin.click()
    room.desktop.settle()
    assert room.media.entries["4"].status is DescriptionStatus.GENERATED
    assert room.desktop.sees("1 of 1 described", pane)


def test_what_is_switched_off_is_said_instead_of_a_cost(room):
    room.desktop.api.media_requests.budget = (0, 0, 0)
    room.pane.grid.select("4")
    asks = room.pane.ask_to_describe()
    assert "Descriptions by a model are switched off" in asks.accessibleDescription()
    assert not asks.begin.isEnabled()
    asks.reject()


def test_a_set_that_nobody_met_is_imported_by_its_link(room):
    pane, requests = room.pane, room.desktop.api.media_requests
    requests.sets["Bears"] = (sticker(900, "🐻", set_name="Bears"), sticker(901, "🍯", set_name="Bears"))
    asks = pane.ask_for_set()
    asks.field.setText("t.me/addstickers/Nobody")
    asks.ask.click()
    room.desktop.settle()
    assert room.desktop.sees("Telegram knows no sticker set", asks)
    asks.field.setText("https://t.me/addstickers/Bears")
    asks.ask.click()
    room.desktop.settle()
    assert {"900", "901"} <= set(shown(room))


def test_sixty_files_are_curated_with_single_keys_and_each_decision_can_be_undone(room):
    pane, media = room.pane, room.media
    media.put(sticker(4, "🦊", "A fox.", set_name="foxes", uses=2))
    media.put(*(sticker(number, "🐱", f"Cat number {number}.", set_name="cats") for number in range(100, 157)))
    pane.model.refresh()
    room.desktop.settle()
    room.press(Qt.Key.Key_T)
    triage = pane.triage
    assert triage.triage.place == (1, 61)
    assert triage.hasFocus()
    room.press(Qt.Key.Key_E)
    triage.field.set_text("A bus, and a puffin.")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert media.entries["1"].text == "A bus, and a puffin."
    room.press(Qt.Key.Key_S)
    assert triage.triage.phrases == [RAIN.text]
    place = pane.save_place()
    pane.restore_place('{"phrases": ["Another."], "place": ""}')
    assert room.desktop.sees("1  Another.", triage)
    pane.restore_place("no place")
    pane.restore_place(place)
    assert triage.triage.phrases == [RAIN.text]
    for _ in range(59):
        room.press(Qt.Key.Key_Return)
    assert triage.triage.entry.unique_id == "5"
    room.press(Qt.Key.Key_Return)
    assert triage.triage.entry.unique_id == "5", "without a text there is nothing to accept"
    room.press(Qt.Key.Key_1)
    assert media.entries["5"].text == RAIN.text
    assert all(one.status is DescriptionStatus.CURATED for one in media.entries.values())
    assert room.desktop.sees("End of the list", triage)
    room.press(Qt.Key.Key_Z)
    assert triage.triage.entry.unique_id == "5"
    assert media.entries["5"].status is DescriptionStatus.PENDING
    room.press(Qt.Key.Key_Escape)
    assert pane.grid.hasFocus()


def test_a_bubble_shows_what_the_persona_reads_and_takes_other_words(room, popped):
    desktop = room.desktop
    sent = message(4, "", media_kind="sticker", media=BUS.media, minutes_ago=1)
    desktop.put_message(1, sent)
    desktop.open_chat()
    desktop.window.show_pane("conversations")
    desktop.settle()
    view = desktop.conversations.transcript
    view.setCurrentIndex(view.model().index(view.model().rowCount() - 1, 0))
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(view, QContextMenuEvent(reason, QPoint(), QPoint()))
    next(action for action in popped[-1].actions() if action.text() == "Description…").trigger()
    desktop.settle()
    dialog = next(one for one in QApplication.topLevelWidgets() if isinstance(one, DescriptionDialog))
    assert desktop.sees("The persona reads: A cartoon penguin runs behind a red bus.", dialog)
    dialog.texts.field.set_text("A puffin misses its bus.")
    desktop.click(dialog.keep)
    assert room.media.entries["1"].text == "A puffin misses its bus."
    assert desktop.sees("The persona reads: A puffin misses its bus.", dialog)
    dialog.reject()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
def test_six_files_stand_side_by_side(room, width, height):
    room.desktop.window.resize(width, height)
    room.desktop.settle()
    assert room.pane.grid._layout.columns == 6


def test_a_voice_message_shows_how_loud_it_is(room):
    quiet, loud = bytes([1] * 40), bytes([31] * 40)
    accent = room.desktop.window.theme.color("accent").name()
    painted = []
    for number, wave in ((8, quiet), (9, loud)):
        media = Media(number, "audio/ogg", duration_s=14, waveform=wave)
        room.media.put(MediaEntry(str(number), "voice", media=media, seen=(seen(number=number),)))
        room.desktop.api.publish(DescriptionsChanged(frozenset({str(number)}), Revision(0)))
        room.desktop.settle()
        rect = room.pane.grid.visualRect(room.pane.model.rows.index(room.pane.model.rows.row_of(str(number)), 0))
        painted.append(colours(room.pane.grid.viewport().grab(rect).toImage()).count(accent))
    assert 0 < painted[0] < painted[1]
    room.pane.grid.select("9")
    room.desktop.settle()
    assert colours(room.pane.detail.stage.grab().toImage()).count(accent) > painted[1], "in the detail, too"


def colours(image):
    return [image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())]


def test_the_name_of_a_sticker_stands_beside_its_emoji():
    assert name_words(BUS) == "🚌"
    assert name_words(replace(BUS, name="bus")) == "🚌 bus"
    assert name_words(replace(BUS, name="bus", media=None)) == "bus"
    assert [emoji_of(one) for one in (BUS, replace(BUS, name="bus"), replace(BUS, name="bus", media=None))] == [
        "🚌",
        "🚌",
        "",
    ], "a name is no picture"


def moving(number, kind, size, mime="video/mp4"):
    media = Media(number, mime, size=size, duration_s=3, width=64, height=64)
    return MediaEntry(str(number), kind, media=media, seen=(seen(number=number),))


def test_videos_and_large_gifs_are_fetched_only_when_they_are_pointed_at_or_selected(room):
    api = room.desktop.api
    api.frames.kinds = frozenset(FrameKind)
    room.media.put(moving(20, "gif", 10**6), moving(21, "gif", 5 * 10**6), moving(22, "video", 10**6))
    room.media.put(moving(23, "video", 50 * 10**6))
    api.publish(DescriptionsChanged(frozenset({"20"}), Revision(0)))
    room.desktop.settle()
    room.pane.grid.play_all(plays=True)

    def whole():
        QApplication.processEvents()
        room.desktop.settle()
        return {int(key.message_id) for key, is_thumbnail in api.media_files.asked if not is_thumbnail}

    assert {20, 21, 22, 23} & whole() == {20}
    for number in (21, 22, 23):
        room.pane.grid.select(str(number))
        whole()
    assert {20, 21, 22, 23} & whole() == {20, 21, 22}, "50 MB are never fetched to be looked at"


def test_what_failed_for_now_says_when_it_is_tried_again(room):
    failed = MediaRecord(
        "2", status=DescriptionStatus.TEMPORARY_FAILURE, failure_reason="model busy", at=NOON, attempts=2, place=CACHE
    )
    room.media.put(replace(RAIN, generated=failed))
    room.desktop.api.publish(DescriptionsChanged(frozenset({"2"}), Revision(0)))
    room.desktop.settle()
    room.pane.grid.select("2")
    room.desktop.settle()
    shown = room.pane.detail.texts.generated.toPlainText()
    again = room.desktop.models.clock.stamp(NOON + pause_after(2))
    assert shown.endswith(f"With the next prompt after {again} it is tried again.")


def test_the_legend_of_triage_says_what_keys_do_while_one_edits(room):
    room.press(Qt.Key.Key_T)
    triage = room.pane.triage
    assert (triage._legend.isVisible(), triage._edit_legend.isVisible()) == (True, False)
    room.press(Qt.Key.Key_E)
    assert (triage._legend.isVisible(), triage._edit_legend.isVisible()) == (False, True)
    room.press(Qt.Key.Key_Escape)
    assert (triage._legend.isVisible(), triage._edit_legend.isVisible()) == (True, False)


def test_the_buttons_of_triage_have_room_in_every_language(room):
    room.press(Qt.Key.Key_T)
    triage = room.pane.triage
    triage.keep.setText("Als Textbaustein für alle Gelegenheiten aufbewahren")
    triage.next.setText("Dieses hier erst einmal überspringen")
    room.press(Qt.Key.Key_N)
    room.desktop.settle()
    for button in (triage.accept, triage.edit, triage.again, triage.next, triage.undo, triage.keep):
        assert button.width() >= button.sizeHint().width()
