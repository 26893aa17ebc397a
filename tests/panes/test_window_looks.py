"""Colours, icons, letters and motion: chosen, remembered, or as the system says; and all of them can be read."""

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from chimein_gui.resource_files import resource_path
from chimein_gui.ui.shell.appearance import appearance
from chimein_gui.ui.shell.appearance.appearance import system_is_still
from chimein_gui.ui.shell.appearance.theme import style_sheet_of
from chimein_gui.ui.shell.registry import PANES
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, DIALOG, LINE, ROW, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.control_colours import FILLED, Role, State, colours_of
from chimein_gui.ui.widgets.theme.marks import IconLabel, person_colours
from chimein_gui.ui.widgets.theme.theme import HIGH_CONTRAST, Face, Scheme, Theme, contrast
from chimein_gui.ui.widgets.theme.tokens import DARK, IDENTITY, LIGHT, LINE_PAIRS, TEXT_PAIRS, with_more_contrast

pytestmark = pytest.mark.whole_window


def test_colours_are_light_dark_or_the_systems(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    window = make_desktop(settings_path=path, scheme=None).window
    assert window.action("colours_system").isChecked()
    window.action("colours_dark").trigger()
    assert window.theme.tokens.dark
    assert (window.action("colours_dark").isChecked(), window.action("colours_system").isChecked()) == (True, False)
    window.appearance.follow_system()
    assert window.theme.tokens.dark, "the operator's choice goes before the system's"
    window.action("colours_system").trigger()
    assert not window.theme.tokens.dark
    window.close()
    assert make_desktop(settings_path=path, scheme=None).window.appearance.scheme_choice == "system"


def test_the_size_and_what_single_keys_do_is_remembered(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    first = make_desktop(settings_path=path).window
    first.action("text_125").trigger()
    first.action("keys_off").trigger()
    first.close()
    second = make_desktop(settings_path=path)
    assert second.window.theme.percent == 125
    assert second.window.action("text_125").isChecked()
    assert not second.models.single_keys.enabled
    second.window.action("keys_on").trigger()
    assert second.models.single_keys.enabled


def test_reduced_motion_is_the_systems_or_the_operators(make_desktop, tmp_path):
    path = tmp_path / "window.ini"
    window = make_desktop(settings_path=path).window
    asked = QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animate)
    assert window.theme.reduced_motion is (not asked)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    assert system_is_still(application) is (not asked)
    told = []
    window.theme.motion_changed.connect(lambda: told.append(window.theme.reduced_motion))
    window.action("motion_on").trigger()
    window.action("motion_off").trigger()
    assert told[-1] is True
    assert not window.isAnimated()
    window.close()
    assert make_desktop(settings_path=path).window.theme.reduced_motion
    window.action("motion_on").trigger()
    assert window.isAnimated()


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_high_contrast_is_enough_for_every_text_and_every_line(tokens):
    more = with_more_contrast(tokens)
    assert more.dark is tokens.dark
    weak = [
        (pair, least)
        for pairs, least in ((TEXT_PAIRS, HIGH_CONTRAST), (LINE_PAIRS, 4.5))
        for pair in pairs
        if contrast(getattr(more, pair[0]), getattr(more, pair[1])) < least
    ]
    assert weak == []


@pytest.mark.parametrize("scheme", Scheme)
def test_with_high_contrast_avatars_can_be_read_and_what_has_the_focus_has_a_thick_frame(scheme):
    theme = Theme(scheme)
    thin = colours_of(theme, Role.PLAIN, State(focused=True))
    theme.set_more_contrast(more=True)
    for number in range(len(IDENTITY)):
        assert contrast(theme.identity(number).name(), theme.on_identity().name()) >= HIGH_CONTRAST
        assert contrast(theme.identity(number).name(), theme.tokens.card) >= 4.5
        for ground in ("in_bubble", "chat", "card"):
            assert contrast(theme.identity_text(number).name(), getattr(theme.tokens, ground)) >= HIGH_CONTRAST
    for name in ("Marta", "Otto", "Rim"):
        fill, ink = person_colours(theme, name)
        assert contrast(fill.name(), ink.name()) >= HIGH_CONTRAST
    for role in FILLED:
        filled = colours_of(theme, role, State())
        assert contrast(filled.fill.name(), filled.ink.name()) >= HIGH_CONTRAST
    assert colours_of(theme, Role.PLAIN, State(focused=True)).ring_width == 3.0
    assert colours_of(theme, Role.FIELD, State(focused=True)).width == 3.0
    assert thin.ring_width == 0.0


def test_contrast_is_chosen_or_follows_the_system(desktop, monkeypatch):
    window, asked = desktop.window, [False]
    monkeypatch.setattr(appearance, "system_wants_contrast", lambda _application: asked[0])
    window.follow_system()
    assert not window.theme.more_contrast
    asked[0] = True
    window.follow_system()
    assert window.theme.more_contrast
    window.action("contrast_usual").trigger()
    assert not window.theme.more_contrast
    window.follow_system()
    assert not window.theme.more_contrast
    asked[0] = False
    window.action("contrast_high").trigger()
    assert window.theme.tokens is with_more_contrast(window.theme.tokens)
    assert f"2px solid {window.theme.tokens.text1}" in style_sheet_of(window.theme)


def test_every_command_is_in_the_menu_or_has_a_key(desktop):
    window = desktop.window
    in_menus = {action.objectName() for menu in window.lazy.menu.menus.values() for action in menu.actions()}
    for spec in window.commands.specs:
        assert spec.action_id in in_menus or spec.shortcut, spec.action_id
    assert {f"show_{pane.pane_id}" for pane in PANES} <= in_menus


@pytest.mark.qt_log_ignore("plugin does not support")
def test_the_menu_opens_by_key_and_shows_what_is_chosen(desktop, qtbot):
    window = desktop.window
    assert window.action("menu").shortcut().toString() == "F10"
    window.action("colours_dark").trigger()
    window.action("menu").trigger()
    menu = window.lazy.menu
    assert menu.isVisible()
    assert window.action("colours_dark").isChecked()
    menu.close()
    window.action("colours_light").trigger()


def test_help_shows_keys_and_versions(desktop):
    window = desktop.window
    versions = dict(window.lazy.help.versions())
    assert {"Chimein", "Python", "Qt", "PySide6", "Telethon"} <= set(versions)
    assert all(versions.values())
    for command in ("keys", "about"):
        window.action(command).trigger()
        (dialog,) = [one for one in window.findChildren(Theme.__mro__[1]) if type(one).__name__ == "FactsDialog"]
        assert dialog.isVisible()
        words = {label.text() for label in dialog.findChildren(PlainLabel)}
        assert ("Ctrl K" if command == "keys" else versions["Qt"]) in words
        dialog.accept()
        dialog.deleteLater()
        QApplication.sendPostedEvents(dialog, 0)
        QApplication.sendPostedEvents(None, 52)


@pytest.mark.parametrize("percent", [100, 150])
def test_the_rail_is_as_wide_as_its_buttons_in_the_first_picture_of_a_smaller_window(desktop, percent):
    window = desktop.window
    window.appearance.choose_text_size(str(percent))
    QApplication.processEvents()
    wide = window.rail.width()
    for size, narrow in (((1280, 720), True), ((1440, 900), False), ((1280, 720), True)):
        window.resize(*size)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        window.grab()
        assert window.rail.width() == max(one.sizeHint().width() for one in window.rail.buttons.values())
        assert window.rail.width() == (48 if narrow else wide)


def test_letters_are_resized_by_their_face_wherever_the_widget_is(desktop):
    window = desktop.window
    alone = PlainLabel(window.theme, "made, and not put into the window yet", Face.SMALL)
    dressed = PlainLabel(window.theme, "its letters were underlined", Face.TITLE, parent=window)
    font = dressed.font()
    font.setUnderline(True)
    dressed.setFont(font)
    window.appearance.choose_text_size("150")
    placeholder = desktop.conversations.writer.agent.editor.field.viewport()
    for label, face in ((alone, Face.SMALL), (dressed, Face.TITLE), (placeholder, Face.BODY)):
        assert label.font().pointSizeF() == window.theme.font(face).pointSizeF()
    window.appearance.choose_scheme("dark")
    assert alone.font().pointSizeF() == window.theme.font(Face.SMALL).pointSizeF()
    alone.deleteLater()


def test_the_keycap_beside_an_icon_alone_is_whole(desktop):
    button = ActionButton(desktop.window.theme, "", icon="pause", key="Z", kind=Kind.QUIET, parent=desktop.window)
    button.resize(button.sizeHint())
    picture = button.grab().toImage()
    edge = range(picture.width() - 6, picture.width())
    assert len({picture.pixel(x, y) for x in edge for y in range(picture.height())}) == 1
    assert len({picture.pixel(edge[0] - 8, y) for y in range(picture.height())}) > 1


def test_a_shown_message_takes_the_colour_of_what_it_says_and_follows_the_scheme(desktop, qtbot):
    window, theme = desktop.window, desktop.window.theme
    theme.set_scheme(Scheme.LIGHT)
    message = InlineMessage(theme, LINE)
    message.setParent(window)
    message.say(IconLabel("info", "Looking…", "info"))
    [label, _sentence] = message.findChildren(PlainLabel)
    assert label.palette().windowText().color() == theme.color("info")
    message.refuse("No such file")
    assert (message.isVisible(), label.palette().windowText().color()) == (True, theme.color("danger"))
    theme.set_scheme(Scheme.DARK)
    assert label.palette().windowText().color() == theme.color("danger")
    message.say(None)
    assert message.isHidden()


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Paint
        return False


@pytest.mark.qt_log_ignore("propagateSizeHints")
@pytest.mark.parametrize("look", [LINE, ROW, DIALOG, BOX])
@pytest.mark.parametrize("words", ["", "It is asked again in a minute."])
def test_a_shown_message_is_not_painted_again_and_again(qtbot, look, words):
    message = InlineMessage(Theme(Scheme.LIGHT), look)
    qtbot.addWidget(message)
    message.say(IconLabel("check", "The cap was changed.", "ok"), words)
    message.resize(600, 60)
    seen = Paints(message)
    message.show()
    for _ in range(100):
        QApplication.processEvents()
    assert 0 < seen.count < 10


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_stripe_of_a_surface_is_at_its_leading_edge(desktop, direction):
    theme = desktop.window.theme
    surface = Surface(theme, "card", stripe="danger")
    surface.setLayoutDirection(direction)
    surface.resize(40, 20)
    picture = surface.grab().toImage()
    left, right = (QColor(picture.pixel(x, 10)) for x in (1, picture.width() - 2))
    edges = (left, right) if direction is Qt.LayoutDirection.LeftToRight else (right, left)
    assert edges == (theme.color("danger"), theme.color("card"))


FILLS = {Kind.PRIMARY: "accent", Kind.UNREAL: "unreal"}


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_pair_of_text_and_ground_can_be_read(tokens):
    found = {pair: contrast(*(getattr(tokens, name) for name in pair)) for pair in TEXT_PAIRS}
    assert {pair: value for pair, value in found.items() if value < 4.5} == {}


@pytest.mark.parametrize("scheme", list(Scheme))
def test_every_control_can_be_read_in_every_state_and_shows_the_focus(qapp, scheme):
    theme, faint, marked = Theme(scheme), {}, {Role.HOLD_TRACK, Role.TICK, Role.RADIO, Role.FLASH}
    for role in set(Role) - marked:
        for state in (State(*bits) for bits in product((True, False), repeat=5)):
            colours = colours_of(theme, role, state)
            for ground in ("pane", "card") if not colours.fill.alpha() else (colours.fill.name(),):
                under = getattr(theme.tokens, ground, ground)
                least = 4.5 if state.enabled else 3.9
                shown = [contrast(ink.name(), under) - least for ink in (colours.ink, colours.quiet)]
                shown += [contrast(colours.ring.name(), under) - 3] * (state.focused and role not in FILLED)
                if min(shown) < 0:
                    faint[role, state] = shown
            assert bool(colours.ring.alpha()) is state.focused
    assert not faint


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
    named = set(re.findall(r'(?:icon=|IconLabel\(|draw\(painter, )"([a-z-]+)"', source))
    named |= {spec.icon for spec in desktop.window.commands.specs}
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
    button = ActionButton(theme, "Play a scenario", kind=kind)
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
