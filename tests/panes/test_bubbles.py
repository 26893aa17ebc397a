"""The one painter: what a bubble consists of, how texts are cut and laid out, what never blows it up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Forward, Media, Reaction, TextEntity, utf16_length
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.ui.messages.bubble import MAX_WIDTH, Bubble, BubblePainter
from chimein_gui.ui.messages.files import FilePart
from chimein_gui.ui.messages.parts import HitKind, MorePart, NamePart, QuotePart, ReactionsPart, TextPart
from chimein_gui.ui.messages.pictures import PicturesPart, StickerPart
from chimein_gui.ui.messages.setting import Setting
from chimein_gui.ui.messages.text_runs import RunKind, runs_of
from chimein_gui.ui.widgets.text import external_links
from chimein_gui.ui.widgets.theme.theme import Scheme, Theme
from chimein_gui.viewmodels.core.clock import ClockFace
from chimein_gui.viewmodels.transcript.rows import Opened, Parent, TranscriptRow, planned_row
from tests.fakes.engine_api import NOON, approval, message


@pytest.fixture
def theme(qapp):
    return Theme()


def row(text="", **changes):
    row_changes = {
        name: changes.pop(name) for name in ("reply_to", "parent", "album", "opened", "continues") if name in changes
    }
    made = TranscriptRow(message(1, text, **changes), None, "", "14:30", False, "Nora Vale")
    return replace(made, **row_changes)


def kinds(theme, made, room=640.0, setting=None):
    bubble = BubblePainter(theme).measure(made, room, setting or Setting())
    return [type(part) for part, _ in bubble.parts]


def first(bubble: Bubble) -> Any:
    """Return the first part of a bubble, of whatever kind."""
    return bubble.parts[0][0]


def clicked(bubble: Bubble, at: QPointF) -> Any:
    """Return what a click at a point means."""
    return bubble.hit(at)


def entity(text, kind, piece, argument=""):
    return TextEntity(kind, utf16_length(text[: text.index(piece)]), utf16_length(piece), argument)


ALBUM = tuple(message(number, "", media_kind="photo", grouped_id=4) for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("made", "parts"),
    [
        (row("hello"), [TextPart]),
        (row("look", media_kind="photo"), [PicturesPart, TextPart]),
        (row("", album=ALBUM, media_kind="photo"), [PicturesPart]),
        (row("", media_kind="sticker"), [StickerPart]),
        (row("", media_kind="voice", media=Media(1, duration_s=3)), [FilePart]),
        (row("", media_kind="document"), [FilePart]),
        (row("", media_kind="contact", media=Media(title="Rui")), [FilePart]),
        (row("", media_kind="location"), [FilePart]),
        (row("", media_kind="poll"), [FilePart]),
        (row("", media_kind="never heard of"), [FilePart]),
        (row("a link", media_kind="webpage"), [TextPart]),
        (row("", deleted=True), [TextPart]),
        (row("was here", deleted=True, media_kind="photo"), [TextPart]),
        (row("hi", reply_to=message(9, "before"), parent=Parent.FOUND), [QuotePart, TextPart]),
        (row("hi", reply_to_id=MessageId(9), parent=Parent.GONE), [QuotePart, TextPart]),
        (row("hi", forward=Forward("Rui", NOON)), [NamePart, TextPart]),
        (row("hi", reactions=(Reaction("👍", 2),)), [TextPart, ReactionsPart]),
        (row("\n".join("abc" for _ in range(200))), [TextPart, MorePart]),
        (row("\n".join("abc" for _ in range(200)), opened=Opened(whole=True)), [TextPart]),
    ],
)
def test_each_kind_of_message_has_its_parts(theme, made, parts):
    assert kinds(theme, made) == parts


@pytest.mark.parametrize(
    ("scheme", "room", "mirrored"),
    [(Scheme.LIGHT, 200.0, False), (Scheme.DARK, 340.0, True), (Scheme.LIGHT, 700.0, True)],
)
def test_nothing_foreign_makes_a_bubble_wider_than_its_room_or_endless(qapp, scheme, room, mirrored):
    theme = Theme(scheme)
    painter_of = BubblePainter(theme)
    hostile = [
        "W" * 4096,
        "a" + "\u0301" * 4000,
        "\u202e reversed \u202d" * 50,
        "<b>&amp;</b> " * 100,
        "x" * 100_000,
        "عربي " * 500,
        "\n" * 4096,
        "😀" * 2000,
    ]
    page = QImage(800, 600, QImage.Format.Format_RGB32)
    for text in hostile:
        everything = row(
            text,
            forward=Forward(text, NOON),
            reply_to=message(2, text, sender_name=text),
            parent=Parent.FOUND,
            reactions=tuple(Reaction(text[:30], 10**9) for _ in range(40)),
            media_kind="document",
            media=Media(1, text[:200], 10**15, file_name=text, title=text),
            entities=(TextEntity("bold", 0, 10**9), TextEntity("text_url", -5, 50, text), TextEntity("pre", 3, 4000)),
        )
        for made in (everything, row(text), row("", media_kind="sticker", media=Media(emoji=text, set_name=text))):
            bubble = painter_of.measure(made, room, Setting(is_group=True))
            assert bubble.width <= max(200.0, min(room, MAX_WIDTH)) + 1
            assert bubble.height < 2600
            for part, rect in bubble.parts:
                assert rect.right() <= bubble.width + 1, type(part)
            painter = QPainter(page)
            painter_of.paint(painter, bubble, QPointF(0, 0), words=("W", "عربي", "("), mirrored=mirrored)
            painter.end()


def test_formatting_fits_the_shown_text_also_behind_emoji_and_what_is_cleaned(theme):
    text = "😀\u202e ab\r\n cd https://a.example ef"
    entities = (entity(text, "bold", "cd"), entity(text, "url", "https://a.example"))
    (run,) = runs_of(text, entities)
    shown = {
        kind: run.text.encode("utf-16-le")[one.start * 2 : (one.start + one.length) * 2].decode("utf-16-le")
        for one in run.stretches
        for kind in one.kinds
    }
    assert shown == {"bold": "cd", "url": "https://a.example"}
    assert "\u202e" not in run.text


def test_quotes_and_code_are_blocks_of_their_own(theme):
    text = "before\ncode line\nnext\nquoted\nafter"
    runs = runs_of(text, (entity(text, "pre", "code line\nnext"), entity(text, "blockquote", "quoted")))
    assert [(run.kind, run.text) for run in runs] == [
        (RunKind.TEXT, "before"),
        (RunKind.CODE, "code line\nnext"),
        (RunKind.QUOTE, "quoted"),
        (RunKind.TEXT, "after"),
    ]


def test_nested_formatting_keeps_the_whole_address(theme):
    text = "see https://a.example/path now"
    runs = runs_of(text, (entity(text, "url", "https://a.example/path"), entity(text, "bold", "a.example")))
    assert {one.target for one in runs[0].stretches} == {"https://a.example/path"}


def test_each_paragraph_runs_in_its_own_direction(theme):
    made = row("مرحبا كيف حالك اليوم يا صديقي\nand an English line that is longer\nثم سطر")
    bubble = BubblePainter(theme).measure(made, 640)
    rich = first(bubble).rich
    assert [one.block.rtl for one in rich.placed] == [True, False, True]
    lefts = [one.block.layout.lineAt(0).naturalTextRect().left() for one in rich.placed]
    assert lefts[1] < 1 < lefts[2]
    assert max(one.block.layout.lineAt(0).naturalTextRect().right() for one in rich.placed) <= bubble.width - 20


def test_a_spoiler_lets_nothing_show_through(theme):
    text = "so 😀 it is"
    hidden = runs_of(text, (entity(text, "spoiler", "😀 it"),))
    assert hidden[0].text == "so x xx is"
    assert hidden[0].stretches[0].hidden
    assert runs_of(text, (entity(text, "spoiler", "😀 it"),), secrets=True)[0].text == text


def test_a_click_in_an_album_means_the_picture_under_it(theme):
    album = tuple(message(number, "", media_kind="photo", grouped_id=4) for number in range(1, 5))
    bubble = BubblePainter(theme).measure(row("", album=album, media_kind="photo"), 640)
    part, rect = first(bubble), bubble.parts[0][1]
    found = [clicked(bubble, box.translated(rect.topLeft()).center()) for box, _ in part.cells]
    assert [hit.message.key.message_id for hit in found] == [1, 2, 3, 4]
    covered = replace(message(1, "", media_kind="photo"), media=Media(1, has_spoiler=True))
    bubble = BubblePainter(theme).measure(row("", media_kind="photo", media=covered.media), 640)
    assert clicked(bubble, bubble.parts[0][1].center()).kind is HitKind.SECRET


def test_a_planned_send_looks_as_it_will_once_it_is_sent(theme):
    clock = ClockFace(lambda: NOON)
    text = "  It is **open** again, see [the page](https://a.example)  "
    planned = planned_row(approval(1, text, due_at=NOON + timedelta(seconds=5)), message(3, "is it?"), clock)
    sent = message(7, planned.message.text, out=True, entities=planned.message.entities)
    assert sent.text == "It is open again, see the page"
    assert [(one.kind, one.offset, one.length) for one in sent.entities] == [("bold", 6, 4), ("text_url", 22, 8)]
    painter = BubblePainter(theme)
    now = painter.measure(planned, 640)
    later = painter.measure(replace(planned, message=sent, planned=False), 640)
    assert (now.width, now.height) == (later.width, later.height)
    assert [type(part) for part, _ in now.parts] == [QuotePart, TextPart]
    assert planned.message.out


def test_a_planned_sticker_and_a_deed_have_rows_too(theme):
    clock = ClockFace(lambda: NOON)
    sticker = StickerRef("fox", "🦊", 12, "🦊")
    made = planned_row(approval(1, "🦊", kind=TaskKind.STICKER, sticker=sticker), None, clock)
    assert made.message.media is not None
    assert (made.message.media_kind, made.message.media.file_id) == ("sticker", 12)
    assert kinds(theme, made) == [StickerPart]
    action = planned_row(approval(1, "spam", kind=TaskKind.BLOCK), None, clock)
    assert action.message.is_service
    assert action.message.text == "Block Marta Oliveira. Reason: spam"


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://a.example/b", True),
        ("http://a.example", True),
        ("tg://resolve?domain=nora", True),
        ("HTTPS://A.EXAMPLE", True),
        ("https://", False),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("data:text/html,x", False),
        ("ftp://a.example", False),
        ("//a.example", False),
        ("a.example", False),
        (" https://a.example\n", False),
        ("", False),
    ],
)
def test_only_web_and_telegram_links_may_be_opened(address, allowed):
    assert external_links.may_open(address) is allowed


@pytest.mark.parametrize(
    ("name", "mime", "runs"),
    [
        ("map.pdf", "application/pdf", False),
        ("map.pdf.exe", "application/pdf", True),
        ("map.EXE ", "", True),
        ("map.exe.", "", True),
        ("run.desktop", "", True),
        ("page.html", "text/plain", True),
        ("x", "application/x-msdownload", True),
        ("x", "application/x-executable; a=b", True),
        ("song.mp3", "audio/mpeg", False),
        ("", "", False),
    ],
)
def test_what_could_run_is_known_by_its_name_or_its_kind(name, mime, runs):
    assert external_links.is_program(name, mime) is runs
