"""The colours of painted controls and rows, by role and state.

Whether a control is hovered, pressed, checked, disabled or focused changes its colours only here and in the style
sheet, which asks here for what both draw. A test keeps paint methods from choosing colours by state.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton

from chimein_gui.ui.widgets.rows.row_states import HOVERED, SELECTED
from chimein_gui.ui.widgets.theme.theme import blend

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme

    _Three = tuple[QColor, QColor, QColor]

NONE = QColor(0, 0, 0, 0)
"""Nothing is painted."""

_BAR = 3.0
_RING, _THICK_RING = 1.6, 3.0
_HOVERED, _PRESSED = 0.09, 0.18
"""Share of the text colour that is mixed into a filled button."""
_ON_UNREAL = "#1B1330"
"""Text on the light violet of the dark scheme."""


class Role(StrEnum):
    """What a control is; the first six are the kinds of a button."""

    PRIMARY = "primary"
    PLAIN = "plain"
    QUIET = "quiet"
    LINK = "link"
    DANGER = "danger"
    UNREAL = "unreal"
    BARE = "bare"
    """A control that is only text; nothing but the focus ring is drawn."""
    SEGMENT = "segment"
    """One part of a segmented control; the checked one is filled."""
    TAB = "tab"
    """One of several tabs or filters beside each other."""
    RAIL = "rail"
    """A button of the rail; checked is the current place. The edge is the mark beside it."""
    FIELD = "field"
    UNREAL_FIELD = "unreal field"
    """A field of the sandbox, for texts of simulated partners."""
    SEARCH = "search"
    """A button that looks like a search field."""
    TICK = "tick"
    """A check box; the ink is that of its check mark."""
    RADIO = "radio"
    """A radio button; the ink is that of its dot."""
    WORDS = "words"
    """The text beside a check box, or in a field."""
    HOLD = "hold"
    HOLD_TRACK = "hold track"
    """The track of the hold switch; the ink is that of the knob."""
    ROW = "row"
    """A row of a list; the edge is the bar at its leading side."""
    CARD = "card"
    """A card or a bubble that can be selected."""
    FLASH = "flash"
    """A highlight over a row that is shown for a moment."""


FILLED = frozenset({Role.PRIMARY, Role.UNREAL})


class State(NamedTuple):
    """The current state of a control."""

    enabled: bool = True
    hovered: bool = False
    pressed: bool = False
    checked: bool = False
    focused: bool = False
    wrong: bool = False
    """The input is invalid."""


class Colours(NamedTuple):
    """Colours to paint with; `NONE` for what is not painted.

    Attributes:
        fill: The background.
        edge: The frame; with some roles a mark instead.
        ink: Texts and icons.
        ring: The ring around a focused control.
        width: Width of the frame, logical pixels.
        quiet: Secondary texts, and the text on a keycap.
        cap_edge: The frame of a keycap.
        ring_width: Least width of the ring, logical pixels.
    """

    fill: QColor
    edge: QColor
    ink: QColor
    ring: QColor
    width: float
    quiet: QColor
    cap_edge: QColor
    ring_width: float = 0.0


def state_of(widget: QWidget) -> State:
    """Return the current state of a widget."""
    button = widget if isinstance(widget, QAbstractButton) else None
    return State(
        widget.isEnabled(),
        widget.underMouse(),
        button is not None and button.isDown(),
        button is not None and button.isChecked(),
        widget.hasFocus(),
    )


def row_state(bits: int, *, focused: bool = False) -> State:
    """Return the state of a row from the bits of its `QStyleOptionViewItem.state`; selected rows are `checked`."""
    return State(hovered=bool(bits & HOVERED), checked=bool(bits & SELECTED), focused=focused)


def colours_of(theme: Theme, role: Role, state: State) -> Colours:
    """Return the colours of a control."""
    fill, edge, ink = _GROUNDS[role](theme, role, state)
    color = theme.color
    quiet, cap_edge = color("text3" if role is Role.ROW and not state.checked else "text2"), color("line_strong")
    ring = color("accent")
    thick = _THICK_RING if theme.more_contrast else 0.0
    width = _width_of(role, state)
    if thick and state.focused and width > 1:
        width = max(width, thick)
    if role in FILLED and state.enabled:
        quiet, cap_edge, ring = ink, blend(ink, fill, 0.45), ink
    elif role is Role.HOLD and state.checked:
        quiet = ink
    return Colours(fill, edge, ink, ring if state.focused else NONE, width, quiet, cap_edge, thick)


def _width_of(role: Role, state: State) -> float:
    if role is Role.CARD:
        return (2 if state.focused else 1.4) if state.checked else 1
    if role in (Role.TICK, Role.RADIO):
        return 1.5
    if role is Role.SEARCH:
        return _RING if state.focused else 1
    return 2 if role in (Role.FIELD, Role.UNREAL_FIELD) and (state.focused or state.wrong) else 1


def _button(theme: Theme, role: Role, state: State) -> _Three:
    color = theme.color
    if not state.enabled:
        return color("raised"), color("line"), color("text3")
    if role in FILLED:
        more = _PRESSED if state.pressed else _HOVERED if state.hovered else 0.0
        fill = blend(color("accent" if role is Role.PRIMARY else "unreal"), color("text1"), more)
        return fill, NONE, QColor(_ON_UNREAL) if role is Role.UNREAL and theme.tokens.dark else color("on_accent")
    edge, ink = ("danger", "danger") if role is Role.DANGER else ("line_strong", "text1")
    return color("raised" if _is_over(state) else "card"), color(edge), color(ink)


def _groundless(theme: Theme, role: Role, state: State) -> _Three:
    """Return the colours of a button that has a background only while it is hovered, pressed or checked."""
    if not state.enabled:
        return _button(theme, role, state)
    if state.checked:
        return theme.color("accent_soft"), NONE, theme.color("accent_text")
    ink = theme.color("text2" if role is Role.QUIET else "accent_text")
    return (theme.color("raised") if _is_over(state) else NONE), NONE, ink


def _part(theme: Theme, role: Role, state: State) -> _Three:
    over = state.enabled and _is_over(state)
    strong = state.checked or role is Role.WORDS or (role is Role.SEGMENT and over)
    ink = theme.color("text3" if not state.enabled else "text1" if strong else "text2")
    if role is Role.SEGMENT and state.checked:
        return theme.color("raised" if theme.tokens.dark else "card"), theme.color("line_strong"), ink
    has_ground = role is Role.TAB and (state.checked or over)
    return (theme.color("raised") if has_ground else NONE), NONE, ink


def _row(theme: Theme, role: Role, state: State) -> _Three:
    color = theme.color
    fill = color("accent_soft") if state.checked else color("raised") if _is_over(state) else NONE
    if role is Role.ROW:
        return fill, (color("accent") if state.checked else NONE), _words(theme, state)
    ink = "text3" if not state.enabled else "accent_text" if state.checked else "text2"
    return fill, color("accent" if state.checked else "line_strong"), color(ink)


def _field(theme: Theme, role: Role, state: State) -> _Three:
    focus = "unreal" if role is Role.UNREAL_FIELD else "accent"
    edge = theme.color("danger" if state.wrong else focus if state.focused else "line_strong")
    if role is Role.SEARCH:
        return theme.color("raised" if state.hovered else "field"), edge, theme.color("text2")
    fill = "accent_soft" if state.checked else "field" if state.enabled else "raised"
    return theme.color(fill), edge, _words(theme, state)


def _box(theme: Theme, role: Role, state: State) -> _Three:
    color = theme.color
    full = "accent" if state.enabled else "text3"
    edge = color(full if state.checked or state.focused else "text3")
    if role is Role.RADIO:
        return color("field"), edge, color(full)
    ground = "field" if state.enabled else "raised"
    return color(full if state.checked else ground), edge, color("on_accent" if state.enabled else "raised")


def _hold(theme: Theme, role: Role, state: State) -> _Three:
    color, on = theme.color, state.checked
    if role is Role.HOLD_TRACK:
        knob = "card" if on or not theme.tokens.dark else "text1"
        return color("attention" if on else "track"), (NONE if on else color("line_strong")), color(knob)
    if on:
        return color("attention_soft"), color("attention_line"), color("attention")
    return color("card"), color("line_strong"), color("text1")


def _card(theme: Theme, role: Role, state: State) -> _Three:
    if role is Role.CARD:
        return theme.color("card"), theme.color("accent" if state.checked else "line"), _words(theme, state)
    tint = QColor(theme.color("accent"))
    tint.setAlphaF(0.16)
    return tint, NONE, _words(theme, state)


def _words(theme: Theme, state: State) -> QColor:
    return theme.color("text1" if state.enabled else "text3")


def _is_over(state: State) -> bool:
    return state.hovered or state.pressed


_GROUNDS: dict[Role, Callable[[Theme, Role, State], _Three]] = {
    Role.PRIMARY: _button,
    Role.PLAIN: _button,
    Role.QUIET: _groundless,
    Role.LINK: _groundless,
    Role.DANGER: _button,
    Role.UNREAL: _button,
    Role.BARE: _part,
    Role.SEGMENT: _part,
    Role.TAB: _part,
    Role.WORDS: _part,
    Role.RAIL: _row,
    Role.ROW: _row,
    Role.FIELD: _field,
    Role.UNREAL_FIELD: _field,
    Role.SEARCH: _field,
    Role.TICK: _box,
    Role.RADIO: _box,
    Role.HOLD: _hold,
    Role.HOLD_TRACK: _hold,
    Role.CARD: _card,
    Role.FLASH: _card,
}
"""For each role, a function that returns fill, edge and ink."""


def draw_ground(painter: QPainter, colours: Colours, rect: QRectF, radius: float) -> None:
    """Paint background and frame of a control, if it has any."""
    if colours.fill.alpha() or colours.edge.alpha():
        painter.setPen(QPen(colours.edge, colours.width) if colours.edge.alpha() else Qt.PenStyle.NoPen)
        painter.setBrush(colours.fill)
        painter.drawRoundedRect(rect, radius, radius)


def draw_ring(painter: QPainter, colours: Colours, rect: QRectF, radius: float, width: float = _RING) -> None:
    """Paint the focus ring, if there is one."""
    if colours.ring.alpha():
        painter.setPen(QPen(colours.ring, max(width, colours.ring_width)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, radius, radius)


def draw_row(painter: QPainter, colours: Colours, rect: QRectF) -> None:
    """Paint the background of a row, with a bar at its leading edge if it is selected."""
    if colours.fill.alpha():
        painter.fillRect(rect, colours.fill)
    if colours.edge.alpha():
        painter.fillRect(QRectF(rect.left(), rect.top(), _BAR, rect.height()), colours.edge)
        if colours.ring_width:  # with high contrast a soft background alone does not tell which row is selected
            painter.setPen(QPen(colours.edge, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(1, 1, -1, -1))


def draw_tile(painter: QPainter, colours: Colours, tile: QRectF, radius: float = 6) -> None:
    """Paint the background of a row with rounded corners, and the focus ring."""
    if colours.fill.alpha():
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.fill)
        painter.drawRoundedRect(tile, radius, radius)
    draw_ring(painter, colours, tile.adjusted(0.5, 0.5, -0.5, -0.5), radius, 1)
