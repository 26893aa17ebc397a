"""Colours, icons, and what hostile text does to the window: nothing."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from chimein_gui.resource_files import resource_path
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Face, Scheme, Theme, contrast
from chimein_gui.ui.widgets.theme.tokens import DARK, IDENTITY, LIGHT, TEXT_PAIRS

pytestmark = pytest.mark.whole_window

FILLS = {Kind.PRIMARY: "accent", Kind.UNREAL: "unreal"}


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_pair_of_text_and_ground_can_be_read(tokens):
    found = {pair: contrast(*(getattr(tokens, name) for name in pair)) for pair in TEXT_PAIRS}
    assert {pair: value for pair, value in found.items() if value < 4.5} == {}


@pytest.mark.parametrize("scheme", list(Scheme))
def test_names_in_identity_colours_can_be_read(qapp, scheme):
    theme = Theme(scheme)
    grounds = (theme.tokens.in_bubble, theme.tokens.out_bubble)
    for number in range(len(IDENTITY)):
        name = theme.identity_text(number).name()
        assert min(contrast(name, ground) for ground in grounds) >= 4.0, number


def test_every_icon_that_is_named_exists_and_is_drawn(desktop):
    source = "\n".join(path.read_text() for path in Path("chimein_gui/ui").rglob("*.py"))
    known = {path.stem for path in resource_path("icons").glob("*.svg")}
    named = set(re.findall(r'(?:icon=|Sign\(|draw\(painter, )"([a-z-]+)"', source))
    named |= {spec.icon for spec in desktop.window.specs}
    assert named <= known
    for name in known:
        image = icons.icon(name, QColor("#123456"), QColor("#888888")).pixmap(16).toImage()
        assert any(image.pixelColor(x, y).alpha() for x in range(16) for y in range(16)), name
    assert not icons.app_icon().isNull()


@pytest.mark.parametrize(
    ("text", "rtl"),
    [("\u05e9\u05dc\u05d5\u05dd abc", True), ("12 \u0645\u0631", True), ("abc \u05e9", False), ("1", False)],
)
def test_lines_stand_at_the_side_their_text_begins(qapp, text, rtl):
    block = text_block.lay_out(text, Theme().font(Face.BODY), 300)
    assert block.rtl is rtl
    assert (block.layout.lineAt(0).naturalTextRect().left() > 100) is rtl


def test_names_are_capped_isolated_and_shown_as_they_are():
    assert len(foreign_text.name("N" * 100_000)) == 65
    assert foreign_text.name("Z" + "\u0301" * 4000) == "Z" + "\u0301" * 4
    assert foreign_text.name("a\u202eb\u2066c") == "abc"
    assert foreign_text.name("pay\u200bpal") == "pay␣pal"
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert foreign_text.name(persian) == persian
    assert foreign_text.name("👩‍👩‍👧‍👦") == "👩‍👩‍👧‍👦"
    assert foreign_text.name("a\nb\tc") == "a b c"
    assert foreign_text.action("Fish & Chips") == "Fish && Chips"
    assert foreign_text.isolated("x") == "\u2068x\u2069"
    assert foreign_text.body("a\r\nb\u202e") == "a\nb"
    assert "<b>" not in foreign_text.tool_tip("<b>")
    assert foreign_text.line("a" * 200) == "a" * 200
    assert foreign_text.line("a" * 500) == "a" * 199 + "…"
    assert [foreign_text.initials(name) for name in ("Marta Oliveira", "ليلى حداد", "田辺ゆき", "", "🙂")] == [
        "MO",
        "ل",
        "田",
        "?",
        "🙂",
    ]


@pytest.mark.parametrize("scheme", list(Scheme))
@pytest.mark.parametrize("kind", [Kind.PRIMARY, Kind.UNREAL])
def test_the_focus_ring_of_a_filled_button_can_be_seen(qtbot, scheme, kind):
    theme = Theme(scheme)
    button = VerbButton(theme, "Play a scenario", kind=kind)
    qtbot.addWidget(button)
    button.show()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    picture = button.grab().toImage()
    middle = picture.height() // 2
    fill = theme.color(FILLS[kind]).name()
    assert max(contrast(picture.pixelColor(x, middle).name(), fill) for x in range(1, 5)) >= 3


@dataclass
class Screen:
    """A screen with pixels of another size."""

    ratio: float

    def devicePixelRatio(self):
        return self.ratio


def test_an_icon_is_as_sharp_as_the_screen_it_is_shown_on(qapp, monkeypatch):
    ratios = (1.0, 1.25, 1.5, 2.0, 3.0)
    monkeypatch.setattr(QGuiApplication, "screens", lambda: [Screen(ratio) for ratio in ratios])
    icon = icons.icon("hand", QColor("#123456"), QColor("#888888"))
    for ratio in ratios:
        picture = icon.pixmap(QSize(16, 16), ratio)
        assert picture.devicePixelRatio() == ratio
        assert picture.size() == QSize(16, 16) * ratio
        screen = QImage(picture.size(), QImage.Format.Format_ARGB32_Premultiplied)
        screen.setDevicePixelRatio(ratio)
        screen.fill(0)
        painter = QPainter(screen)
        icons.draw(painter, "hand", QColor("#123456"), QRectF(0, 0, 16, 16))
        painter.end()
        assert picture.toImage().convertToFormat(screen.format()) == screen, "no pixel is stretched"
