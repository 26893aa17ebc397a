"""Applies the theme to the application: the Fusion style, a palette, and a small style sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette

from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of
from chimein_gui.ui.widgets.theme.theme import CONTROL, GROUND, INK, INKS, ControlStyle, Face, Scheme, Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

IN_FUSION = "in_fusion"
"""Property of an application whose style is Fusion."""

_QSS = """
QMainWindow {{ background: {window}; }}
QMainWindow::separator {{ background: {line}; width: 1px; height: 1px; }}
QSplitter::handle {{ background: {line}; }}
QToolBar {{ background: {window}; border: none; padding: 0; spacing: 0; }}
QStatusBar {{ background: {window}; border-top: 1px solid {line}; }}
QStatusBar::item {{ border: none; }}
QDockWidget > QWidget {{ background: {pane}; }}
QTreeView, QListView {{ background: {pane}; border: none; outline: 0; }}
QListView#transcript, QScrollArea#drafts {{ background: {chat}; border: none; }}
QTabBar {{ background: {window}; qproperty-drawBase: 0; }}
QTabBar::tab {{ background: {window}; color: {text2}; padding: 9px 14px 8px 14px; border: none;
  border-bottom: 2px solid transparent; font-weight: 600; }}
QTabBar[tight="true"]::tab {{ padding: 9px 7px 8px 7px; }}
QTabBar::tab:selected {{ background: {pane}; color: {text1}; border-bottom: 2px solid {accent}; }}
QTabBar::tab:hover:!selected {{ background: {raised}; }}
QMenu {{ background: {card}; color: {text1}; border: 1px solid {line_strong}; padding: 5px; }}
QMenu::item {{ padding: 6px 22px 6px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {accent_soft}; color: {text1}; }}
QMenu::item:disabled {{ color: {text3}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 5px 6px; }}
QToolTip {{ background: {card}; color: {text1}; border: 1px solid {line_strong}; padding: 4px 6px; }}
QTabBar, QMenu, QToolTip {{ font-size: {letters}; }}
QScrollBar:vertical {{ background: transparent; width: 9px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {line_strong}; border-radius: 3px; min-height: 32px; margin: 1px 2px; }}
QScrollBar:horizontal {{ background: transparent; height: 9px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {line_strong}; border-radius: 3px; min-width: 32px; margin: 2px 1px; }}
QScrollBar::handle:hover {{ background: {text3}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
{control_bare} {{ background: transparent; border: none; padding: 0; }}
QProgressBar{control_line} {{ background: {track}; border: none; border-radius: 1px; }}
QProgressBar{control_line}::chunk {{ background: {info}; border-radius: 1px; }}
QPushButton{control_tab} {{ background: transparent; color: {tab_ink}; border: 1px solid transparent;
  border-radius: 6px; padding: 3px 10px; }}
QPushButton{control_tab}:hover, QPushButton{control_tab}:pressed {{ background: {tab_hovered}; }}
QPushButton{control_tab}:checked {{ background: {tab_checked}; color: {tab_checked_ink};
  border-bottom-color: {accent}; }}
QPushButton{control_tab}:disabled {{ color: {tab_disabled_ink}; }}
QPushButton{control_tab}:focus {{ border: 1px solid {tab_ring}; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""

_HIGH_QSS = """
QMenu {{ border: 2px solid {text1}; }}
QMenu::item:selected {{ background: {accent}; color: {on_accent}; }}
QTabBar::tab:selected {{ border-bottom: 4px solid {accent}; }}
QPushButton{control_tab}:focus {{ border: 3px solid {tab_ring}; }}
QToolTip {{ border: 2px solid {text1}; }}
"""
"""Added with high contrast."""

_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text1",
    QPalette.ColorRole.Base: "field",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Text: "text1",
    QPalette.ColorRole.PlaceholderText: "text3",
    QPalette.ColorRole.Button: "card",
    QPalette.ColorRole.ButtonText: "text1",
    QPalette.ColorRole.BrightText: "danger",
    QPalette.ColorRole.Light: "card",
    QPalette.ColorRole.Midlight: "raised",
    QPalette.ColorRole.Mid: "line_strong",
    QPalette.ColorRole.Dark: "line_strong",
    QPalette.ColorRole.Shadow: "line_strong",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "info",
    QPalette.ColorRole.LinkVisited: "info",
    QPalette.ColorRole.ToolTipBase: "card",
    QPalette.ColorRole.ToolTipText: "text1",
}


def system_scheme(app: QApplication) -> Scheme:
    """Return the colour scheme of the desktop; light if it has none."""
    return Scheme.DARK if app.styleHints().colorScheme() is Qt.ColorScheme.Dark else Scheme.LIGHT


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Apply the theme to the application and all its widgets."""
    # A property remembers the style, because to ask for it loads the large enums of QStyle, which takes 10 ms.
    if not app.property(IN_FUSION):
        if app.style().objectName().lower() != "fusion":
            app.setStyle("Fusion")
        app.setProperty(IN_FUSION, "yes")
    app.setPalette(palette_of(theme))
    app.setStyleSheet(style_sheet_of(theme))


def palette_of(theme: Theme) -> QPalette:
    """Return the palette of a scheme."""
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, theme.color(token))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.color("text3"))
    palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, QColor(theme.tokens.track))
    return palette


def style_sheet_of(theme: Theme) -> str:
    """Return the style sheet of a scheme; colours come from tokens only."""
    tokens = theme.tokens
    font = theme.font(Face.BODY)
    letters = f"{font.pointSizeF():.2f}pt" if font.pointSizeF() > 0 else f"{font.pixelSize()}px"
    controls = {f"control_{control}": f'[{CONTROL}="{control}"]' for control in ControlStyle}
    names = tokens._asdict()
    sheet = _QSS + _HIGH_QSS if theme.more_contrast else _QSS
    rules = sheet.format(letters=letters, **controls, **names, **_tab_colours(theme))
    inks = (f'QLabel[{INK}="{name}"] {{ color: {getattr(tokens, name)}; }}' for name in INKS)
    grounds = (f'QDialog[{GROUND}="{name}"] {{ background: {getattr(tokens, name)}; }}' for name in ("card", "pane"))
    return "\n".join((rules, *inks, *grounds))


def _tab_colours(theme: Theme) -> dict[str, str]:
    usual, checked = (colours_of(theme, Role.TAB, State(checked=on, focused=on)) for on in (False, True))
    return {
        "tab_ink": usual.ink.name(),
        "tab_hovered": colours_of(theme, Role.TAB, State(hovered=True)).fill.name(),
        "tab_checked": checked.fill.name(),
        "tab_checked_ink": checked.ink.name(),
        "tab_disabled_ink": colours_of(theme, Role.TAB, State(enabled=False)).ink.name(),
        "tab_ring": checked.ring.name(),
    }
