"""Colours, icons, and what hostile text does to the window: nothing."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPainter

from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.resource_files import resource_path
from chimein_gui.ui.shell.actions import all_actions
from chimein_gui.ui.shell.registry import PANES
from chimein_gui.ui.shell.theme import palette_of, style_sheet_of
from chimein_gui.ui.widgets import foreign_text, icons, text_block
from chimein_gui.ui.widgets.theme import Face, Scheme, Theme, contrast
from chimein_gui.ui.widgets.tokens import DARK, IDENTITY, LIGHT, TEXT_PAIRS, colour_names
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton
from tests.fakes.console import BIG, agent, approval, chat, message

pytestmark = pytest.mark.whole_window

FILLS = {Kind.PRIMARY: "accent", Kind.UNREAL: "unreal"}

HOSTILE = (
    "<b>bold</b><img src='file:///etc/passwd'><script>x</script>",
    "\u202egnp.exe\u202c and \u2067more\u2069",
    "zero\u200bwidth\u2060\ufeff\u00adhere",
    "Z" + "\u0301" * 4000,
    "Fish & Chips && Co",
    "N" * 100_000,
    "line\nbreak\r\nand\ttab\x00\x07 \u2028 end",
    "👩‍👩‍👧‍👦🏳️‍🌈 مرحبا 山田 \ud800",
    "",
    "   ",
)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_pair_of_text_and_ground_can_be_read(tokens):
    found = {pair: contrast(*(getattr(tokens, name) for name in pair)) for pair in TEXT_PAIRS}
    assert {pair: value for pair, value in found.items() if value < 4.5} == {}


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", list(Scheme))
def test_names_in_identity_colours_can_be_read(qapp, scheme):
    theme = Theme(scheme)
    grounds = (theme.tokens.in_bubble, theme.tokens.out_bubble)
    for number in range(len(IDENTITY)):
        name = theme.identity_text(number).name()
        assert min(contrast(name, ground) for ground in grounds) >= 4.0, number


def test_palette_and_sheet_are_made_of_tokens(qapp):
    theme = Theme(Scheme.DARK)
    assert palette_of(theme).window().color() == QColor(DARK.window)
    assert "{" in style_sheet_of(theme)
    for color in re.findall(r"#[0-9A-Fa-f]{6}", style_sheet_of(theme)):
        assert color in {getattr(DARK, name) for name in colour_names()}


def test_every_icon_that_is_named_exists_and_is_drawn(qapp):
    source = "\n".join(path.read_text() for path in Path("chimein_gui/ui").rglob("*.py"))
    known = {path.stem for path in resource_path("icons").glob("*.svg")}
    named = set(re.findall(r'(?:icon=|Sign\(|draw\(painter, )"([a-z-]+)"', source))
    named |= {spec.icon for spec in all_actions(PANES)}
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


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_hostile_text_changes_no_layout(make_desktop, place):
    text, scheme = HOSTILE[place], list(Scheme)[place % len(Scheme)]
    desktop = make_desktop(scheme=scheme)
    desktop.furnish()
    desktop.window.show_pane("agents")
    desktop.window.show_pane("approvals")
    before = [pane.width() for pane in desktop.window.panes.values()]
    desktop.console.agents[1] = agent(name=text, health_note=text)
    desktop.console.chats[1] = chat(
        title=text, last_text=text, unread=1, pending=1, planning_problem=PlanningProblem(PlanningKind.OTHER, text)
    )
    desktop.console.messages[1][4] = message(4, text[:4096], reply_to_id=2, sender_name=text)
    desktop.console.approvals[BIG + 1] = approval(
        1, text[:4096], chat_title=text, agent_name=text, note=Note(NoteKind.OTHER, text)
    )
    desktop.attach()
    desktop.open_chat()
    desktop.put_fault("x", text, text)
    for pane in ("agents", "approvals"):
        desktop.window.show_pane(pane)
        assert not desktop.window.grab().isNull()
    assert [pane.width() for pane in desktop.window.panes.values()] == before
    assert desktop.window.width() == 1440


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


def test_words_of_a_button_that_is_too_narrow_end_before_its_edge(qtbot):
    """Large letters in a narrow dock: what is cut off in the middle of a letter says nothing of the rest."""
    button = VerbButton(Theme(Scheme.LIGHT), "Delete for everyone")
    qtbot.addWidget(button)
    button.resize(button.sizeHint().width() * 3 // 4, button.sizeHint().height())
    picture = button.grab().toImage()
    columns = range(picture.width() - 8, picture.width() - 2)
    rows = range(6, picture.height() - 6)
    assert len({picture.pixelColor(x, y).name() for x in columns for y in rows}) == 1


def test_in_the_sandbox_what_an_empty_pane_offers_is_violet(make_desktop):
    desktop = make_desktop(is_sandbox=True)
    desktop.console.agents[1] = agent()
    desktop.attach(sandbox=True)
    offers = [one for one in desktop.window.findChildren(VerbButton) if one.text() == "Play a scenario"]
    assert [one._kind for one in offers] == [Kind.UNREAL, Kind.UNREAL]


def ink_of_image(image):
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return max(pixels, key=lambda color: color.alpha()).name()


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


def test_an_icon_says_that_its_command_cannot_be_used(qapp):
    icon = icons.icon("hand", QColor("#123456"), QColor("#888888"))
    assert ink_of_image(icon.pixmap(QSize(16, 16), 1.0).toImage()) == "#123456"
    assert ink_of_image(icon.pixmap(QSize(16, 16), 1.0, QIcon.Mode.Disabled).toImage()) == "#888888"
